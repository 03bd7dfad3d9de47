//! A GGUF file's vocabulary: the values of its `tokenizer.ggml` keys.
//!
//! Texts of normal tokens are in the byte alphabet; one that is not stands for its own bytes and is met in no text. A
//! merge is two texts with a space between them. Qwen's rule brings normalization form C with it, which the file does not
//! mention and the model was trained with.

use super::rules::by_name;
use super::wrong;
use crate::error::{Error, Result};
use crate::tokenizer::chat::ChatTemplate;
use crate::tokenizer::special::SpecialIds;
use crate::tokenizer::tokens::{TokenKind, Tokens};
use crate::tokenizer::vocabulary::Vocabulary;
use crate::tokenizer::{Rules, Split, Tokenizer, alphabet};

/// What a file says of its tokenizer.
#[derive(Clone, Copy, Debug)]
pub struct GgufVocabulary<'a, T> {
    /// `tokenizer.ggml.model`: only `gpt2` is byte-level BPE.
    pub model: &'a str,
    /// `tokenizer.ggml.pre`.
    pub pre: &'a str,
    /// `tokenizer.ggml.tokens`, shape `(n_vocab)`.
    pub tokens: &'a [T],
    /// `tokenizer.ggml.token_type`, shape `(n_vocab)`; empty where every token is normal.
    pub token_types: &'a [i32],
    /// `tokenizer.ggml.merges`, lowest rank first.
    pub merges: &'a [T],
    /// `tokenizer.ggml.bos_token_id`.
    pub bos: Option<u32>,
    /// `tokenizer.ggml.eos_token_id`, and `eot_token_id` and `eom_token_id` where the file has them.
    pub ends: &'a [u32],
    /// `tokenizer.ggml.add_bos_token`.
    pub add_bos: bool,
    /// `tokenizer.chat_template`.
    pub chat_template: Option<&'a str>,
}

/// The tokenizer of a GGUF file.
pub fn tokenizer<T: AsRef<str>>(file: &GgufVocabulary<'_, T>) -> Result<Tokenizer> {
    if file.model != "gpt2" {
        return wrong("tokenizer.ggml.model", file.model, "gpt2: byte-level BPE");
    }
    let split = by_name(file.pre)?;
    let vocabulary = Vocabulary::without_merges(tokens(file)?)?;
    let merges = file.merges.iter().map(|merge| sides(&vocabulary, merge.as_ref()));
    let merges = merges.collect::<Result<Vec<_>>>()?;
    let vocabulary = vocabulary.with_merges(merges)?;
    let special = SpecialIds::new(&vocabulary, file.bos, file.ends, file.add_bos)?;
    let rules = Rules { nfc: split == Split::Qwen2, ..Rules::default() };
    let chat = match file.chat_template {
        Some(source) => ChatTemplate::of_source(source),
        None => ChatTemplate::of_vocabulary(&vocabulary),
    };
    Ok(Tokenizer::with_rules(vocabulary, split, rules).with_special(special).with_chat(chat))
}

fn tokens<T: AsRef<str>>(file: &GgufVocabulary<'_, T>) -> Result<Tokens> {
    let (n, expected) = (file.token_types.len(), file.tokens.len());
    if n != 0 && n != expected {
        return Err(Error::WrongLength { what: "tokenizer.ggml.token_type", found: n, expected });
    }
    let mut tokens = Tokens::new();
    for (id, text) in file.tokens.iter().enumerate() {
        let text = text.as_ref();
        let kind = match file.token_types.get(id).copied().unwrap_or(1) {
            1 => TokenKind::Normal,
            2 | 3 => TokenKind::Special,
            4 => TokenKind::Added,
            5 => TokenKind::Unused,
            other => {
                let accepted =
                    "1 (normal), 2 (unknown), 3 (control), 4 (user defined) or 5 (unused)";
                return wrong("tokenizer.ggml.token_type", &other.to_string(), accepted);
            }
        };
        match (kind, alphabet::to_bytes(text)) {
            (TokenKind::Normal, Ok(bytes)) => tokens.push(&bytes, kind)?,
            (TokenKind::Normal, Err(_)) => tokens.push(text.as_bytes(), TokenKind::Unused)?,
            _ => tokens.push(text.as_bytes(), kind)?,
        }
    }
    Ok(tokens)
}

