//! Exponential and logarithms to about 100 bits: numbers as unevaluated sums of two f64.
//!
//! Reference: T. J. Dekker, *A floating-point technique for extending the available precision* (1971).
#![allow(clippy::disallowed_methods, reason = "fused multiply-add is what makes products exact")]

/// high + low, with low at most half a unit in the last place of high.
#[derive(Clone, Copy, Debug)]
pub struct Double {
    pub high: f64,
    pub low: f64,
}

/// ln 2 and 1 / ln 2.
const LN_2: Double = Double { high: std::f64::consts::LN_2, low: 2.319_046_813_846_299_6e-17 };
const LOG2_E: Double = Double { high: std::f64::consts::LOG2_E, low: 2.035_527_374_093_103_3e-17 };

const fn exactly(x: f64) -> Double {
    Double { high: x, low: 0.0 }
}

/// a + b without error.
fn sum(a: f64, b: f64) -> Double {
    let high = a + b;
    let rest = high - a;
    Double { high, low: (a - (high - rest)) + (b - rest) }
}

fn add(a: Double, b: Double) -> Double {
    let high = sum(a.high, b.high);
    let low = sum(a.low, b.low);
    let once = sum(high.high, high.low + low.high);
    sum(once.high, once.low + low.low)
}

fn multiply(a: Double, b: Double) -> Double {
    let high = a.high * b.high;
    let low = a.high.mul_add(b.high, -high);
    sum(high, low + (a.high * b.low + a.low * b.high))
}

fn scale(a: Double, by: f64) -> Double {
    multiply(a, exactly(by))
}

/// e^x = p 2^k with p in [1/2, 2].
pub fn exp(x: Double) -> (Double, i32) {
    let k = (x.high * std::f64::consts::LOG2_E).round();
    let rest = add(x, scale(LN_2, -k));
    // e^(r / 512) - 1 by its series; then nine times (1 + s)^2 - 1 = 2 s + s^2.
    let r = Double { high: rest.high / 512.0, low: rest.low / 512.0 };
    let (mut term, mut s) = (r, r);
    for n in 2..12 {
        term = multiply(multiply(term, r), reciprocal(f64::from(n)));
        s = add(s, term);
    }
    for _ in 0..9 {
        s = add(scale(s, 2.0), multiply(s, s));
    }
    (add(s, exactly(1.0)), k as i32)
}

fn reciprocal(n: f64) -> Double {
    let high = 1.0 / n;
    Double { high, low: -high.mul_add(n, -1.0) / n }
}

/// The natural logarithm of a positive finite number.
pub fn ln(x: f64) -> Double {
    let (m, k) = split(x);
    // One step of Newton's method from the platform's logarithm.
    let guess = m.ln();
    let (p, n) = exp(exactly(-guess));
    let off = add(scale(scale(p, m), 2.0f64.powi(n)), exactly(-1.0));
    let correction = add(off, scale(multiply(off, off), -0.5));
    add(add(exactly(guess), correction), scale(LN_2, f64::from(k)))
}

/// The binary logarithm of a positive finite number.
pub fn log2(x: f64) -> Double {
    let (m, k) = split(x);
    add(multiply(ln(m), LOG2_E), exactly(f64::from(k)))
}

/// x = m 2^k with m in [sqrt 1/2, sqrt 2).
fn split(x: f64) -> (f64, i32) {
    let (x, shift) = if x < f64::MIN_POSITIVE { (x * 2.0f64.powi(54), -54) } else { (x, 0) };
    let k = ((x.to_bits() >> 52) as i32) - 1023;
    let m = f64::from_bits((x.to_bits() & ((1 << 52) - 1)) | 1.0f64.to_bits());
    if m > std::f64::consts::SQRT_2 { (m / 2.0, k + 1 + shift) } else { (m, k + shift) }
}

/// The distance of `found` from `truth`, in units of the last place of the truth.
pub fn error(found: f64, truth: Double) -> f64 {
    ulp(found, truth, f64::from_bits(1))
}

/// The distance of `found` from p 2^k, in units of the last place, which is no smaller than the smallest float.
pub fn error_scaled(found: f64, (p, k): (Double, i32)) -> f64 {
    let (half, rest) = (k / 2, k - k / 2);
    let up = |x: f64| x * 2.0f64.powi(-half) * 2.0f64.powi(-rest);
    ulp(up(found), p, up(f64::from_bits(1)))
}

fn ulp(found: f64, truth: Double, least: f64) -> f64 {
    let unit = (f64::from_bits(truth.high.abs().to_bits() + 1) - truth.high.abs()).max(least);
    ((found - truth.high) - truth.low).abs() / unit
}
