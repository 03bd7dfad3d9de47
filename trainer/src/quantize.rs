//! Q8_0: 32 numbers as one half-precision scale and 32 signed bytes; a number is scale times byte.

/// Numbers in a block.
pub const BLOCK: usize = 32;

/// The blocks of a slice whose length is a multiple of 32.
pub fn q8_0(values: &[f32]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(values.len() / BLOCK * (BLOCK + 2));
    for block in values.chunks_exact(BLOCK) {
        let (scale, quants) = quantized(block);
        bytes.extend_from_slice(&scale.to_le_bytes());
        bytes.extend(quants.map(|quant| quant as u8));
    }
    bytes
}

/// The numbers as they are read back.
pub fn rounded(values: &mut [f32]) {
    for block in values.chunks_exact_mut(BLOCK) {
        let (scale, quants) = quantized(block);
        for (value, quant) in block.iter_mut().zip(quants) {
            *value = from_half(scale) * f32::from(quant);
        }
    }
}

fn quantized(block: &[f32]) -> (u16, [i8; BLOCK]) {
    let largest = block.iter().fold(0.0f32, |largest, x| largest.max(x.abs()));
    let half = to_half(largest / 127.0);
    // By the scale as it is stored, so that its own rounding is not added to that of the numbers.
    let scale = from_half(half);
    let inverse = if scale > 0.0 { 1.0 / scale } else { 0.0 };
    let mut quants = [0; BLOCK];
    for (quant, x) in quants.iter_mut().zip(block) {
        *quant = (x * inverse).round().clamp(-127.0, 127.0) as i8;
    }
    (half, quants)
}

/// The nearest half-precision number to a number that is not negative, ties to even; at most the largest finite one.
fn to_half(x: f32) -> u16 {
    if x < 6.103_515_6e-5 {
        // Subnormal: multiples of 2^-24.
        return (x * 16_777_216.0).round_ties_even() as u16;
    }
    let bits = x.to_bits() - (112 << 23);
    let rounded = bits + 0xfff + ((bits >> 13) & 1);
    ((rounded >> 13).min(0x7bff)) as u16
}

fn from_half(half: u16) -> f32 {
    let (exponent, fraction) = (u32::from(half >> 10), u32::from(half & 0x3ff));
    if exponent == 0 {
        return fraction as f32 / 16_777_216.0;
    }
    f32::from_bits((exponent + 112) << 23 | fraction << 13)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::check;

    #[test]
    fn halves_are_the_nearest() {
        for half in 0..0x7bffu16 {
            let (a, b) = (from_half(half), from_half(half + 1));
            assert_eq!(to_half(a), half);
            assert!(a < b);
            let even = if half % 2 == 0 { half } else { half + 1 };
            assert_eq!(to_half(a + (b - a) / 2.0), even);
            assert_eq!(to_half(a + (b - a) * 0.51), half + 1);
        }
        assert_eq!(from_half(0x3c00), 1.0);
        assert_eq!(to_half(1e9), 0x7bff);
    }

    #[test]
    fn numbers_come_back_within_half_a_step() {
        let values = check::numbers(320, 1);
        let mut back = values.clone();
        rounded(&mut back);
        for (block, back) in values.chunks(32).zip(back.chunks(32)) {
            let step = block.iter().fold(0.0f32, |m, x| m.max(x.abs())) / 127.0;
            for (a, b) in block.iter().zip(back) {
                assert!((a - b).abs() <= 0.51 * step + 0.001 * a.abs());
            }
        }
        assert_eq!(q8_0(&values).len(), 340);
        assert_eq!(q8_0(&[0.0; 32]), [0; 34]);
    }
}
