//! The vocabulary: each token's bytes and kind by id, and the merges in order of rank.
//!
//! Invariants: every byte has a symbol; no two tokens have the same bytes and kind; both sides of a merge and what they
//! make are tokens.

use std::collections::HashMap;

use super::pairs::Pairs;
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
}

/// The tokens and merges of a tokenizer.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    tokens: Vec<(Vec<u8>, TokenKind)>,
    merges: Vec<(u32, u32)>,
    ids: HashMap<(Vec<u8>, TokenKind), u32>,
    byte_ids: [u32; 256],
    pub(super) pairs: Pairs,
}

impl Vocabulary {
    /// A vocabulary of tokens by id, and merges, each a pair of ids, lowest rank first.
    pub fn new(tokens: Vec<(Vec<u8>, TokenKind)>, merges: Vec<(u32, u32)>) -> Result<Vocabulary> {
        if tokens.len() > MAX_VOCAB {
            return Err(Error::TooLarge {
                what: "the vocabulary size",
                found: tokens.len() as u64,
                limit: MAX_VOCAB as u64,
            });
        }
        let ids = index(&tokens)?;
        let byte_ids = byte_symbols(&ids)?;
        let pairs = Pairs::new(&resolve(&tokens, &ids, &merges)?);
        Ok(Vocabulary { tokens, merges, ids, byte_ids, pairs })
    }

    /// The number of tokens.
    pub fn n_vocab(&self) -> usize {
        self.tokens.len()
    }

    /// A token's bytes and kind.
    pub fn token(&self, id: u32) -> Result<(&[u8], TokenKind)> {
        let token = self.tokens.get(id as usize).map(|(bytes, kind)| (bytes.as_slice(), *kind));
        token.ok_or(Error::BadToken { option: "ids", token: id, n_vocab: self.tokens.len() })
    }

    /// The id of the token with these bytes.
    pub fn id(&self, bytes: &[u8], kind: TokenKind) -> Option<u32> {
        self.ids.get(&(bytes.to_vec(), kind)).copied()
    }

    /// The pairs that merge, lowest rank first.
    pub fn merges(&self) -> &[(u32, u32)] {
        &self.merges
    }

    /// The special tokens, by ascending id.
    pub fn special(&self) -> impl Iterator<Item = (u32, &[u8])> {
        (0u32..).zip(&self.tokens).filter_map(|(id, (bytes, kind))| {
            (*kind == TokenKind::Special).then_some((id, bytes.as_slice()))
        })
    }

    /// The symbol of a byte.
    pub(super) fn byte_id(&self, byte: u8) -> u32 {
        self.byte_ids.get(usize::from(byte)).copied().unwrap_or(0)
    }
}

type Ids = HashMap<(Vec<u8>, TokenKind), u32>;

fn invalid(found: String, accepted: &str) -> Error {
    Error::OutOfRange { option: "the vocabulary".into(), found, accepted: accepted.into() }
}

/// Ids by token.
fn index(tokens: &[(Vec<u8>, TokenKind)]) -> Result<Ids> {
    let mut ids = HashMap::with_capacity(tokens.len());
    for (id, token) in (0u32..).zip(tokens) {
        if token.0.is_empty() {
            return Err(Error::Empty { what: format!("token {id}") });
        }
        if let Some(first) = ids.insert(token.clone(), id) {
            let found = format!("the same token at {first} and {id}");
            return Err(invalid(found, "different tokens"));
        }
    }
    Ok(ids)
}

/// The symbol of every byte.
fn byte_symbols(ids: &Ids) -> Result<[u32; 256]> {
    let mut symbols = [0; 256];
    for (byte, symbol) in (0..=u8::MAX).zip(&mut symbols) {
        *symbol = *ids.get(&(vec![byte], TokenKind::Normal)).ok_or_else(|| {
            invalid(format!("without byte {byte:#04x}"), "one with a token for every byte")
        })?;
    }
    Ok(symbols)
}

/// Each merge as (left, right, merged).
fn resolve(
    tokens: &[(Vec<u8>, TokenKind)],
    ids: &Ids,
    merges: &[(u32, u32)],
) -> Result<Vec<(u32, u32, u32)>> {
    let bytes = |id: u32| {
        let token = tokens.get(id as usize).map(|(bytes, _)| bytes.as_slice());
        token.ok_or(Error::BadToken { option: "merges", token: id, n_vocab: tokens.len() })
    };
    let merged = |&(left, right): &(u32, u32)| {
        let joined = [bytes(left)?, bytes(right)?].concat();
        let text = String::from_utf8_lossy(&joined).into_owned();
        let id = ids.get(&(joined, TokenKind::Normal)).ok_or_else(|| {
            invalid(format!("merging to {text:?}"), "one with a token for every merge")
        })?;
        Ok((left, right, *id))
    };
    merges.iter().map(merged).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes() -> Vec<(Vec<u8>, TokenKind)> {
        (0..=u8::MAX).map(|byte| (vec![byte], TokenKind::Normal)).collect()
    }

    #[test]
    fn a_vocabulary_that_is_none_is_an_error() {
        let mut missing = bytes();
        missing.remove(7);
        let mut twice = bytes();
        twice.push((b"a".to_vec(), TokenKind::Normal));
        let mut empty = bytes();
        empty.push((Vec::new(), TokenKind::Special));
        let cases = [
            (Vocabulary::new(missing, vec![]), "out_of_range"),
            (Vocabulary::new(twice, vec![]), "out_of_range"),
            (Vocabulary::new(empty, vec![]), "empty"),
            (Vocabulary::new(bytes(), vec![(97, 98)]), "out_of_range"),
            (Vocabulary::new(bytes(), vec![(97, 256)]), "bad_token"),
            (
                Vocabulary::new(vec![(vec![0], TokenKind::Normal); MAX_VOCAB + 1], vec![]),
                "too_large",
            ),
        ];
        for (found, code) in cases {
            assert_eq!(found.unwrap_err().code(), code);
        }
    }

    #[test]
    fn a_special_token_may_have_a_normal_tokens_bytes() {
        let mut tokens = bytes();
        tokens.push((b"a".to_vec(), TokenKind::Special));
        let vocabulary = Vocabulary::new(tokens, vec![]).unwrap();
        assert_eq!(vocabulary.id(b"a", TokenKind::Special), Some(256));
        assert_eq!(vocabulary.id(b"a", TokenKind::Normal), Some(97));
        assert_eq!(vocabulary.special().collect::<Vec<_>>(), [(256, &b"a"[..])]);
    }
}
