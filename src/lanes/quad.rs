//! Vectors of 128 bits: four f32, four i32, eight i16.
//!
//! What the model computes with. The integer operations are exact, so they, too, give the same bits in both forms.

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[path = "quad/simd128.rs"]
mod form;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[path = "quad/array.rs"]
mod form;

pub(crate) use form::{F32x4, I16x8, I32x4};

/// 1.5 * 2^23: adding it to an f32 below 2^22 rounds to an integer, ties to even, which its low bits then hold.
const ROUND: f32 = 12_582_912.0;

/// 2^112, which is what makes the f32 of [`I32x4::half_bits`] the number that the half-precision bits meant.
const HALF_SCALE: f32 = f32::from_bits(239 << 23);

impl I32x4 {
    /// From half-precision bits, each sign-extended: bits of an f32 that is 2^-112 of the number they mean.
    #[inline(always)]
    pub(crate) fn half_bits(self) -> I32x4 {
        self.shift_left(13).and(0x8fff_e000_u32 as i32)
    }
}

impl F32x4 {
    /// The sum of the lanes: (0 + 2) + (1 + 3).
    #[inline(always)]
    pub(crate) fn sum(self) -> f32 {
        let [a, b, c, d] = self.to_array();
        (a + c) + (b + d)
    }

    /// The highest lane; NaN is never it.
    #[inline(always)]
    pub(crate) fn highest(self) -> f32 {
        self.to_array().into_iter().fold(f32::NEG_INFINITY, |a, b| if a < b { b } else { a })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Lanes;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn integers_are_those_of_scalar_arithmetic(bytes: [u8; 16], n in 0u32..15, pair: [i16; 2]) {
            let words: Vec<i16> =
                bytes.chunks(2).map(|two| i16::from_le_bytes([two[0], two[1]])).collect();
            let lanes = I16x8::load(&bytes);
            let dot = lanes.shift_right(4).and(I16x8::constant(0xf)).dot(pair, I32x4::splat(7)).to_array();
            let expected = |row: usize| {
                let code = |i: usize| i32::from(words[2 * row + i] as u16 >> 4 & 0xf);
                7 + code(0) * i32::from(pair[0]) + code(1) * i32::from(pair[1])
            };
            prop_assert_eq!(dot, [expected(0), expected(1), expected(2), expected(3)]);
            let shifted = lanes.shift_left(n).shift_right_signed(n).or(lanes.and(I16x8::constant(0)));
            let one = shifted.dot([1, 0], I32x4::splat(0)).to_array();
            prop_assert_eq!(one[1], i32::from((words[2] << n) >> n));
            let long = I32x4::load(&bytes).shift_left(n).shift_right(n).and(-2);
            let first = i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
            prop_assert_eq!(long.to_array()[0], ((first << n) >> n) & -2);
        }

        #[test]
        fn rounding_is_to_the_nearest_integer(x in -32767f32..32767.0) {
            let rounded = F32x4::splat(x).rounded();
            prop_assert_eq!(rounded, [x.round_ties_even() as i16; 4]);
        }
    }

    #[test]
    fn half_precision_is_read_exactly() {
        for (bits, value) in [
            (0x3c00u16, 1.0f32),
            (0xc000, -2.0),
            (0x0001, 5.960_464_5e-8),
            (0x83ff, -6.097_555e-5),
            (0x7bff, 65504.0),
            (0, 0.0),
        ] {
            let [low, high] = bits.to_le_bytes();
            let bytes = [low, high, low, high, low, high, low, high];
            assert_eq!(F32x4::from_f16(&bytes).to_array(), [value; 4]);
            let halves = I32x4::load_halves(&bytes).half_bits().bits_as_f32();
            let scaled = halves.mul(F32x4::splat(f32::from_bits(239 << 23))).to_array();
            assert_eq!(scaled, [value; 4]);
            let [low, high] = ((value.to_bits() >> 16) as u16).to_le_bytes();
            let bytes = [low, high, low, high, low, high, low, high];
            let expected = f32::from_bits(value.to_bits() >> 16 << 16);
            assert_eq!(F32x4::from_bf16(&bytes).to_array(), [expected; 4]);
        }
    }
}
