//! What the logits processors of Hugging Face's transformers, in float64, do to the recorded rows.
//!
//! Kept sets match wherever the cut lies further than 1e-7 of mass from the edge of a token, and nearer the count may
//! differ by one; probabilities match within 2e-6, entropies within 2e-6 + 1e-6 of their value.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

mod common;
mod oracle;

use std::collections::BTreeMap;

use common::sha256::sha256;
use nucleus_sampler::Distribution;
use oracle::{Plan, Real};
use serde_json::Value;

/// The cases of the present stages, and for the others what each waits for.
fn cases() -> (Vec<Value>, BTreeMap<String, usize>) {
    let golden = common::json("transformers_real_rows.json");
    let (mut present, mut left) = (Vec::new(), BTreeMap::new());
    for case in golden["cases"].as_array().unwrap() {
        match common::known_options(&case["params"]) {
            Ok(_) => present.push(case.clone()),
            Err(_) => *left.entry(case["params"].to_string()).or_default() += 1,
        }
    }
    (present, left)
}

fn plan(case: &Value) -> Plan {
    let history = case["history"].as_array().unwrap();
    let prompt = history.iter().map(|id| id.as_u64().unwrap() as u32).collect();
    let options = nucleus_sampler::Options { seed: Some(1), ..common::options(&case["params"]) };
    Plan { options, prompt, ..Plan::default() }
}

/// Every case runs, or waits for a stage by name.
#[test]
fn every_case_runs_or_waits_for_a_stage_that_is_named_here() {
    let (present, left) = cases();
    assert_eq!(present.len(), 115);
    let waiting = [
        r#"{"epsilon_cutoff":0.0003}"#,
        r#"{"epsilon_cutoff":0.0009,"top_p":0.97}"#,
        r#"{"eta_cutoff":0.002}"#,
        r#"{"no_repeat_ngram_size":2}"#,
        r#"{"no_repeat_ngram_size":3,"repetition_penalty":1.1,"top_p":0.95}"#,
        r#"{"temperature":0.7,"top_p":0.98,"typical_p":0.95}"#,
        r#"{"typical_p":0.2}"#,
        r#"{"typical_p":0.9}"#,
    ];
    assert_eq!(left.keys().map(String::as_str).collect::<Vec<_>>(), waiting);
    assert!(left.values().all(|n| *n == 5), "{left:?}");
}

#[test]
fn kept_sets_are_those_of_transformers() {
    let mut near = Vec::new();
    for case in cases().0 {
        let (plan, row) = (plan(&case), common::row(case["row"].as_str().unwrap()));
        let mut ids = plan.sampler().distribution(&row).unwrap().token_ids;
        ids.sort_unstable();
        let expected = case["kept_count"].as_u64().unwrap() as usize;
        if same_set(&ids, &case) {
            assert_eq!(ids.len(), expected);
            continue;
        }
        let slack = oracle::run::<Real>(&plan, &row).unwrap().slack;
        let name = format!("{} {}", case["row"], case["params"]);
        assert!(slack <= 1e-7, "{name}: the cut lies {slack} from the edge");
        assert!(ids.len().abs_diff(expected) <= 1, "{name}: {} is not {expected}", ids.len());
        near.push(name);
    }
    // All of them match in fact; a value change may move one that lies near.
    assert!(near.len() <= 2, "{near:?}");
}

fn same_set(ids: &[u32], case: &Value) -> bool {
    let bytes: Vec<u8> = ids.iter().flat_map(|id| id.to_le_bytes()).collect();
    let same = Some(sha256(&bytes).as_str()) == case["kept_ids_sha256"].as_str();
    if let Some(listed) = case["kept_ids"].as_array() {
        let listed: Vec<u32> = listed.iter().map(|id| id.as_u64().unwrap() as u32).collect();
        assert_eq!(same, ids == listed, "the digest and the list disagree");
    }
    same
}

#[test]
fn probabilities_of_the_ten_best_are_those_of_transformers() {
    let mut n = 0;
    for case in cases().0 {
        let found = found(&case);
        for pair in case["top10"].as_array().unwrap() {
            let (id, expected) = (pair[0].as_u64().unwrap() as u32, pair[1].as_f64().unwrap());
            let place = found.token_ids.iter().position(|found| *found == id);
            let p = place.map_or(0.0, |place| found.probs[place]);
            assert!((p - expected).abs() <= 2e-6, "token {id}: {p} is not {expected}, {case}");
            n += 1;
        }
    }
    assert_eq!(n, 1150);
}

#[test]
fn entropies_are_those_of_transformers() {
    for case in cases().0 {
        let (found, expected) = (found(&case).entropy, case["entropy_nats"].as_f64().unwrap());
        let tolerance = 2e-6 + 1e-6 * expected.abs();
        assert!((found - expected).abs() <= tolerance, "{found} is not {expected}, {case}");
    }
}

fn found(case: &Value) -> Distribution {
    let row = common::row(case["row"].as_str().unwrap());
    plan(case).sampler().distribution(&row).unwrap()
}

#[test]
fn the_digest_is_sha_256() {
    assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_eq!(
        sha256(b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    );
}
