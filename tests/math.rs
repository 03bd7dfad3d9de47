//! The crate's transcendental functions and the order of rank: every f32 of the exponential that weights are made of,
//! and dense samples of the f64 functions against a hundred bits.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

mod common;
mod oracle;

use common::DEAD;
use common::double_double as double;
use common::exponential::{FIRST, LAST, Worst, examine};
use common::function_errors::{exp_error, ln_error, log2_error};
use nucleus_sampler::math::{exp, exp_f32, ln, log2, rank_key, rank_key_logit};

#[test]
fn exp_f32_is_exactly_1_at_0() {
    assert_eq!(exp_f32(0.0).to_bits(), 1.0f32.to_bits());
    assert_eq!(exp_f32(-0.0).to_bits(), 1.0f32.to_bits());
}

/// Every f32 in [-64, 0]: 1,115,684,865 of them.
#[test]
#[cfg_attr(debug_assertions, ignore = "minutes without optimisation; run with --release")]
fn exp_f32_is_within_1_ulp_on_minus_32_to_0_and_monotone_on_minus_64_to_0() {
    let n_threads = std::thread::available_parallelism().map_or(1, |n| n.get() as u32).min(8);
    let part = (LAST - FIRST) / n_threads + 1;
    let worst = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..n_threads)
            .map(|i| {
                // Each part ends with the first float of the next, so that no step goes untried.
                let first = FIRST + i * part;
                scope.spawn(move || examine(first..=(first + part).min(LAST)))
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).fold(Worst::default(), Worst::and)
    });
    assert_eq!(worst.n, u64::from(LAST - FIRST) + u64::from(n_threads));
    assert_eq!(worst.n_falls, 0, "{worst:?}");
    assert!(worst.ulp <= 1.0, "{worst:?}");
}

/// The 4001 floats around every place where the power of two changes.
#[test]
fn exp_f32_is_within_1_ulp_and_monotone_where_the_power_of_two_changes() {
    let mut worst = Worst::default();
    for n in 0..92 {
        let edge = (-(f64::from(n) + 0.5) * std::f64::consts::LN_2) as f32;
        worst = worst.and(examine(edge.to_bits() - 2000..=edge.to_bits() + 2000));
    }
    assert_eq!(worst.n_falls, 0, "{worst:?}");
    assert!(worst.ulp <= 1.0, "{worst:?}");
}

/// The exponent of a token may come out a hair below -64 after the second half of the factor was added.
#[test]
fn exp_f32_goes_on_a_hair_below_minus_64() {
    let edge = (-64.0f32).to_bits();
    let worst = examine(edge - 1000..=edge + 1000);
    assert_eq!(worst.n_falls, 0, "{worst:?}");
    assert_eq!(oracle::weight(exp_f32(-64.001)), 0);
}

/// Every float of [-64, -1/64], where the last bit of every coefficient shows, and a sample nearer to 0.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow without optimisation; run with --release")]
fn exp_f32_is_bit_for_bit_the_contract_s_sequence_of_operations() {
    let near_zero = (-1.0f32 / 64.0).to_bits();
    let differs = |bits: &u32| {
        let x = f32::from_bits(*bits);
        exp_f32(x).to_bits() != oracle::exp(x).to_bits()
    };
    assert_eq!((near_zero..=LAST).find(differs), None);
    assert_eq!((FIRST..near_zero).step_by(101).find(differs), None);
}

/// The largest error over `values`, in ulp, with where it is.
fn largest(values: impl Iterator<Item = f64>, error: impl Fn(f64) -> f64) -> (f64, f64) {
    values.map(|x| (error(x), x)).max_by(|(a, _), (b, _)| a.total_cmp(b)).unwrap()
}

/// `n` numbers from `low` to `high`, evenly spaced.
fn grid(low: f64, high: f64, n: u32) -> impl Iterator<Item = f64> {
    (0..=n).map(move |i| low + (high - low) * (f64::from(i) / f64::from(n)))
}

/// Positive floats of every exponent: each with `n` mantissas.
fn every_exponent(n: u64) -> impl Iterator<Item = f64> {
    (0..2047u64).flat_map(move |exponent| {
        (0..n).map(move |i| {
            let mantissa = i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 12;
            f64::from_bits(exponent << 52 | mantissa)
        })
    })
}

/// Constants to 32 digits, so that the reference is not its own judge.
#[test]
fn the_reference_is_good_to_a_hundred_bits() {
    let one = double::Double { high: 1.0, low: 0.0 };
    let (e, k) = double::exp(one);
    let e = [e.high, e.low].map(|part| part * f64::from(1 << k));
    for (found, expected) in [
        (e, [std::f64::consts::E, 1.445_646_891_729_250_2e-16]),
        (parts(double::ln(10.0)), [std::f64::consts::LN_10, -2.170_756_223_382_249_4e-16]),
        (parts(double::log2(3.0)), [1.584_962_500_721_156, 1.057_978_124_011_255_4e-16]),
    ] {
        assert_eq!(found[0], expected[0]);
        assert!((found[1] - expected[1]).abs() < 1e-29, "{found:?}");
    }
}

fn parts(double: double::Double) -> [f64; 2] {
    [double.high, double.low]
}

