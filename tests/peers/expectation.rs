//! What a case expects, checked against the crate.

use std::collections::BTreeMap;

use nucleus_sampler::batch::FAILED;
use nucleus_sampler::{Error, Rows};
use serde_json::Value;

use crate::given::Given;

/// Checks one case; its text is in every failure.
pub fn check(case: &Value, given: Result<Given, Error>) {
    if case["expected"]["kind"] == "error" {
        let result = given.and_then(|mut given| given.sampler.sample(&given.logits));
        assert!(result.is_err(), "{case}");
        return;
    }
    let mut given = given.unwrap_or_else(|error| panic!("{error}: {case}"));
    let (kind, values) = (case["expected"]["kind"].as_str().unwrap(), &case["expected"]["values"]);
    let tolerance = case["tolerance"].as_f64().unwrap_or(0.0);
    match kind {
        "invalid" => isolated(case, &mut given),
        "token" => drawn(case, &mut given, &[values.as_u64().unwrap()]),
        "token_in" => drawn(case, &mut given, &list(values)),
        "token_and_logprob" => {
            let found = given.sampler.sample_detailed(&given.logits).unwrap();
            assert_eq!(Some(u64::from(found.token)), values[0].as_u64(), "{case}");
            near(case, found.logprob_raw, values[1].as_f64().unwrap(), tolerance);
        }
        "frequency" => frequency(case, &mut given, tolerance),
        "probs_by_id" => probabilities(case, &mut given, tolerance),
        "logits" | "logits_at" => logits(case, &mut given, tolerance),
        "entropy" => {
            let found = given.sampler.distribution(&given.logits).unwrap().entropy;
            near(case, found, values.as_f64().unwrap(), tolerance);
        }
        _ => kept(case, kind, &mut given),
    }
}

#[track_caller]
fn near(case: &Value, found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} is not {expected}: {case}");
}

fn list(values: &Value) -> Vec<u64> {
    values.as_array().unwrap().iter().map(|value| value.as_u64().unwrap()).collect()
}

/// Whatever is drawn is one of the expected tokens.
fn drawn(case: &Value, given: &mut Given, expected: &[u64]) {
    for token in given.sampler.sample_many(&given.logits, 20_000).unwrap() {
        assert!(expected.contains(&u64::from(token)), "{token}: {case}");
    }
}

/// Sets of tokens.
fn kept(case: &Value, kind: &str, given: &mut Given) {
    let values = &case["expected"]["values"];
    let ranked: Vec<u64> = given
        .sampler
        .distribution(&given.logits)
        .unwrap()
        .token_ids
        .into_iter()
        .map(u64::from)
        .collect();
    let mut ids = ranked.clone();
    ids.sort_unstable();
    match kind {
        "kept_ids" => assert_eq!(ids, list(values), "{case}"),
        "kept_ids_ordered" => assert_eq!(ranked, list(values), "{case}"),
        "masked_ids" => {
            let alive = (0..given.logits.len() as u64).filter(|id| !list(values).contains(id));
            assert_eq!(ids, alive.collect::<Vec<_>>(), "{case}");
        }
        "kept_count" => assert_eq!(Some(ids.len() as u64), values.as_u64(), "{case}"),
        "kept_count_max" => assert!(ids.len() as u64 <= values.as_u64().unwrap(), "{case}"),
        "kept_count_min" => assert!(ids.len() as u64 >= values.as_u64().unwrap(), "{case}"),
        "kept_id_range" => {
            // The crate sums exactly: where a single-precision sum may be one off, it is not.
            let range = list(values);
            assert_eq!(ids, (range[0]..=range[1]).collect::<Vec<_>>(), "{case}");
            assert_eq!(Some(ids.len() as u64), case["expected"]["count"].as_u64(), "{case}");
        }
        "kept" => {
            assert_eq!(values.as_str(), Some("exactly the argmax"), "{case}");
            let best = given.logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let argmax = given.logits.iter().position(|l| *l == best).unwrap() as u64;
            assert_eq!(ranked, [argmax], "{case}");
        }
        other => panic!("no kind {other}: {case}"),
    }
}

/// The tokens listed have these probabilities; those not listed are not kept.
fn probabilities(case: &Value, given: &mut Given, tolerance: f64) {
    let distribution = given.sampler.distribution(&given.logits).unwrap();
    let found: BTreeMap<u32, f64> =
        distribution.token_ids.into_iter().zip(distribution.probs).collect();
    let expected = case["expected"]["values"].as_object().unwrap();
    for (id, p) in expected {
        let found = found.get(&id.parse().unwrap()).copied().unwrap_or(0.0);
        near(case, found, p.as_f64().unwrap(), tolerance);
    }
    assert!(found.keys().all(|id| expected.contains_key(&id.to_string())), "{found:?}: {case}");
}

/// The logits that the chain left: of all tokens, or of those named.
fn logits(case: &Value, given: &mut Given, tolerance: f64) {
    let distribution = given.sampler.distribution(&given.logits).unwrap();
    let found: BTreeMap<u32, f32> =
        distribution.token_ids.into_iter().zip(distribution.logits).collect();
    let check = |id: u32, expected: &Value| match expected.as_f64() {
        Some(expected) => {
            // The file gives decimals, the row holds the nearest single-precision number.
            let rounding = 1e-7 * expected.abs();
            near(case, f64::from(found[&id]), expected, tolerance + rounding);
        }
        None => assert!(!found.contains_key(&id), "{id} is kept: {case}"),
    };
    match &case["expected"]["values"] {
        Value::Array(list) => (0..).zip(list).for_each(|(id, expected)| check(id, expected)),
        Value::Object(named) => {
            named.iter().for_each(|(id, expected)| check(id.parse().unwrap(), expected));
        }
        other => panic!("no logits {other}: {case}"),
    }
}

fn frequency(case: &Value, given: &mut Given, tolerance: f64) {
    let n = case["expected"]["draws"].as_u64().unwrap() as usize;
    let tokens = given.sampler.sample_many(&given.logits, n).unwrap();
    for (id, expected) in (0..).zip(case["expected"]["values"].as_array().unwrap()) {
        let count = tokens.iter().filter(|token| **token == id).count();
        near(case, count as f64 / n as f64, expected.as_f64().unwrap(), tolerance);
    }
}

/// A bad row of a batch has no token, and its neighbours are as they are alone.
fn isolated(case: &Value, given: &mut Given) {
    let good = vec![0.25; given.logits.len()];
    let rows = [good.clone(), given.logits.clone(), good.clone()].concat();
    let mut alone = given.sampler.clone();
    let tokens = given.sampler.sample_batch(&rows, Rows::First(3)).unwrap();
    assert_eq!(tokens[1], FAILED, "{case}");
    assert_eq!(given.sampler.row_errors().len(), 1, "{case}");
    alone.add_row(nucleus_sampler::Options::default()).unwrap();
    alone.add_row(nucleus_sampler::Options::default()).unwrap();
    for id in [0, 2] {
        assert_eq!(alone.row(id).unwrap().sample(&good).unwrap(), tokens[id as usize], "{case}");
    }
}
