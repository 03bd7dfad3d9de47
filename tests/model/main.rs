//! The transformer from outside: files, numbers, sequences.
#![cfg(feature = "model")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "tests; what the crate computes is compared with the platform's own functions"
)]

/// How many random models a property is tried on: fewer without optimisation, which makes each fifty times as slow.
pub const CASES: u32 = if cfg!(debug_assertions) { 4 } else { 60 };

mod blocks;
mod file;
mod forward;
mod hostile;
mod naive;
mod plan;
mod sessions;
mod tiny;
