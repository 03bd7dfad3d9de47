//! Tokens as files list them: in any order, by id, ids left out.

use crate::error::{Error, Result};
use crate::tokenizer::tokens::{MAX_VOCAB, TokenKind, Tokens};

/// Tokens that were read so far.
#[derive(Default)]
pub(super) struct Listed {
    bytes: Vec<u8>,
    entries: Vec<Entry>,
}

/// A token: where its bytes end, and what it is.
struct Entry {
    id: u32,
    start: usize,
    end: usize,
    kind: TokenKind,
}

impl Listed {
    /// Adds a token; of the same id the last one counts.
    pub(super) fn push(&mut self, id: u32, bytes: &[u8], kind: TokenKind) -> Result<()> {
        if id as usize >= MAX_VOCAB {
            let limit = MAX_VOCAB as u64 - 1;
            return Err(Error::TooLarge { what: "a token id", found: u64::from(id), limit });
        }
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        self.entries.push(Entry { id, start, end: self.bytes.len(), kind });
        Ok(())
    }

    /// The tokens by ascending id; ids that are left out are unused.
    pub(super) fn tokens(self) -> Result<Tokens> {
        let n = self.entries.iter().map(|entry| entry.id as usize + 1).max().unwrap_or(0);
        let mut by_id: Vec<Option<&Entry>> = vec![None; n];
        for entry in &self.entries {
            if let Some(place) = by_id.get_mut(entry.id as usize) {
                *place = Some(entry);
            }
        }
        let mut tokens = Tokens::new();
        for entry in by_id {
            match entry {
                None => tokens.push(&[], TokenKind::Unused)?,
                Some(entry) => {
                    let bytes = self.bytes.get(entry.start..entry.end).unwrap_or_default();
                    tokens.push(bytes, entry.kind)?;
                }
            }
        }
        Ok(tokens)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_left_out_are_unused_and_of_the_same_id_the_last_counts() {
        let mut listed = Listed::default();
        listed.push(3, b"c", TokenKind::Normal).unwrap();
        listed.push(0, b"a", TokenKind::Normal).unwrap();
        listed.push(3, b"d", TokenKind::Special).unwrap();
        let error = listed.push(u32::MAX, b"x", TokenKind::Normal).unwrap_err();
        assert_eq!(error.code(), "too_large");
        let tokens = listed.tokens().unwrap();
        assert_eq!(tokens.len(), 4);
        assert_eq!(tokens.get(2), Some((&b""[..], TokenKind::Unused)));
        assert_eq!(tokens.get(3), Some((&b"d"[..], TokenKind::Special)));
    }
}
