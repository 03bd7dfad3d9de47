//! States: what they hold, what JSON makes of them, and what is refused.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

mod common;

use common::{from_json_text, sampler, state_text};
use nucleus_sampler::value::Value;
use nucleus_sampler::{Error, Options, Sampler, Window};

/// A sampler with something in every field of its state.
fn busy() -> Sampler {
    let mut sampler = sampler(&Options {
        temperature: Some(0.1 + 0.2),
        logit_bias: Some(vec![(3, 0.5), (1, f64::NEG_INFINITY)]),
        penalty_last_n: Some(Window(7)),
        seed: Some(u64::MAX),
        ..Options::default()
    });
    sampler.add_row(Options { top_p: Some(0.9), stream: Some(9), ..Options::default() }).unwrap();
    sampler.prompt(&[0, 2]).unwrap();
    sampler.accept(3).unwrap();
    sampler.sample_many(&[0.5; 4], 5).unwrap();
    sampler
}

#[test]
fn a_state_is_plain_data_that_json_holds_unchanged() {
    let text = state_text(&busy());
    let expected = r#"{"nextRow":2,"options":{"logitBias":[[3,0.5],[1,"-Infinity"]],"penaltyLastN":7,"seed":"18446744073709551615","temperature":0.30000000000000004},"rows":[{"controllers":{"adaptiveP":null,"mirostat":null,"unmatchedAccepts":0},"id":0,"options":{},"output":[3],"pending":null,"position":5,"prompt":[0,2],"stream":0},{"controllers":{"adaptiveP":null,"mirostat":null,"unmatchedAccepts":0},"id":1,"options":{"stream":9,"topP":0.9},"output":[],"pending":null,"position":0,"prompt":[],"stream":9}],"seed":"18446744073709551615","version":1}"#;
    assert_eq!(text, expected);
    assert_eq!(state_text(&Sampler::from_state(&from_json_text(&text)).unwrap()), text);
}

/// JavaScript writes whole numbers without a fraction, whatever they were.
#[test]
fn a_state_whose_whole_numbers_lost_their_fraction_is_the_same_state() {
    let options =
        Options { temperature: Some(2.0), top_p: Some(1.0), seed: Some(1), ..Options::default() };
    let text = state_text(&Sampler::new(options.clone()).unwrap()).replace(".0", "");
    assert!(text.contains("\"temperature\":2,"), "{text}");
    let restored = Sampler::from_state(&from_json_text(&text)).unwrap();
    assert_eq!(restored.settings(), Sampler::new(options).unwrap().settings());
}

/// A sampler without a seed keeps the one that it drew.
#[test]
fn a_fresh_seed_is_part_of_the_state() {
    let mut fresh = Sampler::new(Options::default()).unwrap();
    let mut restored = Sampler::from_state(&from_json_text(&state_text(&fresh))).unwrap();
    assert_eq!(restored.settings().seed, fresh.settings().seed);
    assert_eq!(restored.sample_many(&[0.5; 9], 50), fresh.sample_many(&[0.5; 9], 50));
}

/// Replaces one piece of the busy state's text.
fn changed(from: &str, to: &str) -> Error {
    let text = state_text(&busy());
    assert!(text.contains(from), "{from} is not in {text}");
    Sampler::from_state(&from_json_text(&text.replacen(from, to, 1))).unwrap_err()
}

#[test]
fn a_state_of_another_version_is_state_version() {
    for other in ["0", "2", "9007199254740993"] {
        let error = changed("\"version\":1", &format!("\"version\":{other}"));
        assert_eq!(error.code(), "state_version");
    }
    let error = changed("\"version\":1", "\"version\":2");
    assert_eq!(error.to_string(), "the state has version 2, this build reads version 1");
}

