//! Examines the contract's exponential over floats of [-64, 0] in the order of their bits: from -0 downwards.
#![allow(clippy::disallowed_methods, reason = "the reference is the platform's library")]

use nucleus_sampler::math::exp_f32;

/// The bits of -0 and of -64: every float of [-64, 0] but +0 lies between.
pub const FIRST: u32 = 0x8000_0000;
pub const LAST: u32 = 0xc280_0000;
/// The bits of -32, below which only monotony is promised.
const PROMISED: u32 = 0xc200_0000;

/// What was found.
#[derive(Clone, Copy, Debug, Default)]
pub struct Worst {
    /// How many floats were tried.
    pub n: u64,
    /// The largest error on [-32, 0], in ulp of the true value.
    pub ulp: f64,
    /// The bits at which it was found.
    pub at: u32,
    /// How often a lower x had a higher e^x.
    pub n_falls: u64,
}

impl Worst {
    /// Both findings together.
    pub fn and(self, other: Worst) -> Worst {
        let (ulp, at) =
            if other.ulp > self.ulp { (other.ulp, other.at) } else { (self.ulp, self.at) };
        Worst { n: self.n + other.n, ulp, at, n_falls: self.n_falls + other.n_falls }
    }
}

/// Floats examined together, so that the compiler may use vectors.
const BLOCK: usize = 1024;

/// Tries the floats of ascending `bits`.
pub fn examine(bits: std::ops::RangeInclusive<u32>) -> Worst {
    let (mut worst, mut before) = (Worst::default(), f32::INFINITY);
    let (mut xs, mut found, mut truth) = ([0.0; BLOCK], [0.0; BLOCK], [0.0; BLOCK]);
    for first in bits.clone().step_by(BLOCK) {
        let n = BLOCK.min((bits.end() - first) as usize + 1);
        for (x, bits) in xs.iter_mut().zip(first..) {
            *x = f32::from_bits(bits);
        }
        for (found, x) in found.iter_mut().zip(&xs) {
            *found = exp_f32(*x);
        }
        true_values(&mut truth, &xs);
        worst.n += n as u64;
        for e in &found[..n] {
            worst.n_falls += u64::from(*e > before);
            before = *e;
        }
        let promised = n.min((PROMISED + 1).saturating_sub(first) as usize);
        let errors = found.iter().zip(&truth).map(|(found, truth)| error(*found, *truth));
        let largest = errors.clone().take(promised).fold(0.0, f64::max);
        if largest > worst.ulp {
            let place = errors.take(promised).position(|error| error == largest).unwrap_or(0);
            (worst.ulp, worst.at) = (largest, first + place as u32);
        }
    }
    worst
}

fn true_values(truth: &mut [f64; BLOCK], xs: &[f32; BLOCK]) {
    // Four floats in five lie this near to 0, where three terms of the series are e^x to the last bit of an f64.
    if xs[BLOCK - 1] > -1e-6 {
        for (truth, x) in truth.iter_mut().zip(xs) {
            let x = f64::from(*x);
            *truth = 1.0 + (x + x * x / 2.0);
        }
    } else {
        for (truth, x) in truth.iter_mut().zip(xs) {
            *truth = f64::from(*x).exp();
        }
    }
}

/// The error in units of the distance between floats at the true value.
fn error(found: f32, truth: f64) -> f64 {
    let unit = f64::from_bits((truth.to_bits() >> 52 << 52) - (23 << 52));
    (f64::from(found) - truth).abs() / unit
}
