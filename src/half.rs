//! Rows in half precision: f16 and bf16 logits, as accelerators hand them out, widened to the f32 that stages read.
//!
//! Widening is exact: every f16 and every bf16 is an f32, subnormal numbers, infinities and NaN included. So a row in half
//! precision draws what the same numbers in f32 draw; what half precision itself does to logits (f16 ends at 65504, bf16
//! has 8 bits: neighbours that were different become ties) happened before.
//!
//! Cost: one pass over the row and, once, memory for it.
//!
//! Reference: IEEE 754-2019, binary16; bfloat16 is the upper half of binary32.
//!
//! ```
//! use nucleus_sampler::half::WideRow;
//! use nucleus_sampler::{Options, Sampler};
//!
//! let mut sampler = Sampler::new(Options { temperature: Some(0.0), ..Options::default() })?;
//! let mut row = WideRow::default();
//! // 1.0, 2.0 and -infinity.
//! assert_eq!(sampler.sample(row.f16(&[0x3c00, 0x4000, 0xfc00]))?, 1);
//! assert_eq!(sampler.sample(row.bf16(&[0x3f80, 0x4000, 0xff80]))?, 1);
//! # Ok::<(), nucleus_sampler::Error>(())
//! ```

/// Memory for a widened row; kept from call to call, so that a steady state allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct WideRow {
    logits: Vec<f32>,
}

impl WideRow {
    /// The logits whose f16 bits these are; shape `(n_vocab)`, or `(rows, n_vocab)` for a batch.
    pub fn f16(&mut self, bits: &[u16]) -> &[f32] {
        self.widen(bits.iter().map(|bits| f32_of_f16(*bits)))
    }

    /// The logits whose bf16 bits these are; shape `(n_vocab)`, or `(rows, n_vocab)` for a batch.
    pub fn bf16(&mut self, bits: &[u16]) -> &[f32] {
        self.widen(bits.iter().map(|bits| f32_of_bf16(*bits)))
    }

    fn widen(&mut self, logits: impl Iterator<Item = f32>) -> &[f32] {
        self.logits.clear();
        self.logits.extend(logits);
        &self.logits
    }
}

#[cfg(feature = "half")]
impl WideRow {
    /// The logits of a row of the crate `half`; shape `(n_vocab)`, or `(rows, n_vocab)` for a batch.
    pub fn half_f16(&mut self, row: &[half::f16]) -> &[f32] {
        self.widen(row.iter().map(|logit| f32_of_f16(logit.to_bits())))
    }

    /// The logits of a row of the crate `half`; shape `(n_vocab)`, or `(rows, n_vocab)` for a batch.
    pub fn half_bf16(&mut self, row: &[half::bf16]) -> &[f32] {
        self.widen(row.iter().map(|logit| f32_of_bf16(logit.to_bits())))
    }
}

/// The number whose bf16 bits these are.
#[inline]
pub fn f32_of_bf16(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits) << 16)
}

/// The number whose f16 bits these are.
///
/// Without a branch: the bits are moved to where f32 has exponent and mantissa, and a multiplication by 2^112 corrects the
/// exponent's bias, subnormal numbers among them. Infinities and NaN get the exponent of f32's own.
#[inline]
pub fn f32_of_f16(bits: u16) -> f32 {
    const REBIAS: f32 = f32::from_bits((127 + 112) << 23);
    let sign = u32::from(bits & 0x8000) << 16;
    let rest = u32::from(bits & 0x7fff) << 13;
    let finite = (f32::from_bits(rest) * REBIAS).to_bits();
    let special = if rest >= 0x0f80_0000 { 0x7f80_0000 } else { 0 };
    f32::from_bits(sign | finite | special)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Read as the standard says: sign, exponent and fraction apart.
    fn by_definition(bits: u16) -> f64 {
        let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
        let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 0x3ff));
        let two = |n: i32| f64::from_bits(((1023 + n) as u64) << 52);
        match exponent {
            0 => sign * fraction * two(-24),
            31 if fraction == 0.0 => sign * f64::INFINITY,
            31 => f64::NAN,
            _ => sign * (1024.0 + fraction) * two(exponent - 25),
        }
    }

    #[test]
    fn every_f16_is_the_f32_of_the_same_number() {
        for bits in 0..=u16::MAX {
            let (found, expected) = (f32_of_f16(bits), by_definition(bits) as f32);
            let is_same = found.to_bits() == expected.to_bits();
            assert!(
                is_same || found.is_nan() && expected.is_nan(),
                "{bits:#06x} {found} {expected}"
            );
        }
    }

    #[test]
    fn every_bf16_is_the_f32_that_begins_with_it() {
        for bits in 0..=u16::MAX {
            assert_eq!(f32_of_bf16(bits).to_bits(), u32::from(bits) << 16);
        }
    }

    #[test]
    fn a_row_can_be_used_again_for_a_shorter_one() {
        let mut row = WideRow::default();
        assert_eq!(row.f16(&[0x3c00, 0x4000, 0xbc00]), [1.0, 2.0, -1.0]);
        assert_eq!(row.bf16(&[0x3f80]), [1.0]);
        assert_eq!(row.f16(&[]), [0.0f32; 0]);
    }

    #[cfg(feature = "half")]
    #[test]
    fn rows_of_the_crate_half_are_those_of_their_bits() {
        let mut row = WideRow::default();
        for number in [0.0, -0.0, 1.5, 65504.0, 6e-8, -3.25, f32::INFINITY, f32::NEG_INFINITY] {
            let (f16, bf16) = (half::f16::from_f32(number), half::bf16::from_f32(number));
            assert_eq!(row.half_f16(&[f16])[0].to_bits(), f16.to_f32().to_bits());
            assert_eq!(row.half_bf16(&[bf16])[0].to_bits(), bf16.to_f32().to_bits());
        }
    }
}
