//! GPT-2's rule, and the one that sets numbers apart beforehand.

use super::space::before_last;
use crate::tokenizer::class::{Class, Set, at, run};

/// GPT-2's contractions, in lower case only.
const CONTRACTIONS: [&[u8]; 7] = [b"'s", b"'t", b"'re", b"'ve", b"'m", b"'ll", b"'d"];

/// The length of the first piece; `apart` sets every number apart beforehand.
#[inline]
pub(super) fn first_piece(text: &[u8], apart: bool) -> usize {
    let space = match text.first() {
        Some(b' ') => 1,
        Some(b'\'') => {
            if let Some(found) = CONTRACTIONS.iter().find(|&&short| text.starts_with(short)) {
                return found.len();
            }
            0
        }
        _ => 0,
    };
    let Some((class, length)) = at(text, space) else { return text.len() };
    let set = match class {
        Class::Space => return white_space(text, apart),
        Class::Number if apart => return if space == 0 { length } else { space },
        Class::Number => Set::NUMBER,
        _ if Set::LETTER.has(class) => Set::LETTER,
        _ => Set::OTHER,
    };
    run(text, space + length, set)
}

/// A run of white space at the beginning: all of it at the end (or before what is set apart), else all but its last
/// character, but at least one.
fn white_space(text: &[u8], apart: bool) -> usize {
    let length = run(text, 0, Set::SPACE);
    match at(text, length) {
        None => length,
        Some((Class::Number, _)) if apart => length,
        Some(_) => before_last(text, length),
    }
}
