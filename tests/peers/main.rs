//! Cases from other samplers' own tests, re-expressed as numbers: those of the present stages, where the rule is ours.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

#[path = "../common/mod.rs"]
mod common;

mod expectation;
mod given;
mod left;

use serde_json::Value;

fn cases() -> Vec<Value> {
    common::json("peer_cases.json")["cases"].as_array().unwrap().clone()
}

fn id(case: &Value) -> &str {
    case["id"].as_str().unwrap()
}

#[test]
fn the_cases_of_the_present_stages_come_out_as_their_authors_expect() {
    let mut n_run = 0;
    for case in cases() {
        if left::reason(id(&case)).is_none() {
            expectation::check(&case, given::given(&case));
            n_run += 1;
        }
    }
    assert_eq!(n_run, 99);
}

/// Nothing is left out in silence: every case that does not run is listed with its reason, and no case that is not
/// there is listed.
#[test]
fn every_case_left_out_is_listed_with_its_reason() {
    let cases = cases();
    assert_eq!(cases.len(), 121);
    for (listed, reason) in left::LEFT {
        println!("{listed} {reason}");
        assert_eq!(cases.iter().filter(|case| id(case) == *listed).count(), 1, "{listed}");
        assert_eq!(left::LEFT.iter().filter(|(id, _)| id == listed).count(), 1, "{listed}");
    }
    assert_eq!(left::LEFT.len(), 22);
}
