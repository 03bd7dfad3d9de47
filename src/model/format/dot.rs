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

/// Which bits of lanes make codes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Masks {
    /// The lower four.
    low: I16x8,
    /// The fifth.
    pub fifth: I16x8,
    /// The fifth and the sixth.
    pub upper: I16x8,
}

impl Masks {
    #[inline(always)]
    pub(super) fn new() -> Masks {
        let [low, fifth, upper] = [0xf, 0x10, 0x30].map(I16x8::constant);
        Masks { low, fifth, upper }
    }
}

/// The pairs of a word of nibbles.
#[inline(always)]
pub(super) fn pairs(word: &[u8; 16], Masks { low, .. }: &Masks) -> [I16x8; 4] {
    let word = I16x8::load(word);
    [
        word.and(*low),
        word.shift_right(4).and(*low),
        word.shift_right(8).and(*low),
        word.shift_right(12),
    ]
}

/// Sums over a part of nibbles, added to `sums`.
#[inline(always)]
pub(super) fn add_nibbles<const P: usize>(
    words: &[[u8; 16]; 4],
    masks: &Masks,
    x: &[Block; P],
    sums: &mut [I32x4; P],
) {
    for (k, word) in words.iter().enumerate() {
        add_pairs(pairs(word, masks), k, x, sums);
    }
}
