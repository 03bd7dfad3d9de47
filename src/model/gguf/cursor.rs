//! Reads numbers, texts and runs of bytes, and knows when the file ends too early.

use crate::error::Error;

/// Why reading stopped.
#[derive(Debug)]
pub(super) enum Stop {
    /// The file goes on: it has at least this many bytes.
    Cut(u64),
    /// The file is wrong.
    Wrong(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Wrong(error)
    }
}

pub(super) type Read<T> = Result<T, Stop>;

/// A place in the first bytes of a file.
#[derive(Debug)]
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    place: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Cursor<'a> {
        Cursor { bytes, place: 0 }
    }

    /// How many bytes were read.
    pub(super) fn place(&self) -> usize {
        self.place
    }

    /// The next `n` bytes.
    pub(super) fn take(&mut self, n: u64) -> Read<&'a [u8]> {
        let end = (self.place as u64).saturating_add(n);
        let taken = usize::try_from(end).ok().and_then(|end| self.bytes.get(self.place..end));
        let taken = taken.ok_or(Stop::Cut(end))?;
        self.place += taken.len();
        Ok(taken)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Read<[u8; N]> {
        let taken = self.take(N as u64)?;
        taken.first_chunk().copied().ok_or(Stop::Cut((self.place + N) as u64))
    }

    pub(super) fn u32(&mut self) -> Read<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Read<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// A length and as many bytes.
    pub(super) fn text(&mut self) -> Read<&'a [u8]> {
        let length = self.u64()?;
        self.take(length)
    }

    /// A text that names something.
    pub(super) fn name(&mut self) -> Read<&'a str> {
        let found = "one that is no UTF-8";
        let wrong = |_| super::invalid(&["a name in the file"], found, "UTF-8 text");
        Ok(core::str::from_utf8(self.text()?).map_err(wrong)?)
    }
}
