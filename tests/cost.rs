//! What a draw costs, counted: exponentials, groups searched, places of lists, and bytes allocated. Speed cannot rot unseen.
//!
//! `tests/golden/cost.txt` has a line for each real row, temperature and chain. Where a change alters it on purpose, the
//! failing test prints the new lines.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]
#![allow(unsafe_code, reason = "an allocator that counts")]

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use nucleus_sampler::{Cost, Input, Options, Sampler};

thread_local! {
    static ALLOCATED: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator, with the bytes that this thread asked for.
struct Counting;

// SAFETY: everything is handed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATED.set(ALLOCATED.get() + layout.size());
        // SAFETY: as the caller promised.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller promised.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATED.set(ALLOCATED.get() + size);
        // SAFETY: as the caller promised.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const TEMPERATURES: [f64; 3] = [0.7, 0.8, 1.5];

fn chains() -> [(&'static str, Options); 11] {
    let none = Options::default();
    [
        ("greedy", Options { temperature: Some(0.0), ..none.clone() }),
        ("none", none.clone()),
        ("top-p", Options { top_p: Some(0.95), ..none.clone() }),
        ("top-k", Options { top_k: Some(40), ..none.clone() }),
        ("top-k + top-p", Options { top_k: Some(40), top_p: Some(0.95), ..none.clone() }),
        ("min-p", Options { min_p: Some(0.05), ..none.clone() }),
        ("top-p + min-p", Options { top_p: Some(0.95), min_p: Some(0.05), ..none.clone() }),
        (
            "penalties + top-p",
            Options {
                repetition_penalty: Some(1.1),
                frequency_penalty: Some(0.2),
                top_p: Some(0.95),
                ..none.clone()
            },
        ),
        ("mirostat 1", Options { mirostat_version: Some(1), ..none.clone() }),
        ("mirostat 2", Options { mirostat_version: Some(2), ..none.clone() }),
        ("min-p + adaptive-p", Options { min_p: Some(0.05), adaptive_p_target: Some(0.3), ..none }),
    ]
}

/// The stages that look at entropies, deviations, bends and squares, alone and after a cut.
fn further_chains() -> Vec<(&'static str, Options)> {
    let none = Options::default();
    let alone = [
        ("typical-p", Options { typical_p: Some(0.9), ..none.clone() }),
        ("top-n-sigma", Options { top_n_sigma: Some(1.5), ..none.clone() }),
        ("top-a", Options { top_a: Some(0.3), ..none.clone() }),
        ("top-h", Options { top_h: Some(0.6), ..none.clone() }),
        ("tail-free", Options { tail_free: Some(0.9), ..none.clone() }),
        ("p-less", Options { p_less: Some(true), ..none.clone() }),
        ("epsilon", Options { epsilon_cutoff: Some(3e-4), ..none.clone() }),
        ("eta", Options { eta_cutoff: Some(2e-3), ..none.clone() }),
        ("smoothing", Options { smoothing_factor: Some(0.2), ..none.clone() }),
        ("dynamic temperature", Options { dynamic_temperature_range: Some(0.5), ..none }),
    ];
    let cut =
        |options: &Options| Options { top_p: Some(0.98), top_k: Some(500), ..options.clone() };
    let after: Vec<_> = alone.iter().map(|(chain, options)| (*chain, cut(options))).collect();
    alone.into_iter().chain(after).collect()
}

/// The cost of a draw, and the bytes that twenty more allocate once memory has settled.
fn cost(options: Options, row: &[f32]) -> (Cost, usize) {
    let mut sampler = Sampler::new(Options { seed: Some(1), ..options }).unwrap();
    for token in 0..64 {
        sampler.accept(token * 701 % row.len() as u32).unwrap();
    }
    for _ in 0..20 {
        sampler.sample(row).unwrap();
    }
    let cost = sampler.latest_cost();
    let before = ALLOCATED.get();
    for _ in 0..20 {
        sampler.sample(row).unwrap();
    }
    (cost, ALLOCATED.get() - before)
}

#[test]
fn every_chain_on_every_real_row_costs_what_it_did() {
    let mut lines = String::new();
    for name in common::ROWS {
        let row = common::row(name);
        for temperature in TEMPERATURES {
            for (chain, options) in chains() {
                let options =
                    Options { temperature: options.temperature.or(Some(temperature)), ..options };
                let (Cost { exponentials, groups, listed, .. }, bytes) = cost(options, &row);
                lines += &format!(
                    "{name}, T {temperature}, {chain}: {exponentials} exponentials, {groups} groups, {listed} listed, {bytes} bytes\n"
                );
            }
        }
    }
    assert_eq!(lines, include_str!("golden/cost.txt"), "tests/golden/cost.txt should be\n{lines}");
}

/// Chains of the stages that look at the text, at the second row and at the coin, that of a text that repeats itself.
fn text_chains() -> [(&'static str, Options); 6] {
    let none = Options::default();
    [
        ("n-grams", Options { no_repeat_ngram_size: Some(2), ..none.clone() }),
        ("no token twice", Options { no_repeat_ngram_size: Some(1), ..none.clone() }),
        (
            "dry + top-p",
            Options {
                dry_multiplier: Some(0.8),
                dry_breakers: Some(vec![vec![1, 2]]),
                top_p: Some(0.95),
                ..none.clone()
            },
        ),
        (
            "bans",
            Options {
                bad_words: Some(vec![vec![3], vec![0, 4]]),
                min_new_tokens: Some(1000),
                eos_token_ids: Some(vec![5]),
                ..none.clone()
            },
        ),
        (
            "guidance + min-p",
            Options { guidance_scale: Some(1.5), min_p: Some(0.05), ..none.clone() },
        ),
        ("xtc", Options { xtc_probability: Some(0.5), xtc_threshold: Some(0.01), ..none }),
    ]
}

/// The bytes that twenty draws allocate once memory has settled.
fn bytes_after_a_repeated_text(options: Options, row: &[f32]) -> usize {
    let mut sampler = Sampler::new(Options { seed: Some(1), ..options }).unwrap();
    for token in (0..120).map(|i| i % 7) {
        sampler.accept(token).unwrap();
    }
    let second: Vec<f32> = row.iter().rev().copied().collect();
    let input = Input { unconditional: Some(&second), ..Input::from(row) };
    let mut draw = || (0..20).for_each(|_| assert!(sampler.sample(input).is_ok()));
    draw();
    let before = ALLOCATED.get();
    draw();
    ALLOCATED.get() - before
}

#[test]
fn a_steady_state_allocates_nothing() {
    let mut state = 1u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 24) as f32
    };
    for n in [10, 1000, 40_000] {
        // The sum of six is close to a gaussian.
        let row: Vec<f32> = (0..n).map(|_| (0..6).map(|_| next()).sum::<f32>() * 1.4).collect();
        for (chain, options) in chains().into_iter().chain(further_chains()) {
            let (_, bytes) = cost(options, &row);
            assert_eq!(bytes, 0, "{chain} on {n} logits");
        }
        for (chain, options) in text_chains() {
            let bytes = bytes_after_a_repeated_text(options, &row);
            assert_eq!(bytes, 0, "{chain} on {n} logits");
        }
    }
}

/// However many tokens come near the cut, each stage takes a few exponentials a token, most of them one or two.
#[test]
fn the_further_stages_take_each_weight_a_few_times() {
    for name in ["capital", "once"] {
        let row = common::row(name);
        for (chain, options) in further_chains() {
            let (Cost { exponentials, .. }, _) = cost(options, &row);
            let limit = 5 * row.len() as u64 / 2;
            assert!(exponentials <= limit, "{chain} on {name}: {exponentials} exponentials");
        }
    }
}

/// The cost of a draw by top-p.
fn nucleus(top_p: f64, row: &[f32]) -> Cost {
    cost(Options { top_p: Some(top_p), ..Options::default() }, row).0
}

#[test]
fn equal_logits_do_not_make_a_search_long() {
    let n = 131_072;
    let equal = vec![0.5; n];
    let two: Vec<f32> = (0..n).map(|i| if i % 2 == 0 { 0.0 } else { 0.1 }).collect();
    let mut one_above = equal.clone();
    one_above[70_000] = 0.75;
    let close: Vec<f32> = (0..n).map(|i| f32::from_bits(0x3f00_0000 + (i % 7) as u32)).collect();
    for (name, row) in [("equal", equal), ("two", two), ("one above", one_above), ("close", close)]
    {
        for p in [0.05, 0.5, 0.95, 0.999_999] {
            let Cost { exponentials, listed, .. } = nucleus(p, &row);
            assert!(listed <= 3 * n as u64, "{name}, top-p {p}: {listed} places of lists");
            assert!(exponentials <= 3 * n as u64, "{name}, top-p {p}: {exponentials} exponentials");
        }
    }
}

#[test]
fn one_token_that_holds_all_costs_one_weighing() {
    let n = 65_536;
    for at in [0, 300, 777, n - 1] {
        let mut row = vec![-80.0; n];
        row[at] = 20.0;
        let Cost { exponentials, listed, .. } = nucleus(0.95, &row);
        assert!(exponentials < n as u64 * 5 / 4, "token {at}: {exponentials} exponentials");
        assert!(listed < n as u64 / 4, "token {at}: {listed} places of lists");
    }
}
