//! The byte alphabet of vocabulary files: every byte as one printable character, and back.
//!
//! A byte that is a printable character of Latin-1 is that character; the other 68 (controls, space, delete, soft
//! hyphen) are U+0100 upwards in ascending order, so that a space is U+0120. Reference: the encoder published with GPT-2.

use crate::error::{Error, Result, quoted};

/// The character of a byte.
pub fn character(byte: u8) -> char {
    let code = u32::from(byte);
    let code = match byte {
        0..=0x20 => 0x100 + code,
        0x7f..=0xa0 => 0x121 + code - 0x7f,
        0xad => 0x143,
        _ => code,
    };
    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// The byte of a character, if it is in the alphabet.
pub fn byte(character: char) -> Option<u8> {
    let code = u32::from(character);
    let byte = match code {
        0x21..=0x7e | 0xa1..=0xac | 0xae..=0xff => code,
        0x100..=0x120 => code - 0x100,
        0x121..=0x142 => code - 0x121 + 0x7f,
        0x143 => 0xad,
        _ => return None,
    };
    u8::try_from(byte).ok()
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
                found: quoted(text),
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
