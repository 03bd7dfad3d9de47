//! Draws follow the probabilities of the mathematics: G-tests against the f64 oracle, over the recorded rows.
//!
//! Fixed seeds, p above 1e-6, no retries: a test that fails once fails for ever.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

mod common;
mod oracle;

use common::ROWS;
use common::statistics::{chi_squared_tail, counts, p_value};
use nucleus_sampler::{Options, Sampler};
use oracle::{Plan, probabilities_by_id};

/// The least p-value that passes.
const LEAST: f64 = 1e-6;

fn chains() -> Vec<Options> {
    let plain = Options::default();
    vec![
        plain.clone(),
        Options { temperature: Some(0.7), ..plain.clone() },
        Options { temperature: Some(1.5), ..plain.clone() },
        Options { temperature: Some(0.8), top_p: Some(0.95), ..plain.clone() },
        Options { top_k: Some(50), ..plain.clone() },
        Options { temperature: Some(1.3), top_k: Some(200), min_p: Some(0.02), ..plain.clone() },
        Options { top_p: Some(0.999), logit_bias: Some(vec![(0, 12.0), (9, -5.0)]), ..plain },
    ]
}

/// What the oracle says of a chain over a row: the probability of every token of the vocabulary.
fn probabilities(options: &Options, row: &[f32]) -> Vec<f64> {
    probabilities_by_id(&Plan::of(options), row)
}

fn seeded(options: &Options, seed: u64) -> Sampler {
    Sampler::new(Options { seed: Some(seed), ..options.clone() }).unwrap()
}

/// Nothing outside the kept set is ever drawn, for a count where the probability is 0 gives a p-value of 0.
#[test]
fn two_hundred_thousand_draws_of_sample_many_fit_on_every_row_under_every_chain() {
    for (i, name) in ROWS.iter().enumerate() {
        let row = common::row(name);
        for (j, options) in chains().iter().enumerate() {
            let tokens = seeded(options, (100 * i + j) as u64).sample_many(&row, 200_000).unwrap();
            let p = p_value(&counts(&tokens, row.len()), &probabilities(options, &row));
            assert!(p > LEAST, "{name}: p = {p}, {options:?}");
        }
    }
}

#[test]
fn draws_of_sample_fit_one_by_one() {
    for (i, name) in ROWS.iter().enumerate() {
        let row = &common::row(name)[..2000];
        for (j, options) in chains().iter().enumerate() {
            let mut sampler = seeded(options, (1000 + 100 * i + j) as u64);
            let tokens: Vec<u32> = (0..4000).map(|_| sampler.sample(row).unwrap()).collect();
            let p = p_value(&counts(&tokens, row.len()), &probabilities(options, row));
            assert!(p > LEAST, "{name}: p = {p}, {options:?}");
        }
    }
}

/// One draw from each of many seeds: what a user sees who starts anew every time.
#[test]
fn first_draws_of_successive_seeds_fit() {
    let row = [0.0, 1.0, 2.0, 0.5, -1.0, 1.5];
    let tokens: Vec<u32> =
        (0..50_000).map(|seed| seeded(&Options::default(), seed).sample(&row).unwrap()).collect();
    let p = p_value(&counts(&tokens, row.len()), &probabilities(&Options::default(), &row));
    assert!(p > LEAST, "p = {p}");
}

/// Pairs of draws at the same position, from two streams or two seeds: the table of pairs is the product of its sides.
#[test]
fn streams_and_seeds_are_independent_of_each_other() {
    let row = [0.0, 1.0, 2.0, 0.5, -1.0, 1.5, 1.0];
    let single = probabilities(&Options::default(), &row);
    let product: Vec<f64> = single.iter().flat_map(|p| single.iter().map(move |q| p * q)).collect();
    let draws = |seed, stream| {
        let options = Options { stream: Some(stream), ..Options::default() };
        seeded(&options, seed).sample_many(&row, 100_000).unwrap()
    };
    let first = draws(42, 0);
    for (seed, stream) in
        [(42, 1), (42, 2), (42, 1 << 31), (42, u32::MAX), (43, 0), (42 + (1 << 32), 0)]
    {
        let pairs = pairs(&first, &draws(seed, stream), row.len());
        let p = p_value(&pairs, &product);
        assert!(p > LEAST, "seed {seed}, stream {stream}: p = {p}");
    }
}

