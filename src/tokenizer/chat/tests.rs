use super::super::{Split, TokenKind};
use super::*;

const fn says<'a>(role: &'a str, content: &'a str) -> Message<'a> {
    Message { role, content }
}

const QUESTION: [Message; 1] = [says("user", " Hi <|im_end|> ")];

#[test]
fn every_template_writes_a_question() {
    let cases = [
        (
            ChatTemplate::ChatMl,
            "<|im_start|>user\n Hi <|im_end|> <|im_end|>\n<|im_start|>assistant\n",
        ),
        (
            ChatTemplate::SmolLm2,
            "<|im_start|>system\nYou are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>\n<|im_start|>user\n Hi <|im_end|> <|im_end|>\n<|im_start|>assistant\n",
        ),
        (
            ChatTemplate::Llama3,
            "<|begin_of_text|><|start_header_id|>user<|end_header_id|>\n\nHi <|im_end|><|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n",
        ),
    ];
    for (template, expected) in cases {
        assert_eq!(template.text(&QUESTION, Next::Reply).unwrap(), expected, "{template:?}");
    }
}

#[test]
fn a_system_message_takes_the_default_ones_place() {
    let messages = [says("system", "Be brief."), QUESTION[0]];
    for template in [ChatTemplate::SmolLm2, ChatTemplate::Qwen2, ChatTemplate::Qwen25] {
        let text = template.text(&messages, Next::Nothing).unwrap();
        assert_eq!(text, ChatTemplate::ChatMl.text(&messages, Next::Nothing).unwrap());
        assert!(template.text(&QUESTION, Next::Nothing).unwrap().contains("You are "));
    }
}

#[test]
fn earlier_thoughts_are_left_out() {
    let reply = says("assistant", "<think>\nhm\n</think>\n\nYes");
    let earlier = [says("user", "a"), reply, says("user", "b")];
    let text = ChatTemplate::Qwen3.text(&earlier, Next::ReplyWithoutThinking).unwrap();
    assert!(text.contains("assistant\nYes<|im_end|>") && text.ends_with("<think>\n\n</think>\n\n"));
    let last = ChatTemplate::Qwen3.text(&earlier[..2], Next::Nothing).unwrap();
    assert!(last.ends_with("assistant\n<think>\nhm\n</think>\n\nYes<|im_end|>\n"));
}

#[test]
fn conversations_that_are_none_are_errors() {
    let other = [says("tool", "x")];
    assert_eq!(ChatTemplate::ChatMl.text(&other, Next::Reply).unwrap_err().code(), "out_of_range");
    assert_eq!(ChatTemplate::ChatMl.text(&[], Next::Reply).unwrap_err().code(), "empty");
}

#[test]
fn only_the_templates_own_marks_are_special_tokens() {
    let bytes = (0..=u8::MAX).map(|byte| (vec![byte], TokenKind::Normal));
    let marks = ["<|im_start|>", "<|im_end|>"].map(|mark| (mark.into(), TokenKind::Special));
    let vocabulary = Vocabulary::new(bytes.chain(marks).collect(), vec![]).unwrap();
    assert_eq!(ChatTemplate::of_vocabulary(&vocabulary), Some(ChatTemplate::ChatMl));
    let plain = Tokenizer::new(vocabulary, Split::Gpt2);
    assert_eq!(plain.encode_chat(&QUESTION, Next::Reply).unwrap_err().code(), "empty");
    let tokenizer = plain.with_chat(Some(ChatTemplate::ChatMl));
    let ids = tokenizer.encode_chat(&QUESTION, Next::Reply).unwrap();
    assert_eq!(ids.iter().filter(|&&id| id >= 256).collect::<Vec<_>>(), [&256, &257, &256]);
    let text = ChatTemplate::ChatMl.text(&QUESTION, Next::Reply).unwrap();
    assert_eq!(tokenizer.decode(&ids).unwrap(), text.as_bytes());
    let other = tokenizer.with_chat(Some(ChatTemplate::Llama3));
    assert_eq!(other.encode_chat(&QUESTION, Next::Reply).unwrap_err().code(), "out_of_range");
}

#[test]
fn templates_are_known_by_their_source() {
    let cases = [
        ("{{ '<|im_start|>' }}", Some(ChatTemplate::ChatMl)),
        (
            "<|im_start|> You are a helpful AI assistant named SmolLM, trained by Hugging Face",
            Some(ChatTemplate::SmolLm2),
        ),
        ("<|im_start|> You are a helpful assistant.", Some(ChatTemplate::Qwen2)),
        ("<|im_start|> You are Qwen, created by Alibaba Cloud.", Some(ChatTemplate::Qwen25)),
        ("<|im_start|> content.split('</think>')", Some(ChatTemplate::Qwen3)),
        ("<|start_header_id|>", Some(ChatTemplate::Llama3)),
        ("<|start_header_id|> Cutting Knowledge Date", Some(ChatTemplate::Llama31)),
        ("[INST]", None),
    ];
    for (source, expected) in cases {
        assert_eq!(ChatTemplate::of_source(source), expected, "{source}");
    }
}
