//! The two-pass limit: what a sampler that looks at every logit cannot be much below.
//!
//! One pass for the maximum m, one for the sum of e^((l - m) r): 128-bit f32 lanes, f32 accumulators, a polynomial of degree
//! 5 after a reduction in one step, unrolled four times. Its result is good to 1e-5, to 5e-5 beyond 50,000 logits:
//! it is a measure of time, not a sampler.
#![cfg_attr(target_arch = "wasm32", no_std)]

#[cfg(not(target_arch = "wasm32"))]
pub mod bench;
#[cfg(not(target_arch = "wasm32"))]
pub mod foreign;
#[cfg(not(target_arch = "wasm32"))]
pub mod measure;
mod quad;
#[cfg(target_arch = "wasm32")]
mod wasm;

use core::f32::consts::LOG2_E;
use core::hint::black_box;

use quad::Quad;

/// Logits in a step of the loops: four lanes, four times.
const STEP: usize = 16;

/// Below 2^-92 nothing is left to add.
const LOWEST: f32 = -92.0;

/// Where a pure maximum must fit into the two passes natively, as a multiple; else the limit is mis-built.
///
/// In WebAssembly it is 8 to 12. Natively a maximum is one instruction and runs as fast as the cache gives, 17 to 18 times
/// in the two passes where a row fits into a core's own cache and 9 where it does not.
pub const SANE: core::ops::RangeInclusive<f64> = 8.0..=20.0;

/// The highest logit of a row, shape `(n_vocab)`; n_vocab is a multiple of 4.
pub fn max_pass(row: &[f32]) -> f32 {
    let (steps, rest) = row.as_chunks::<STEP>();
    let mut highest = [Quad::splat(f32::NEG_INFINITY); 4];
    for step in steps {
        for (lane, four) in highest.iter_mut().zip(step.as_chunks::<4>().0) {
            *lane = lane.max(Quad::load(four));
        }
    }
    for four in rest.as_chunks::<4>().0 {
        highest[0] = highest[0].max(Quad::load(four));
    }
    let [a, b, c, d] = highest;
    let [a, b, c, d] = a.max(b).max(c.max(d)).lanes();
    a.max(b).max(c.max(d))
}

/// Both passes: the sum of e^((l - m) r) over a row, shape `(n_vocab)`; n_vocab is a multiple of 4.
pub fn two_passes(row: &[f32], r: f32) -> f32 {
    let max = max_pass(row);
    let (steps, rest) = row.as_chunks::<STEP>();
    let sum = sum_of_weights(steps, max, r);
    if rest.is_empty() {
        return sum;
    }
    let mut last = [f32::NEG_INFINITY; STEP];
    last[..rest.len()].copy_from_slice(rest);
    sum + sum_of_weights(&[last], max, r)
}

/// 2^f for |f| at most 1/2 as a polynomial, highest degree first, off by at most 1e-7 before rounding.
const POLYNOMIAL: [f32; 6] =
    [0.001_326_473_9, 0.009_671_518, 0.055_507_336, 0.240_222_42, 0.693_147, 1.0];

/// Adding 1.5 * 2^23 rounds to an integer, which then lies in the low bits.
const SHIFT: f32 = 12_582_912.0;

/// The second pass, of e^((l - max) r) = 2^((l - max) c) with c = r log2 e.
///
/// Constants are hidden from the compiler: an engine that sees a constant in a loop may make it anew each time round. And it
/// is a function of its own, so that nothing else wants its registers.
#[inline(never)]
fn sum_of_weights(steps: &[[f32; STEP]], max: f32, r: f32) -> f32 {
    let (max, c) = (Quad::splat(max), Quad::splat(r * LOG2_E));
    let lowest = Quad::splat(black_box(LOWEST));
    let shift = Quad::splat(black_box(SHIFT));
    let [highest, rest @ ..] = black_box(POLYNOMIAL).map(Quad::splat);
    let mut sums = [Quad::splat(0.0); 4];
    for step in steps {
        for (sum, four) in sums.iter_mut().zip(step.as_chunks::<4>().0) {
            let x = lowest.max(Quad::load(four).sub(max).mul(c));
            let shifted = x.add(shift);
            let f = x.sub(shifted.sub(shift));
            let p = rest.iter().fold(highest, |p, coefficient| p.mul(f).add(*coefficient));
            *sum = sum.add(p.times_power_of_two(shifted));
        }
    }
    let [a, b, c, d] = sums;
    let [a, b, c, d] = a.add(b).add(c.add(d)).lanes();
    (a + b) + (c + d)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(n: usize) -> Vec<f32> {
        (0..n).map(|i| (i as f32 * 0.7).rem_euclid(23.0) - 11.0).collect()
    }

    #[test]
    fn two_passes_give_the_sum_of_exponentials_within_1e_5() {
        for n in [4, 12, 16, 1000, 32_000] {
            let row = row(n);
            let max = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let expected: f64 = row.iter().map(|l| (f64::from(l - max) * 1.25).exp()).sum();
            let found = f64::from(two_passes(&row, 1.25));
            assert!((found / expected - 1.0).abs() < 1e-5, "{n}: {found} and not {expected}");
        }
    }

    #[test]
    fn max_pass_finds_the_highest_wherever_it_is() {
        for n in [4, 20, 1000] {
            for at in 0..n {
                let mut row = row(n);
                row[at] = 12.5;
                assert_eq!(max_pass(&row), 12.5);
            }
        }
    }
}
