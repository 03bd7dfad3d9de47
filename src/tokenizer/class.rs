//! The class of the character at a place of a text that need not be valid UTF-8.

use super::tables::{LETTERS, NUMBERS};

/// What pre-tokenizers tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// General category L.
    Letter,
    /// General category N.
    Number,
    /// The property White_Space.
    Space,
    /// Anything else, bytes that are no UTF-8 included.
    Other,
}

/// The class of a character.
pub(super) fn class_of(character: char) -> Class {
    let code = u32::from(character);
    match character {
        'a'..='z' | 'A'..='Z' => Class::Letter,
        '0'..='9' => Class::Number,
        _ if character.is_whitespace() => Class::Space,
        '\0'..='\u{7f}' => Class::Other,
        _ if inside(&LETTERS, code) => Class::Letter,
        _ if inside(&NUMBERS, code) => Class::Number,
        _ => Class::Other,
    }
}

/// Whether an odd number of boundaries lies at or below `code`.
fn inside(boundaries: &[u32], code: u32) -> bool {
    boundaries.partition_point(|&boundary| boundary <= code) % 2 == 1
}

/// The class and the length in bytes of the first character; none at the end. A byte that begins no character is one
/// of its own.
pub(super) fn first(text: &[u8]) -> Option<(Class, usize)> {
    let &lead = text.first()?;
    if lead < 0x80 {
        return Some((class_of(char::from(lead)), 1));
    }
    let length = match lead {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => 1,
    };
    let decoded = text.get(..length).and_then(|bytes| core::str::from_utf8(bytes).ok());
    Some(
        decoded
            .and_then(|valid| valid.chars().next())
            .map_or((Class::Other, 1), |character| (class_of(character), length)),
    )
}

/// The length of the longest beginning of `text` whose characters are all of `class`.
pub(super) fn run(text: &[u8], class: Class) -> usize {
    let mut length = 0;
    while let Some((found, step)) = text.get(length..).and_then(first) {
        if found != class {
            break;
        }
        length += step;
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_characters_at_edges() {
        let cases = [
            ('a', Class::Letter),
            ('Z', Class::Letter),
            ('ª', Class::Letter),
            ('é', Class::Letter),
            ('日', Class::Letter),
            ('𝒜', Class::Letter),
            ('\u{323af}', Class::Letter),
            ('\u{323b0}', Class::Other),
            ('7', Class::Number),
            ('²', Class::Number),
            ('Ⅷ', Class::Number),
            ('٣', Class::Number),
            (' ', Class::Space),
            ('\u{85}', Class::Space),
            ('\u{3000}', Class::Space),
            ('\u{200b}', Class::Other),
            ('\u{301}', Class::Other),
            ('ⓐ', Class::Other),
            ('!', Class::Other),
            ('\u{7f}', Class::Other),
        ];
        for (character, class) in cases {
            assert_eq!(class_of(character), class, "{character:?}");
        }
    }

    #[test]
    fn broken_utf8_is_one_other_byte_at_a_time() {
        for bytes in [&[0x80][..], &[0xe6, 0x97], &[0xff, b'a'], &[0xc0, 0x80], &[0xed, 0xa0, 0x80]]
        {
            assert_eq!(first(bytes), Some((Class::Other, 1)), "{bytes:x?}");
        }
        assert_eq!(first(&[]), None);
    }

    #[test]
    fn runs_end_where_the_class_changes() {
        assert_eq!(run("añb7".as_bytes(), Class::Letter), 4);
        assert_eq!(run(b"7a", Class::Letter), 0);
        assert_eq!(run(b"\xff\xfe", Class::Other), 2);
    }
}
