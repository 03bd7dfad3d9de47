//! The class of the character at a place of a text that need not be valid UTF-8.
//!
//! Classes are those of Unicode 16.0, whatever version the compiler's standard library has. Of a character beyond ASCII
//! the class is read from a table of two stages (blocks of 256 code points, equal blocks stored once, about 40 kB) that
//! is laid out at the first use.

use std::sync::OnceLock;

use super::tables::CLASSES;

/// What pre-tokenizers tell apart; the numbers are those of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// Anything else, bytes that are no UTF-8 included.
    Other = 0,
    /// General categories Lu and Lt.
    Upper = 1,
    /// General category Ll.
    Lower = 2,
    /// General categories Lm and Lo.
    Caseless = 3,
    /// General category M.
    Mark = 4,
    /// General category N.
    Number = 5,
    /// The property White_Space.
    Space = 6,
}

impl Class {
    const fn of_number(number: u8) -> Class {
        match number {
            1 => Class::Upper,
            2 => Class::Lower,
            3 => Class::Caseless,
            4 => Class::Mark,
            5 => Class::Number,
            6 => Class::Space,
            _ => Class::Other,
        }
    }
}

/// A set of classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Set(u8);

impl Set {
    /// General category L.
    pub const LETTER: Set = Set::of(&[Class::Upper, Class::Lower, Class::Caseless]);
    /// What is neither white space, letter nor number.
    pub const OTHER: Set = Set::of(&[Class::Other, Class::Mark]);
    /// What a word of upper case may consist of.
    pub const UPPER: Set = Set::of(&[Class::Upper, Class::Caseless, Class::Mark]);
    /// What a word of lower case may consist of.
    pub const LOWER: Set = Set::of(&[Class::Lower, Class::Caseless, Class::Mark]);
    /// General category N.
    pub const NUMBER: Set = Set::of(&[Class::Number]);
    /// White space.
    pub const SPACE: Set = Set::of(&[Class::Space]);
    /// What may stand before the letters of a word where line breaks are told apart.
    pub const BEFORE_WORD: Set = Set::of(&[Class::Other, Class::Mark, Class::Space]);

    /// The set of some classes.
    const fn of(mut classes: &[Class]) -> Set {
        let mut bits = 0;
        while let [class, rest @ ..] = classes {
            bits |= 1 << *class as u8;
            classes = rest;
        }
        Set(bits)
    }

    /// Whether a class is in the set.
    #[inline]
    pub(super) fn has(self, class: Class) -> bool {
        self.0 >> class as u8 & 1 == 1
    }
}

/// The classes of ASCII.
const ASCII: [Class; 128] = {
    let mut classes = [Class::Other; 128];
    let mut rest: &mut [Class] = &mut classes;
    let mut code = 0u8;
    while let [class, after @ ..] = rest {
        *class = match code {
            b'A'..=b'Z' => Class::Upper,
            b'a'..=b'z' => Class::Lower,
            b'0'..=b'9' => Class::Number,
            b'\t'..=b'\r' | b' ' => Class::Space,
            _ => Class::Other,
        };
        code += 1;
        rest = after;
    }
    classes
};

/// Classes by code point, in two stages.
struct Table {
    /// Where the block of each 256 code points begins.
    starts: Vec<u16>,
    /// Blocks, each a class number a code point; in steps of 256.
    blocks: Vec<[u8; 256]>,
}

impl Table {
    fn new() -> Table {
        let mut table = Table { starts: Vec::with_capacity(0x1100), blocks: Vec::new() };
        let mut block = [0; 256];
        let mut filled = 0;
        let mut bytes = CLASSES.iter().copied();
        while let Some(head) = bytes.next() {
            let mut left = u32::from(head & 31);
            if left == 0 {
                left = super::leb128::read(&mut bytes);
            }
            while left > 0 {
                let n = left.min(256 - filled as u32);
                if let Some(part) = block.get_mut(filled..filled + n as usize) {
                    part.fill(head >> 5);
                }
                filled += n as usize;
                left -= n;
                if filled == 256 {
                    table.push(&block);
                    filled = 0;
                }
            }
        }
        table
    }

    fn push(&mut self, block: &[u8; 256]) {
        let known = self.blocks.iter().position(|other| other == block);
        let place = known.unwrap_or_else(|| {
            self.blocks.push(*block);
            self.blocks.len() - 1
        });
        self.starts.push(place as u16);
    }

    #[inline]
    fn class(&self, code: u32) -> Class {
        let block =
            self.starts.get(code as usize >> 8).and_then(|&at| self.blocks.get(at as usize));
        Class::of_number(block.and_then(|block| block.get(code as usize & 255)).map_or(0, |&n| n))
    }
}

static TABLE: OnceLock<Table> = OnceLock::new();

/// The class of a code point.
#[inline]
fn class_of(code: u32) -> Class {
    match ASCII.get(code as usize) {
        Some(&class) => class,
        None => TABLE.get_or_init(Table::new).class(code),
    }
}

