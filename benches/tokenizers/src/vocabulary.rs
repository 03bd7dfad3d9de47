//! Tokenizers by what they are read from: `json:FILE`, `gguf:FILE` (the values of its keys as JSON) and
//! `tiktoken:RULE:FILE`.

use nucleus_sampler::tokenizer::read::{gguf, hugging_face, tiktoken};
use nucleus_sampler::tokenizer::{MAX_VOCAB, Tokenizer};
use serde_json::Value;

/// The tokenizer that an argument names.
pub fn read(argument: &str) -> Result<Tokenizer, String> {
    let (format, rest) = argument.split_once(':').ok_or("a vocabulary is FORMAT:FILE")?;
    let (rule, path) = match format {
        "tiktoken" => rest.split_once(':').ok_or("a .tiktoken file needs its rule")?,
        _ => ("", rest),
    };
    let bytes = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
    let found = match format {
        "json" => hugging_face::tokenizer(&bytes),
        "tiktoken" => {
            let split = crate::split(rule).ok_or_else(|| format!("no rule {rule}"))?;
            tiktoken::tokenizer(&bytes, &[], split)
        }
        "gguf" => return from_gguf(&bytes),
        _ => return Err(format!("no format {format}")),
    };
    found.map_err(|error| error.to_string())
}

fn from_gguf(bytes: &[u8]) -> Result<Tokenizer, String> {
    let keys: Value = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    let text = |key: &str| keys[key].as_str();
    let list = |key: &str| keys[key].as_array().map_or(&[][..], Vec::as_slice);
    let texts = |key| list(key).iter().filter_map(Value::as_str).collect::<Vec<&str>>();
    let id = |key: &str| keys[key].as_u64().filter(|&id| id < MAX_VOCAB as u64).map(|id| id as u32);
    let types = list("tokenizer.ggml.token_type").iter().filter_map(Value::as_i64);
    gguf::tokenizer(&gguf::GgufVocabulary {
        model: text("tokenizer.ggml.model").unwrap_or_default(),
        pre: text("tokenizer.ggml.pre").unwrap_or_default(),
        tokens: &texts("tokenizer.ggml.tokens"),
        token_types: &types.map(|kind| kind as i32).collect::<Vec<i32>>(),
        merges: &texts("tokenizer.ggml.merges"),
        bos: id("tokenizer.ggml.bos_token_id"),
        ends: id("tokenizer.ggml.eos_token_id").as_slice(),
        add_bos: keys["tokenizer.ggml.add_bos_token"] == true,
        chat_template: text("tokenizer.chat_template"),
    })
    .map_err(|error| error.to_string())
}
