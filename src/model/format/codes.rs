//! The codes of a part (32 columns of a row) as words, and back.
//!
//! In a panel a word of each of four rows makes a vector, which the kernels read as eight i16: the two halves of a row's
//! word hold the codes of a *pair* of neighbouring columns, which is what a dot product of i16 takes. Pair p is columns
//! 2 p and 2 p + 1; a word of nibbles holds four pairs, lowest bits first.

/// Codes below 16.
pub(super) fn nibble_words(codes: &[u8; 32]) -> [u32; 4] {
    let (eights, _) = codes.as_chunks::<8>();
    let mut words = [0; 4];
    for (word, eight) in words.iter_mut().zip(eights) {
        let [a, b, c, d, e, f, g, h] = eight.map(u32::from);
        *word = (a | b << 16) | (c | d << 16) << 4 | (e | f << 16) << 8 | (g | h << 16) << 12;
    }
    words
}

/// The codes that [`nibble_words`] was given.
pub(super) fn nibbles(words: &[u32; 4]) -> [u8; 32] {
    let mut codes = [0; 32];
    let (eights, _) = codes.as_chunks_mut::<8>();
    for (eight, word) in eights.iter_mut().zip(words) {
        let (pairs, _) = eight.as_chunks_mut::<2>();
        for (pair, i) in pairs.iter_mut().zip(0..) {
            *pair = [word >> (4 * i), word >> (16 + 4 * i)].map(|code| code as u8 & 0xf);
        }
    }
    codes
}

/// Codes of 8 bits; a word holds two pairs: the first in the low bytes of its halves, the second in the high ones.
pub(super) fn byte_words(codes: &[u8; 32]) -> [u32; 8] {
    let (fours, _) = codes.as_chunks::<4>();
    let mut words = [0; 8];
    for (word, &[a, b, c, d]) in words.iter_mut().zip(fours) {
        *word = u32::from_le_bytes([a, c, b, d]);
    }
    words
}

/// The codes that [`byte_words`] was given.
pub(super) fn bytes(words: &[u32; 8]) -> [u8; 32] {
    let mut codes = [0; 32];
    let (fours, _) = codes.as_chunks_mut::<4>();
    for (four, word) in fours.iter_mut().zip(words) {
        let [a, c, b, d] = word.to_le_bytes();
        *four = [a, b, c, d];
    }
    codes
}

/// `BITS` bits of each of the pairs 0, 1, 2, ...: pair p has the p-th `BITS` of both halves.
pub(super) fn high_word<const BITS: usize>(codes: &[u8]) -> u32 {
    let (pairs, _) = codes.as_chunks::<2>();
    let shifted = pairs.iter().zip((0..).step_by(BITS));
    shifted.fold(0, |word, (&[a, b], shift)| word | (u32::from(a) | u32::from(b) << 16) << shift)
}

/// The bits that [`high_word`] was given, for as many codes.
pub(super) fn high_bits<const BITS: usize>(word: u32, codes: &mut [u8]) {
    let mask = (1 << BITS) - 1;
    let (pairs, _) = codes.as_chunks_mut::<2>();
    for (pair, shift) in pairs.iter_mut().zip((0..).step_by(BITS)) {
        *pair = [word >> shift, word >> (16 + shift)].map(|bits| bits as u8 & mask);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn codes_come_back(codes: [u8; 32]) {
            prop_assert_eq!(bytes(&byte_words(&codes)), codes);
            let low = codes.map(|code| code & 0xf);
            prop_assert_eq!(nibbles(&nibble_words(&low)), low);
            let ones = codes.map(|code| code & 1);
            let mut back = [0; 32];
            high_bits::<1>(high_word::<1>(&ones), &mut back);
            prop_assert_eq!(back, ones);
            let twos = codes.map(|code| code & 3);
            let mut back = [0; 16];
            high_bits::<2>(high_word::<2>(&twos[..16]), &mut back);
            prop_assert_eq!(&back, &twos[..16]);
        }
    }
}
