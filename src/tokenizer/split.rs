//! Pre-tokenizers: where a text is cut before merging, so that no token ever spans two pieces.
//!
//! Each is what a regular expression of a published tokenizer matches, written by hand: an engine for regular expressions
//! would be larger than the whole tokenizer. A rule is a function from the rest of the text to the length of its first
//! piece, which is at least one byte; all rules are listed in [`Split`].

use super::class::{Class, first, run};

/// A rule of cutting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// GPT-2: contractions, then letters, numbers or other characters with at most one space before them, then white
    /// space, whose last character stays with what follows:
    /// `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`.
    Gpt2,
    /// The same after every number has been set apart, one digit a piece, no space before it (`smollm` in GGUF files).
    Gpt2Digits,
}

impl Split {
    /// The rule's name in GGUF files (`tokenizer.ggml.pre`).
    pub fn name(self) -> &'static str {
        match self {
            Split::Gpt2 => "gpt-2",
            Split::Gpt2Digits => "smollm",
        }
    }

    /// The pieces of a text, in order; together they are the text.
    pub fn pieces(self, text: &[u8]) -> Pieces<'_> {
        Pieces { rest: text, split: self }
    }

    /// The length of the first piece of a text that is not empty.
    fn first_piece(self, text: &[u8]) -> usize {
        match self {
            Split::Gpt2 => gpt2(text, false),
            Split::Gpt2Digits => gpt2(text, true),
        }
    }
}

/// The pieces of a text.
#[derive(Clone, Debug)]
pub struct Pieces<'a> {
    rest: &'a [u8],
    split: Split,
}

impl<'a> Iterator for Pieces<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let length = self.split.first_piece(self.rest).clamp(1, self.rest.len());
        let (piece, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(piece)
    }
}

/// GPT-2's contractions.
const CONTRACTIONS: [&[u8]; 7] = [b"'s", b"'t", b"'re", b"'ve", b"'m", b"'ll", b"'d"];

/// The first piece by GPT-2's rule; `apart` sets every number apart beforehand.
fn gpt2(text: &[u8], apart: bool) -> usize {
    if let Some(found) = CONTRACTIONS.iter().find(|&&contraction| text.starts_with(contraction)) {
        return found.len();
    }
    let space = usize::from(text.first() == Some(&b' '));
    match text.get(space..).and_then(first) {
        Some((Class::Number, length)) if apart && space == 0 => length,
        Some((Class::Number, _)) if apart => space,
        Some((class, _)) if class != Class::Space => {
            space + text.get(space..).map_or(0, |rest| run(rest, class))
        }
        _ => white_space(text, apart),
    }
}

/// A run of white space at the beginning: all of it at the end (or before what is set apart), else all but its last
/// character, but at least one.
fn white_space(text: &[u8], apart: bool) -> usize {
    let length = run(text, Class::Space);
    match text.get(length..).and_then(first) {
        None => length,
        Some((Class::Number, _)) if apart => length,
        Some(_) => match text.get(..length).map_or(0, without_last) {
            0 => length,
            shorter => shorter,
        },
    }
}

/// The length of a valid text without its last character.
fn without_last(text: &[u8]) -> usize {
    text.iter().rposition(|byte| byte & 0xc0 != 0x80).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(split: Split, text: &str) -> Vec<String> {
        split.pieces(text.as_bytes()).map(|p| String::from_utf8_lossy(p).into_owned()).collect()
    }

    #[test]
    fn gpt2_cuts_where_its_expression_does() {
        let cases: [(&str, &[&str]); 10] = [
            ("Hello world", &["Hello", " world"]),
            ("I'll say 'twas", &["I", "'ll", " say", " '", "twas"]),
            ("'s't", &["'s", "'t"]),
            ("a  b", &["a", " ", " b"]),
            ("a \n b\n\n", &["a", " \n", " b", "\n\n"]),
            ("a\n\nb", &["a", "\n", "\n", "b"]),
            ("x 1234 y", &["x", " 1234", " y"]),
            ("end.  ", &["end", ".", "  "]),
            ("a\u{3000}\u{3000}é!", &["a", "\u{3000}", "\u{3000}", "é", "!"]),
            (" --ok", &[" --", "ok"]),
        ];
        for (text, expected) in cases {
            assert_eq!(pieces(Split::Gpt2, text), expected, "{text:?}");
        }
    }

    #[test]
    fn digits_are_set_apart_without_the_space_before_them() {
        let cases: [(&str, &[&str]); 5] = [
            ("x 12 y", &["x", " ", "1", "2", " y"]),
            ("a  7", &["a", "  ", "7"]),
            ("7  a", &["7", " ", " a"]),
            ("v2.0", &["v", "2", ".", "0"]),
            ("½٣", &["½", "٣"]),
        ];
        for (text, expected) in cases {
            assert_eq!(pieces(Split::Gpt2Digits, text), expected, "{text:?}");
        }
    }

    #[test]
    fn pieces_together_are_the_text_whatever_its_bytes() {
        let mut state = 1u32;
        for _ in 0..2000 {
            let text: Vec<u8> = (0..24)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    b" \n'sa7\xc3\xa9\xff\xe3\x80\x80."[(state >> 16) as usize % 13]
                })
                .collect();
            for split in [Split::Gpt2, Split::Gpt2Digits] {
                assert_eq!(split.pieces(&text).collect::<Vec<_>>().concat(), text);
            }
        }
    }
}
