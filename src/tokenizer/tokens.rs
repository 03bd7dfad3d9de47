//! The tokens of a vocabulary by id: their bytes one after the other, and what each is.

use crate::error::{Error, Result};

/// The largest vocabulary.
pub const MAX_VOCAB: usize = 1 << 19;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// A piece of text.
    Normal,
    /// A mark with a meaning of its own, found in text only where special tokens are asked for.
    Special,
    /// A text that was added to a vocabulary as one token: found as special tokens are, but text when it is decoded.
    Added,
    /// A place that no text leads to: padding, or an id that a file leaves out.
    Unused,
}

impl TokenKind {
    /// Whether the token is found in text where special tokens are asked for.
    pub(super) fn is_mark(self) -> bool {
        matches!(self, TokenKind::Special | TokenKind::Added)
    }
}

/// Tokens by id.
#[derive(Clone, Debug, Default)]
pub struct Tokens {
    bytes: Vec<u8>,
    /// Where the bytes of each token end.
    ends: Vec<u32>,
    kinds: Vec<TokenKind>,
}

impl Tokens {
    /// No tokens yet.
    pub fn new() -> Tokens {
        Tokens::default()
    }

    /// Adds the next token. Only unused ones may be without bytes.
    pub fn push(&mut self, bytes: &[u8], kind: TokenKind) -> Result<()> {
        let id = self.ends.len();
        let too_large = |what, found, limit| Err(Error::TooLarge { what, found, limit });
        if id == MAX_VOCAB {
            return too_large("the vocabulary size", MAX_VOCAB as u64 + 1, MAX_VOCAB as u64);
        }
        if bytes.is_empty() && kind != TokenKind::Unused {
            return Err(Error::Empty { what: ["token ", &id.to_string()].concat() });
        }
        let end = (self.bytes.len() + bytes.len()) as u64;
        let Ok(end) = u32::try_from(end) else {
            return too_large("the bytes of all tokens", end, u64::from(u32::MAX));
        };
        self.bytes.extend_from_slice(bytes);
        self.ends.push(end);
        self.kinds.push(kind);
        Ok(())
    }

    /// The number of tokens.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no token.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// A token's bytes and kind.
    #[inline]
    pub fn get(&self, id: u32) -> Option<(&[u8], TokenKind)> {
        let id = id as usize;
        let &end = self.ends.get(id)?;
        let start = id.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |&at| at);
        Some((self.bytes.get(start as usize..end as usize)?, *self.kinds.get(id)?))
    }

    /// Every token by ascending id.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &[u8], TokenKind)> {
        (0..self.ends.len() as u32)
            .filter_map(|id| self.get(id).map(|(bytes, kind)| (id, bytes, kind)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_given_back_by_id() {
        let mut tokens = Tokens::new();
        tokens.push(b"ab", TokenKind::Normal).unwrap();
        tokens.push(b"", TokenKind::Unused).unwrap();
        tokens.push(b"c", TokenKind::Special).unwrap();
        assert_eq!(tokens.get(0), Some((&b"ab"[..], TokenKind::Normal)));
        assert_eq!(tokens.get(1), Some((&b""[..], TokenKind::Unused)));
        assert_eq!(tokens.get(2), Some((&b"c"[..], TokenKind::Special)));
        assert_eq!(tokens.get(3), None);
        assert_eq!(tokens.iter().count(), 3);
        assert_eq!(tokens.push(b"", TokenKind::Normal).unwrap_err().code(), "empty");
    }
}
