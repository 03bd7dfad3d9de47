//! The exponential pass: e = exp(x) for every place, exact masses of blocks, and the sums that entropy needs.
//!
//! w = e 2^44 rounded to nearest, ties to even. 256 + e lies in [256, 257], where doubles are 2^-44 apart: the addition
//! rounds exactly as the contract asks and leaves w in the low bits. Masses are integers, so lanes and blocks cannot
//! change them.

use super::{BLOCK, Factor, LANES};
use crate::math::exp_f32;

const SHIFT: f64 = 256.0;
const SHIFT_BITS: u64 = SHIFT.to_bits();

/// The weight, an integer in [0, 2^44], of e = exp(x) in [0, 1].
#[inline(always)]
pub(crate) fn weight(e: f32) -> u64 {
    (f64::from(e) + SHIFT).to_bits() - SHIFT_BITS
}

/// Fills `exps` with exp((l - max) r) and `block_mass` with the mass of each block; returns the mass of the row.
pub(crate) fn weigh(
    row: &[f32],
    max: f32,
    factor: Factor,
    exps: &mut Vec<f32>,
    block_mass: &mut Vec<u64>,
) -> u64 {
    exps.clear();
    exps.resize(row.len(), 0.0);
    block_mass.clear();
    let mut mass = 0;
    for (block, exps) in row.chunks(BLOCK).zip(exps.chunks_mut(BLOCK)) {
        let found = weigh_block(block, max, factor, exps);
        block_mass.push(found);
        mass += found;
    }
    mass
}

fn weigh_block(block: &[f32], max: f32, factor: Factor, exps: &mut [f32]) -> u64 {
    let mut mass = [0u64; LANES];
    let (chunks, rest) = block.as_chunks::<LANES>();
    let (out, out_rest) = exps.as_chunks_mut::<LANES>();
    for (chunk, out) in chunks.iter().zip(out) {
        for (l, e) in chunk.iter().zip(out.iter_mut()) {
            *e = exp_f32(factor.scale(*l, max));
        }
        for (e, mass) in out.iter().zip(&mut mass) {
            *mass += weight(*e);
        }
    }
    let mut sum = mass.iter().sum();
    for (l, e) in rest.iter().zip(out_rest) {
        *e = exp_f32(factor.scale(*l, max));
        sum += weight(*e);
    }
    sum
}

/// The sum of w (l - max) in 8 lanes by token id mod 8, in the contract's order of addition.
///
/// `tokens` gives (token id, logit, e) in ascending order of id; a weight of 0 adds nothing.
pub(crate) fn entropy_sums(tokens: impl Iterator<Item = (u32, f32, f32)>, max: f32) -> f64 {
    let mut lanes = [0.0f64; LANES];
    for (id, logit, e) in tokens {
        let w = weight(e);
        if let Some(lane) = lanes.get_mut((id % 8) as usize)
            && w > 0
        {
            *lane += w as f64 * (f64::from(logit) - f64::from(max));
        }
    }
    add_lanes(lanes)
}

/// ((0+4)+(2+6))+((1+5)+(3+7)).
fn add_lanes(lanes: [f64; LANES]) -> f64 {
    let [a, b, c, d, e, f, g, h] = lanes;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weight_is_e_times_2_to_the_44_rounded_to_nearest_even() {
        let exact = |e: f32| (f64::from(e) * 17_592_186_044_416.0).round_ties_even() as u64;
        let half = f32::from_bits((127 - 45) << 23);
        for e in [
            0.0,
            1.0,
            0.5,
            half,
            half * 3.0,
            half * 5.0,
            half * 1.000_001,
            1e-13,
            0.3,
            1.0 - f32::EPSILON,
        ] {
            assert_eq!(weight(e), exact(e), "{e}");
        }
        assert_eq!(weight(1.0), 1 << 44);
        assert_eq!((weight(half), weight(half * 3.0)), (0, 2));
    }

    #[test]
    fn masses_do_not_depend_on_the_length_of_the_last_block() {
        let factor = Factor::new(1.0 / 0.7);
        for n in 1..600 {
            let row: Vec<f32> = (0..n).map(|i| -(((i * 37) % 101) as f32) / 9.0).collect();
            let (mut exps, mut masses) = (Vec::new(), Vec::new());
            let mass = weigh(&row, 0.0, factor, &mut exps, &mut masses);
            let one_by_one: u64 = row.iter().map(|l| weight(exp_f32(factor.scale(*l, 0.0)))).sum();
            assert_eq!(mass, one_by_one);
            assert_eq!(masses.iter().sum::<u64>(), one_by_one);
        }
    }

    #[test]
    fn the_dead_and_the_far_below_weigh_nothing() {
        let factor = Factor::new(1.25);
        for l in [f32::NEG_INFINITY, f32::MIN, -1e30, -60.0] {
            assert_eq!(weight(exp_f32(factor.scale(l, 10.0))), 0);
        }
        assert_eq!(weight(exp_f32(Factor::new(1e-30).scale(f32::NEG_INFINITY, f32::MAX))), 0);
        assert_eq!(weight(exp_f32(Factor::new(3e38).scale(5.0, 5.0))), 1 << 44);
    }
}
