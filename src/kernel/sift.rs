//! Sifting: the exponential pass that also splits a row at a bracket.
//!
//! Where a nucleus is a good part of the row, two things are wanted of every place: the mass of all, and the mass that
//! ranks over the cut. One pass takes both, so that e need not be stored and read again. What lies within the bracket is
//! listed; as long as the cut lies there, all is known.

use super::BLOCK;
use super::exp::{Factor, Scaling};
use super::lanes::{F32s, Lanes, U64s, WIDTH};
use super::split::{Amount, Range};
use super::threshold::Listed;
use super::weigh::BlockMasses;

/// Vectors of a block.
const VECTORS: usize = BLOCK / WIDTH;

/// Fills `masses` with the mass of every block and `over` with its mass over the range, lists in `near` what lies in the
/// range, and returns how much is over it.
pub(crate) fn sift(
    row: &[f32],
    max: f32,
    factor: Factor,
    range: Range,
    (masses, over): (&mut BlockMasses, &mut BlockMasses),
    near: &mut Listed,
) -> Amount {
    masses.clear();
    over.clear();
    near.clear();
    let blocks = row.len().div_ceil(BLOCK);
    masses.reserve(blocks);
    over.reserve(blocks);
    let mut all = Amount::default();
    let mut filled = [f32::NEG_INFINITY; BLOCK];
    let mut sifted = Sifted::new();
    let scaling = factor.below(max);
    for (i, block) in row.chunks(BLOCK).enumerate() {
        let whole = match <&[f32; BLOCK]>::try_from(block) {
            Ok(whole) => whole,
            Err(_) => {
                for (place, logit) in filled.iter_mut().zip(block) {
                    *place = *logit;
                }
                &filled
            }
        };
        masses.push(match factor.is_short() {
            true => sifted.weigh::<true>(whole, &scaling),
            false => sifted.weigh::<false>(whole, &scaling),
        });
        let mass_over = sifted.split(whole, range);
        over.push(mass_over);
        all.mass += mass_over;
        all.n += sifted.list(block, i * BLOCK, near);
    }
    all
}

/// A block at work: e of every place, and where places lie; byte i, bit j is place 8 i + j.
struct Sifted {
    exps: [[f32; WIDTH]; VECTORS],
    /// At or over the low end of the range.
    in_or_over: [u8; VECTORS],
    /// Over the range.
    over: [u8; VECTORS],
}

impl Sifted {
    fn new() -> Sifted {
        Sifted { exps: [[0.0; WIDTH]; VECTORS], in_or_over: [0; VECTORS], over: [0; VECTORS] }
    }

    /// Takes e of every place; returns the mass of all. A loop of its own: the constants of the exponential fill the
    /// registers.
    #[inline(never)]
    fn weigh<const SHORT: bool>(&mut self, block: &[f32; BLOCK], scaling: &Scaling) -> u64 {
        let mut sum = U64s::zero();
        for (vector, e) in block.as_chunks::<WIDTH>().0.iter().zip(&mut self.exps) {
            sum = scaling.store_exps::<SHORT>(sum, F32s::load(vector), e);
        }
        sum.total(BLOCK as u64)
    }

    /// Notes where the places lie; returns the mass over the range.
    #[inline(never)]
    fn split(&mut self, block: &[f32; BLOCK], range: Range) -> u64 {
        let (low, high) = (F32s::splat(range.low), F32s::splat(range.high));
        let mut sum = U64s::zero();
        let bits = self.in_or_over.iter_mut().zip(&mut self.over);
        for ((vector, e), (bits, bits_over)) in
            block.as_chunks::<WIDTH>().0.iter().zip(&self.exps).zip(bits)
        {
            let lanes = F32s::load(vector);
            sum = sum.add_shifted(F32s::load(e).where_at_least(lanes, high));
            *bits = lanes.at_least(low) as u8;
            *bits_over = lanes.at_least(high) as u8;
        }
        sum.total(BLOCK as u64)
    }

    /// Lists what is within the range, and returns how many places are over it.
    fn list(&self, block: &[f32], first: usize, near: &mut Listed) -> usize {
        let (words, _) = self.in_or_over.as_chunks::<8>();
        let (over, _) = self.over.as_chunks::<8>();
        let mut n = 0;
        for (i, (word, over)) in words.iter().zip(over).enumerate() {
            let over = u64::from_le_bytes(*over);
            n += over.count_ones() as usize;
            let mut within = u64::from_le_bytes(*word) & !over;
            while within != 0 {
                let place = i * 64 + within.trailing_zeros() as usize;
                within &= within - 1;
                if let Some(logit) = block.get(place) {
                    near.push(first + place, *logit);
                }
            }
        }
        n
    }
}

#[cfg(test)]
mod tests {
    use super::super::weigh::weigh;
    use super::*;

    #[test]
    fn agrees_with_weighing_and_looking_at_every_place() {
        for n in [1, 8, 255, 256, 257, 3000] {
            let row: Vec<f32> = (0..n).map(|i| ((i * 37) % 101) as f32 * 0.1).collect();
            for r in [1.25, 1.0 / 0.7] {
                let factor = Factor::new(r);
                let (mut expected, mut exps) = (BlockMasses::new(), Vec::new());
                weigh(&row, 10.0, factor, &mut expected, Some(&mut exps));
                let range = Range { low: 3.0, high: 5.0 };
                let (mut masses, mut over) = (BlockMasses::new(), BlockMasses::new());
                let mut near = Listed::default();
                let all = sift(&row, 10.0, factor, range, (&mut masses, &mut over), &mut near);
                assert_eq!(masses, expected);
                let over_range = |from: usize, to: usize| -> u64 {
                    let places = (from..to.min(n as usize)).filter(|i| row[*i] >= 5.0);
                    places.map(|i| super::super::weigh::weight(exps[i])).sum()
                };
                for (i, over) in over.iter().enumerate() {
                    assert_eq!(*over, over_range(i * BLOCK, (i + 1) * BLOCK));
                }
                assert_eq!(all.mass, over_range(0, n as usize));
                assert_eq!(all.n, row.iter().filter(|l| **l >= 5.0).count());
                let within: Vec<u32> =
                    (0..n as u32).filter(|i| (3.0..5.0).contains(&row[*i as usize])).collect();
                assert_eq!(near.places, within);
            }
        }
    }
}
