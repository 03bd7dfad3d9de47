use super::*;
use proptest::prelude::*;

const BYTE_LEVEL: &str = r#"{"type":"ByteLevel","add_prefix_space":false,"use_regex":true}"#;

/// A file with every byte, `th`, `he` and `the`, and three added tokens.
fn file(pre_tokenizer: &str, model: &str, more: &str) -> String {
    let byte = |byte: u8| {
        let text = serde_json::to_string(&alphabet::to_text(&[byte])).unwrap();
        format!("{text}:{byte},")
    };
    let bytes: String = (0..=u8::MAX).map(byte).collect();
    format!(
        r#"{{"version":"1.0","truncation":null,"added_tokens":[
        {{"id":260,"content":"<|end|>","special":true}},{{"id":262,"content":"<tool>","special":false}}],
        "pre_tokenizer":{pre_tokenizer},{more}
        "model":{{"type":"BPE","vocab":{{{bytes}"th":256,"he":257,"the":258,"Ġ a":259}},{model}}}}}"#
    )
}

const PLAIN: &str = r#""merges":["t h","th e"]"#;

#[test]
fn merges_are_texts_or_pairs_and_added_tokens_are_marks() {
    for merges in [PLAIN, r#""merges":[["t","h"],["th","e"]]"#] {
        let found = tokenizer(file(BYTE_LEVEL, merges, "").as_bytes()).unwrap();
        assert_eq!(found.split(), Split::Gpt2);
        assert_eq!(found.vocabulary().n_vocab(), 263);
        assert_eq!(found.encode(b"the he"), [258, 32, 104, 101]);
        assert_eq!(found.encode_special(b"the<tool><|end|>"), [258, 262, 260]);
        assert_eq!(found.decode(&[262, 261, 259]).unwrap(), "<tool>Ġ a".as_bytes());
    }
}

#[test]
fn options_of_the_model_change_the_encoding() {
    let whole = [PLAIN, r#","ignore_merges":true"#].concat();
    let found = tokenizer(file(BYTE_LEVEL, &whole, "").as_bytes()).unwrap();
    assert_eq!(found.encode(b"he"), [257]);
    let nfc =
        tokenizer(file(BYTE_LEVEL, PLAIN, r#""normalizer":{"type":"NFC"},"#).as_bytes()).unwrap();
    assert_eq!(nfc.encode("e\u{301}".as_bytes()), [0xc3, 0xa9]);
    let template = r#""post_processor":{"type":"Sequence","processors":[{"type":"ByteLevel"},
        {"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"<|end|>","type_id":0}}]}]},"#;
    let begun = tokenizer(file(BYTE_LEVEL, PLAIN, template).as_bytes()).unwrap();
    assert_eq!((begun.special().bos, begun.special().add_bos), (Some(260), true));
}

#[test]
fn pre_tokenizers_are_known_by_their_steps() {
    let split = |expression: &str, behavior: &str, invert: bool| {
        let pattern = serde_json::json!({ "Regex": expression });
        let split = serde_json::json!({
            "type": "Split", "pattern": pattern, "behavior": behavior, "invert": invert,
        });
        let bytes = serde_json::json!({ "type": "ByteLevel", "use_regex": false, "add_prefix_space": false });
        serde_json::json!({ "type": "Sequence", "pretokenizers": [split, bytes] }).to_string()
    };
    let qwen = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";
    let llama = qwen.replace(r"|\p{N}| ?", r"|\p{N}{1,3}| ?");
    let digits = format!(
        r#"{{"type":"Sequence","pretokenizers":[{{"type":"Digits","individual_digits":true}},{BYTE_LEVEL}]}}"#
    );
    let known = [
        (split(qwen, "Isolated", false), Split::Qwen2),
        (split(&llama, "Removed", true), Split::Llama3),
        (digits.clone(), Split::Gpt2Digits),
    ];
    for (pre_tokenizer, expected) in known {
        let found = tokenizer(file(&pre_tokenizer, PLAIN, "").as_bytes()).unwrap();
        assert_eq!(found.split(), expected);
    }
    let unknown = [
        split(r"\w+", "Isolated", false),
        split(qwen, "Removed", false),
        digits.replace("true}", "false}"),
        BYTE_LEVEL.replace("\"add_prefix_space\":false", "\"add_prefix_space\":true"),
        BYTE_LEVEL.replace("ByteLevel", "Metaspace"),
        "null".into(),
    ];
    for pre_tokenizer in unknown {
        let error = tokenizer(file(&pre_tokenizer, PLAIN, "").as_bytes()).unwrap_err();
        assert_eq!(error.option(), Some("tokenizer.json's pre_tokenizer"), "{pre_tokenizer}");
    }
}

#[test]
fn what_is_not_supported_is_named() {
    let model = |option: &str| file(BYTE_LEVEL, &[PLAIN, ",", option].concat(), "");
    let cases = [
        (model(r#""dropout":0.1"#), "tokenizer.json's model.dropout"),
        (model(r#""type":"Unigram""#), "tokenizer.json's model.type"),
        (model(r#""byte_fallback":true"#), "tokenizer.json's model.byte_fallback"),
        (model(r#""end_of_word_suffix":"</w>""#), "tokenizer.json's model.end_of_word_suffix"),
        (
            file(BYTE_LEVEL, PLAIN, r#""normalizer":{"type":"NFKC"},"#),
            "tokenizer.json's normalizer",
        ),
        (
            file(BYTE_LEVEL, PLAIN, "").replace("\"special\":true", "\"rstrip\":true"),
            "tokenizer.json's added_tokens",
        ),
        (file(BYTE_LEVEL, r#""merges":["t x"]"#, ""), "the vocabulary"),
        (file(BYTE_LEVEL, r#""merges":["tth h"]"#, ""), "a merge"),
        (file(BYTE_LEVEL, r#""merges":[["t","h","e"]]"#, ""), "a merge"),
    ];
    for (text, place) in cases {
        let error = tokenizer(text.as_bytes()).unwrap_err();
        assert_eq!(error.option(), Some(place), "{error}");
    }
    for text in ["{}", r#"{"model":{}}"#] {
        assert_eq!(tokenizer(text.as_bytes()).unwrap_err().code(), "empty");
    }
    let far = file(BYTE_LEVEL, PLAIN, "").replace("\"id\":262", "\"id\":4294967295");
    assert_eq!(tokenizer(far.as_bytes()).unwrap_err().code(), "too_large");
}

proptest! {
    #[test]
    fn a_file_that_is_cut_or_changed_is_an_error_or_a_tokenizer(cut in 0usize..4000, at in 0usize..4000, byte: u8) {
        let whole = file(BYTE_LEVEL, PLAIN, "").into_bytes();
        let end = cut.min(whole.len() - 1);
        prop_assert!(tokenizer(&whole[..end]).is_err());
        let mut changed = whole;
        let at = at % changed.len();
        changed[at] = byte;
        if let Ok(found) = tokenizer(&changed) {
            found.encode(b"the cat");
        }
    }
}
