//! The byte alphabet of vocabulary files: every byte as one printable character, and back.
//!
//! A byte that is a printable character of Latin-1 is that character; the other 68 (controls, space, delete, soft
//! hyphen) are U+0100 upwards in ascending order, so that a space is U+0120. Reference: the encoder published with GPT-2.

use crate::error::{Error, Result};

/// The first character of those that stand for unprintable bytes.
const SHIFTED: u32 = 0x100;

/// Whether a byte stands for itself.
fn is_printable(byte: u8) -> bool {
    matches!(byte, b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff)
}

/// The character of a byte.
pub fn character(byte: u8) -> char {
    if is_printable(byte) {
        return char::from(byte);
    }
    let before = (0..byte).filter(|&other| !is_printable(other)).count() as u32;
    char::from_u32(SHIFTED + before).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// The byte of a character, if it is in the alphabet.
pub fn byte(character: char) -> Option<u8> {
    let code = u32::from(character);
    match u8::try_from(code) {
        Ok(byte) => is_printable(byte).then_some(byte),
        Err(_) => {
            let place = code.checked_sub(SHIFTED)? as usize;
            (0..=u8::MAX).filter(|&byte| !is_printable(byte)).nth(place)
        }
    }
}

/// A token's bytes as text of the alphabet.
pub fn to_text(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| character(byte)).collect()
}

/// The bytes of a token's text.
pub fn to_bytes(text: &str) -> Result<Vec<u8>> {
    text.chars()
        .map(|character| {
            byte(character).ok_or_else(|| Error::OutOfRange {
                option: "a token's text".into(),
                found: format!("{character:?} in {text:?}"),
                accepted: "characters of the byte alphabet".into(),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_a_character_of_its_own_and_back() {
        let characters: Vec<char> = (0..=u8::MAX).map(character).collect();
        for (place, &found) in characters.iter().enumerate() {
            assert_eq!(byte(found), Some(place as u8));
            assert!(!found.is_control() && !found.is_whitespace());
        }
    }

    #[test]
    fn known_characters() {
        for (byte, expected) in
            [(b' ', 'Ġ'), (b'\n', 'Ċ'), (b'\t', 'ĉ'), (0, 'Ā'), (0xad, 'Ń'), (b'a', 'a')]
        {
            assert_eq!(character(byte), expected);
        }
    }

    #[test]
    fn other_characters_are_an_error_that_names_them() {
        for text in ["a b", "\u{144}", "日"] {
            assert_eq!(to_bytes(text).unwrap_err().code(), "out_of_range");
        }
        assert_eq!(to_bytes("Ġthe").unwrap(), b" the");
    }
}
