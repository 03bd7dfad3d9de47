//! Hugging Face's `tokenizer.json`, of byte-level BPE.
//!
//! What would change an encoding and is not known here is an error that names it. `truncation`, `padding` and `decoder` do
//! not; of the `post_processor` only a token before every text is taken, which encoding never adds by itself.

use super::gguf::sides;
use super::json::Json;
use super::listed::Listed;
use super::rules::by_pre_tokenizer;
use super::value::Value;
use super::wrong;
use crate::error::{Error, Result};
use crate::tokenizer::chat::ChatTemplate;
use crate::tokenizer::special::SpecialIds;
use crate::tokenizer::tokens::TokenKind;
use crate::tokenizer::vocabulary::Vocabulary;
use crate::tokenizer::{Rules, Split, Tokenizer, alphabet};

/// What a file holds, as it is read.
#[derive(Default)]
struct File {
    listed: Listed,
    /// Added tokens come after those of the model, wherever the file has them.
    added: Vec<(u32, String, TokenKind)>,
    /// Each merge as two texts with a space between them.
    merges: Vec<String>,
    split: Option<Split>,
    rules: Rules,
    first: Option<String>,
    has_model: bool,
}

/// The tokenizer of a file.
pub fn tokenizer(bytes: &[u8]) -> Result<Tokenizer> {
    let mut file = File::default();
    let mut json = Json::new(bytes)?;
    json.object(&mut |json, name| match name {
        "added_tokens" => json.array(&mut |json| file.added_token(&json.value()?)),
        "normalizer" => {
            file.rules.nfc = is_nfc(&json.value()?)?;
            Ok(())
        }
        "pre_tokenizer" => {
            file.split = Some(by_pre_tokenizer(&json.value()?)?);
            Ok(())
        }
        "post_processor" => {
            file.first = first_token(&json.value()?);
            Ok(())
        }
        "model" => file.model(json),
        _ => json.skip(),
    })?;
    json.end()?;
    file.finish()
}

impl File {
    fn added_token(&mut self, token: &Value) -> Result<()> {
        let text = token.field("content").text().unwrap_or_default();
        for option in ["lstrip", "rstrip", "single_word"] {
            if token.field(option).is_true(false) {
                let found = [text, " with ", option].concat();
                return wrong("tokenizer.json's added_tokens", &found, "tokens without it");
            }
        }
        let id = match token.field("id") {
            Value::Number(number) => number.parse().ok(),
            _ => None,
        };
        let Some(id) = id else {
            return wrong("the id of an added token", text, "an integer from 0 to 4294967295");
        };
        let special = token.field("special").is_true(false);
        let kind = if special { TokenKind::Special } else { TokenKind::Added };
        self.added.push((id, text.into(), kind));
        Ok(())
    }

    fn model<'a>(&mut self, json: &mut Json<'a>) -> Result<()> {
        self.has_model = true;
        json.object(&mut |json, name| match name {
            "vocab" => json.object(&mut |json, text| {
                let id = json.integer()?;
                match alphabet::to_bytes(text) {
                    Ok(bytes) => self.listed.push(id, &bytes, TokenKind::Normal),
                    Err(_) => self.listed.push(id, text.as_bytes(), TokenKind::Unused),
                }
            }),
            "merges" => json.array(&mut |json| {
                self.merges.push(merge(json)?);
                Ok(())
            }),
            "ignore_merges" => {
                self.rules.whole_pieces = json.value()?.is_true(false);
                Ok(())
            }
            _ => check(name, &json.value()?),
        })
    }

    fn finish(mut self) -> Result<Tokenizer> {
        let Some(split) = self.split.filter(|_| self.has_model) else {
            let what = if self.has_model { "pre_tokenizer" } else { "model" };
            return Err(Error::Empty { what: ["tokenizer.json's ", what].concat() });
        };
        for (id, text, kind) in &self.added {
            self.listed.push(*id, text.as_bytes(), *kind)?;
        }
        let vocabulary = Vocabulary::without_merges(self.listed.tokens()?)?;
        let merges = self.merges.iter().map(|merge| sides(&vocabulary, merge));
        let merges = merges.collect::<Result<Vec<_>>>()?;
        let vocabulary = vocabulary.with_merges(merges)?;
        let bos = self.first.and_then(|text| vocabulary.mark(text.as_bytes()));
        let special = SpecialIds::new(&vocabulary, bos, &[], bos.is_some())?;
        let chat = ChatTemplate::of_vocabulary(&vocabulary);
        let tokenizer = Tokenizer::with_rules(vocabulary, split, self.rules);
        Ok(tokenizer.with_special(special).with_chat(chat))
    }
}

/// A merge, which is one text or a pair of them.
fn merge(json: &mut Json<'_>) -> Result<String> {
    if !json.is_array() {
        return Ok(json.string()?.into_owned());
    }
    let mut merge = String::new();
    let mut n = 0;
    json.array(&mut |json| {
        merge.push_str(if n == 0 { "" } else { " " });
        merge.push_str(&json.string()?);
        n += 1;
        Ok(())
    })?;
    if n == 2 { Ok(merge) } else { wrong("a merge", &merge, "two tokens") }
}

/// Whether an option of the model is at a value that changes nothing.
fn check(name: &str, value: &Value) -> Result<()> {
    let neutral = match value {
        Value::Null | Value::Bool(false) => true,
        Value::Text(text) => text.is_empty(),
        Value::Number(number) => !number.bytes().any(|byte| (b'1'..=b'9').contains(&byte)),
        _ => false,
    };
    let known = match name {
        "type" => neutral || value.text() == Some("BPE"),
        // Every byte is a symbol or is left out: nothing is unknown.
        "unk_token" | "fuse_unk" => true,
        _ => neutral,
    };
    if known {
        return Ok(());
    }
    let found = value.text().unwrap_or("a value that is not supported");
    let accepted = if name == "type" { "BPE" } else { "null, false or empty" };
    wrong(&["tokenizer.json's model.", name].concat(), found, accepted)
}

/// Whether a normalizer is NFC; none, or an empty sequence, is not.
fn is_nfc(normalizer: &Value) -> Result<bool> {
    if *normalizer == Value::Null {
        return Ok(false);
    }
    match normalizer.field("type").text() {
        Some("NFC") => Ok(true),
        Some("Sequence") => {
            let steps = normalizer.field("normalizers").list().iter().map(is_nfc);
            Ok(steps.collect::<Result<Vec<bool>>>()?.contains(&true))
        }
        other => wrong("tokenizer.json's normalizer", other.unwrap_or("nothing"), "NFC or none"),
    }
}

/// The token that a post-processor puts before every text.
fn first_token(processor: &Value) -> Option<String> {
    let first = processor.field("single").list().first();
    let own = first.and_then(|piece| piece.field("SpecialToken").field("id").text());
    own.map(String::from)
        .or_else(|| processor.field("processors").list().iter().find_map(first_token))
}

#[cfg(test)]
mod tests;
