//! The errors of the f64 functions, against a hundred bits: every special value, and points of every kind by the
//! million. The ignored tests are the same with a hundred million: they are a suite of `npm run test:long`.
//!
//! `docs/exp.md` states what they find.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

mod common;

use common::function_errors::{exp_error, ln_error, log2_error};
use nucleus_sampler::math::{exp, ln, log2};

/// What is stated, in units of the last place of the true value.
const EXP_ULP: f64 = 1.0;
const LN_ULP: f64 = 1.0;
const LOG2_ULP: f64 = 1.0;

/// Points a function in `npm test`.
const SOME: u64 = 400_000;
const HUNDRED_MILLION: u64 = 100_000_000;

/// Word `i` of a sequence without a pattern: Steele, Lea and Flood's SplitMix64.
fn word(i: u64) -> u64 {
    let mut z = i.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A number in [0, 1).
fn unit(word: u64) -> f64 {
    (word >> 11) as f64 / (1u64 << 53) as f64
}

/// Where e^x is a normal number, where weights are, around 0, and of every exponent down to 2^-60.
fn exp_point(i: u64) -> f64 {
    let (a, b) = (word(2 * i), word(2 * i + 1));
    let sign = if b & 1 == 0 { 1.0 } else { -1.0 };
    match i % 4 {
        0 => -708.39 + unit(a) * (709.78 + 708.39),
        1 => -64.0 * unit(a),
        2 => sign * unit(a),
        _ => sign * f64::from_bits((1023 - b % 60) << 52 | a >> 12),
    }
}

/// Every exponent, around 1 at every distance, masses, and numbers of daily use.
fn positive_point(i: u64) -> f64 {
    let (a, b) = (word(2 * i), word(2 * i + 1));
    let sign = if b & 1 == 0 { 1.0 } else { -1.0 };
    match i % 4 {
        0 => f64::from_bits(a % f64::INFINITY.to_bits()).max(f64::from_bits(1)),
        1 => 1.0 + sign * f64::from_bits((1022 - (b >> 8) % 52) << 52 | a >> 12) * 0.5,
        2 => (a >> (b % 63)).max(1) as f64,
        _ => 2.0 * unit(a) + f64::MIN_POSITIVE,
    }
}

/// The largest error over `n` points, with where it is.
fn worst(n: u64, point: fn(u64) -> f64, error: fn(f64) -> f64) -> (f64, f64) {
    let larger = |a: (f64, f64), b: (f64, f64)| if b.0 > a.0 { b } else { a };
    std::thread::scope(|scope| {
        let part = |k| (0..n / 2).map(move |i| point(2 * i + k)).map(|x| (error(x), x));
        let half = move |k| part(k).fold((0.0, 0.0), larger);
        let other = scope.spawn(move || half(1));
        larger(half(0), other.join().unwrap())
    })
}

fn assert_within(n: u64, name: &str, limit: f64, point: fn(u64) -> f64, error: fn(f64) -> f64) {
    let (ulp, x) = worst(n, point, error);
    println!("{name}: {ulp:.4} ulp at {x:e} ({:#018x}) of {n} points", x.to_bits());
    assert!(ulp <= limit, "{name}: {ulp} ulp at {x:e}");
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow without optimisation; run with --release")]
fn the_errors_are_as_stated_on_points_of_every_kind() {
    assert_within(SOME, "exp", EXP_ULP, exp_point, exp_error);
    assert_within(SOME, "ln", LN_ULP, positive_point, ln_error);
    assert_within(SOME, "log2", LOG2_ULP, positive_point, log2_error);
}

#[test]
#[ignore = "a hundred million points: npm run test:long"]
fn the_error_of_exp_is_as_stated_on_a_hundred_million_points() {
    assert_within(HUNDRED_MILLION, "exp", EXP_ULP, exp_point, exp_error);
}

#[test]
#[ignore = "a hundred million points: npm run test:long"]
fn the_error_of_ln_is_as_stated_on_a_hundred_million_points() {
    assert_within(HUNDRED_MILLION, "ln", LN_ULP, positive_point, ln_error);
}

#[test]
#[ignore = "a hundred million points: npm run test:long"]
fn the_error_of_log2_is_as_stated_on_a_hundred_million_points() {
    assert_within(HUNDRED_MILLION, "log2", LOG2_ULP, positive_point, log2_error);
}

/// A float with the four on either side of it.
fn around(x: f64) -> impl Iterator<Item = f64> {
    (-4i64..=4).map(move |step| f64::from_bits(x.to_bits().wrapping_add_signed(step)))
}

/// Every power of two, subnormal ones too.
fn powers_of_two() -> impl Iterator<Item = f64> {
    let subnormal = (0..52).map(|k| f64::from_bits(1 << k));
    subnormal.chain((1..2047).map(|exponent| f64::from_bits(exponent << 52)))
}

/// The places where the integer nearest to x / ln 2 changes, from the subnormal end to the largest.
#[test]
fn exp_is_as_stated_around_every_half_multiple_of_ln_2() {
    for k in (-2149..=2047).filter(|k| *k != 0) {
        for x in around(f64::from(k) * 0.5 * std::f64::consts::LN_2) {
            assert!(exp_error(x) <= EXP_ULP, "{} ulp at {x:e}", exp_error(x));
        }
    }
}

#[test]
fn exp_is_as_stated_around_every_power_of_two() {
    for x in powers_of_two().filter(|x| *x < 512.5).flat_map(around).filter(|x| *x > 0.0) {
        for x in [x, -x] {
            assert!(exp_error(x) <= EXP_ULP, "{} ulp at {x:e}", exp_error(x));
        }
    }
}

#[test]
fn logarithms_are_as_stated_around_every_power_of_two_and_its_root() {
    let roots = powers_of_two().map(|x| x * std::f64::consts::SQRT_2);
    let points = powers_of_two().chain(roots).flat_map(around);
    for x in points.filter(|x| *x > 0.0 && x.is_finite()) {
        assert!(ln_error(x) <= LN_ULP, "{} ulp at {x:e}", ln_error(x));
        assert!(log2_error(x) <= LOG2_ULP, "{} ulp at {x:e}", log2_error(x));
    }
}

#[test]
fn the_binary_logarithm_of_a_power_of_two_is_its_exponent() {
    for k in -1074..1024 {
        let x = if k < -1022 {
            f64::from_bits(1 << (k + 1074))
        } else {
            f64::from_bits(((k + 1023) as u64) << 52)
        };
        assert_eq!(log2(x), f64::from(k), "2^{k}");
    }
}

/// Once ln m / ln 2, which was 2.01 ulp off here.
#[test]
fn log2_is_as_stated_just_below_the_root_of_2() {
    let x = 1.411_556_937_929_128_4;
    assert!(log2_error(x) <= LOG2_ULP, "{} ulp", log2_error(x));
}

/// NaN of either sign and any payload, the infinities, and zeros of either sign.
#[test]
fn special_values_have_special_results() {
    let payloads = [1u64, 0xf_ffff_ffff_ffff, 1 << 51, 0x5_5555_5555_5555];
    let exponents = [0x7ff0_0000_0000_0000u64, 0xfff0_0000_0000_0000];
    for bits in exponents.into_iter().flat_map(|e| payloads.map(|payload| e | payload)) {
        let nan = f64::from_bits(bits);
        assert!(exp(nan).is_nan() && ln(nan).is_nan() && log2(nan).is_nan(), "{bits:x}");
    }
    assert_eq!([exp(0.0), exp(-0.0)], [1.0, 1.0]);
    assert_eq!([exp(f64::INFINITY), exp(f64::NEG_INFINITY)], [f64::INFINITY, 0.0]);
    for logarithm in [ln as fn(f64) -> f64, log2] {
        assert_eq!(logarithm(1.0).to_bits(), 0);
        assert_eq!(logarithm(f64::INFINITY), f64::INFINITY);
        assert_eq!([logarithm(0.0), logarithm(-0.0)], [f64::NEG_INFINITY; 2]);
        for negative in [f64::NEG_INFINITY, f64::MIN, -1.0, -f64::MIN_POSITIVE, -f64::from_bits(1)]
        {
            assert!(logarithm(negative).is_nan(), "{negative:e}");
        }
    }
}
