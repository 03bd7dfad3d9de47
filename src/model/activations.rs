//! Activations as the kernels take them: as they are, and as integers of 15 bits and a sign.
//!
//! 32 neighbours share a scale s: x = s q, |q| <= 32767, the largest magnitude having q = 32767. Eight bits, the usual
//! choice, change logits by up to 0.9 and with them the text; these change the fifth digit.

use crate::lanes::{F32x4, Lanes};

/// Activations that share a scale.
pub(super) const BLOCK: usize = 32;
/// The largest integer.
const LARGEST: f32 = 32767.0;
/// A block whose magnitudes are all below this is 0.
const SMALLEST: f32 = 1e-30;
/// 2^64 and 2^48: half-precision scales come as 2^-112 of themselves (see
/// [`I32x4::half_bits`](crate::lanes::I32x4::half_bits)), which scales of activations and then [`AFTER`] make up for, so that
/// nothing on the way leaves the range of f32.
const BEFORE: f32 = f32::from_bits((127 + 64) << 23);
/// What sums of products are multiplied with in the end.
pub(super) const AFTER: f32 = f32::from_bits((127 + 48) << 23);

/// 32 activations: 2^64 s q.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Block {
    /// q in pairs of neighbours.
    pub(super) pairs: [[[i16; 2]; 4]; 4],
    /// 2^64 s.
    pub(super) scale: f32,
    /// The sum of q over each half.
    pub(super) halves: [i32; 2],
    /// The sum of all, times 2^64 s.
    pub(super) sum: f32,
}

/// n rows of activations.
#[derive(Debug, Default)]
pub(super) struct Activations {
    /// As they are, (n, columns).
    pub(super) values: Vec<f32>,
    /// Four rows at a time, (n / 4, columns / 32).
    pub(super) fours: Vec<[Block; 4]>,
    /// The rows that are left, (n mod 4, columns / 32).
    pub(super) ones: Vec<[Block; 1]>,
    /// Numbers of a row.
    pub(super) columns: usize,
}

impl Activations {
    /// Takes rows of `columns` numbers; where those are no multiple of 32, no integers are made.
    pub(super) fn set(&mut self, values: &[f32], columns: usize) {
        self.columns = columns;
        self.values.clear();
        self.values.extend_from_slice(values);
        self.fours.clear();
        self.ones.clear();
        if !columns.is_multiple_of(BLOCK) {
            return;
        }
        let n_blocks = columns / BLOCK;
        let (blocks, _) = values.as_chunks::<BLOCK>();
        let mut groups = blocks.chunks_exact(4 * n_blocks);
        for group in &mut groups {
            let begin = self.fours.len();
            self.fours.resize(begin + n_blocks, [Block::default(); 4]);
            for (t, row) in group.chunks_exact(n_blocks).enumerate() {
                let to = self.fours.iter_mut().skip(begin);
                for (four, block) in to.zip(row) {
                    if let Some(one) = four.get_mut(t) {
                        *one = quantised(block);
                    }
                }
            }
        }
        self.ones.extend(groups.remainder().iter().map(|block| [quantised(block)]));
    }
}

fn quantised(values: &[f32; BLOCK]) -> Block {
    let (fours, _) = values.as_chunks::<4>();
    let zero = F32x4::splat(0.0);
    let (mut largest, mut total) = (zero, zero);
    for four in fours {
        let magnitudes = F32x4::load(four).abs();
        (largest, total) = (largest.higher(magnitudes), total.add(magnitudes));
    }
    let largest = largest.highest();
    if !total.sum().is_finite() {
        // What left the range of f32, or is no number, is not hidden by integers.
        return Block { scale: f32::NAN, sum: f32::NAN, ..Block::default() };
    }
    if largest < SMALLEST {
        return Block::default();
    }
    let (s, factor) = (largest / LARGEST, F32x4::splat(LARGEST / largest));
    let mut block = Block { scale: s * BEFORE, ..Block::default() };
    let (eights, _) = fours.as_chunks::<2>();
    for (to, [low, high]) in block.pairs.iter_mut().zip(eights) {
        let integers = |four| F32x4::load(four).mul(factor).rounded();
        let ([a, b, c, d], [e, f, g, h]) = (integers(low), integers(high));
        *to = [[a, b], [c, d], [e, f], [g, h]];
    }
    let total = |fours: &[[[i16; 2]; 4]]| {
        fours.as_flattened().as_flattened().iter().copied().map(i32::from).sum()
    };
    let (first, second) = block.pairs.split_at(2);
    block.halves = [total(first), total(second)];
    let [first, second] = block.halves;
    block.sum = (first + second) as f32 * block.scale;
    block
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_within_half_a_step_and_sums_are_theirs() {
        let x: [f32; 64] =
            core::array::from_fn(|i| (i as f32 * 0.7 - 9.0) * if i % 3 == 0 { 1e-3 } else { 1.0 });
        let mut activations = Activations::default();
        activations.set(&[x, x, x, x, x].concat(), 64);
        assert_eq!((activations.fours.len(), activations.ones.len()), (2, 2));
        for (k, values) in x.chunks(32).enumerate() {
            let blocks = [activations.ones[k][0], activations.fours[k][0], activations.fours[k][3]];
            for block in blocks {
                let s = block.scale / BEFORE;
                let q = block.pairs.as_flattened().as_flattened();
                let off = q.iter().zip(values).map(|(q, x)| (f32::from(*q) * s - x).abs() / s);
                assert!(off.fold(0.0, f32::max) <= 0.51);
                assert_eq!(q.iter().map(|q| q.unsigned_abs()).max(), Some(32767));
                let total: i32 = q.iter().copied().map(i32::from).sum();
                assert_eq!(block.halves[0] + block.halves[1], total);
                assert_eq!(block.sum, total as f32 * block.scale);
            }
        }
    }

    #[test]
    fn zeros_are_zeros_and_what_is_no_number_or_too_large_for_one_stays_none() {
        let mut activations = Activations::default();
        activations.set(&[0.0; 32], 32);
        assert_eq!((activations.ones[0][0].scale, activations.ones[0][0].sum), (0.0, 0.0));
        for odd in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let mut x = [1.0; 32];
            x[5] = odd;
            activations.set(&x, 32);
            assert!(activations.ones[0][0].scale.is_nan());
        }
        activations.set(&[1e20; 32], 32);
        assert!(activations.ones[0][0].scale.is_finite());
        // Past what the scale can hold it is infinite, and so is what comes of it: nothing looks like a number that is none.
        activations.set(&[1e30; 32], 32);
        assert!(!activations.ones[0][0].scale.is_finite());
    }
}
