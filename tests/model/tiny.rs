//! The model of the package, natively: the texts that the package writes with it in WebAssembly.

use std::path::Path;

use nucleus_sampler::model::Model;
use serde_json::Value;

fn read(file: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap()
}

fn ids(value: &Value) -> Vec<u32> {
    value.as_array().unwrap().iter().map(|id| id.as_u64().unwrap() as u32).collect()
}

/// The first of the likeliest tokens.
fn likeliest(logits: &[f32]) -> u32 {
    let best = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    logits.iter().position(|&logit| logit == best).unwrap() as u32
}

#[test]
fn greedy_texts_are_the_golden_ones() {
    let model = Model::load(&read("models/tiny.gguf")).unwrap();
    let golden: Value = serde_json::from_slice(&read("tests/golden/tiny.json")).unwrap();
    let cases = golden["cases"].as_array().unwrap();
    assert!(!cases.is_empty());
    for case in cases {
        let mut session = model.session();
        let mut logits = session.prefill(&ids(&case["prompt_ids"])).unwrap();
        let expected = ids(&case["greedy_ids"]);
        assert!(!expected.is_empty());
        for (i, token) in expected.into_iter().enumerate() {
            assert_eq!(likeliest(&logits), token, "{}, step {i}", case["prompt"]);
            logits = session.step(token).unwrap();
        }
    }
}