/// The ids of a merge's two sides.
pub(super) fn sides(vocabulary: &Vocabulary, merge: &str) -> Result<(u32, u32)> {
    let id = |text: &str| {
        let bytes = alphabet::to_bytes(text).ok()?;
        vocabulary.id(&bytes, TokenKind::Normal).or_else(|| vocabulary.mark(text.as_bytes()))
    };
    let sides = merge.split_once(' ').and_then(|(left, right)| Some((id(left)?, id(right)?)));
    match sides {
        Some(sides) => Ok(sides),
        None => wrong("a merge", merge, "two tokens with a space between them"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every byte, `th`, a special, an added and an unused token, and one outside the byte alphabet.
    fn tokens() -> Vec<String> {
        let bytes = (0..=u8::MAX).map(|byte| alphabet::to_text(&[byte]));
        let more = ["th", "<|im_end|>", "<tool>", "[PAD259]", "a b"].map(String::from);
        bytes.chain(more).collect()
    }

    fn types() -> Vec<i32> {
        [vec![1; 257], vec![3, 4, 5, 1]].concat()
    }

    fn read(change: impl FnOnce(&mut GgufVocabulary<'_, &str>)) -> Result<Tokenizer> {
        let (tokens, types) = (tokens(), types());
        let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
        let mut file = GgufVocabulary {
            model: "gpt2",
            pre: "smollm",
            tokens: &tokens,
            token_types: &types,
            merges: &["t h"],
            bos: None,
            ends: &[],
            add_bos: false,
            chat_template: None,
        };
        change(&mut file);
        tokenizer(&file)
    }

    #[test]
    fn each_type_of_token_is_what_it_says() {
        let found = read(|_| {}).unwrap();
        assert_eq!((found.split(), found.rules()), (Split::Gpt2Digits, Rules::default()));
        assert_eq!(found.encode(b"th a b"), [256, 32, 97, 32, 98]);
        assert_eq!(found.encode_special(b"<|im_end|><tool>"), [257, 258]);
        assert_eq!(found.decode(&[260, 259]).unwrap(), b"a b[PAD259]");
        assert_eq!(found.decode_without_special(&[257, 258]).unwrap(), b"<tool>");
        assert_eq!(found.special().ends, [257]);
        assert!(read(|file| file.pre = "qwen2").unwrap().rules().nfc);
        let plain = read(|file| file.token_types = &[]).unwrap();
        assert_eq!(plain.vocabulary().marks().count(), 0);
    }

    #[test]
    fn what_is_not_supported_or_does_not_fit_is_named() {
        let cases = [
            (read(|file| file.model = "llama"), "out_of_range", "tokenizer.ggml.model"),
            (read(|file| file.pre = "chameleon"), "out_of_range", "tokenizer.ggml.pre"),
            (
                read(|file| file.token_types = &[6; 261]),
                "out_of_range",
                "tokenizer.ggml.token_type",
            ),
            (read(|file| file.token_types = &[1]), "wrong_length", "tokenizer.ggml.token_type"),
            (read(|file| file.merges = &["th"]), "out_of_range", "a merge"),
            (read(|file| file.merges = &["a b"]), "out_of_range", "the vocabulary"),
            (read(|file| file.bos = Some(261)), "bad_token", "special ids"),
            (read(|file| file.ends = &[u32::MAX]), "bad_token", "special ids"),
            (
                read(|file| (file.tokens, file.token_types) = (&["t"], &[])),
                "out_of_range",
                "a merge",
            ),
        ];
        for (found, code, option) in cases {
            let error = found.unwrap_err();
            assert_eq!((error.code(), error.option()), (code, Some(option)), "{error}");
        }
    }
}
