//! Q8_0: weight = d code, codes with a sign.
//!
//! A block of the file: d, then 32 codes.

use super::codes;
use super::dot::{Masks, add_pairs};
use super::panels::Format;
use crate::lanes::{F32x4, I16x8, I32x4, Lanes};
use crate::model::activations::Block;

#[derive(Debug)]
pub(super) struct Q8_0;

impl Format<1, 8> for Q8_0 {
    const PARTS: usize = 1;

    fn pack(block: &[u8]) -> Option<([u16; 1], [u32; 8])> {
        let (d, rest) = block.split_first_chunk()?;
        Some(([u16::from_le_bytes(*d)], codes::byte_words(rest.first_chunk()?)))
    }

    fn unpack([d]: [f32; 1], words: &[u32; 8], values: &mut [f32]) {
        for (value, code) in values.iter_mut().zip(codes::bytes(words)) {
            *value = d * f32::from(code as i8);
        }
    }

    #[inline(always)]
    fn add<const P: usize>(
        [d]: [F32x4; 1],
        words: &[[u8; 16]; 8],
        _: &Masks,
        x: &[[Block; P]],
        sums: &mut [F32x4; P],
    ) {
        let (twos, _) = words.as_chunks::<2>();
        for x in x {
            let mut integers = [I32x4::splat(0); P];
            for (k, [first, second]) in twos.iter().enumerate() {
                let (first, second) = (I16x8::load(first), I16x8::load(second));
                let pairs = [
                    first.shift_left(8).shift_right_signed(8),
                    first.shift_right_signed(8),
                    second.shift_left(8).shift_right_signed(8),
                    second.shift_right_signed(8),
                ];
                add_pairs(pairs, k, x, &mut integers);
            }
            for ((sum, integer), x) in sums.iter_mut().zip(integers).zip(x) {
                *sum = sum.add(d.mul(F32x4::splat(x.scale)).mul(integer.to_f32()));
            }
        }
    }
}
