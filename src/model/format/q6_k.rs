//! Q6_K: weight = (d scale) (code - 32), scale of 8 bits with a sign for each 16 columns.
//!
//! A block of the file: 128 bytes of low nibbles, 64 bytes of high pairs of bits, 16 scales, d. Each half of it is 128
//! columns: byte j of 64 nibbles has columns j and j + 64, byte j of 32 high bits has columns j, j + 32, j + 64, j + 96.

use super::codes;
use super::dot::{Masks, add_pairs, pairs};
use super::panels::Format;
use crate::lanes::{F32x4, I16x8, I32x4, Lanes};
use crate::model::activations::Block;

#[derive(Debug)]
pub(super) struct Q6K;

/// The low and the high bits of the four parts of half a block.
fn halves(low: &[u8; 64], high: &[u8; 32]) -> [([u8; 32], [u8; 32]); 4] {
    let (twos, _) = low.as_chunks::<32>();
    let [first, second] = [twos.first(), twos.last()].map(|two| two.copied().unwrap_or_default());
    let bits = |shift: u32| high.map(|byte| byte >> shift & 3);
    [
        (first.map(|byte| byte & 0xf), bits(0)),
        (second.map(|byte| byte & 0xf), bits(2)),
        (first.map(|byte| byte >> 4), bits(4)),
        (second.map(|byte| byte >> 4), bits(6)),
    ]
}

impl Format<1, 52> for Q6K {
    const PARTS: usize = 8;

    fn pack(block: &[u8]) -> Option<([u16; 1], [u32; 52])> {
        let (low, rest) = block.split_first_chunk::<128>()?;
        let (high, rest) = rest.split_first_chunk::<64>()?;
        let (scales, d) = rest.split_first_chunk::<16>()?;
        let mut words = [0; 52];
        let (first, parts) = words.split_first_chunk_mut::<4>()?;
        for (to, four) in first.iter_mut().zip(scales.as_chunks().0) {
            *to = u32::from_le_bytes(*four);
        }
        let split = low.as_chunks().0.iter().zip(high.as_chunks().0);
        let split = split.flat_map(|(low, high)| halves(low, high));
        for (to, (low, high)) in parts.as_chunks_mut::<6>().0.iter_mut().zip(split) {
            let [a, b, c, d] = codes::nibble_words(&low);
            let (first, second) = high.split_at(16);
            let high = [first, second].map(codes::high_word::<2>);
            *to = [high[0], high[1], a, b, c, d];
        }
        Some(([u16::from_le_bytes(*d.first_chunk()?)], words))
    }

    fn unpack([d]: [f32; 1], words: &[u32; 52], values: &mut [f32]) {
        let Some((first, parts)) = words.split_first_chunk::<4>() else { return };
        let scales = first.iter().flat_map(|word| word.to_le_bytes());
        let mut scales = scales.map(|scale| d * f32::from(scale as i8));
        for (values, &[first, second, a, b, c, e]) in
            values.chunks_exact_mut(32).zip(parts.as_chunks().0)
        {
            let (low, mut high) = (codes::nibbles(&[a, b, c, e]), [0; 32]);
            let (left, right) = high.split_at_mut(16);
            codes::high_bits::<2>(first, left);
            codes::high_bits::<2>(second, right);
            let halves = low.chunks_exact(16).zip(high.chunks_exact(16));
            let halves = halves.zip(values.chunks_exact_mut(16)).zip(&mut scales);
            for (((low, high), values), scale) in halves {
                for ((value, low), high) in values.iter_mut().zip(low).zip(high) {
                    *value = scale * (f32::from(low | high << 4) - 32.0);
                }
            }
        }
    }

    #[inline(always)]
    fn add<const P: usize>(
        [d]: [F32x4; 1],
        words: &[[u8; 16]; 52],
        masks: &Masks,
        x: &[[Block; P]],
        sums: &mut [F32x4; P],
    ) {
        let Some((first, rest)) = words.split_first_chunk::<4>() else { return };
        let [a, b, c, e] = first;
        let scales = [I32x4::load(a), I32x4::load(b), I32x4::load(c), I32x4::load(e)];
        let (twos, _) = rest.as_chunks::<6>();
        for (s, (x, [first, second, low @ ..])) in x.iter().zip(twos).enumerate() {
            let (low, _) = low.as_chunks::<2>();
            for (h, (high, low)) in [first, second].into_iter().zip(low).enumerate() {
                let integers = half_part(I16x8::load(high), low, masks, h, x);
                let byte = (2 * s + h) as u32 % 4;
                let Some(word) = scales.get(s / 2) else { return };
                let scale = word.shift_left(24 - 8 * byte).shift_right(24).to_f32();
                let scale = d.mul(scale);
                for ((sum, integer), x) in sums.iter_mut().zip(integers).zip(x) {
                    *sum = sum.add(scale.mul(F32x4::splat(x.scale)).mul(integer.to_f32()));
                }
            }
        }
    }
}

/// Sums of (code - 32) times activation over the `h`-th 16 columns of a part.
#[inline(always)]
fn half_part<const P: usize>(
    high: I16x8,
    low: &[[u8; 16]; 2],
    masks: &Masks,
    h: usize,
    x: &[Block; P],
) -> [I32x4; P] {
    let mut integers = [I32x4::splat(0); P];
    for (integer, x) in integers.iter_mut().zip(x) {
        *integer = I32x4::splat(-32 * x.halves.get(h).copied().unwrap_or(0));
    }
    for (k, low) in low.iter().enumerate() {
        let [a, b, c, d] = pairs(low, masks);
        let bits = high.shift_right(8 * k as u32);
        let codes = [
            a.or(bits.shift_left(4).and(masks.upper)),
            b.or(bits.shift_left(2).and(masks.upper)),
            c.or(bits.and(masks.upper)),
            d.or(bits.shift_right(2).and(masks.upper)),
        ];
        add_pairs(codes, 2 * h + k, x, &mut integers);
    }
    integers
}
