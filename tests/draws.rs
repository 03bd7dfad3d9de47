//! The draws of an independent reference of the contract, over the recorded rows.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

mod common;

use nucleus_sampler::{Options, Sampler};

#[test]
fn kept_counts_and_tokens_are_those_of_the_reference() {
    let golden = common::json("draws.json");
    let (mut n, mut differing) = (0, Vec::new());
    for case in golden["cases"].as_array().unwrap() {
        let logits = common::row(case["row"].as_str().unwrap());
        let seed = case["seed"].as_str().unwrap().parse().unwrap();
        let options = Options { seed: Some(seed), ..common::options(&case["options"]) };
        let mut sampler = Sampler::new(options).unwrap();
        let kept = sampler.distribution(&logits).unwrap().kept_count as u64;
        assert_eq!(Some(kept), case["kept_count"].as_u64(), "{}", case["options"]);
        for (position, token) in case["tokens"].as_array().unwrap().iter().enumerate() {
            let drawn = sampler.sample(&logits).unwrap();
            n += 1;
            if Some(u64::from(drawn)) != token.as_u64() {
                differing.push((
                    case["row"].clone(),
                    case["options"].clone(),
                    seed,
                    position,
                    drawn,
                    token.clone(),
                ));
            }
        }
    }
    println!("{differing:?}");
    assert_eq!(n, 4800);
    assert!(differing.is_empty(), "{differing:?}");
}
