//! `.tiktoken` files: a token a line, in base64, and its rank, which is its id.
//!
//! Two neighbours merge where what they make is a token, at its rank; a piece that is a token is that token. Which pairs can
//! ever meet follows from the ranks: merging a token's own bytes by all lower ranks leaves the two that make it. Where it
//! leaves more, every cut into two tokens is a merge.

use super::listed::Listed;
use super::wrong;
use crate::error::{Error, Result};
use crate::tokenizer::merge::merge;
use crate::tokenizer::tokens::TokenKind;
use crate::tokenizer::vocabulary::Vocabulary;
use crate::tokenizer::{Rules, Split, Tokenizer};

/// The longest token, in bytes: all its cuts are looked at.
const LONGEST: usize = 1024;

/// The tokenizer of a `.tiktoken` file, with the special tokens and the rule of cutting that the file does not name.
pub fn tokenizer(file: &[u8], special: &[(&str, u32)], split: Split) -> Result<Tokenizer> {
    let mut listed = Listed::default();
    let mut bytes = Vec::new();
    for (number, line) in (1u32..).zip(file.split(|&byte| byte == b'\n')) {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() {
            continue;
        }
        bytes.clear();
        match entry(line, &mut bytes) {
            Some(_) if bytes.len() > LONGEST => {
                let (found, limit) = (bytes.len() as u64, LONGEST as u64);
                return Err(Error::TooLarge { what: "a token's length", found, limit });
            }
            Some(rank) => listed.push(rank, &bytes, TokenKind::Normal)?,
            None => {
                let place = ["line ", &number.to_string(), " of the .tiktoken file"].concat();
                let found = String::from_utf8_lossy(line.get(..64).unwrap_or(line));
                return wrong(&place, &found, "a token in base64, a space and its rank");
            }
        }
    }
    for &(text, id) in special {
        listed.push(id, text.as_bytes(), TokenKind::Special)?;
    }
    let mut vocabulary = Vocabulary::without_merges(listed.tokens()?)?;
    add_merges(&mut vocabulary);
    let rules = Rules { whole_pieces: true, ..Rules::default() };
    Ok(Tokenizer::with_rules(vocabulary, split, rules))
}

/// A line's rank; its token is appended to `bytes`.
fn entry(line: &[u8], bytes: &mut Vec<u8>) -> Option<u32> {
    let space = line.iter().position(|&byte| byte == b' ')?;
    base64(line.get(..space)?, bytes)?;
    let digits = line.get(space + 1..)?;
    let digits = digits.iter().all(u8::is_ascii_digit).then_some(digits)?;
    core::str::from_utf8(digits).ok()?.parse().ok()
}

/// Appends what a text in base64 stands for; its padding may be missing.
fn base64(text: &[u8], bytes: &mut Vec<u8>) -> Option<()> {
    let text = text.strip_suffix(b"==").or(text.strip_suffix(b"=")).unwrap_or(text);
    for four in text.chunks(4) {
        let mut bits = 0u32;
        for &character in four {
            let digit = match character {
                b'A'..=b'Z' => character - b'A',
                b'a'..=b'z' => character - b'a' + 26,
                b'0'..=b'9' => character - b'0' + 52,
                b'+' => 62,
                b'/' => 63,
                _ => return None,
            };
            bits = bits << 6 | u32::from(digit);
        }
        let n = match four.len() {
            4 => 3,
            3 => 2,
            2 => 1,
            _ => return None,
        };
        let aligned = bits << (8 + 6 * (4 - four.len()));
        bytes.extend_from_slice(aligned.to_be_bytes().get(..n)?);
    }
    (!text.is_empty()).then_some(())
}

/// The merges that the ranks mean, lowest first.
fn add_merges(vocabulary: &mut Vocabulary) {
    let (mut symbols, mut ranks) = (Vec::new(), Vec::new());
    for id in 0..vocabulary.n_vocab() as u32 {
        let bytes = match vocabulary.token(id) {
            Ok((bytes, TokenKind::Normal)) if bytes.len() > 1 => bytes.to_vec(),
            _ => continue,
        };
        symbols.clear();
        symbols.extend(bytes.iter().filter_map(|&byte| vocabulary.byte_id(byte)));
        merge(&vocabulary.pairs, &mut symbols, &mut ranks);
        if let [left, right] = *symbols {
            vocabulary.push_merge((left, right), id);
            continue;
        }
        for cut in 1..bytes.len() {
            let half = |part: Option<&[u8]>| vocabulary.id(part?, TokenKind::Normal);
            if let (Some(left), Some(right)) = (half(bytes.get(..cut)), half(bytes.get(cut..))) {
                vocabulary.push_merge((left, right), id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(file: &str) -> Result<Tokenizer> {
        tokenizer(file.as_bytes(), &[("<|end|>", 9)], Split::Cl100k)
    }

    #[test]
    fn ranks_are_ids_and_a_piece_that_is_a_token_is_that_token() {
        // a, b, c, "abc", "ab": "abc" is no merge of lower ranks, and is met all the same.
        let found = read("YQ== 0\nYg== 1\r\nYw== 2\n\nYWJj 3\nYWI 4\n").unwrap();
        assert_eq!(found.encode(b"abc"), [3]);
        assert_eq!(found.encode(b"aabc"), [0, 3]);
        assert_eq!(found.encode(b"abab"), [4, 4]);
        assert_eq!(found.vocabulary().n_vocab(), 10);
        assert_eq!(found.encode_special(b"ab<|end|>"), [4, 9]);
        assert_eq!(found.decode(&[7, 9]).unwrap(), b"<|end|>");
    }

    #[test]
    fn lines_that_are_none_are_named() {
        for file in ["YQ==0", "YQ== x", "YQ== -1", "Y!== 0", " 0", "Y 0", "== 0", "YQ== 4294967296"]
        {
            let error = read(&["Yg== 1\n", file].concat()).unwrap_err();
            assert_eq!(error.option(), Some("line 2 of the .tiktoken file"), "{file}");
        }
        let cases = [
            ("YQ== 0\nYQ== 1".to_string(), "out_of_range"),
            ("YQ== 524288".to_string(), "too_large"),
            (["YWFh".repeat(400), " 0".into()].concat(), "too_large"),
        ];
        for (file, code) in cases {
            assert_eq!(read(&file).unwrap_err().code(), code);
        }
    }
}
