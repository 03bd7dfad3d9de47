//! The vocabulary: each token's bytes and kind by id, and the merges in order of rank.
//!
//! Invariants: no two normal tokens have the same bytes, nor two marks (special and added tokens); both sides of a merge and
//! what they make are tokens.
//!
//! A byte that no token stands for (SmolLM2's vocabulary lacks 21: six control characters, and bytes that stand in no text
//! or at the beginning of planes without characters) is left out of what is encoded, and what stands at its two sides is
//! neighbours, as in the tokenizers that such vocabularies come from. [`Vocabulary::missing_bytes`] lists them: a text
//! without these bytes is given back whole.

use super::index::Index;
use super::pairs::Pairs;
use super::tokens::{TokenKind, Tokens};
use crate::error::{Error, Result};

/// No token.
const NONE: u32 = u32::MAX;

/// The tokens and merges of a tokenizer.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    tokens: Tokens,
    merges: Vec<(u32, u32)>,
    normal: Index,
    /// Special and added tokens, by ascending id, and by their bytes.
    marks: Vec<u32>,
    by_mark: Index,
    byte_ids: [u32; 256],
    pub(super) pairs: Pairs,
}

impl Vocabulary {
    /// A vocabulary of tokens by id, and merges, each a pair of ids, lowest rank first.
    pub fn new(tokens: Vec<(Vec<u8>, TokenKind)>, merges: Vec<(u32, u32)>) -> Result<Vocabulary> {
        let mut list = Tokens::new();
        for (bytes, kind) in &tokens {
            list.push(bytes, *kind)?;
        }
        Vocabulary::of_tokens(list, merges)
    }

    /// The same of tokens as they are stored.
    pub fn of_tokens(tokens: Tokens, merges: Vec<(u32, u32)>) -> Result<Vocabulary> {
        Vocabulary::without_merges(tokens)?.with_merges(merges)
    }

    /// The same with other merges.
    pub(super) fn with_merges(mut self, merges: Vec<(u32, u32)>) -> Result<Vocabulary> {
        let resolved = merges.iter().map(|&pair| self.resolve(pair));
        self.pairs = Pairs::new(&resolved.collect::<Result<Vec<_>>>()?);
        self.merges = merges;
        Ok(self)
    }

    /// A vocabulary in which nothing merges yet.
    pub(super) fn without_merges(tokens: Tokens) -> Result<Vocabulary> {
        let normal = index(&tokens)?;
        let (marks, by_mark) = marks(&tokens)?;
        let mut byte_ids = [NONE; 256];
        for (byte, id) in (0..=u8::MAX).zip(&mut byte_ids) {
            *id = normal.get(&tokens, &[byte]).unwrap_or(NONE);
        }
        let pairs = Pairs::new(&[]);
        Ok(Vocabulary { tokens, merges: Vec::new(), normal, marks, by_mark, byte_ids, pairs })
    }

    /// Adds a merge of the next rank; the caller knows what it makes.
    pub(super) fn push_merge(&mut self, pair: (u32, u32), id: u32) {
        self.merges.push(pair);
        self.pairs.push(pair.0, pair.1, id);
    }

    /// The number of tokens.
    pub fn n_vocab(&self) -> usize {
        self.tokens.len()
    }

    /// A token's bytes and kind.
    pub fn token(&self, id: u32) -> Result<(&[u8], TokenKind)> {
        self.tokens.get(id).ok_or(Error::BadToken {
            option: "ids",
            token: id,
            n_vocab: self.n_vocab(),
        })
    }

    /// The id of the token with these bytes; unused tokens are not found.
    pub fn id(&self, bytes: &[u8], kind: TokenKind) -> Option<u32> {
        match kind {
            TokenKind::Normal => self.normal.get(&self.tokens, bytes),
            _ => self.mark(bytes).filter(|&id| self.tokens.get(id) == Some((bytes, kind))),
        }
    }

    /// The pairs that merge, lowest rank first.
    pub fn merges(&self) -> &[(u32, u32)] {
        &self.merges
    }

    /// The special tokens, by ascending id.
    pub fn special(&self) -> impl Iterator<Item = (u32, &[u8])> {
        self.marks()
            .filter(|&(.., kind)| kind == TokenKind::Special)
            .map(|(id, bytes, _)| (id, bytes))
    }

    /// The special and the added tokens, by ascending id.
    pub fn marks(&self) -> impl Iterator<Item = (u32, &[u8], TokenKind)> {
        let found = self.marks.iter().copied();
        found.filter_map(|id| self.tokens.get(id).map(|(bytes, kind)| (id, bytes, kind)))
    }

    /// The special or added token with these bytes.
    pub fn mark(&self, bytes: &[u8]) -> Option<u32> {
        self.by_mark.get(&self.tokens, bytes)
    }

    /// The bytes that no token stands for, ascending.
    pub fn missing_bytes(&self) -> impl Iterator<Item = u8> {
        (0..=u8::MAX).filter(|&byte| self.byte_id(byte).is_none())
    }

    /// The symbol of a byte, if it has one.
    #[inline]
    pub(super) fn byte_id(&self, byte: u8) -> Option<u32> {
        self.byte_ids.get(usize::from(byte)).copied().filter(|&id| id != NONE)
    }

