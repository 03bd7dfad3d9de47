//! The tokenizer: a vocabulary and the rule by which texts are cut.

use super::merge::merge;
use super::split::Split;
use super::vocabulary::Vocabulary;
use crate::error::Result;

/// Encodes and decodes text.
#[derive(Clone, Debug)]
pub struct Tokenizer {
    vocabulary: Vocabulary,
    split: Split,
}

impl Tokenizer {
    /// A tokenizer of a vocabulary and a rule.
    pub fn new(vocabulary: Vocabulary, split: Split) -> Tokenizer {
        Tokenizer { vocabulary, split }
    }

    /// The vocabulary.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// The rule by which texts are cut.
    pub fn split(&self) -> Split {
        self.split
    }

    /// The token ids of a text; what looks like a special token is text like any other.
    pub fn encode(&self, text: &[u8]) -> Vec<u32> {
        let mut ids = Vec::with_capacity(text.len() / 3);
        self.encode_into(text, &mut ids);
        ids
    }

    /// The token ids of a text in which special tokens are what their texts say: at each place the longest.
    pub fn encode_special(&self, text: &[u8]) -> Vec<u32> {
        let mut ids = Vec::with_capacity(text.len() / 3);
        let (mut begin, mut place) = (0, 0);
        while let Some(rest) = text.get(place..)
            && !rest.is_empty()
        {
            match self.special_at(rest) {
                Some((id, length)) => {
                    self.encode_into(text.get(begin..place).unwrap_or_default(), &mut ids);
                    ids.push(id);
                    place += length;
                    begin = place;
                }
                None => place += 1,
            }
        }
        self.encode_into(text.get(begin..).unwrap_or_default(), &mut ids);
        ids
    }

    /// The longest special token that a text begins with, and its length.
    fn special_at(&self, text: &[u8]) -> Option<(u32, usize)> {
        let found = self.vocabulary.special().filter(|(_, bytes)| text.starts_with(bytes));
        found.map(|(id, bytes)| (id, bytes.len())).max_by_key(|&(_, length)| length)
    }

    fn encode_into(&self, text: &[u8], ids: &mut Vec<u32>) {
        let mut symbols = Vec::new();
        for piece in self.split.pieces(text) {
            symbols.clear();
            symbols.extend(piece.iter().map(|&byte| self.vocabulary.byte_id(byte)));
            merge(&self.vocabulary.pairs, &mut symbols);
            ids.extend_from_slice(&symbols);
        }
    }

    /// The bytes of token ids, special tokens as their texts.
    pub fn decode(&self, ids: &[u32]) -> Result<Vec<u8>> {
        let mut text = Vec::with_capacity(4 * ids.len());
        for &id in ids {
            text.extend_from_slice(self.vocabulary.token(id)?.0);
        }
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::super::train::{Training, train};
    use super::super::vocabulary::TokenKind;
    use super::*;
    use proptest::prelude::*;

    const TEXT: &[u8] = b"The cat sat on the mat. The cat's hat, the rat's mat: 12 cats, 21 rats!";

    fn tokenizer(split: Split) -> Tokenizer {
        let special = vec!["<|end|>".into(), "<|end|>x".into()];
        train(&[TEXT, TEXT], &Training { n_vocab: 276, split, special }).unwrap()
    }

    /// Every rank in turn over the whole piece, by the tokens' bytes.
    fn naive(tokenizer: &Tokenizer, text: &[u8]) -> Vec<u32> {
        let vocabulary = tokenizer.vocabulary();
        let bytes = |id: u32| vocabulary.token(id).unwrap().0.to_vec();
        let mut ids = Vec::new();
        for piece in tokenizer.split().pieces(text) {
            let mut symbols: Vec<Vec<u8>> = piece.iter().map(|&byte| vec![byte]).collect();
            for &(left, right) in vocabulary.merges() {
                let mut i = 0;
                while i + 1 < symbols.len() {
                    if symbols[i] == bytes(left) && symbols[i + 1] == bytes(right) {
                        let joined = symbols.remove(i + 1);
                        symbols[i].extend(joined);
                    }
                    i += 1;
                }
            }
            ids.extend(symbols.iter().map(|s| vocabulary.id(s, TokenKind::Normal).unwrap()));
        }
        ids
    }

    proptest! {
        #[test]
        fn decoding_an_encoding_gives_back_any_bytes(text: Vec<u8>) {
            for split in [Split::Gpt2, Split::Gpt2Digits] {
                let tokenizer = tokenizer(split);
                prop_assert_eq!(tokenizer.decode(&tokenizer.encode(&text)).unwrap(), text.clone());
                prop_assert_eq!(
                    tokenizer.decode(&tokenizer.encode_special(&text)).unwrap(),
                    text.clone()
                );
            }
        }

        #[test]
        fn encoding_matches_the_naive_order(text in "[Thecatsrm '.12]{0,80}") {
            let tokenizer = tokenizer(Split::Gpt2);
            let text = text.as_bytes();
            prop_assert_eq!(tokenizer.encode(text), naive(&tokenizer, text));
        }
    }

    #[test]
    fn special_tokens_are_found_only_when_asked_for_and_the_longest_wins() {
        let tokenizer = tokenizer(Split::Gpt2);
        let text = b"cat<|end|>x cat<|end|>";
        let plain = tokenizer.encode(text);
        assert!(plain.iter().all(|&id| id < 274));
        let cat = tokenizer.encode(b"cat");
        let space_cat = tokenizer.encode(b" cat");
        let expected = [&cat[..], &[275], &space_cat, &[274]].concat();
        assert_eq!(tokenizer.encode_special(text), expected);
    }

    #[test]
    fn decoding_an_id_that_does_not_exist_names_it() {
        let found = tokenizer(Split::Gpt2).decode(&[65, 276]).unwrap_err();
        assert_eq!((found.code(), found.index()), ("bad_token", Some(276)));
    }
}
