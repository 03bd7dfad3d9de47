//! Which rule of cutting a file means: by name in GGUF files, by regular expressions in tokenizer.json.

use super::value::Value;
use super::wrong;
use crate::error::Result;
use crate::tokenizer::split::Split;

/// Names in `tokenizer.ggml.pre` by rule: of those that llama.cpp maps to the same expressions.
const NAMES: [(Split, &[&str]); 6] = [
    (Split::Gpt2, &["gpt-2", "gpt2", "phi-2", "mpt", "olmo", "jais"]),
    (Split::Gpt2Digits, &["smollm", "starcoder", "refact", "codeshell", "command-r", "exaone"]),
    (Split::Llama3, &["llama-bpe", "llama3", "llama-v3", "falcon3", "smaug-bpe", "dbrx"]),
    (Split::Qwen2, &["qwen2", "deepseek-r1-qwen", "stablelm2", "megrez"]),
    (Split::O200k, &["gpt-4o", "llama4", "o200k"]),
    (Split::Cl100k, &["cl100k"]),
];

/// The rule of a name in `tokenizer.ggml.pre`.
pub(super) fn by_name(name: &str) -> Result<Split> {
    let found = NAMES.iter().find(|(_, names)| names.contains(&name));
    match found {
        Some((split, _)) => Ok(*split),
        None => {
            let names = NAMES.iter().flat_map(|(_, names)| names.iter().copied());
            wrong("tokenizer.ggml.pre", name, &["one of ", &listed(names)].concat())
        }
    }
}

/// The expressions by rule, as files write them.
const EXPRESSIONS: [(Split, &str); 6] = [
    (Split::Gpt2, r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"),
    (
        Split::Llama3,
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    ),
    (
        Split::Qwen2,
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    ),
    (
        Split::O200k,
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    ),
    (
        Split::Cl100k,
        r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s",
    ),
    (
        Split::Cl100k,
        r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s+$|\s*[\r\n]|\s+(?!\S)|\s",
    ),
];

const PLACE: &str = "tokenizer.json's pre_tokenizer";

/// The rule of a `pre_tokenizer`.
pub(super) fn by_pre_tokenizer(value: &Value) -> Result<Split> {
    let mut steps = Vec::new();
    flatten(value, &mut steps);
    let types: Vec<&str> =
        steps.iter().map(|step| step.field("type").text().unwrap_or("nothing")).collect();
    match (types.as_slice(), steps.as_slice()) {
        (["ByteLevel"], [bytes]) if byte_level(bytes)? => Ok(Split::Gpt2),
        (["Digits", "ByteLevel"], [digits, bytes]) if byte_level(bytes)? => {
            if digits.field("individual_digits").is_true(false) {
                return Ok(Split::Gpt2Digits);
            }
            wrong(PLACE, "Digits with runs of digits", "Digits with individual_digits")
        }
        (["Split", "ByteLevel"], [split, bytes]) if !byte_level(bytes)? => by_expression(split),
        _ => {
            let accepted =
                "ByteLevel, Digits and ByteLevel, or Split and ByteLevel without use_regex";
            wrong(PLACE, &listed(types.into_iter()), accepted)
        }
    }
}

/// Words with commas between them.
fn listed<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let mut all = String::new();
    for word in words {
        all.push_str(if all.is_empty() { "" } else { ", " });
        all.push_str(word);
    }
    all
}

/// The steps of a pre-tokenizer, sequences within sequences in their order.
fn flatten<'a>(value: &'a Value, steps: &mut Vec<&'a Value>) {
    match value.field("type").text() {
        Some("Sequence") => {
            value.field("pretokenizers").list().iter().for_each(|step| flatten(step, steps));
        }
        _ => steps.push(value),
    }
}

/// Whether a ByteLevel cuts by GPT-2's expression itself.
fn byte_level(value: &Value) -> Result<bool> {
    if value.field("add_prefix_space").is_true(true) {
        return wrong(PLACE, "ByteLevel with add_prefix_space", "ByteLevel without it");
    }
    Ok(value.field("use_regex").is_true(true))
}

/// The rule of a Split.
fn by_expression(value: &Value) -> Result<Split> {
    let behavior = value.field("behavior").text().unwrap_or_default();
    let inverted = value.field("invert").is_true(false);
    if !matches!((behavior, inverted), ("Isolated", _) | ("Removed", true)) {
        return wrong(PLACE, behavior, "Split that is Isolated, or Removed and inverted");
    }
    let expression = value.field("pattern").field("Regex").text().unwrap_or_default();
    match EXPRESSIONS.iter().find(|(_, known)| *known == expression) {
        Some((split, _)) => Ok(*split),
        None => wrong(PLACE, expression, "an expression of GPT-2, cl100k, o200k, Qwen or Llama 3"),
    }
}
