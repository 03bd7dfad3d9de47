//! GGUF: a header of metadata and tensor descriptions, then the tensors' bytes.
//!
//! A file is "GGUF", a version, the counts of tensors and metadata entries, the entries (key, type, value), the
//! descriptions (name, dimensions from the fastest, type, offset), and, from the next multiple of the alignment, the
//! data. Everything is little-endian. Nothing is allocated for a length before the bytes of that length are there.
//!
//! `cursor` (reads bytes) · [`metadata`] · [`tensors`] · then [`Header`], and [`vocabulary`].

mod cursor;
mod header;
pub mod metadata;
pub mod tensors;
pub mod vocabulary;

pub use header::{Header, Progress};
pub use metadata::{Metadata, Texts};
pub use tensors::TensorInfo;
pub use vocabulary::VocabularyData;

use crate::error::Error;

/// The error for something in the file that is not as it must be.
pub(super) fn invalid(what: &[&str], found: &str, accepted: &str) -> Error {
    Error::OutOfRange { option: what.concat(), found: found.into(), accepted: accepted.into() }
}
