//! Vectors as WebAssembly has them.

use core::arch::wasm32::{
    f32x4, f32x4_abs, f32x4_convert_i32x4, f32x4_div, f32x4_ge, i16x8_shl, i16x8_shr, i16x8_splat,
    i32x4_add, i32x4_dot_i16x8, i32x4_extend_low_i16x8, i32x4_extract_lane, i32x4_shl, i32x4_shr,
    i32x4_splat, i64x2, u16x8_shr, v128, v128_and, v128_bitselect, v128_or,
};

use core::hint::black_box;

use super::super::Lanes;
pub(crate) use super::super::form::F32x4;
use super::{HALF_SCALE, ROUND};

/// The vector of sixteen bytes.
#[inline(always)]
fn vector(bytes: &[u8; 16]) -> v128 {
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = *bytes;
    i64x2(
        i64::from_le_bytes([a, b, c, d, e, f, g, h]),
        i64::from_le_bytes([i, j, k, l, m, n, o, p]),
    )
}

impl F32x4 {
    #[inline(always)]
    pub(crate) fn load(from: &[f32; 4]) -> F32x4 {
        let [a, b, c, d] = *from;
        F32x4(f32x4(a, b, c, d))
    }

    #[inline(always)]
    pub(crate) fn store(self, to: &mut [f32; 4]) {
        *to = self.to_array();
    }

    /// Four half-precision numbers, of which none is infinite.
    #[inline(always)]
    pub(crate) fn from_f16(bytes: &[u8; 8]) -> F32x4 {
        I32x4::load_halves(bytes).half_bits().bits_as_f32().mul(F32x4::splat(HALF_SCALE))
    }

    /// Four numbers in the upper half of f32.
    #[inline(always)]
    pub(crate) fn from_bf16(bytes: &[u8; 8]) -> F32x4 {
        I32x4::load_halves(bytes).shift_left(16).bits_as_f32()
    }

    #[inline(always)]
    pub(crate) fn div(self, other: F32x4) -> F32x4 {
        F32x4(f32x4_div(self.0, other.0))
    }

    #[inline(always)]
    pub(crate) fn abs(self) -> F32x4 {
        F32x4(f32x4_abs(self.0))
    }

    /// `self` where `test` is at least 0, else `other`.
    #[inline(always)]
    pub(crate) fn where_positive(self, test: F32x4, other: F32x4) -> F32x4 {
        F32x4(v128_bitselect(self.0, other.0, f32x4_ge(test.0, F32x4::splat(0.0).0)))
    }

    /// The nearest integers, ties to even, of numbers that i16 holds.
    #[inline(always)]
    pub(crate) fn rounded(self) -> [i16; 4] {
        I32x4(self.add(F32x4::splat(ROUND)).0).to_array().map(|lane| lane as i16)
    }
}

/// Four i32.
#[derive(Clone, Copy, Debug)]
pub(crate) struct I32x4(v128);

impl I32x4 {
    #[inline(always)]
    pub(crate) fn splat(value: i32) -> I32x4 {
        I32x4(i32x4_splat(value))
    }

    /// Four little-endian words.
    #[inline(always)]
    pub(crate) fn load(bytes: &[u8; 16]) -> I32x4 {
        I32x4(vector(bytes))
    }

    /// Four little-endian i16.
    #[inline(always)]
    pub(crate) fn load_halves(bytes: &[u8; 8]) -> I32x4 {
        I32x4(i32x4_extend_low_i16x8(i64x2(i64::from_le_bytes(*bytes), 0)))
    }

    #[inline(always)]
    pub(crate) fn to_array(self) -> [i32; 4] {
        [
            i32x4_extract_lane::<0>(self.0),
            i32x4_extract_lane::<1>(self.0),
            i32x4_extract_lane::<2>(self.0),
            i32x4_extract_lane::<3>(self.0),
        ]
    }

    #[inline(always)]
    pub(crate) fn shift_left(self, n: u32) -> I32x4 {
        I32x4(i32x4_shl(self.0, n))
    }

    /// Keeps the sign.
    #[inline(always)]
    pub(crate) fn shift_right(self, n: u32) -> I32x4 {
        I32x4(i32x4_shr(self.0, n))
    }

    #[inline(always)]
    pub(crate) fn and(self, mask: i32) -> I32x4 {
        I32x4(v128_and(self.0, i32x4_splat(mask)))
    }

    #[inline(always)]
    pub(crate) fn or(self, other: I32x4) -> I32x4 {
        I32x4(v128_or(self.0, other.0))
    }

    /// The nearest f32.
    #[inline(always)]
    pub(crate) fn to_f32(self) -> F32x4 {
        F32x4(f32x4_convert_i32x4(self.0))
    }

    #[inline(always)]
    pub(crate) fn bits_as_f32(self) -> F32x4 {
        F32x4(self.0)
    }
}

/// Eight i16.
#[derive(Clone, Copy, Debug)]
pub(crate) struct I16x8(v128);

impl I16x8 {
    /// Eight little-endian i16.
    #[inline(always)]
    pub(crate) fn load(bytes: &[u8; 16]) -> I16x8 {
        I16x8(vector(bytes))
    }

    #[inline(always)]
    pub(crate) fn shift_left(self, n: u32) -> I16x8 {
        I16x8(i16x8_shl(self.0, n))
    }

    /// Fills with zeros.
    #[inline(always)]
    pub(crate) fn shift_right(self, n: u32) -> I16x8 {
        I16x8(u16x8_shr(self.0, n))
    }

    /// Keeps the sign.
    #[inline(always)]
    pub(crate) fn shift_right_signed(self, n: u32) -> I16x8 {
        I16x8(i16x8_shr(self.0, n))
    }

    /// The same value in every lane, a constant as [`Lanes::constant`] is one.
    #[inline(always)]
    pub(crate) fn constant(value: i16) -> I16x8 {
        I16x8(black_box(i16x8_splat(value)))
    }

    #[inline(always)]
    pub(crate) fn and(self, mask: I16x8) -> I16x8 {
        I16x8(v128_and(self.0, mask.0))
    }

    #[inline(always)]
    pub(crate) fn or(self, other: I16x8) -> I16x8 {
        I16x8(v128_or(self.0, other.0))
    }

    /// `sum` and, in lane i, the product of lanes 2 i and 2 i + 1 with a pair.
    #[inline(always)]
    pub(crate) fn dot(self, [x, y]: [i16; 2], sum: I32x4) -> I32x4 {
        let pair = i32x4_splat(i32::from(x as u16) | i32::from(y) << 16);
        I32x4(i32x4_add(sum.0, i32x4_dot_i16x8(self.0, pair)))
    }
}