    /// A merge as (left, right, merged). What merges is a normal token, but a mark where a file lists one among them.
    fn resolve(&self, (left, right): (u32, u32)) -> Result<(u32, u32, u32)> {
        let bytes = |id: u32| {
            let token = self.tokens.get(id).map(|(bytes, _)| bytes);
            token.ok_or(Error::BadToken { option: "merges", token: id, n_vocab: self.n_vocab() })
        };
        let joined = [bytes(left)?, bytes(right)?].concat();
        let found = self.normal.get(&self.tokens, &joined).or_else(|| self.mark(&joined));
        let id = found.ok_or_else(|| {
            let text = crate::error::quoted(&String::from_utf8_lossy(&joined));
            invalid(["merging to ", &text].concat(), "one with a token for every merge")
        })?;
        Ok((left, right, id))
    }
}

fn invalid(found: String, accepted: &str) -> Error {
    Error::OutOfRange { option: "the vocabulary".into(), found, accepted: accepted.into() }
}

fn twice(first: u32, second: u32) -> Error {
    let (first, second) = (first.to_string(), second.to_string());
    invalid(["the same token at ", &first, " and ", &second].concat(), "different tokens")
}

/// Ids of normal tokens.
fn index(tokens: &Tokens) -> Result<Index> {
    let mut index = Index::with_room(tokens.len());
    for (id, bytes, kind) in tokens.iter() {
        if kind == TokenKind::Normal
            && let Some(first) = index.insert(tokens, id, bytes)
        {
            return Err(twice(first, id));
        }
    }
    Ok(index)
}

/// The ids of special and added tokens, ascending, and by their bytes.
fn marks(tokens: &Tokens) -> Result<(Vec<u32>, Index)> {
    let marks = tokens.iter().filter(|(.., kind)| kind.is_mark());
    let marks: Vec<u32> = marks.map(|(id, ..)| id).collect();
    let mut index = Index::with_room(marks.len());
    for &id in &marks {
        let bytes = tokens.get(id).map_or(&[][..], |(bytes, _)| bytes);
        if let Some(first) = index.insert(tokens, id, bytes) {
            return Err(twice(first, id));
        }
    }
    Ok((marks, index))
}

#[cfg(test)]
mod tests {
    use super::super::tokens::MAX_VOCAB;
    use super::*;

    fn bytes() -> Vec<(Vec<u8>, TokenKind)> {
        (0..=u8::MAX).map(|byte| (vec![byte], TokenKind::Normal)).collect()
    }

    #[test]
    fn a_vocabulary_that_is_none_is_an_error() {
        let with = |bytes: &[u8], kind| [self::bytes(), vec![(bytes.to_vec(), kind); 2]].concat();
        let mut twice = bytes();
        twice.push((b"a".to_vec(), TokenKind::Normal));
        let mut empty = bytes();
        empty.push((Vec::new(), TokenKind::Special));
        let cases = [
            (Vocabulary::new(twice, vec![]), "out_of_range"),
            (Vocabulary::new(with(b"<s>", TokenKind::Special), vec![]), "out_of_range"),
            (
                Vocabulary::new(
                    vec![
                        (b"<s>".to_vec(), TokenKind::Special),
                        (b"<s>".to_vec(), TokenKind::Added),
                    ],
                    vec![],
                ),
                "out_of_range",
            ),
            (Vocabulary::new(empty, vec![]), "empty"),
            (Vocabulary::new(bytes(), vec![(97, 98)]), "out_of_range"),
            (Vocabulary::new(bytes(), vec![(97, 256)]), "bad_token"),
            (
                Vocabulary::new(vec![(vec![0], TokenKind::Unused); MAX_VOCAB + 1], vec![]),
                "too_large",
            ),
        ];
        for (found, code) in cases {
            assert_eq!(found.unwrap_err().code(), code);
        }
    }

    #[test]
    fn bytes_without_a_token_are_listed() {
        let mut some = bytes();
        some.remove(0xff);
        some.remove(7);
        let vocabulary = Vocabulary::new(some, vec![]).unwrap();
        assert_eq!(vocabulary.missing_bytes().collect::<Vec<u8>>(), [7, 0xff]);
    }

    #[test]
    fn a_special_token_may_have_a_normal_tokens_bytes_and_unused_ones_any() {
        let mut tokens = bytes();
        let kinds = [TokenKind::Special, TokenKind::Unused, TokenKind::Unused];
        tokens.extend(kinds.map(|kind| (b"a".to_vec(), kind)));
        let vocabulary = Vocabulary::new(tokens, vec![]).unwrap();
        assert_eq!(vocabulary.id(b"a", TokenKind::Special), Some(256));
        assert_eq!(vocabulary.id(b"a", TokenKind::Added), None);
        assert_eq!(vocabulary.id(b"a", TokenKind::Unused), None);
        assert_eq!(vocabulary.id(b"a", TokenKind::Normal), Some(97));
        assert_eq!(vocabulary.special().collect::<Vec<_>>(), [(256, &b"a"[..])]);
        assert_eq!(vocabulary.marks().count(), 1);
    }
}
