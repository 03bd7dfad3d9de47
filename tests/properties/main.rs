//! What must hold for every row, every chain and every sequence of calls: random ones, from fixed seeds.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

#[path = "../common/mod.rs"]
mod common;
#[path = "../oracle/mod.rs"]
mod oracle;

mod acceptance;
mod calls;
mod chains;
mod exactness;
mod failures;
mod first_writes;
mod resume;
mod shape;
mod strategies;
mod text_stages;
mod texts;

use std::fmt::Debug;

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestRunner};

/// Tries `property` on `cases` values, the same ones every time; a failure is shrunk before it is shown.
#[track_caller]
fn check<S>(cases: u32, strategy: S, property: impl Fn(S::Value))
where
    S: Strategy,
    S::Value: Debug,
{
    let config = Config {
        cases,
        rng_seed: RngSeed::Fixed(0x6e75_636c_6575_7300),
        failure_persistence: None,
        max_shrink_iters: 2000,
        ..Config::default()
    };
    let result = TestRunner::new(config).run(&strategy, |value| {
        property(value);
        Ok::<(), TestCaseError>(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
}
