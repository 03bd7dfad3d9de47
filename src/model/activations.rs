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
/// 2^112: half-precision scales come without it, see [`I32x4::half_bits`](crate::lanes::I32x4::half_bits).
const HALF_SCALE: f32 = f32::from_bits(239 << 23);

/// 32 activations: 2^112 s q.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Block {
    /// q in pairs of neighbours.
    pub(super) pairs: [[[i16; 2]; 4]; 4],
    /// 2^112 s.
    pub(super) scale: f32,
    /// The sum of q over each half.
    pub(super) halves: [i32; 2],
    /// The sum of all, times 2^112 s.
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
    let largest = fours.iter().fold(zero, |max, four| max.higher(F32x4::load(four).abs()));
    let largest = largest.highest();
    if largest < SMALLEST {
        return Block::default();
    }
    let (s, factor) = (largest / LARGEST, F32x4::splat(LARGEST / largest));
    let mut block = Block { scale: s * HALF_SCALE, ..Block::default() };
    let (eights, _) = fours.as_chunks::<2>();
    for (to, [low, high]) in block.pairs.iter_mut().zip(eights) {
        // What is no number becomes 0, and what is infinite has made the scale so.
        let integers = |four| {
            let scaled = F32x4::load(four).mul(factor);
            scaled.where_positive(scaled.abs(), zero).rounded()
        };
        let ([a, b, c, d], [e, f, g, h]) = (integers(low), integers(high));
        *to = [[a, b], [c, d], [e, f], [g, h]];
    }
    let total = |fours: &[[[i16; 2]; 4]]| fours.as_flattened().as_flattened().iter().copied().map(i32::from).sum();
    let (first, second) = block.pairs.split_at(2);
    block.halves = [total(first), total(second)];
    let [first, second] = block.halves;
    block.sum = (first + second) as f32 * block.scale;
    block
}
