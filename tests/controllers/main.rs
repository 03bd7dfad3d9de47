//! Controllers: how mirostat and adaptive-p follow what was drawn and accepted, alone, in batches and across states.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

#[path = "../common/mod.rs"]
mod common;
#[path = "../oracle/mod.rs"]
mod oracle;

mod learning;
mod pending;
mod serving;
mod states;
mod updates;

use nucleus_sampler::{Options, Sampler};

/// Mirostat of a version that aims at tau.
fn mirostat(version: u32, tau: f64) -> Options {
    Options { mirostat_version: Some(version), mirostat_tau: Some(tau), ..Options::default() }
}

/// Adaptive-p with this target.
fn adaptive_p(target: f64) -> Options {
    Options { adaptive_p_target: Some(target), ..Options::default() }
}

/// Every controller, with numbers under which short rows move it.
fn controlled() -> [Options; 3] {
    [mirostat(1, 1.5), mirostat(2, 1.5), adaptive_p(0.3)]
}

/// What row 0 has pending.
fn pending(sampler: &mut Sampler) -> Option<(u32, f64)> {
    sampler.row(0).unwrap().controllers().pending()
}

/// How many accepted tokens of row 0 were not the pending one.
fn unmatched(sampler: &mut Sampler) -> u64 {
    sampler.row(0).unwrap().controllers().unmatched_accepts()
}

/// Logits without a pattern: shape (n), in [-4, 4).
fn scattered(n: usize, seed: u32) -> Vec<f32> {
    let mut word = seed;
    (0..n)
        .map(|_| {
            word = word.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (word >> 8) as f32 / (1 << 21) as f32 - 4.0
        })
        .collect()
}
