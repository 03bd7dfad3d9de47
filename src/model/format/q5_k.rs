//! Q5_K: as Q4_K, with a fifth bit for each code.
//!
//! A block of the file: d, m, scales and offsets, 32 bytes of fifth bits (bit i of byte j is column j of part i), then
//! nibbles as in Q4_K.

use super::dot::{Masks, add_pairs, pairs};
use super::panels::Format;
use super::q4_k::{add_part, split};
use super::{codes, k_scales};
use crate::lanes::{F32x4, I16x8, I32x4, Lanes};
use crate::model::activations::Block;

#[derive(Debug)]
pub(super) struct Q5K;

impl Format<2, 43> for Q5K {
    const PARTS: usize = 8;

    fn pack(block: &[u8]) -> Option<([u16; 2], [u32; 43])> {
        let (d, rest) = block.split_first_chunk()?;
        let (m, rest) = rest.split_first_chunk()?;
        let (scales, rest) = rest.split_first_chunk()?;
        let (fifth, rest) = rest.split_first_chunk::<32>()?;
        let mut words = [0; 43];
        let (first, parts) = words.split_first_chunk_mut()?;
        *first = k_scales::words(&k_scales::of_file(scales));
        let low = rest.as_chunks().0.iter().flat_map(split);
        for (i, (to, low)) in parts.as_chunks_mut::<5>().0.iter_mut().zip(low).enumerate() {
            let [a, b, c, d] = codes::nibble_words(&low);
            *to = [codes::high_word::<1>(&fifth.map(|byte| byte >> i & 1)), a, b, c, d];
        }
        Some(([*d, *m].map(u16::from_le_bytes), words))
    }

    fn unpack([d, m]: [f32; 2], words: &[u32; 43], values: &mut [f32]) {
        let Some((first, rest)) = words.split_first_chunk() else { return };
        let values_of_parts = k_scales::of_words(first).map(f32::from);
        let (scales, offsets) = values_of_parts.split_at(8);
        let parts = rest.as_chunks().0.iter().zip(scales.iter().zip(offsets));
        for (values, (&[high, a, b, c, e], (scale, offset))) in
            values.chunks_exact_mut(32).zip(parts)
        {
            let (scale, offset) = (d * scale, m * offset);
            let (low, mut fifth) = (codes::nibbles(&[a, b, c, e]), [0; 32]);
            codes::high_bits::<1>(high, &mut fifth);
            for ((value, low), fifth) in values.iter_mut().zip(low).zip(fifth) {
                *value = scale * f32::from(low | fifth << 4) - offset;
            }
        }
    }

    #[inline(always)]
    fn add<const P: usize>(
        [d, m]: [F32x4; 2],
        words: &[[u8; 16]; 43],
        masks: &Masks,
        x: &[[Block; P]],
        sums: &mut [F32x4; P],
    ) {
        let Some((first, rest)) = words.split_first_chunk() else { return };
        let values = k_scales::of_panel(first);
        let (scales, offsets) = values.split_at(8);
        let parts = rest.as_chunks::<5>().0.iter().zip(scales.iter().zip(offsets));
        for (x, ([high, low @ ..], (scale, offset))) in x.iter().zip(parts) {
            let mut integers = [I32x4::splat(0); P];
            let high = I16x8::load(high);
            for (k, low) in low.iter().enumerate() {
                let [a, b, c, d] = pairs(low, masks);
                let fifth = high.shift_right(4 * k as u32);
                let bit = |i: u32| fifth.shift_left(4).shift_right(i).and(masks.fifth);
                let codes = [a.or(bit(0)), b.or(bit(1)), c.or(bit(2)), d.or(bit(3))];
                add_pairs(codes, k, x, &mut integers);
            }
            let (scale, offset) = (d.mul(scale.to_f32()), m.mul(offset.to_f32()));
            add_part(scale, offset, integers, x, sums);
        }
    }
}
