//! Sums of code times activation within a part, for four rows of weights and P rows of activations.

use crate::lanes::{I16x8, I32x4};
use crate::model::activations::Block;

/// Adds the products of four pairs, the k-th four of the part.
#[inline(always)]
pub(super) fn add_pairs<const P: usize>(
    codes: [I16x8; 4],
    k: usize,
    x: &[Block; P],
    sums: &mut [I32x4; P],
) {
    for (block, sum) in x.iter().zip(sums) {
        if let Some(pairs) = block.pairs.get(k) {
            for (codes, pair) in codes.iter().zip(pairs) {
                *sum = codes.dot(*pair, *sum);
            }
        }
    }
}

/// The pairs of a word of nibbles.
#[inline(always)]
pub(super) fn pairs(word: &[u8; 16]) -> [I16x8; 4] {
    let word = I16x8::load(word);
    [
        word.and(0xf),
        word.shift_right(4).and(0xf),
        word.shift_right(8).and(0xf),
        word.shift_right(12),
    ]
}

/// Sums over a part of nibbles, added to `sums`.
#[inline(always)]
pub(super) fn add_nibbles<const P: usize>(
    words: &[[u8; 16]; 4],
    x: &[Block; P],
    sums: &mut [I32x4; P],
) {
    for (k, word) in words.iter().enumerate() {
        add_pairs(pairs(word), k, x, sums);
    }
}
