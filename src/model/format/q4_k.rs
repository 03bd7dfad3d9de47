//! Q4_K: weight = (d scale) code - (m offset), scale and offset of 6 bits for each 32 columns.
//!
//! A block of the file: d, m, scales and offsets, then 32 bytes for each 64 columns, the first 32 in the low nibbles.

use super::dot::{Masks, add_nibbles};
use super::panels::Format;
use super::{codes, k_scales};
use crate::lanes::{F32x4, I32x4, Lanes};
use crate::model::activations::Block;

#[derive(Debug)]
pub(super) struct Q4K;

/// The codes of parts 2 i and 2 i + 1.
pub(super) fn split(bytes: &[u8; 32]) -> [[u8; 32]; 2] {
    [bytes.map(|byte| byte & 0xf), bytes.map(|byte| byte >> 4)]
}

impl Format<2, 35> for Q4K {
    const PARTS: usize = 8;

    fn pack(block: &[u8]) -> Option<([u16; 2], [u32; 35])> {
        let (d, rest) = block.split_first_chunk()?;
        let (m, rest) = rest.split_first_chunk()?;
        let (scales, rest) = rest.split_first_chunk()?;
        let mut words = [0; 35];
        let (first, codes) = words.split_first_chunk_mut()?;
        *first = k_scales::words(&k_scales::of_file(scales));
        let parts = rest.as_chunks().0.iter().flat_map(split);
        for (to, part) in codes.as_chunks_mut().0.iter_mut().zip(parts) {
            *to = codes::nibble_words(&part);
        }
        Some(([*d, *m].map(u16::from_le_bytes), words))
    }

    fn unpack([d, m]: [f32; 2], words: &[u32; 35], values: &mut [f32]) {
        let Some((first, rest)) = words.split_first_chunk() else { return };
        let values_of_parts = k_scales::of_words(first).map(f32::from);
        let (scales, offsets) = values_of_parts.split_at(8);
        let parts = rest.as_chunks().0.iter().zip(scales.iter().zip(offsets));
        for (values, (words, (scale, offset))) in values.chunks_exact_mut(32).zip(parts) {
            let (scale, offset) = (d * scale, m * offset);
            for (value, code) in values.iter_mut().zip(codes::nibbles(words)) {
                *value = scale * f32::from(code) - offset;
            }
        }
    }

    #[inline(always)]
    fn add<const P: usize>(
        [d, m]: [F32x4; 2],
        words: &[[u8; 16]; 35],
        masks: &Masks,
        x: &[[Block; P]],
        sums: &mut [F32x4; P],
    ) {
        let Some((first, rest)) = words.split_first_chunk() else { return };
        let values = k_scales::of_panel(first);
        let (scales, offsets) = values.split_at(8);
        let parts = rest.as_chunks().0.iter().zip(scales.iter().zip(offsets));
        for (x, (words, (scale, offset))) in x.iter().zip(parts) {
            let mut integers = [I32x4::splat(0); P];
            add_nibbles(words, masks, x, &mut integers);
            let (scale, offset) = (d.mul(scale.to_f32()), m.mul(offset.to_f32()));
            add_part(scale, offset, integers, x, sums);
        }
    }
}

/// Adds scale * integers - offset * activations.
#[inline(always)]
pub(super) fn add_part<const P: usize>(
    scale: F32x4,
    offset: F32x4,
    integers: [I32x4; P],
    x: &[Block; P],
    sums: &mut [F32x4; P],
) {
    for ((sum, integer), x) in sums.iter_mut().zip(integers).zip(x) {
        let scaled = scale.mul(F32x4::splat(x.scale)).mul(integer.to_f32());
        *sum = sum.add(scaled.sub(offset.mul(F32x4::splat(x.sum))));
    }
}
