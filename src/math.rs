//! Exponential, logarithm, sine, rank order and exact shares: the only transcendental code of the crate.
//!
//! Every function is a fixed sequence of IEEE 754 additions, multiplications and bit operations: no fused
//! multiply-add, no platform library. The same bits come out on every machine that the crate promises.
//! `docs/exp.md` prints [`exp_f32`] with its constants; they are part of the contract.
//!
//! Errors, tested exhaustively (f32) and on dense samples (f64): [`exp_f32`] at most 1 ulp on [-32, 0];
//! [`exp`], [`ln`] and [`log2`] at most 1 ulp; [`sin_cos`] at most 1 ulp for angles up to 2^20.

mod angle;
mod share;

pub use angle::sin_cos;
pub use share::{ceil_share, ceil_share_of_square, floor_share};

/// ln 2, rounded to f64.
pub const LN_2: f64 = core::f64::consts::LN_2;

/// The constants of [`exp_f32`].
pub(crate) mod exp_coefficients {
    /// log2(e), rounded to f32.
    pub(crate) const LOG2_E: f32 = core::f32::consts::LOG2_E;
    /// 1.5 * 2^23: adding it rounds to an integer, ties to even, and leaves that integer in the low bits.
    pub(crate) const ROUND: f32 = 12_582_912.0;
    /// ln 2 in two parts; the first has 9 significant bits, so that n * LN2_HIGH is exact.
    pub(crate) const LN2_HIGH: f32 = 0.693_359_4;
    /// The rest of ln 2.
    pub(crate) const LN2_LOW: f32 = -2.121_944_4e-4;
    /// e^f = 1 + f + f^2 (C2 + C3 f + C4 f^2 + C5 f^3 + C6 f^4), least relative error on |f| <= ln 2 / 2.
    pub(crate) const C2: f32 = f32::from_bits(0x3eff_fffe);
    pub(crate) const C3: f32 = f32::from_bits(0x3e2a_aa49);
    pub(crate) const C4: f32 = f32::from_bits(0x3d2a_ac79);
    pub(crate) const C5: f32 = f32::from_bits(0x3c09_1d10);
    pub(crate) const C6: f32 = f32::from_bits(0x3ab5_11e8);
}

use exp_coefficients::*;

/// e^x for x in [-64, 0]: at most 1 ulp on [-32, 0], monotone, and exactly 1 at 0.
///
/// Outside that interval the result means nothing (but nothing breaks); the callers clamp.
#[inline(always)]
pub fn exp_f32(x: f32) -> f32 {
    let t = x * LOG2_E + ROUND;
    let n = t - ROUND;
    let f = (x - n * LN2_HIGH) - n * LN2_LOW;
    let g = f * f;
    let low = C3 * f + C2;
    let high = C6 * g + (C5 * f + C4);
    let p = ((high * g + low) * g + f) + 1.0;
    f32::from_bits(p.to_bits().wrapping_add(t.to_bits() << 23))
}

/// The key of a logit in rank order: a higher key ranks first, equal logits have equal keys, -0.0 is +0.0.
#[inline(always)]
pub fn rank_key(logit: f32) -> u32 {
    let bits = (logit + 0.0).to_bits();
    // Negative: all bits flip, so that larger magnitudes come lower. Positive: only the sign bit.
    bits ^ (((bits as i32) >> 31) as u32 | 0x8000_0000)
}

/// The logit of a key made by [`rank_key`].
#[inline(always)]
pub fn rank_key_logit(key: u32) -> f32 {
    let mask = if key & 0x8000_0000 == 0 { u32::MAX } else { 0x8000_0000 };
    f32::from_bits(key ^ mask)
}

/// 2^k for k in [-1022, 1023].
fn power_of_two(k: i64) -> f64 {
    f64::from_bits(((k + 1023).clamp(1, 2046) as u64) << 52)
}

/// 1 / n! for n = 2 to 13, highest last.
const EXP_SERIES: [f64; 12] = [
    1.0 / 2.0,
    1.0 / 6.0,
    1.0 / 24.0,
    1.0 / 120.0,
    1.0 / 720.0,
    1.0 / 5_040.0,
    1.0 / 40_320.0,
    1.0 / 362_880.0,
    1.0 / 3_628_800.0,
    1.0 / 39_916_800.0,
    1.0 / 479_001_600.0,
    1.0 / 6_227_020_800.0,
];
/// ln 2 with the low 21 bits cleared, and the rest.
const LN2_HIGH_F64: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
const LN2_LOW_F64: f64 = 1.908_214_929_270_587_7e-10;

