//! Chat templates: conversations as the texts that models were trained on, as code.
//!
//! A template gives parts, each a mark (a special token's text) or text. As a string they stand together; as token ids a
//! mark is its token and text is text, so that no message can pass for a mark. Tools are not part of it.
//! Reference: the templates in the model files, whose results these are (`tests/golden/chat.json`).

mod chatml;
mod llama3;

use super::encode::Tokenizer;
use super::vocabulary::Vocabulary;
use crate::error::{Error, Result, quoted};

/// One message of a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message<'a> {
    /// Who speaks: `system`, `user` or `assistant`.
    pub role: &'a str,
    /// What is said.
    pub content: &'a str,
}

/// What comes after the messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Next {
    /// Nothing.
    Nothing,
    /// The beginning of the assistant's reply.
    #[default]
    Reply,
    /// The same, and that it thinks no thoughts first; only Qwen 3 is told so.
    ReplyWithoutThinking,
}

/// A model family's way of writing a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChatTemplate {
    /// ChatML: each message between `<|im_start|>` and `<|im_end|>`.
    ChatMl,
    /// ChatML with SmolLM2's system message where there is none.
    SmolLm2,
    /// ChatML with Qwen 2's.
    Qwen2,
    /// ChatML with Qwen 2.5's.
    Qwen25,
    /// ChatML, the assistant's thoughts kept only after the last question.
    Qwen3,
    /// Llama 3: headers with the role, contents without white space around them.
    Llama3,
    /// Llama 3.1 to 3.3: the same after a system message with two dates, of which today's is the template's own default.
    Llama31,
}

/// A part of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part<'a> {
    Mark(&'static str),
    Text(&'a str),
}

impl ChatTemplate {
    /// The template that a model file's own one (`tokenizer.chat_template`) is, if it is one of these.
    pub fn of_source(source: &str) -> Option<ChatTemplate> {
        let has = |text: &str| source.contains(text);
        match (has("<|start_header_id|>"), has("<|im_start|>")) {
            (true, _) if has("Cutting Knowledge Date") => Some(ChatTemplate::Llama31),
            (true, _) => Some(ChatTemplate::Llama3),
            (_, true) if has("named SmolLM, trained by Hugging Face") => {
                Some(ChatTemplate::SmolLm2)
            }
            (_, true) if has("</think>") => Some(ChatTemplate::Qwen3),
            (_, true) if has("You are Qwen, created by Alibaba Cloud") => {
                Some(ChatTemplate::Qwen25)
            }
            (_, true) if has("You are a helpful assistant") => Some(ChatTemplate::Qwen2),
            (_, true) => Some(ChatTemplate::ChatMl),
            _ => None,
        }
    }

    /// The template that a vocabulary's marks are for, if they are for one of these.
    pub fn of_vocabulary(vocabulary: &Vocabulary) -> Option<ChatTemplate> {
        let has = |text: &str| vocabulary.mark(text.as_bytes()).is_some();
        match (has("<|start_header_id|>"), has("<|im_start|>")) {
            (true, _) => Some(ChatTemplate::Llama3),
            (_, true) if has("</think>") => Some(ChatTemplate::Qwen3),
            (_, true) => Some(ChatTemplate::ChatMl),
            _ => None,
        }
    }

    /// A conversation as a string.
    pub fn text(self, messages: &[Message], next: Next) -> Result<String> {
        let parts = self.parts(messages, next)?;
        let texts = parts.into_iter().map(|part| match part {
            Part::Mark(text) | Part::Text(text) => text,
        });
        Ok(texts.collect())
    }

    fn parts<'a>(self, messages: &[Message<'a>], next: Next) -> Result<Vec<Part<'a>>> {
        if messages.is_empty() {
            return Err(Error::Empty { what: "messages".into() });
        }
        if let Some(other) =
            messages.iter().find(|message| !["system", "user", "assistant"].contains(&message.role))
        {
            return Err(Error::OutOfRange {
                option: "a message's role".into(),
                found: quoted(other.role),
                accepted: "system, user or assistant".into(),
            });
        }
        Ok(match self {
            ChatTemplate::Llama3 => llama3::parts(messages, None, next),
            ChatTemplate::Llama31 => llama3::parts(messages, Some(llama3::DATES), next),
            ChatTemplate::Qwen3 => chatml::with_thoughts(messages, next),
            other => chatml::parts(messages, other.default_system(), next),
        })
    }

    /// What the system says where a conversation does not begin with it.
    fn default_system(self) -> Option<&'static str> {
        match self {
            ChatTemplate::SmolLm2 => {
                Some("You are a helpful AI assistant named SmolLM, trained by Hugging Face")
            }
            ChatTemplate::Qwen2 => Some("You are a helpful assistant."),
            ChatTemplate::Qwen25 => {
                Some("You are Qwen, created by Alibaba Cloud. You are a helpful assistant.")
            }
            _ => None,
        }
    }
}

impl Tokenizer {
    /// A conversation as token ids, by the tokenizer's template: only the template's own marks are special tokens.
    pub fn encode_chat(&self, messages: &[Message], next: Next) -> Result<Vec<u32>> {
        let template = self
            .chat_template()
            .ok_or_else(|| Error::Empty { what: "the chat template of this tokenizer".into() })?;
        let (mut ids, mut text) = (Vec::new(), String::new());
        for part in template.parts(messages, next)? {
            let mark = match part {
                Part::Text(more) => {
                    text.push_str(more);
                    continue;
                }
                Part::Mark(mark) => mark,
            };
            match self.vocabulary().mark(mark.as_bytes()) {
                Some(id) => {
                    self.encode_into(text.as_bytes(), &mut ids);
                    text.clear();
                    ids.push(id);
                }
                None if mark.ends_with("think>") => text.push_str(mark),
                None => {
                    return Err(Error::OutOfRange {
                        option: "the vocabulary".into(),
                        found: ["one without ", mark].concat(),
                        accepted: "one with the marks of its chat template".into(),
                    });
                }
            }
        }
        self.encode_into(text.as_bytes(), &mut ids);
        Ok(ids)
    }
}

#[cfg(test)]
mod tests;