/// A draw says nothing of the next one of the same stream, nor of the one eight words on, where ChaCha's block ends.
#[test]
fn successive_draws_of_a_stream_are_independent() {
    let row = [0.0, 1.0, 2.0, 0.5, -1.0, 1.5, 1.0];
    let single = probabilities(&Options::default(), &row);
    let product: Vec<f64> = single.iter().flat_map(|p| single.iter().map(move |q| p * q)).collect();
    let tokens = seeded(&Options::default(), 6).sample_many(&row, 200_000).unwrap();
    for lag in [1, 2, 7, 8, 9, 16, 1000] {
        // Disjoint pairs, so that no draw is counted on both sides.
        let starts = (0..tokens.len() - lag).filter(|i| i / lag % 2 == 0);
        let (a, b): (Vec<u32>, Vec<u32>) = starts.map(|i| (tokens[i], tokens[i + lag])).unzip();
        let p = p_value(&pairs(&a, &b, row.len()), &product);
        assert!(p > LEAST, "lag {lag}: p = {p}");
    }
}

fn pairs(a: &[u32], b: &[u32], n: usize) -> Vec<u64> {
    let mut counts = vec![0; n * n];
    a.iter().zip(b).for_each(|(a, b)| counts[*a as usize * n + *b as usize] += 1);
    counts
}

/// Rows of a batch, each from the stream of its id, draw fairly together.
#[test]
fn the_rows_of_a_batch_fit_as_one_sample() {
    let row = [0.3, 0.0, 1.0, 2.0, 0.5];
    let mut sampler = seeded(&Options::default(), 77);
    let mut tokens = Vec::new();
    for _ in 0..500 {
        let rows = nucleus_sampler::Rows::First(64);
        tokens.extend(sampler.sample_batch(&row.repeat(64), rows).unwrap());
    }
    let p = p_value(&counts(&tokens, row.len()), &probabilities(&Options::default(), &row));
    assert!(p > LEAST, "p = {p}");
}

/// The test can fail: draws at another temperature, or of a token that was cut off, are found out.
#[test]
fn the_g_test_finds_out_draws_that_do_not_fit() {
    let row = common::row("once");
    let warm = Options { temperature: Some(1.02), ..Options::default() };
    let tokens = seeded(&warm, 1).sample_many(&row, 200_000).unwrap();
    let wrong = probabilities(&Options::default(), &row);
    assert!(p_value(&counts(&tokens, row.len()), &wrong) < LEAST);
    let cut = Options { top_p: Some(0.999), ..Options::default() };
    let tokens = seeded(&Options::default(), 1).sample_many(&row, 20_000).unwrap();
    assert_eq!(p_value(&counts(&tokens, row.len()), &probabilities(&cut, &row)), 0.0);
}

/// Tables: chi-squared at 5 %, 1 % and 0.1 %, and both branches of the function far out.
#[test]
fn the_tail_of_chi_squared_is_that_of_the_tables() {
    for (x, degrees, tail) in [
        (3.841_459, 1.0, 0.05),
        (6.634_897, 1.0, 0.01),
        (18.307_038, 10.0, 0.05),
        (29.588_298, 10.0, 0.001),
        (124.342_113, 100.0, 0.05),
        (1_074.679_449, 1000.0, 0.05),
        (0.0, 7.0, 1.0),
        (2.0, 2.0, 0.367_879_441),
        (60.0, 2.0, 9.357_623e-14),
    ] {
        let found = chi_squared_tail(x, degrees);
        assert!((found / tail - 1.0).abs() < 2e-6, "{x}, {degrees}: {found} is not {tail}");
    }
}

/// The crate's own statistics, which the page shows, say the same as these.
#[test]
fn the_crate_s_own_p_value_agrees() {
    let probabilities = [0.1, 0.2, 0.3, 0.4];
    for counts in [[12u64, 18, 33, 37], [10, 20, 30, 40], [100, 180, 330, 390], [30, 20, 20, 30]] {
        let found = nucleus_sampler::stats::goodness_of_fit(&counts, &probabilities).unwrap();
        let expected = p_value(&counts, &probabilities);
        assert!((found.p_value - expected).abs() < 1e-9, "{found:?} is not {expected}");
    }
}
