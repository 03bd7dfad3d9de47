//! The tokenizer from outside: against what others answered (`tests/golden/tokenizers.json`), and for any text and bytes.
#![cfg(all(feature = "model", not(target_arch = "wasm32")))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

mod properties;
#[path = "../common/sha256.rs"]
mod sha256;
#[path = "../common/texts.rs"]
mod texts;

use nucleus_sampler::tokenizer::read::{gguf, hugging_face, tiktoken};
use nucleus_sampler::tokenizer::{ChatTemplate, Message, Next, Split, Tokenizer};
use serde_json::Value;

/// What the others answered.
fn golden() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/tokenizers.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn split(name: &str) -> Split {
    Split::ALL.into_iter().find(|split| split.name() == name).unwrap()
}

/// The tokenizer of one of the file's vocabularies.
fn tokenizer(vocabulary: &Value) -> Tokenizer {
    let file = &vocabulary["file"];
    if let Some(ranks) = file.as_str() {
        return tiktoken::tokenizer(
            ranks.as_bytes(),
            &[],
            split(vocabulary["rule"].as_str().unwrap()),
        )
        .unwrap();
    }
    if file["model"].is_object() {
        return hugging_face::tokenizer(file.to_string().as_bytes()).unwrap();
    }
    // Of a GGUF file's tokens those that were left out are unused ones without a text.
    let n_vocab = 49_152;
    let (mut tokens, mut types) = (vec![""; n_vocab], vec![5; n_vocab]);
    for token in file["tokenizer.ggml.tokens"].as_array().unwrap() {
        let id = token[0].as_u64().unwrap() as usize;
        tokens[id] = token[1].as_str().unwrap();
        types[id] = token[2].as_i64().unwrap() as i32;
    }
    let merges = file["tokenizer.ggml.merges"].as_array().unwrap();
    gguf::tokenizer(&gguf::GgufVocabulary {
        model: file["tokenizer.ggml.model"].as_str().unwrap(),
        pre: file["tokenizer.ggml.pre"].as_str().unwrap(),
        tokens: &tokens,
        token_types: &types,
        merges: &merges.iter().map(|merge| merge.as_str().unwrap()).collect::<Vec<&str>>(),
        bos: Some(1),
        ends: &[2],
        add_bos: false,
        chat_template: file["tokenizer.chat_template"].as_str(),
    })
    .unwrap()
}

#[test]
fn every_rule_cuts_generated_texts_as_the_others_do() {
    let pieces = &golden()["pieces"];
    let (seed, n) = (pieces["seed"].as_u64().unwrap(), pieces["n"].as_u64().unwrap());
    for split in Split::ALL {
        let mut list = Vec::new();
        for text in (0..n).map(|i| texts::text(seed, i)) {
            let lengths: Vec<u32> =
                split.pieces(text.as_bytes()).map(|piece| piece.len() as u32).collect();
            list.extend((lengths.len() as u32).to_le_bytes());
            list.extend(lengths.iter().flat_map(|length| length.to_le_bytes()));
        }
        assert_eq!(sha256::sha256(&list), pieces["sha256"][split.name()], "{split:?}");
    }
}

#[test]
fn every_vocabulary_gives_the_ids_that_the_others_give() {
    let golden = golden();
    let vocabularies = golden["vocabularies"].as_array().unwrap();
    assert_eq!(vocabularies.len(), 6);
    for vocabulary in vocabularies {
        let tokenizer = tokenizer(vocabulary);
        for sample in vocabulary["samples"].as_array().unwrap() {
            let text = sample[0].as_str().unwrap();
            let found: Vec<Value> =
                tokenizer.encode(text.as_bytes()).into_iter().map(Value::from).collect();
            assert_eq!(Value::from(found), sample[1], "{}: {text:?}", vocabulary["name"]);
        }
    }
}

#[test]
fn bytes_that_smollm2_has_no_token_for_are_left_out() {
    let tokenizer = tokenizer(&golden()["vocabularies"][0]);
    let missing: Vec<u8> = tokenizer.vocabulary().missing_bytes().collect();
    assert_eq!(
        missing,
        [
            0x04, 0x06, 0x13, 0x14, 0x16, 0x1d, 0xc0, 0xc1, 0xf1, 0xf2, 0xf5, 0xf6, 0xf7, 0xf8,
            0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff
        ]
    );
    let all: Vec<u8> = (0..=u8::MAX).collect();
    let kept: Vec<u8> = all.iter().copied().filter(|byte| !missing.contains(byte)).collect();
    assert_eq!(tokenizer.decode(&tokenizer.encode(&all)).unwrap(), kept);
    // What stands at the two sides of one that is left out are neighbours.
    assert_eq!(tokenizer.encode(b"=\x04="), tokenizer.encode(b"=="));
}

#[test]
fn the_ids_that_mean_something_and_the_template_come_with_the_file() {
    let golden = golden();
    let smollm2 = tokenizer(&golden["vocabularies"][0]);
    assert_eq!((smollm2.special().bos, smollm2.special().ends.as_slice()), (Some(1), &[0, 2][..]));
    assert_eq!(smollm2.chat_template(), Some(ChatTemplate::SmolLm2));
    assert_eq!(
        smollm2.encode_special(b"<|im_start|>Paris"),
        [&[1], &smollm2.encode(b"Paris")[..]].concat()
    );
    let llama3 = tokenizer(&golden["vocabularies"][1]);
    assert_eq!(llama3.chat_template(), Some(ChatTemplate::Llama3));
    assert!(llama3.rules().whole_pieces && !llama3.rules().nfc);
    let qwen3 = tokenizer(&golden["vocabularies"][2]);
    assert_eq!(qwen3.split(), Split::Qwen2);
    assert!(qwen3.rules().nfc && !qwen3.rules().whole_pieces);
}

#[test]
fn conversations_are_what_the_models_own_templates_write() {
    let golden = golden();
    let chats = golden["chats"].as_array().unwrap();
    assert_eq!(chats.len(), 36);
    for chat in chats {
        let template = match chat["template"].as_str().unwrap() {
            "SmolLm2" => ChatTemplate::SmolLm2,
            "Llama3" => ChatTemplate::Llama3,
            "Qwen3" => ChatTemplate::Qwen3,
            other => panic!("{other}"),
        };
        let next = match chat["next"].as_str().unwrap() {
            "nothing" => Next::Nothing,
            "reply" => Next::Reply,
            "without_thinking" => Next::ReplyWithoutThinking,
            other => panic!("{other}"),
        };
        let messages = chat["messages"].as_array().unwrap().iter();
        let messages: Vec<Message> = messages
            .map(|m| Message { role: m[0].as_str().unwrap(), content: m[1].as_str().unwrap() })
            .collect();
        assert_eq!(template.text(&messages, next).unwrap(), chat["text"], "{chat}");
    }
}
