//! Q4_0: weight = d (code - 8).
//!
//! A block of the file: d, then 16 bytes of which the low nibbles are columns 0 to 15, the high ones 16 to 31.

use super::codes;
use super::dot::{Masks, add_nibbles};
use super::panels::Format;
use crate::lanes::{F32x4, I32x4, Lanes};
use crate::model::activations::Block;

#[derive(Debug)]
pub(super) struct Q4_0;

/// Codes of 16 bytes, columns 0 to 15 in the low nibbles.
pub(super) fn split(bytes: &[u8; 16]) -> [u8; 32] {
    let mut codes = [0; 32];
    let (low, high) = codes.split_at_mut(16);
    for ((low, high), byte) in low.iter_mut().zip(high).zip(bytes) {
        (*low, *high) = (byte & 0xf, byte >> 4);
    }
    codes
}

impl Format<1, 4> for Q4_0 {
    const PARTS: usize = 1;

    fn pack(block: &[u8]) -> Option<([u16; 1], [u32; 4])> {
        let (d, rest) = block.split_first_chunk()?;
        Some(([u16::from_le_bytes(*d)], codes::nibble_words(&split(rest.first_chunk()?))))
    }

    fn unpack([d]: [f32; 1], words: &[u32; 4], values: &mut [f32]) {
        for (value, code) in values.iter_mut().zip(codes::nibbles(words)) {
            *value = d * (f32::from(code) - 8.0);
        }
    }

    #[inline(always)]
    fn add<const P: usize>(
        [d]: [F32x4; 1],
        words: &[[u8; 16]; 4],
        masks: &Masks,
        x: &[[Block; P]],
        sums: &mut [F32x4; P],
    ) {
        for x in x {
            let mut integers = [I32x4::splat(0); P];
            for (integer, x) in integers.iter_mut().zip(x) {
                let [first, second] = x.halves;
                *integer = I32x4::splat(-8 * (first + second));
            }
            add_nibbles(words, masks, x, &mut integers);
            for ((sum, integer), x) in sums.iter_mut().zip(integers).zip(x) {
                *sum = sum.add(d.mul(F32x4::splat(x.scale)).mul(integer.to_f32()));
            }
        }
    }
}