#[test]
fn exp_is_within_2_ulp() {
    for (low, high) in
        [(-1.0, 1.0), (-1e-3, 1e-3), (-50.0, 50.0), (-708.0, 709.7), (-745.0, -708.0)]
    {
        let (ulp, x) = largest(grid(low, high, 200_000), exp_error);
        assert!(ulp <= 2.0, "{ulp} ulp at {x}");
    }
    let small = every_exponent(100).filter(|x| *x < 700.0);
    let (ulp, x) = largest(small.flat_map(|x| [x, -x]), exp_error);
    assert!(ulp <= 2.0, "{ulp} ulp at {x}");
}

#[test]
fn exp_of_special_values() {
    assert_eq!(exp(0.0), 1.0);
    assert_eq!(exp(-0.0), 1.0);
    assert_eq!(exp(f64::INFINITY), f64::INFINITY);
    assert_eq!(exp(f64::NEG_INFINITY), 0.0);
    assert!(exp(f64::NAN).is_nan());
    assert_eq!(exp(f64::MAX), f64::INFINITY);
    assert_eq!(exp(f64::MIN), 0.0);
    // ln of the largest float, and the next number.
    assert!(exp(709.782_712_893_383_9).is_finite());
    assert_eq!(exp(709.782_712_893_384_1), f64::INFINITY);
    // Half of the smallest float is the last that does not round to 0.
    assert_eq!(exp(-745.133), f64::from_bits(1));
    assert_eq!(exp(-745.134), 0.0);
    assert_eq!(exp(f64::from_bits(1)), 1.0);
}

/// Positive numbers, dense around 1, where the logarithm vanishes, and of every exponent.
fn positive() -> impl Iterator<Item = f64> {
    let one = 1.0f64.to_bits();
    let near = (one - 50_000..=one + 50_000).map(f64::from_bits);
    let dense = [(0.5, 2.0), (0.999, 1.001), (1e-6, 1.0), (1.0, 1e6)];
    let grids = dense.into_iter().flat_map(|(low, high)| grid(low, high, 200_000));
    near.chain(grids).chain(every_exponent(200)).filter(|x| *x > 0.0)
}

#[test]
fn ln_is_within_2_ulp() {
    let (ulp, x) = largest(positive(), ln_error);
    assert!(ulp <= 2.0, "{ulp} ulp at {x}");
}

#[test]
fn ln_of_special_values() {
    assert_eq!(ln(1.0), 0.0);
    assert_eq!(ln(0.0), f64::NEG_INFINITY);
    assert_eq!(ln(-0.0), f64::NEG_INFINITY);
    assert_eq!(ln(f64::INFINITY), f64::INFINITY);
    assert!(ln(-1.0).is_nan());
    assert!(ln(f64::NEG_INFINITY).is_nan());
    assert!(ln(-f64::from_bits(1)).is_nan());
    assert!(ln(f64::NAN).is_nan());
    for x in [f64::from_bits(1), f64::MIN_POSITIVE, f64::MAX, 2.0, 0.5] {
        assert!(ln_error(x) <= 2.0, "{x}");
    }
}

#[test]
fn log2_is_within_2_ulp() {
    let (ulp, x) = largest(positive(), log2_error);
    assert!(ulp <= 2.0, "{ulp} ulp at {x}");
    for (x, expected) in [(1.0, 0.0), (0.0, f64::NEG_INFINITY), (f64::INFINITY, f64::INFINITY)] {
        assert_eq!(log2(x), expected);
    }
    assert!(log2(-1.0).is_nan() && log2(f64::NAN).is_nan());
}

/// Finite floats and -infinity, from every exponent and both signs, in no order.
fn floats() -> Vec<f32> {
    let mut floats = vec![DEAD, 0.0, -0.0, f32::MAX, f32::MIN, f32::MIN_POSITIVE];
    floats.extend((0..=0x7f7f_ffff_u32).step_by(1_000_003).map(f32::from_bits));
    floats.extend((0x8000_0000..=0xff7f_ffff_u32).step_by(1_000_003).map(f32::from_bits));
    floats
}

#[test]
fn rank_keys_are_in_the_order_of_the_logits() {
    let floats = floats();
    for a in &floats {
        for b in floats.iter().step_by(7) {
            assert_eq!(rank_key(*a).cmp(&rank_key(*b)), a.partial_cmp(b).unwrap(), "{a} and {b}");
        }
    }
}

#[test]
fn neighbouring_floats_have_neighbouring_rank_keys() {
    for bits in [1u32, 0x007f_ffff, 0x3f80_0000, 0x7f7f_fffe] {
        let (low, high) = (f32::from_bits(bits), f32::from_bits(bits + 1));
        assert_eq!(rank_key(high), rank_key(low) + 1);
        assert_eq!(rank_key(-high), rank_key(-low) - 1);
    }
    assert_eq!(rank_key(-0.0), rank_key(0.0));
    assert_eq!(rank_key(f32::from_bits(1)), rank_key(0.0) + 1);
}

#[test]
fn the_logit_of_a_rank_key_is_the_logit() {
    for logit in floats() {
        assert_eq!(rank_key_logit(rank_key(logit)).to_bits(), (logit + 0.0).to_bits(), "{logit}");
    }
}
