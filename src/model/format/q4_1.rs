//! Q4_1: weight = d code + m.
//!
//! A block of the file: d, m, then nibbles as in Q4_0.

use super::codes;
use super::dot::{Masks, add_nibbles};
use super::panels::Format;
use super::q4_0::split;
use crate::lanes::{F32x4, I32x4, Lanes};
use crate::model::activations::Block;

#[derive(Debug)]
pub(super) struct Q4_1;

impl Format<2, 4> for Q4_1 {
    const PARTS: usize = 1;

    fn pack(block: &[u8]) -> Option<([u16; 2], [u32; 4])> {
        let (d, rest) = block.split_first_chunk()?;
        let (m, rest) = rest.split_first_chunk()?;
        let halves = [*d, *m].map(u16::from_le_bytes);
        Some((halves, codes::nibble_words(&split(rest.first_chunk()?))))
    }

    fn unpack([d, m]: [f32; 2], words: &[u32; 4], values: &mut [f32]) {
        for (value, code) in values.iter_mut().zip(codes::nibbles(words)) {
            *value = d * f32::from(code) + m;
        }
    }

    #[inline(always)]
    fn add<const P: usize>(
        [d, m]: [F32x4; 2],
        words: &[[u8; 16]; 4],
        masks: &Masks,
        x: &[[Block; P]],
        sums: &mut [F32x4; P],
    ) {
        for x in x {
            let mut integers = [I32x4::splat(0); P];
            add_nibbles(words, masks, x, &mut integers);
            for ((sum, integer), x) in sums.iter_mut().zip(integers).zip(x) {
                let scaled = d.mul(F32x4::splat(x.scale)).mul(integer.to_f32());
                *sum = sum.add(scaled.add(m.mul(F32x4::splat(x.sum))));
            }
        }
    }
}
