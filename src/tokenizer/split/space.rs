//! White space, as the rules that tell line breaks apart cut it.

use crate::tokenizer::class::{Set, run};

/// What becomes of white space that ends the text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum EndOfText {
    /// It is one piece.
    Whole,
    /// It is cut after its last line break, as elsewhere.
    Cut,
}

/// The length of the first piece of a text that begins with white space: up to the last line break of the run; of a run
/// without one all at the end, else all but its last character, but at least one.
pub(super) fn first_piece(text: &[u8], end_of_text: EndOfText) -> usize {
    let length = run(text, 0, Set::SPACE);
    if length == text.len() && end_of_text == EndOfText::Whole {
        return length;
    }
    let white = text.get(..length).unwrap_or_default();
    match white.iter().rposition(|byte| matches!(byte, b'\r' | b'\n')) {
        Some(line_break) => line_break + 1,
        None if length == text.len() => length,
        None => before_last(text, length),
    }
}

/// The length of the first `length` bytes of a text without their last character, but at least one character.
pub(super) fn before_last(text: &[u8], length: usize) -> usize {
    let white = text.get(..length).unwrap_or_default();
    match white.iter().rposition(|byte| byte & 0xc0 != 0x80) {
        Some(0) | None => length,
        Some(shorter) => shorter,
    }
}
