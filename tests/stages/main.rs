//! Each stage as its documentation says it: thresholds just below, at and just above, ties, a single candidate, all
//! equal, dead and extreme logits, `min_keep`, the off value, and what the option changes.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]
#![allow(clippy::disallowed_methods, reason = "an expectation may use the platform's library")]

#[path = "../common/mod.rs"]
mod common;
#[path = "../oracle/mod.rs"]
mod oracle;

mod adaptive_p;
mod allowed_tokens;
mod bad_words;
mod draw;
mod dry;
mod dynamic_temperature;
mod epsilon_cutoff;
mod errors;
mod eta_cutoff;
mod extremes;
mod field_reports;
mod frequency_penalty;
mod guidance;
mod logit_bias;
mod mask;
mod min_keep;
mod min_new_tokens;
mod min_p;
mod mirostat;
mod no_repeat_ngram;
mod options;
mod order;
mod p_less;
mod penalties;
mod presence_penalty;
mod repetition_penalty;
mod smoothing;
mod tail_free;
mod temperature;
mod temperature_zero;
mod top_a;
mod top_h;
mod top_k;
mod top_n_sigma;
mod top_p;
mod typical_p;
mod window;
mod xtc;

use nucleus_sampler::{Options, Order, StageName};

/// Four tokens, highest last: the field's usual example.
fn four() -> Vec<f32> {
    common::ln(&[0.1, 0.2, 0.3, 0.4])
}

/// The float just above a positive one.
fn above(x: f64) -> f64 {
    f64::from_bits(x.to_bits() + 1)
}

/// The float just below a positive one.
fn below(x: f64) -> f64 {
    f64::from_bits(x.to_bits() - 1)
}

/// These options with an order.
fn ordered(order: &[StageName], options: Options) -> Options {
    Options { order: Some(Order::Listed(order.to_vec())), ..options }
}
