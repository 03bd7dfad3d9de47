//! What the integration tests share: the recorded rows and the golden files.
#![allow(dead_code, clippy::unwrap_used, clippy::panic, reason = "each test uses a part")]

use std::path::PathBuf;

use nucleus_sampler::Options;
use serde_json::Value;

/// The names of the recorded rows.
pub const ROWS: [&str; 5] = ["capital", "once", "seven", "code", "list"];

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

/// Options in the short names of the golden files.
pub fn options(params: &Value) -> Options {
    let mut options = Options::default();
    for (name, value) in params.as_object().unwrap() {
        let number = value.as_f64();
        match name.as_str() {
            "T" | "temperature" => options.temperature = number,
            "top_k" => options.top_k = value.as_u64().map(|k| k as u32),
            "top_p" => options.top_p = number,
            "min_p" => options.min_p = number,
            "repetition_penalty" => options.repetition_penalty = number,
            other => panic!("no option for {other}"),
        }
    }
    options
}
