//! The contract's integer weights, recomputed one token at a time.
//!
//! Weights are rounded from the bits of e with integer shifts, masses and shares are u128: nothing here can round in a
//! way that the contract does not say.

use super::{Choice, Cut, Measure, Rule, Token, exact_rules, surprise, zipf_count, zipf_exponent};

/// Integer weights.
#[derive(Debug)]
pub struct Exact;

impl Measure for Exact {
    fn reach(ranked: &[Token], factor: f64, p: f64) -> Cut {
        let weights = weights(ranked, factor);
        let target = share_of(p, mass(&weights));
        let (mut n, mut reached) = (0, 0);
        while reached < target {
            reached += u128::from(weights[n]);
            n += 1;
        }
        Cut { n, slack: f64::INFINITY }
    }

    fn at_least(ranked: &[Token], factor: f64, m: f64) -> Cut {
        let least = share_of(m, 1 << 44);
        let weights = weights(ranked, factor);
        let n = weights.iter().filter(|w| u128::from(**w) >= least).count();
        Cut { n, slack: f64::INFINITY }
    }

    fn unsurprising(ranked: &[Token], factor: f64, mu: f64) -> Cut {
        let probabilities = Exact::probabilities(ranked, factor);
        let n = probabilities.iter().filter(|p| surprise(**p) <= mu).count();
        Cut { n, slack: f64::INFINITY }
    }

    fn zipf(ranked: &[Token], factor: f64, mu: f64) -> Cut {
        let n = zipf_count(zipf_exponent(ranked, factor), mu, ranked.len());
        Cut { n, slack: f64::INFINITY }
    }

    fn probabilities(ranked: &[Token], factor: f64) -> Vec<f64> {
        let weights = weights(ranked, factor);
        let whole = mass(&weights) as f64;
        weights.iter().map(|w| *w as f64 / whole).collect()
    }

    fn at_share(ranked: &[Token], factor: f64, share: f64) -> Cut {
        let weights = weights(ranked, factor);
        let least = share_of(share, mass(&weights));
        let n = weights.iter().filter(|w| u128::from(**w) >= least).count();
        Cut { n, slack: f64::INFINITY }
    }

    #[allow(clippy::disallowed_methods, reason = "an oracle may use the platform's library")]
    fn log_sum(ranked: &[Token]) -> f64 {
        (mass(&weights(ranked, 1.0)) as f64).ln() - 44.0 * std::f64::consts::LN_2
    }

    fn choose(rule: Rule, ranked: &[Token], factor: f64) -> Choice {
        exact_rules::choose(rule, ranked, factor)
    }

    fn entropy(ranked: &[Token], factor: f64) -> f64 {
        exact_rules::entropy(ranked, factor)
    }
}

/// The token of a word: kept tokens laid out in ascending id, each as long as its weight.
pub fn draw(ranked: &[Token], factor: f64, word: u64) -> u32 {
    let mut laid_out: Vec<(u32, u64)> =
        ranked.iter().map(|t| t.id).zip(weights(ranked, factor)).collect();
    laid_out.sort_unstable();
    let mass: u128 = laid_out.iter().map(|(_, w)| u128::from(*w)).sum();
    let target = (u128::from(word) * mass) >> 64;
    let mut end = 0;
    for (id, weight) in laid_out {
        end += u128::from(weight);
        if target < end {
            return id;
        }
    }
    panic!("the target {target} lies beyond the mass {mass}")
}

/// The weights of a ranked set: of e^((l - l_max) r).
pub fn weights(ranked: &[Token], factor: f64) -> Vec<u64> {
    let Some(best) = ranked.first() else { return Vec::new() };
    let high = factor as f32;
    let low = (factor - f64::from(high)) as f32;
    let exponent = |t: &Token| {
        let d = t.logit - best.logit;
        let y = d * high;
        let x = y + d * low;
        if y >= -64.0 { x } else { -64.0 }
    };
    ranked.iter().map(|t| weight(exp(exponent(t)))).collect()
}

/// The sum of weights.
pub fn mass(weights: &[u64]) -> u128 {
    weights.iter().map(|w| u128::from(*w)).sum()
}

/// e 2^44 for e in [0, 1], rounded to nearest, ties to even.
pub fn weight(e: f32) -> u64 {
    let (mantissa, exponent) = (u64::from(e.to_bits() & 0x7f_ffff), e.to_bits() >> 23);
    // Subnormal e is far below half a unit.
    if exponent == 0 {
        return 0;
    }
    // e = m 2^(exponent - 150), so w = m 2^(exponent - 106).
    let m = mantissa | 1 << 23;
    match exponent.checked_sub(106) {
        Some(up) => m << up,
        None if exponent < 80 => 0,
        None => {
            let down = 106 - exponent;
            let (floor, rest, half) = (m >> down, m & ((1 << down) - 1), 1 << (down - 1));
            floor + u64::from(rest > half || (rest == half && floor % 2 == 1))
        }
    }
}

/// ceil(share * mass), for a share in [0, 1] and a mass up to 2^64.
pub fn share_of(share: f64, mass: u128) -> u128 {
    let (m, down) = fraction(share);
    // m is below 2^53: the product fills at most 116 bits.
    let product = m * mass;
    if down >= 120 { u128::from(product > 0) } else { (product + (1 << down) - 1) >> down }
}

/// floor(share * mass), for the same.
pub fn whole_share_of(share: f64, mass: u128) -> u128 {
    let (m, down) = fraction(share);
    if down >= 120 { 0 } else { (m * mass) >> down }
}

/// share = m / 2^down, with m below 2^53.
pub fn fraction(share: f64) -> (u128, u64) {
    let exponent = (share.to_bits() >> 52) & 0x7ff;
    let fraction = u128::from(share.to_bits() & ((1 << 52) - 1));
    if exponent == 0 { (fraction, 1074) } else { (fraction | 1 << 52, 1075 - exponent) }
}

/// The contract's exponential of x in [-64, 0].
pub fn exp(x: f32) -> f32 {
    let round = 12_582_912.0_f32;
    let shifted = x * f32::from_bits(0x3fb8_aa3b) + round;
    let n = shifted - round;
    let f = (x - n * f32::from_bits(0x3f31_8000)) - n * f32::from_bits(0xb95e_8083);
    let g = f * f;
    let c = [0x3eff_fffe, 0x3e2a_aa49, 0x3d2a_ac79, 0x3c09_1d10, 0x3ab5_11e8].map(f32::from_bits);
    let low = c[1] * f + c[0];
    let high = c[4] * g + (c[3] * f + c[2]);
    let p = ((high * g + low) * g + f) + 1.0;
    // p 2^n, by adding n to the exponent.
    f32::from_bits((p.to_bits() as i32 + ((n as i32) << 23)) as u32)
}