/// e^x in f64, at most 1 ulp; +infinity above 709.78, 0 below -745.14, NaN for NaN.
pub fn exp(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x > 709.782_712_893_384 {
        return f64::INFINITY;
    }
    if x < -745.133_219_101_941_2 {
        return 0.0;
    }
    let n = (x * core::f64::consts::LOG2_E).round_ties_even();
    let high = x - n * LN2_HIGH_F64;
    let low = n * LN2_LOW_F64;
    let f = high - low;
    let lost = (high - f) - low;
    let series = EXP_SERIES.iter().rev().fold(0.0, |sum, c| sum * f + c);
    let p = 1.0 + (f + (f * f * series + lost));
    // Two factors, so that neither leaves the range of normal numbers on the way to a subnormal result.
    let n = n as i64;
    let half = n / 2;
    p * power_of_two(half) * power_of_two(n - half)
}

/// 2 / (2 i + 3) for i = 0 to 10: the series of ln((1 + s) / (1 - s)) / s after its first term, in s^2.
const LN_SERIES: [f64; 11] = [
    2.0 / 3.0,
    2.0 / 5.0,
    2.0 / 7.0,
    2.0 / 9.0,
    2.0 / 11.0,
    2.0 / 13.0,
    2.0 / 15.0,
    2.0 / 17.0,
    2.0 / 19.0,
    2.0 / 21.0,
    2.0 / 23.0,
];

/// The natural logarithm in f64, at most 1 ulp; -infinity at 0, NaN below.
pub fn ln(x: f64) -> f64 {
    if x.is_nan() || x < 0.0 {
        return f64::NAN;
    }
    if x == 0.0 {
        return f64::NEG_INFINITY;
    }
    if x.is_infinite() {
        return x;
    }
    let (m, k) = split(x);
    // x = (1 + f) 2^k with 1 + f in [sqrt 1/2, sqrt 2); s = f / (2 + f); ln(1 + f) = 2 atanh s.
    let f = m - 1.0;
    let tail = 0.5 * f * f - ln_rest(f, f / (2.0 + f));
    let k = k as f64;
    k * LN2_HIGH_F64 + (f - (tail - k * LN2_LOW_F64))
}

/// ln(1 + f) - f + f^2 / 2, with s = f / (2 + f): s (f^2 / 2 + series).
fn ln_rest(f: f64, s: f64) -> f64 {
    let z = s * s;
    let series = LN_SERIES.iter().rev().fold(0.0, |sum, c| sum * z + c) * z;
    s * (0.5 * f * f + series)
}

/// The mantissa in [sqrt 1/2, sqrt 2) and the exponent of a positive finite number.
fn split(x: f64) -> (f64, i64) {
    let (x, shift) = if x < f64::MIN_POSITIVE { (x * power_of_two(54), 54) } else { (x, 0) };
    let bits = x.to_bits();
    let k = ((bits >> 52) as i64) - 1023 - shift;
    let m = f64::from_bits((bits & 0x000f_ffff_ffff_ffff) | 0x3ff0_0000_0000_0000);
    if m > core::f64::consts::SQRT_2 { (m * 0.5, k + 1) } else { (m, k) }
}

/// 1 / ln 2 with the low 21 bits cleared, and the rest.
const LOG2_E_HIGH: f64 = f64::from_bits(0x3ff7_1547_6520_0000);
const LOG2_E_LOW: f64 = 1.675_171_316_488_651_2e-10;

/// The binary logarithm in f64, at most 1 ulp, exact at powers of two.
pub fn log2(x: f64) -> f64 {
    if !(x > 0.0 && x.is_finite()) {
        return ln(x);
    }
    let (m, k) = split(x);
    let f = m - 1.0;
    let s = f / (2.0 + f);
    let (half_square, rest) = (0.5 * f * f, ln_rest(f, s));
    // ln m = high + low; high has so few bits that high * LOG2_E_HIGH is exact.
    let high = f64::from_bits((f - half_square).to_bits() & 0xffff_ffff_0000_0000);
    let low = ((f - high) - half_square) + rest;
    let whole = high * LOG2_E_HIGH;
    let part = low * LOG2_E_HIGH + (low + high) * LOG2_E_LOW;
    // k + whole, and what that loses.
    let k = k as f64;
    let sum = k + whole;
    sum + (((k - sum) + whole) + part)
}
