//! The header: everything before the tensors' bytes.

use super::cursor::{Cursor, Read, Stop};
use super::metadata::{self, Metadata};
use super::tensors::{self, TensorInfo};
use super::{cursor, invalid};
use crate::error::{Error, Result};

/// The longest header.
pub(in crate::model) const MAX_HEADER: u64 = 1 << 26;
/// The most metadata entries, and the most tensors.
const MAX_ENTRIES: u64 = 1 << 16;
/// Tensors begin at multiples of this where the file does not say otherwise.
const ALIGNMENT: u64 = 32;

/// What a file says of itself.
#[derive(Clone, Debug)]
pub struct Header {
    /// Values by key.
    pub metadata: Metadata,
    /// The tensors in the order of their bytes.
    pub tensors: Vec<TensorInfo>,
    /// Where the tensors' bytes begin in the file.
    pub data_begin: u64,
}

/// What the first bytes of a file are.
#[derive(Debug)]
pub enum Progress {
    /// A whole header.
    Whole(Header),
    /// The beginning of one: the file has at least this many bytes.
    Cut(u64),
}

impl Header {
    /// Reads the header of a file that begins with these bytes.
    pub fn read(bytes: &[u8]) -> Result<Progress> {
        match header(bytes) {
            Ok(header) => Ok(Progress::Whole(header)),
            Err(Stop::Cut(needed)) if needed <= MAX_HEADER => Ok(Progress::Cut(needed)),
            Err(Stop::Cut(found)) => {
                Err(Error::TooLarge { what: "the file's header", found, limit: MAX_HEADER })
            }
            Err(Stop::Wrong(error)) => Err(error),
        }
    }

    /// The length that the file must have.
    pub fn n_bytes(&self) -> u64 {
        let data = self.tensors.iter().map(TensorInfo::end).max().unwrap_or(0);
        self.data_begin.saturating_add(data)
    }
}

fn header(bytes: &[u8]) -> Read<Header> {
    let mut cursor = Cursor::new(bytes);
    magic(bytes)?;
    cursor.take(4)?;
    let version = cursor.u32()?;
    if !(2..=3).contains(&version) {
        return Err(invalid(&["the GGUF version"], &version.to_string(), "2 or 3").into());
    }
    let n_tensors = count(&mut cursor, "the number of tensors")?;
    let n_entries = count(&mut cursor, "the number of metadata entries")?;
    let metadata = metadata::read(&mut cursor, n_entries)?;
    let alignment = metadata.integer("general.alignment")?.unwrap_or(ALIGNMENT);
    if !(alignment.is_power_of_two() && (8..=1 << 16).contains(&alignment)) {
        let accepted = "a power of two from 8 to 65536";
        let what = ["general.alignment"];
        return Err(invalid(&what, &alignment.to_string(), accepted).into());
    }
    let tensors = tensors::read(&mut cursor, n_tensors, alignment)?;
    let data_begin = (cursor.place() as u64).next_multiple_of(alignment);
    Ok(Header { metadata, tensors, data_begin })
}

/// As far as the bytes go, they are those that a file begins with.
fn magic(bytes: &[u8]) -> Result<()> {
    if bytes.iter().zip(b"GGUF").all(|(found, expected)| found == expected) {
        return Ok(());
    }
    let found: Vec<String> = bytes.iter().take(4).map(u8::to_string).collect();
    let found = ["one that begins with the bytes ", &found.join(" ")].concat();
    Err(invalid(&["the file"], &found, "a GGUF file, which begins with \"GGUF\""))
}

fn count(cursor: &mut cursor::Cursor<'_>, what: &'static str) -> Read<u64> {
    match cursor.u64()? {
        found if found > MAX_ENTRIES => {
            Err(Error::TooLarge { what, found, limit: MAX_ENTRIES }.into())
        }
        count => Ok(count),
    }
}
