//! The rule of o200k, whose words end where lower case goes over to upper case.

use super::lines::{contraction, numbers, others};
use super::space::{self, EndOfText};
use crate::tokenizer::class::{Class, Set, at, run};

/// The length of the first piece.
#[inline]
pub(super) fn first_piece(text: &[u8]) -> usize {
    let Some((class, length)) = at(text, 0) else { return 0 };
    if class == Class::Number {
        return numbers(text, 3);
    }
    if let Some(end) = word(text, class, length) {
        return end + text.get(end..).and_then(contraction).unwrap_or(0);
    }
    match others(text, |byte| matches!(byte, b'\r' | b'\n' | b'/')) {
        Some(length) => length,
        None => space::first_piece(text, EndOfText::Cut),
    }
}

/// Where the word at the beginning ends; `class` and `length` are its first character's.
///
/// Four ways in the order in which the expressions try them: a word with lower case after one other character, then without
/// it (so that a mark, which may be either, is the word's), then a word of upper case in the same two ways.
#[inline]
fn word(text: &[u8], class: Class, length: usize) -> Option<usize> {
    let line_break = matches!(text.first(), Some(b'\r' | b'\n'));
    let before = Set::BEFORE_WORD.has(class) && !line_break;
    let after_one = || before.then(|| lower_case(text, length)).flatten();
    let at_once = || (!Set::BEFORE_WORD.has(class) || class == Class::Mark).then_some(0);
    after_one()
        .or_else(|| at_once().and_then(|start| lower_case(text, start)))
        .or_else(|| before.then(|| upper_case(text, length)).flatten())
        .or_else(|| at_once().and_then(|start| upper_case(text, start)))
}

/// Upper case, then at least one of lower case. What is neither (caseless letters, marks) counts as both: where no
/// lower case follows, the last of it in the first part is the word's end.
#[inline]
fn lower_case(text: &[u8], start: usize) -> Option<usize> {
    let mut upper = start;
    let mut last_of_both = None;
    while let Some((class, length)) = at(text, upper) {
        if !Set::UPPER.has(class) {
            break;
        }
        upper += length;
        if class != Class::Upper {
            last_of_both = Some(upper);
        }
    }
    let end = run(text, upper, Set::LOWER);
    if end > upper { Some(end) } else { last_of_both }
}

/// At least one of upper case. Lower case does not follow: then the word would be one with lower case.
#[inline]
fn upper_case(text: &[u8], start: usize) -> Option<usize> {
    let end = run(text, start, Set::UPPER);
    (end > start).then_some(end)
}
