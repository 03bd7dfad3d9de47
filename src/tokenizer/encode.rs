//! The tokenizer: a vocabulary and the rules by which texts are cut.

use std::borrow::Cow;
use std::sync::{Mutex, TryLockError};

use super::chat::ChatTemplate;
use super::nfc::nfc;
use super::special::SpecialIds;
use super::split::Split;
use super::vocabulary::Vocabulary;
use super::words::Words;

/// Words that are remembered, as a power of two.
const REMEMBERED: u32 = 14;
/// The same where another thread has those.
const FEW: u32 = 8;

/// Encodes and decodes text.
#[derive(Debug)]
pub struct Tokenizer {
    vocabulary: Vocabulary,
    split: Split,
    rules: Rules,
    special: SpecialIds,
    chat: Option<ChatTemplate>,
    words: Mutex<Words>,
}

/// What differs between tokenizers besides where they cut; nothing of it by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// Text is brought into Unicode's normalization form C first (Qwen).
    pub nfc: bool,
    /// A piece that is a token is that token, whatever merges say (`ignore_merges`; `.tiktoken` files).
    pub whole_pieces: bool,
}

impl Clone for Tokenizer {
    fn clone(&self) -> Tokenizer {
        Tokenizer::with_rules(self.vocabulary.clone(), self.split, self.rules)
            .with_special(self.special.clone())
            .with_chat(self.chat)
    }
}

impl Tokenizer {
    /// A tokenizer of a vocabulary and a rule of cutting.
    pub fn new(vocabulary: Vocabulary, split: Split) -> Tokenizer {
        Tokenizer::with_rules(vocabulary, split, Rules::default())
    }

    /// The same with other rules besides.
    pub fn with_rules(vocabulary: Vocabulary, split: Split, rules: Rules) -> Tokenizer {
        let words = Mutex::new(Words::new(REMEMBERED));
        Tokenizer { vocabulary, split, rules, special: SpecialIds::default(), chat: None, words }
    }

    /// The same with ids that mean something.
    pub fn with_special(mut self, special: SpecialIds) -> Tokenizer {
        self.special = special;
        self
    }

    /// The same with a chat template.
    pub fn with_chat(mut self, chat: Option<ChatTemplate>) -> Tokenizer {
        self.chat = chat;
        self
    }

    /// The chat template of the model that the tokenizer is for.
    pub fn chat_template(&self) -> Option<ChatTemplate> {
        self.chat
    }

    /// The vocabulary.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// The rule by which texts are cut.
    pub fn split(&self) -> Split {
        self.split
    }

    /// The ids that mean something.
    pub fn special(&self) -> &SpecialIds {
        &self.special
    }

    /// The other rules.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The token ids of a text; what looks like a special token is text like any other.
    pub fn encode(&self, text: &[u8]) -> Vec<u32> {
        let mut ids = Vec::with_capacity(text.len() / 3);
        self.encode_into(text, &mut ids);
        ids
    }

    /// The token ids of a text in which special and added tokens are what their texts say: at each place the longest.
    pub fn encode_special(&self, text: &[u8]) -> Vec<u32> {
        let mut ids = Vec::with_capacity(text.len() / 3);
        let mut first_bytes = [false; 256];
        for (_, mark, _) in self.vocabulary.marks() {
            if let Some(known) =
                mark.first().and_then(|&byte| first_bytes.get_mut(usize::from(byte)))
            {
                *known = true;
            }
        }
        let (mut begin, mut place) = (0, 0);
        while let Some(rest @ [byte, ..]) = text.get(place..) {
            let may_begin = first_bytes.get(usize::from(*byte)).is_some_and(|&known| known);
            match may_begin.then(|| self.mark_at(rest)).flatten() {
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

    /// The longest special or added token that a text begins with, and its length.
    fn mark_at(&self, text: &[u8]) -> Option<(u32, usize)> {
        let found = self.vocabulary.marks().filter(|(_, bytes, _)| text.starts_with(bytes));
        found.map(|(id, bytes, _)| (id, bytes.len())).max_by_key(|&(_, length)| length)
    }

    /// Appends the token ids of a text without special tokens.
    pub(super) fn encode_into(&self, text: &[u8], ids: &mut Vec<u32>) {
        match self.words.try_lock() {
            Ok(mut words) => self.encode_pieces(text, &mut words, ids),
            // What is remembered is right after every single step, so that a panic elsewhere spoils nothing.
            Err(TryLockError::Poisoned(words)) => {
                self.encode_pieces(text, &mut words.into_inner(), ids)
            }
            Err(TryLockError::WouldBlock) => self.encode_pieces(text, &mut Words::new(FEW), ids),
        }
    }

    fn encode_pieces(&self, text: &[u8], words: &mut Words, ids: &mut Vec<u32>) {
        let text = if self.rules.nfc { nfc(text) } else { Cow::Borrowed(text) };
        let mut rest = &*text;
        while !rest.is_empty() {
            let length = self.split.first_piece(rest);
            words.encode(&self.vocabulary, (rest, length), self.rules.whole_pieces, ids);
            rest = rest.get(length..).unwrap_or_default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tokens::TokenKind;
    use super::super::train::{Training, train};
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