#[test]
fn a_state_with_a_missing_unknown_or_impossible_field_is_state_invalid() {
    for (from, to) in [
        ("\"nextRow\":2,", ""),
        ("\"nextRow\":2", "\"nextRow\":1"),
        ("\"nextRow\":2", "\"nextRow\":-1"),
        ("\"nextRow\":2", "\"nextRow\":4294967296"),
        ("\"nextRow\":2", "\"nextRow\":2,\"extra\":1"),
        ("\"seed\":\"18446744073709551615\",\"version\"", "\"version\""),
        ("\"seed\":\"18446744073709551615\",\"version\"", "\"seed\":-1,\"version\""),
        ("\"version\":1", "\"version\":\"1\""),
        (",\"version\":1", ""),
        ("\"penaltyLastN\":7", "\"penaltyLastN\":7.5"),
        ("\"penaltyLastN\":7", "\"penaltyLast\":7"),
        ("\"topP\":0.9", "\"topP\":1.1"),
        ("\"topP\":0.9", "\"topP\":null"),
        ("\"topP\":0.9", "\"order\":[\"top_k\",\"top_k\"]"),
        ("[3,0.5]", "[3,\"much\"]"),
        ("[3,0.5]", "[1,0.5]"),
        ("\"prompt\":[0,2]", "\"prompt\":[0,-2]"),
        ("\"prompt\":[0,2]", "\"prompt\":[0,4294967296]"),
        ("\"prompt\":[0,2]", "\"prompt\":0"),
        ("\"output\":[3],", ""),
        ("\"output\":[3]", "\"output\":[3.5]"),
        ("\"position\":5", "\"position\":-5"),
        ("\"position\":5", "\"position\":0.5"),
        ("\"position\":5", "\"position\":9007199254740992"),
        ("\"position\":5", "\"position\":5,\"extra\":1"),
        ("\"stream\":0", "\"stream\":1"),
        ("\"id\":0", "\"id\":2"),
        ("\"id\":1", "\"id\":0"),
        ("\"id\":1", "\"id\":1.5"),
    ] {
        assert_eq!(changed(from, to).code(), "state_invalid", "{from} to {to}");
    }
}

#[test]
fn what_is_no_state_at_all_is_state_invalid() {
    for value in [Value::Null, Value::Number(1.0), Value::List(Vec::new()), Value::Map(Vec::new())]
    {
        assert_eq!(Sampler::from_state(&value).unwrap_err().code(), "state_invalid", "{value:?}");
    }
    for cut in
        ["{\"version\":1}", "{\"version\":1,\"options\":{},\"seed\":1,\"nextRow\":1,\"rows\":[]}"]
    {
        assert_eq!(Sampler::from_state(&from_json_text(cut)).unwrap_err().code(), "state_invalid");
    }
}

#[test]
fn an_invalid_state_says_which_field_and_what_is_accepted() {
    for (from, to, message) in [
        (
            "\"prompt\":[0,2]",
            "\"prompt\":0",
            "the state's rows.0.prompt must be a list of token ids, not 0",
        ),
        (
            "\"nextRow\":2",
            "\"nextRow\":1",
            "the state's nextRow must be above every row's id, not 1",
        ),
        (
            "\"id\":1",
            "\"id\":0",
            "the state's rows.1.id must be above the ids of the rows before it, not 0",
        ),
    ] {
        assert_eq!(changed(from, to).to_string(), message);
    }
}

/// With the feature `serde`, plain data goes through any of serde's formats as it goes through these tests.
#[test]
#[cfg(feature = "serde")]
fn plain_data_survives_serde() {
    let state = busy().state().unwrap();
    let text = serde_json::to_string(&state).unwrap();
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&text).unwrap().to_string(),
        common::json_text(&state)
    );
    let back: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(back, state);
    for plain in [
        Value::Null,
        Value::Bool(true),
        Value::Number(-0.5),
        Value::Number(1e300),
        Value::Unsigned(u64::MAX),
        Value::Text("\u{1f600} \"\\".into()),
        Value::List(vec![Value::Unsigned(0), Value::List(Vec::new())]),
        Value::Map(vec![("b".into(), Value::Null), ("a".into(), Value::Map(Vec::new()))]),
    ] {
        let text = serde_json::to_string(&plain).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), plain, "{text}");
    }
    let negative: Value = serde_json::from_str("-7").unwrap();
    assert_eq!(negative, Value::Number(-7.0));
}
