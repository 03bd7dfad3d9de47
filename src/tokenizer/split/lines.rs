//! The rules of cl100k, Llama 3 and Qwen, which tell line breaks from other white space.

use super::space::{self, EndOfText};
use crate::tokenizer::class::{Class, Set, at, run};

/// The length of the first piece; `digits` is how many numbers a piece may hold.
#[inline]
pub(super) fn first_piece(text: &[u8], digits: usize, end_of_text: EndOfText) -> usize {
    if let Some(length) = contraction(text) {
        return length;
    }
    let Some((class, length)) = at(text, 0) else { return 0 };
    if Set::LETTER.has(class) {
        return run(text, length, Set::LETTER);
    }
    if class == Class::Number {
        return numbers(text, digits);
    }
    if let Some(word) = word(text, length) {
        return word;
    }
    match others(text, |byte| matches!(byte, b'\r' | b'\n')) {
        Some(length) => length,
        None => space::first_piece(text, end_of_text),
    }
}

/// Letters after one character that is neither letter, number nor line break; `first` is its length.
#[inline]
fn word(text: &[u8], first: usize) -> Option<usize> {
    let line_break = matches!(text.first(), Some(b'\r' | b'\n'));
    let (next, length) = at(text, first)?;
    (!line_break && Set::LETTER.has(next)).then(|| run(text, first + length, Set::LETTER))
}

/// At most `limit` numbers.
#[inline]
pub(super) fn numbers(text: &[u8], limit: usize) -> usize {
    let mut end = 0;
    for _ in 0..limit {
        match at(text, end) {
            Some((Class::Number, length)) => end += length,
            _ => break,
        }
    }
    end
}

/// Characters that are neither white space, letters nor numbers, at most one space before them, and the bytes after them
/// that stay with them.
#[inline]
pub(super) fn others(text: &[u8], stays: impl Fn(u8) -> bool) -> Option<usize> {
    let space = usize::from(text.first() == Some(&b' '));
    let end = run(text, space, Set::OTHER);
    let after = text.get(end..).unwrap_or_default();
    (end > space).then(|| end + after.iter().take_while(|&&byte| stays(byte)).count())
}

/// The length of a contraction in any case. The long s (U+017F) is an s in another case, as Unicode folds it.
#[inline]
pub(super) fn contraction(text: &[u8]) -> Option<usize> {
    if text.first() != Some(&b'\'') {
        return None;
    }
    let lower = |place: usize| text.get(place).map_or(0, u8::to_ascii_lowercase);
    match (lower(1), lower(2)) {
        (b's' | b't' | b'm' | b'd', _) => Some(2),
        (b'r' | b'v', b'e') | (b'l', b'l') => Some(3),
        (0xc5, 0xbf) => Some(3),
        _ => None,
    }
}
