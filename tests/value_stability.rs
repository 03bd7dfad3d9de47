//! The contract with users: what a seed gives is what it gave before.
//!
//! A failure here is a *value change*. It is either a mistake, or it gets a heading of its own in the changelog.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

mod common;
mod oracle;

use common::stable::{OUTPUT, PROMPT, ROW, cases};
use nucleus_sampler::rng::{Purpose, Words};
use nucleus_sampler::{Options, Rows, Sampler};
use oracle::{Exact, Plan};

fn plan(options: &Options) -> Plan {
    let options = Options { seed: options.seed.or(Some(42)), ..options.clone() };
    Plan { options, prompt: PROMPT.to_vec(), output: OUTPUT.to_vec(), ..Plan::default() }
}

#[test]
fn value_stability() {
    for case in cases() {
        let plan = plan(&case.options);
        let mut sampler = plan.sampler();
        let kept = sampler.distribution(&ROW).unwrap().kept_count;
        let tokens = sampler.sample_many(&ROW, 16).unwrap();
        assert_eq!((kept, tokens.as_slice()), (case.kept_count, &case.tokens[..]), "{}", case.name);
    }
}

/// The literal masses are those of the oracle, to the last unit of 2^-44, and so the crate's.
#[test]
fn value_stability_of_masses() {
    for case in cases() {
        let plan = plan(&case.options);
        let kept = oracle::assert_agrees(&plan, &ROW, 16).unwrap();
        let mass = oracle::mass(&oracle::weights(&kept.ranked, kept.factor));
        assert_eq!(mass, u128::from(case.mass), "{}", case.name);
    }
}

#[test]
fn value_stability_of_words() {
    let golden = common::json("words.json");
    let cases = golden["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 45);
    for case in cases {
        let number = |text: &serde_json::Value| text.as_str().unwrap().parse::<u64>().unwrap();
        let (seed, stream) = (number(&case["seed"]), case["stream"].as_u64().unwrap());
        let first = case["position"].as_u64().unwrap();
        let mut words = Words::new(seed, stream as u32, Purpose::Draw);
        for (position, word) in (first..).zip(case["words"].as_array().unwrap()) {
            assert_eq!(words.word(position), number(word), "{case}");
            assert_eq!(oracle::word(seed, stream, position), number(word), "{case}");
        }
    }
}

/// The first four words of seed 42, stream 0.
#[test]
fn value_stability_of_seed_42() {
    let mut words = Words::new(42, 0, Purpose::Draw);
    let expected = [
        6_424_161_053_832_095_879,
        5_270_208_426_312_333_099,
        9_102_960_255_288_774_902,
        6_786_414_922_848_728_802,
    ];
    assert_eq!([0, 1, 2, 3].map(|n| words.word(n)), expected);
}

#[test]
fn value_stability_of_recorded_rows() {
    let nucleus = Options { temperature: Some(0.8), top_p: Some(0.95), ..Options::default() };
    let min_p = Options { temperature: Some(1.5), min_p: Some(0.01), ..Options::default() };
    for (name, options, kept, tokens) in [
        (
            "once",
            &nucleus,
            23,
            [5432, 3102, 8180, 6434, 8180, 3102, 8180, 3102, 8180, 8180, 8180, 8180],
        ),
        (
            "list",
            &nucleus,
            61,
            [11977, 11977, 11977, 11977, 21285, 2686, 11977, 11977, 11977, 21285, 11977, 21285],
        ),
        ("seven", &min_p, 11, [216, 216, 216, 216, 278, 216, 216, 216, 216, 253, 216, 278]),
        (
            "once",
            &Options::default(),
            49152,
            [3150, 3102, 7706, 4405, 8180, 2291, 7706, 3102, 6560, 8180, 8180, 8180],
        ),
    ] {
        let row = common::row(name);
        let mut sampler = Sampler::new(Options { seed: Some(42), ..options.clone() }).unwrap();
        assert_eq!(sampler.distribution(&row).unwrap().kept_count, kept, "{name}");
        assert_eq!(sampler.sample_many(&row, 12).unwrap(), tokens, "{name}");
        assert!(oracle::run::<Exact>(&Plan::of(options), &row).unwrap().ranked.len() == kept);
    }
}

#[test]
fn value_stability_of_a_batch() {
    let mut sampler = Sampler::new(Options { seed: Some(42), ..Options::default() }).unwrap();
    let batch = |sampler: &mut Sampler| sampler.sample_batch(&ROW.repeat(8), Rows::First(8));
    assert_eq!(batch(&mut sampler).unwrap(), [4, 9, 4, 8, 8, 8, 11, 2]);
    assert_eq!(batch(&mut sampler).unwrap(), [4, 2, 8, 8, 8, 8, 8, 8]);
}