/// The class and the length in bytes of the character at a place; none at the end. A byte that begins no character is one
/// of its own.
#[inline]
pub(super) fn at(text: &[u8], place: usize) -> Option<(Class, usize)> {
    let &lead = text.get(place)?;
    match ASCII.get(usize::from(lead)) {
        Some(&class) => Some((class, 1)),
        None => Some(match text.get(place..).and_then(decode) {
            Some((code, length)) => (class_of(code), length),
            None => (Class::Other, 1),
        }),
    }
}

/// The code point beyond ASCII that a text begins with, and its length in bytes, by Unicode's table 3-7.
#[inline]
pub(super) fn decode(text: &[u8]) -> Option<(u32, usize)> {
    let low = |byte: u8| u32::from(byte & 0x3f);
    match *text {
        [a @ 0xc2..=0xdf, b @ 0x80..=0xbf, ..] => Some((u32::from(a & 0x1f) << 6 | low(b), 2)),
        [a @ 0xe0..=0xef, b @ 0x80..=0xbf, c @ 0x80..=0xbf, ..] => {
            let code = u32::from(a & 0x0f) << 12 | low(b) << 6 | low(c);
            (code >= 0x800 && !(0xd800..0xe000).contains(&code)).then_some((code, 3))
        }
        [a @ 0xf0..=0xf4, b @ 0x80..=0xbf, c @ 0x80..=0xbf, d @ 0x80..=0xbf, ..] => {
            let code = u32::from(a & 0x07) << 18 | low(b) << 12 | low(c) << 6 | low(d);
            (0x1_0000..=0x10_ffff).contains(&code).then_some((code, 4))
        }
        _ => None,
    }
}

/// Where the run of characters of a set that begins at a place ends.
#[inline]
pub(super) fn run(text: &[u8], mut place: usize, set: Set) -> usize {
    while let Some((class, length)) = at(text, place) {
        if !set.has(class) {
            break;
        }
        place += length;
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_characters_at_edges() {
        let cases = [
            ('a', Class::Lower),
            ('Z', Class::Upper),
            ('ª', Class::Caseless),
            ('é', Class::Lower),
            ('ǅ', Class::Upper),
            ('ʰ', Class::Caseless),
            ('日', Class::Caseless),
            ('𝒜', Class::Upper),
            ('\u{323af}', Class::Caseless),
            ('\u{323b0}', Class::Other),
            ('7', Class::Number),
            ('²', Class::Number),
            ('Ⅷ', Class::Number),
            ('٣', Class::Number),
            (' ', Class::Space),
            ('\u{b}', Class::Space),
            ('\u{1c}', Class::Other),
            ('\u{85}', Class::Space),
            ('\u{3000}', Class::Space),
            ('\u{200b}', Class::Other),
            ('\u{feff}', Class::Other),
            ('\u{301}', Class::Mark),
            ('\u{e0100}', Class::Mark),
            ('ⓐ', Class::Other),
            ('!', Class::Other),
            ('\u{7f}', Class::Other),
            ('\u{10ffff}', Class::Other),
        ];
        for (character, class) in cases {
            assert_eq!(class_of(u32::from(character)), class, "{character:?}");
        }
    }

    #[test]
    fn the_table_covers_every_code_point_and_ascii_is_in_it_too() {
        let table = Table::new();
        assert_eq!(table.starts.len(), 0x1100);
        for code in 0..128 {
            assert_eq!(table.class(code), class_of(code));
        }
        let count = |set: Set| (0..0x11_0000).filter(|&code| set.has(class_of(code))).count();
        // Of Unicode 16.0's categories, counted by its data files.
        assert_eq!(count(Set::LETTER), 141_028);
        assert_eq!(count(Set::NUMBER), 1_911);
        assert_eq!(count(Set::SPACE), 25);
        assert_eq!(count(Set::of(&[Class::Mark])), 2_501);
    }

    #[test]
    fn broken_utf8_is_one_other_byte_at_a_time() {
        for bytes in [&[0x80][..], &[0xe6, 0x97], &[0xff, b'a'], &[0xc0, 0x80], &[0xed, 0xa0, 0x80]]
        {
            assert_eq!(at(bytes, 0), Some((Class::Other, 1)), "{bytes:x?}");
        }
        assert_eq!(at(&[], 0), None);
    }

    #[test]
    fn decoding_is_the_standard_librarys() {
        for code in (0x80..=0x10_ffff).filter_map(char::from_u32) {
            let text = code.to_string();
            assert_eq!(decode(text.as_bytes()), Some((u32::from(code), text.len())));
        }
        for lead in 0x80..=u8::MAX {
            for second in [0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0] {
                let bytes = [lead, second, 0x80, 0x80];
                let valid = bytes.utf8_chunks().next().unwrap().valid().chars().next();
                let expected = valid.map(|found| (u32::from(found), found.len_utf8()));
                assert_eq!(decode(&bytes), expected, "{bytes:x?}");
            }
        }
    }

    #[test]
    fn runs_end_where_the_class_changes() {
        assert_eq!(run("añb7".as_bytes(), 0, Set::LETTER), 4);
        assert_eq!(run("añb7".as_bytes(), 1, Set::LETTER), 4);
        assert_eq!(run(b"7a", 0, Set::LETTER), 0);
        assert_eq!(run(b"\xff\xfe", 0, Set::OTHER), 2);
    }
}
