//! What a file says of its tokenizer, as plain data.

use super::metadata::{Metadata, Texts};
use crate::error::Result;

/// The tokenizer's part of the metadata.
#[derive(Clone, Debug, Default)]
pub struct VocabularyData {
    /// The kind of tokenizer: `gpt2` is byte-level byte-pair encoding.
    pub model: String,
    /// The name of the rule by which texts are cut.
    pub pre: String,
    /// The tokens' texts by id.
    pub tokens: Texts,
    /// The tokens' types by id: 1 normal, 3 control, 4 user-defined, 5 unused.
    pub token_types: Vec<i32>,
    /// Pairs that merge, each as two texts with a space between them, lowest rank first.
    pub merges: Texts,
    /// The token that begins a text.
    pub bos: Option<u32>,
    /// The tokens that end a text, a turn or a message.
    pub ends: Vec<u32>,
    /// Whether texts begin with `bos`.
    pub add_bos: bool,
    /// The chat template, in the language that the file has it in.
    pub chat_template: Option<String>,
}

impl VocabularyData {
    /// Takes the tokenizer's part out of the metadata; what the file does not have is empty.
    pub fn take(metadata: &mut Metadata) -> Result<VocabularyData> {
        let key = |name: &str| ["tokenizer.ggml.", name].concat();
        let text = |metadata: &Metadata, key: &str| -> Result<String> {
            Ok(metadata.text(key)?.unwrap_or_default().into())
        };
        let token = |name: &str| -> Result<Option<u32>> {
            Ok(metadata.integer(&key(name))?.and_then(|id| u32::try_from(id).ok()))
        };
        Ok(VocabularyData {
            model: text(metadata, &key("model"))?,
            pre: text(metadata, &key("pre"))?,
            bos: token("bos_token_id")?,
            ends: ["eos_token_id", "eot_token_id", "eom_token_id"]
                .into_iter()
                .filter_map(|name| token(name).transpose())
                .collect::<Result<_>>()?,
            add_bos: metadata.flag(&key("add_bos_token"))?.unwrap_or(false),
            chat_template: metadata.text("tokenizer.chat_template")?.map(String::from),
            tokens: metadata.take_texts(&key("tokens"))?.unwrap_or_default(),
            token_types: metadata.take_integers(&key("token_type"))?.unwrap_or_default(),
            merges: metadata.take_texts(&key("merges"))?.unwrap_or_default(),
        })
    }
}
