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
