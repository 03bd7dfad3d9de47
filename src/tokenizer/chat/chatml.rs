//! ChatML, and Qwen 3's form of it.

use super::Part::{Mark, Text};
use super::{Message, Next, Part};

const START: &str = "<|im_start|>";
const END: &str = "<|im_end|>";
const THINK: &str = "<think>";
const THOUGHT: &str = "</think>";

/// Every message between marks; before them the default system message where the first is none.
pub(super) fn parts<'a>(
    messages: &[Message<'a>],
    default_system: Option<&'static str>,
    next: Next,
) -> Vec<Part<'a>> {
    let mut parts = Vec::new();
    let begins_with_system = messages.first().is_some_and(|message| message.role == "system");
    if let Some(content) = default_system.filter(|_| !begins_with_system) {
        push(&mut parts, "system", &[Text(content)]);
    }
    for message in messages {
        push(&mut parts, message.role, &[Text(message.content)]);
    }
    begin_reply(&mut parts, next);
    parts
}

/// The same for a model that thinks: what the assistant thought before the last question is left out.
pub(super) fn with_thoughts<'a>(messages: &[Message<'a>], next: Next) -> Vec<Part<'a>> {
    let mut parts = Vec::new();
    let last = messages.len() - 1;
    let is_question =
        |message: &Message| message.role == "user" && !is_tool_response(message.content);
    let last_question = messages.iter().rposition(is_question).unwrap_or(last);
    for (place, message) in messages.iter().enumerate() {
        if message.role != "assistant" {
            push(&mut parts, message.role, &[Text(message.content)]);
            continue;
        }
        let (thought, said) = split_thought(message.content);
        if place > last_question && (place == last || !thought.is_empty()) {
            let thought = thought.trim_matches('\n');
            let said = said.trim_start_matches('\n');
            let content = [
                Mark(THINK),
                Text("\n"),
                Text(thought),
                Text("\n"),
                Mark(THOUGHT),
                Text("\n\n"),
                Text(said),
            ];
            push(&mut parts, message.role, &content);
        } else {
            push(&mut parts, message.role, &[Text(said)]);
        }
    }
    begin_reply(&mut parts, next);
    if next == Next::ReplyWithoutThinking {
        parts.extend([Mark(THINK), Text("\n\n"), Mark(THOUGHT), Text("\n\n")]);
    }
    parts
}

fn push<'a>(parts: &mut Vec<Part<'a>>, role: &'a str, content: &[Part<'a>]) {
    parts.extend([Mark(START), Text(role), Text("\n")]);
    parts.extend_from_slice(content);
    parts.extend([Mark(END), Text("\n")]);
}

fn begin_reply(parts: &mut Vec<Part>, next: Next) {
    if next != Next::Nothing {
        parts.extend([Mark(START), Text("assistant\n")]);
    }
}

fn is_tool_response(content: &str) -> bool {
    content.starts_with("<tool_response>") && content.ends_with("</tool_response>")
}

/// What was thought and what was said.
fn split_thought(content: &str) -> (&str, &str) {
    let (Some((before, _)), Some((_, said))) =
        (content.split_once(THOUGHT), content.rsplit_once(THOUGHT))
    else {
        return ("", content);
    };
    let before = before.trim_end_matches('\n');
    let thought = before.rsplit_once(THINK).map_or(before, |(_, thought)| thought);
    (thought.trim_start_matches('\n'), said.trim_start_matches('\n'))
}
