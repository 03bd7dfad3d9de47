//! Decoding: the bytes of token ids, and text as tokens come, holding back what may be the beginning of a character.
//!
//! The pieces of a stream together are the text of all bytes, with U+FFFD for each part that no following byte can make
//! valid; at most three bytes are ever held back.

use super::encode::Tokenizer;
use super::tokens::TokenKind;
use crate::error::Result;

impl Tokenizer {
    /// The bytes of token ids, special tokens as their texts.
    pub fn decode(&self, ids: &[u32]) -> Result<Vec<u8>> {
        self.decode_where(ids, |_| true)
    }

    /// The same without special tokens; added ones are text.
    pub fn decode_without_special(&self, ids: &[u32]) -> Result<Vec<u8>> {
        self.decode_where(ids, |kind| kind != TokenKind::Special)
    }

    fn decode_where(&self, ids: &[u32], is_text: impl Fn(TokenKind) -> bool) -> Result<Vec<u8>> {
        let mut text = Vec::with_capacity(4 * ids.len());
        for &id in ids {
            let (bytes, kind) = self.vocabulary().token(id)?;
            if is_text(kind) {
                text.extend_from_slice(bytes);
            }
        }
        Ok(text)
    }
}

/// A text that is decoded token by token.
#[derive(Clone, Debug)]
pub struct TextStream<'a> {
    tokenizer: &'a Tokenizer,
    with_special: bool,
    held: Vec<u8>,
}

impl<'a> TextStream<'a> {
    /// A text of which nothing has come yet; special tokens are their texts.
    pub fn new(tokenizer: &'a Tokenizer) -> TextStream<'a> {
        TextStream { tokenizer, with_special: true, held: Vec::new() }
    }

    /// The same in which special tokens have no text.
    pub fn without_special(tokenizer: &'a Tokenizer) -> TextStream<'a> {
        TextStream { tokenizer, with_special: false, held: Vec::new() }
    }

    /// Takes the next token and gives the text that is now certain.
    pub fn push(&mut self, id: u32) -> Result<String> {
        let (bytes, kind) = self.tokenizer.vocabulary().token(id)?;
        if self.with_special || kind != TokenKind::Special {
            self.held.extend_from_slice(bytes);
        }
        let keep = partial(&self.held);
        let certain = self.held.len() - keep;
        let text =
            String::from_utf8_lossy(self.held.get(..certain).unwrap_or_default()).into_owned();
        self.held.drain(..certain);
        Ok(text)
    }

    /// Ends the text and gives what was held back.
    pub fn finish(&mut self) -> String {
        let text = String::from_utf8_lossy(&self.held).into_owned();
        self.held.clear();
        text
    }
}

/// The length of the end of `bytes` that further bytes may complete to a character.
fn partial(bytes: &[u8]) -> usize {
    let last = bytes.utf8_chunks().last().map_or(&[][..], |chunk| chunk.invalid());
    match core::str::from_utf8(last) {
        Err(error) if error.error_len().is_none() => last.len(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Split, Training, train};
    use super::*;
    use proptest::prelude::*;

    fn tokenizer() -> Tokenizer {
        let training = Training { n_vocab: 256, split: Split::Gpt2, special: Vec::new() };
        train(&[b""], &training).unwrap()
    }

    proptest! {
        #[test]
        fn pieces_together_are_the_whole_text(text: Vec<u8>, valid: String) {
            let tokenizer = tokenizer();
            for bytes in [text, valid.into_bytes()] {
                let mut stream = TextStream::new(&tokenizer);
                let mut found = String::new();
                for id in tokenizer.encode(&bytes) {
                    found += &stream.push(id).unwrap();
                    prop_assert!(stream.held.len() < 4);
                }
                found += &stream.finish();
                prop_assert_eq!(found, String::from_utf8_lossy(&bytes));
            }
        }
    }

    #[test]
    fn special_tokens_have_text_only_where_they_are_asked_for() {
        let training =
            Training { n_vocab: 257, split: Split::Gpt2, special: vec!["<|end|>".into()] };
        let tokenizer = train(&[b""], &training).unwrap();
        let ids = [u32::from(b'a'), 256, u32::from(b'b')];
        let stream = |mut stream: TextStream| {
            let pieces: String = ids.iter().map(|&id| stream.push(id).unwrap()).collect();
            pieces + &stream.finish()
        };
        assert_eq!(tokenizer.decode(&ids).unwrap(), b"a<|end|>b");
        assert_eq!(stream(TextStream::new(&tokenizer)), "a<|end|>b");
        assert_eq!(tokenizer.decode_without_special(&ids).unwrap(), b"ab");
        assert_eq!(stream(TextStream::without_special(&tokenizer)), "ab");
    }

    #[test]
    fn a_character_is_given_when_its_last_byte_has_come() {
        let tokenizer = tokenizer();
        let mut stream = TextStream::new(&tokenizer);
        let pieces: Vec<String> =
            "a€".bytes().map(|byte| stream.push(u32::from(byte)).unwrap()).collect();
        assert_eq!(pieces, ["a", "", "", "€"]);
        assert_eq!(stream.push(0xe2).unwrap(), "");
        assert_eq!(stream.push(u32::from(b'x')).unwrap(), "\u{fffd}x");
        assert_eq!(stream.finish(), "");
        assert_eq!(stream.push(256).unwrap_err().code(), "bad_token");
    }
}
