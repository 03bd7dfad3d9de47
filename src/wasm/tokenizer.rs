//! The tokenizer of a model as JavaScript calls it.

use crate::error::{Error, Result};
use crate::model::gguf::VocabularyData;
use crate::tokenizer::read::gguf::{self, GgufVocabulary};
use crate::tokenizer::{Message, Next, Tokenizer};

/// The tokenizer that a model's file describes; the model has `n_vocab` tokens.
pub(super) fn of_file(file: &VocabularyData, n_vocab: usize) -> Result<Tokenizer> {
    if file.tokens.len() > n_vocab {
        let (what, found) = ("tokenizer.ggml.tokens", file.tokens.len());
        return Err(Error::WrongLength { what, found, expected: n_vocab });
    }
    let tokens: Vec<&str> = file.tokens.iter().collect();
    let merges: Vec<&str> = file.merges.iter().collect();
    gguf::tokenizer(&GgufVocabulary {
        model: &file.model,
        pre: &file.pre,
        tokens: &tokens,
        token_types: &file.token_types,
        merges: &merges,
        bos: file.bos,
        ends: &file.ends,
        add_bos: file.add_bos,
        chat_template: file.chat_template.as_deref(),
    })
}

/// A conversation, of as many roles as contents.
pub(super) fn messages<'a>(roles: &'a [String], contents: &'a [String]) -> Vec<Message<'a>> {
    let message = |(role, content): (&'a String, &'a String)| Message { role, content };
    roles.iter().zip(contents).map(message).collect()
}

/// What follows a conversation.
pub(super) fn next(reply: bool) -> Next {
    if reply { Next::Reply } else { Next::Nothing }
}
