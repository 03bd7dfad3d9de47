//! Llama 3's form of a conversation.

use super::Part::{Mark, Text};
use super::{Message, Next, Part};

const BEGIN: &str = "<|begin_of_text|>";
const HEADER: &str = "<|start_header_id|>";
const HEADER_END: &str = "<|end_header_id|>";
const END: &str = "<|eot_id|>";

/// What the system message of Llama 3.1 begins with: the template's own default for today.
pub(super) const DATES: &str = "Cutting Knowledge Date: December 2023\nToday Date: 26 Jul 2024\n\n";

/// Every message after a header; with `dates` there is always a system message, which begins with them.
pub(super) fn parts<'a>(
    messages: &[Message<'a>],
    dates: Option<&'static str>,
    next: Next,
) -> Vec<Part<'a>> {
    let mut parts = vec![Mark(BEGIN)];
    let mut rest = messages;
    if let Some(dates) = dates {
        let mut content = "";
        if let [first, others @ ..] = messages
            && first.role == "system"
        {
            (content, rest) = (first.content.trim(), others);
        }
        header(&mut parts, "system");
        parts.extend([Text(dates), Text(content), Mark(END)]);
    }
    for message in rest {
        header(&mut parts, message.role);
        parts.extend([Text(message.content.trim()), Mark(END)]);
    }
    if next != Next::Nothing {
        header(&mut parts, "assistant");
    }
    parts
}

fn header<'a>(parts: &mut Vec<Part<'a>>, role: &'a str) {
    parts.extend([Mark(HEADER), Text(role), Mark(HEADER_END), Text("\n\n")]);
}
