//! SmolLM2-135M-Instruct, Q4_1, against the reference: transformers on torch with the same weights in float32.
//!
//! The file is fetched by `scripts/fetch-smollm2.mjs`; these tests are a suite of `npm run test:long`.
#![cfg(all(feature = "model", not(target_arch = "wasm32")))]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test"
)]

mod common;

use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Instant;

use nucleus_sampler::model::Model;
use serde_json::Value;

/// How far a logit may be from the reference's.
const TOLERANCE: f32 = 0.01;

fn model() -> &'static Model {
    static MODEL: OnceLock<Model> = OnceLock::new();
    MODEL.get_or_init(|| {
        let file = "SmolLM2-135M-Instruct.Q4_1.gguf";
        let folder = std::env::var_os("NUCLEUS_MODELS").map_or_else(
            || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(".tools/models"),
            PathBuf::from,
        );
        let bytes = std::fs::read(folder.join(file)).unwrap_or_else(|error| {
            panic!(
                "{file} is not in {}: {error}; run node scripts/fetch-smollm2.mjs",
                folder.display()
            )
        });
        let start = Instant::now();
        let model = Model::load(&bytes).unwrap();
        eprintln!("loaded in {:?}", start.elapsed());
        model
    })
}

fn ids(value: &Value) -> Vec<u32> {
    value.as_array().unwrap().iter().map(|id| id.as_u64().unwrap() as u32).collect()
}

#[test]
#[ignore = "needs the model: npm run test:long"]
fn logits_are_the_references() {
    let prompts = common::json("rows/prompts.json");
    for name in common::ROWS {
        let tokens = ids(&prompts["rows"][name]["ids"]);
        let found = model().session().prefill(&tokens).unwrap();
        let off =
            found.iter().zip(common::row(name)).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        eprintln!("{name}: off by at most {off}");
        assert!(off <= TOLERANCE, "{name}: {off}");
        let hash = found
            .iter()
            .fold(0u32, |hash, logit| hash.wrapping_mul(31).wrapping_add(logit.to_bits()));
        assert_eq!(Some(&(name, hash)), STABLE.iter().find(|(row, _)| *row == name));
    }
}

/// A hash of each row's bits: what every build and engine gives.
const STABLE: [(&str, u32); 5] = [
    ("capital", 953702319),
    ("once", 4054124543),
    ("seven", 149561230),
    ("code", 634366842),
    ("list", 3927988392),
];

/// The first step at which the greedy text may differ: where the two best logits are this near.
#[test]
#[ignore = "needs the model: npm run test:long"]
fn greedy_text_is_the_references() {
    let reference = common::json("smollm2_reference.json");
    let (mut n, start) = (0, Instant::now());
    for (name, case) in reference["greedy"].as_object().unwrap() {
        let mut session = model().session();
        let mut logits = session.prefill(&ids(&case["prompt_ids"])).unwrap();
        let steps = ids(&case["greedy_ids"]).into_iter().zip(case["margin"].as_array().unwrap());
        for (i, (expected, margin)) in steps.enumerate() {
            let mut best: Vec<u32> = (0..logits.len() as u32).collect();
            best.sort_by(|&a, &b| logits[b as usize].total_cmp(&logits[a as usize]));
            let reached = logits[best[0] as usize] - logits[best[1] as usize];
            let margin = margin.as_f64().unwrap() as f32;
            if margin >= TOLERANCE {
                assert_eq!(best[0], expected, "{name}, step {i}");
                // Two logits, each as near as it has to be, and the rounding of the margin.
                assert!((reached - margin).abs() <= 2.0 * TOLERANCE + 1e-4, "{name}, step {i}");
            }
            logits = session.step(expected).unwrap();
            n += 1;
        }
    }
    eprintln!("{n} tokens, {:.1} a second", f64::from(n) / start.elapsed().as_secs_f64());
}
