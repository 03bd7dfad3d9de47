//! What the integration tests share: recorded rows, golden files, and short ways of asking.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "each test uses a part"
)]

pub mod double_double;
pub mod exponential;
pub mod function_errors;
pub mod plain;
pub mod sha256;
pub mod stable;
pub mod statistics;
pub mod texts;

use std::path::PathBuf;

use nucleus_sampler::value::Value as Plain;
use nucleus_sampler::{Options, Sampler, StageName};
use serde_json::Value;

/// The names of the recorded rows.
pub const ROWS: [&str; 5] = ["capital", "once", "seven", "code", "list"];

/// A banned token, a dead logit.
pub const DEAD: f32 = f32::NEG_INFINITY;

fn golden(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

/// A recorded row: 49,152 logits of SmolLM2-135M-Instruct.
pub fn row(name: &str) -> Vec<f32> {
    let bytes = std::fs::read(golden(&format!("rows/{name}.f32"))).unwrap();
    bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
}

/// A golden file.
pub fn json(name: &str) -> Value {
    serde_json::from_slice(&std::fs::read(golden(name)).unwrap()).unwrap()
}

/// Options in the short names of the golden files; a name that no present option has is given back as the error.
pub fn known_options(params: &Value) -> Result<Options, String> {
    let mut options = Options::default();
    for (name, value) in params.as_object().unwrap() {
        let number = value.as_f64();
        match name.as_str() {
            "T" | "temperature" => options.temperature = number,
            "top_k" => options.top_k = value.as_u64().map(|k| k as u32),
            "top_p" => options.top_p = number,
            "min_p" => options.min_p = number,
            "typical_p" => options.typical_p = number,
            "epsilon_cutoff" => options.epsilon_cutoff = number,
            "eta_cutoff" => options.eta_cutoff = number,
            "repetition_penalty" => options.repetition_penalty = number,
            "no_repeat_ngram_size" => {
                options.no_repeat_ngram_size = value.as_u64().map(|n| n as u32);
            }
            other => return Err(other.into()),
        }
    }
    Ok(options)
}

/// Options in the short names of the golden files.
pub fn options(params: &Value) -> Options {
    known_options(params).unwrap()
}

/// Logits whose softmax these probabilities are: ln p.
#[allow(clippy::disallowed_methods, reason = "the platform's library is good enough to make a row")]
pub fn ln(probabilities: &[f64]) -> Vec<f32> {
    probabilities.iter().map(|p| p.ln() as f32).collect()
}

/// A ramp of `n` tokens: the probability of a token is proportional to its id.
pub fn ramp(n: u32) -> Vec<f32> {
    ln(&(0..n).map(f64::from).collect::<Vec<_>>())
}

/// A sampler with a seed, so that nothing depends on the platform.
pub fn sampler(options: &Options) -> Sampler {
    let seed = options.seed.or(Some(42));
    Sampler::new(Options { seed, ..options.clone() }).unwrap()
}

/// The kept tokens, highest rank first.
pub fn kept(options: &Options, row: &[f32]) -> Vec<u32> {
    sampler(options).distribution(row).unwrap().token_ids
}

/// The kept tokens with their probabilities, by ascending id.
pub fn probabilities(options: &Options, row: &[f32]) -> Vec<(u32, f64)> {
    let distribution = sampler(options).distribution(row).unwrap();
    let mut pairs: Vec<_> = distribution.token_ids.into_iter().zip(distribution.probs).collect();
    pairs.sort_by_key(|(id, _)| *id);
    pairs
}

/// The kept tokens by ascending id, with the logits that the chain left.
pub fn logits(sampler: &mut Sampler, row: &[f32]) -> Vec<(u32, f32)> {
    let distribution = sampler.distribution(row).unwrap();
    let mut pairs: Vec<_> = distribution.token_ids.into_iter().zip(distribution.logits).collect();
    pairs.sort_by_key(|(id, _)| *id);
    pairs
}

/// The kept tokens have these probabilities, within 2e-6, and no other token is kept.
#[track_caller]
pub fn assert_probabilities(options: &Options, row: &[f32], expected: &[(u32, f64)]) {
    let found = probabilities(options, row);
    let ids = |pairs: &[(u32, f64)]| pairs.iter().map(|(id, _)| *id).collect::<Vec<_>>();
    assert_eq!(ids(&found), ids(expected), "{options:?}");
    for ((id, p), (_, q)) in found.iter().zip(expected) {
        assert!((p - q).abs() <= 2e-6, "token {id} has probability {p}, not {q}: {options:?}");
    }
}

/// The threshold that the report gives for a stage.
pub fn threshold(options: &Options, row: &[f32], stage: StageName) -> f64 {
    let report = sampler(options).report(row, false).unwrap();
    report
        .stages
        .iter()
        .find(|found| found.name == stage)
        .and_then(|found| found.threshold)
        .unwrap()
}

/// The state of a sampler as JSON text.
pub fn state_text(sampler: &Sampler) -> String {
    json_text(&sampler.state().unwrap())
}

/// Plain data as JSON text.
pub fn json_text(plain: &Plain) -> String {
    plain::to_json(plain).to_string()
}

/// Plain data from JSON text.
pub fn from_json_text(text: &str) -> Plain {
    plain::from_json(&serde_json::from_str(text).unwrap())
}
