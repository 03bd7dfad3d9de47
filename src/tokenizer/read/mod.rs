//! Tokenizers from files: each format's own vocabulary as values of this module.
//!
//! Every number of a file is checked before it is used, and what is allocated is bounded by the bytes that were given.

pub mod gguf;
pub mod hugging_face;
mod json;
mod listed;
mod rules;
pub mod tiktoken;
mod value;

use crate::error::{Error, Result, quoted};

/// The most characters of a file that an error quotes.
const QUOTED: usize = 200;

/// An error about what a file says at a place.
#[cold]
#[inline(never)]
fn error(place: &str, found: &str, accepted: &str) -> Error {
    let end = found.char_indices().nth(QUOTED).map_or(found.len(), |(end, _)| end);
    Error::OutOfRange {
        option: place.into(),
        found: quoted(found.get(..end).unwrap_or_default()),
        accepted: accepted.into(),
    }
}

/// The same as a result.
fn wrong<T>(place: &str, found: &str, accepted: &str) -> Result<T> {
    Err(error(place, found, accepted))
}
