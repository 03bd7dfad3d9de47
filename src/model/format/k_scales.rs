//! The scales and offsets of Q4_K and Q5_K: eight of each, 6 bits wide, in 12 bytes.
//!
//! As words: five values a word, from the lowest bits, scales before offsets; of the sixteenth the top two bits of each
//! word have two.

use crate::lanes::I32x4;

/// Scales, then offsets.
pub(super) type Values<T> = [T; 16];

/// The values of the file's 12 bytes.
pub(super) fn of_file(bytes: &[u8; 12]) -> Values<u8> {
    let [a, b, c] = [
        bytes.first_chunk::<4>(),
        bytes.get(4..8).and_then(<[u8]>::first_chunk),
        bytes.last_chunk(),
    ]
    .map(|four| four.copied().unwrap_or_default());
    let mut values = [0; 16];
    let (fours, _) = values.as_chunks_mut::<4>();
    if let [low_scales, high_scales, low_offsets, high_offsets] = fours {
        *low_scales = a.map(|a| a & 63);
        *low_offsets = b.map(|b| b & 63);
        for (i, (a, (b, c))) in a.into_iter().zip(b.into_iter().zip(c)).enumerate() {
            if let (Some(scale), Some(offset)) = (high_scales.get_mut(i), high_offsets.get_mut(i)) {
                (*scale, *offset) = (c & 0xf | a >> 6 << 4, c >> 4 | b >> 6 << 4);
            }
        }
    }
    values
}

/// The values as words.
pub(super) fn words(values: &Values<u8>) -> [u32; 3] {
    let [first @ .., last] = values.map(u32::from);
    let (fives, _) = first.as_chunks::<5>();
    let mut words = [0; 3];
    for (i, (word, [a, b, c, d, e])) in words.iter_mut().zip(fives).enumerate() {
        *word = a | b << 6 | c << 12 | d << 18 | e << 24 | (last >> (2 * i) & 3) << 30;
    }
    words
}

/// The values of words.
pub(super) fn of_words(words: &[u32; 3]) -> Values<u8> {
    let mut values = [0; 16];
    let (fives, last) = values.as_chunks_mut::<5>();
    for (i, (five, word)) in fives.iter_mut().zip(words).enumerate() {
        for (value, shift) in five.iter_mut().zip((0..).step_by(6)) {
            *value = (word >> shift & 63) as u8;
        }
        if let Some(last) = last.first_mut() {
            *last |= ((word >> 30) as u8) << (2 * i);
        }
    }
    values
}

/// The values of the words of four rows.
#[inline(always)]
pub(super) fn of_panel(words: &[[u8; 16]; 3]) -> Values<I32x4> {
    let [a, b, c] = words;
    let (a, b, c) = (I32x4::load(a), I32x4::load(b), I32x4::load(c));
    let value = |word: I32x4, shift: u32| word.shift_right(shift).and(63);
    let five = |word: I32x4| {
        [word.and(63), value(word, 6), value(word, 12), value(word, 18), value(word, 24)]
    };
    let ([a0, a1, a2, a3, a4], [b0, b1, b2, b3, b4], [c0, c1, c2, c3, c4]) =
        (five(a), five(b), five(c));
    let last = a.shift_right(30).and(3).or(b.shift_right(28).and(12)).or(c.shift_right(26).and(48));
    [a0, a1, a2, a3, a4, b0, b1, b2, b3, b4, c0, c1, c2, c3, c4, last]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn values_come_back_from_words(bytes: [u8; 12]) {
            let values = of_file(&bytes);
            let words = words(&values);
            prop_assert_eq!(of_words(&words), values);
            let panel = words.map(|word| {
                let mut four = [0; 16];
                four[4..8].copy_from_slice(&word.to_le_bytes());
                four
            });
            prop_assert_eq!(of_panel(&panel).map(|four| four.to_array()[1] as u8), values);
        }
    }
}
