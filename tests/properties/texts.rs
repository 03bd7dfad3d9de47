//! Random texts that repeat themselves, and the options of the stages that look at them, at a second row, and at the coin.

use nucleus_sampler::{Options, Window};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use crate::chains::shares;

/// Prompt and output: any tokens, or those of a small alphabet, which repeat each other.
pub fn texts() -> impl Strategy<Value = (Vec<u32>, Vec<u32>)> {
    let ids = || vec(any::<u32>(), 0..30usize);
    (ids(), ids(), option::weighted(0.6, 1..5u32)).prop_map(|(prompt, output, kinds)| {
        let of_kinds = |ids: Vec<u32>| match kinds {
            Some(kinds) => ids.into_iter().map(|id| id % kinds).collect(),
            None => ids,
        };
        (of_kinds(prompt), of_kinds(output))
    })
}

/// Sequences of a few of the first tokens.
fn sequences() -> impl Strategy<Value = Vec<Vec<u32>>> {
    vec(vec(0..6u32, 1..4usize), 0..4usize)
}

/// The options of DRY.
fn dry() -> impl Strategy<Value = Options> {
    let multiplier = prop_oneof![4 => 0.0..3.0f64, 1 => proptest::sample::select(vec![0.0, 1e300])];
    let base = prop_oneof![4 => 1.0..3.0f64, 1 => proptest::sample::select(vec![1.0, 1e40, 1e308])];
    let window = prop_oneof![Just(0u32), 1..70u32, Just(u32::MAX)];
    let given = (
        multiplier,
        option::of(base),
        option::weighted(0.7, 0..6u32),
        option::of(window),
        option::of(sequences()),
    );
    given.prop_map(|(multiplier, dry_base, dry_allowed_length, window, dry_breakers)| Options {
        dry_multiplier: Some(multiplier),
        dry_base,
        dry_allowed_length,
        dry_last_n: window.map(Window),
        dry_breakers,
        ..Options::default()
    })
}

/// The options of XTC.
pub fn xtc() -> impl Strategy<Value = Options> {
    let threshold = prop_oneof![3 => 1e-6..=0.5f64, 1 => proptest::sample::select(vec![0.5, 0.1, f64::MIN_POSITIVE])];
    (shares(), option::of(threshold), option::weighted(0.3, vec(0..3000u32, 0..300usize))).prop_map(
        |(probability, xtc_threshold, xtc_protected_tokens)| Options {
            xtc_probability: Some(probability),
            xtc_threshold,
            xtc_protected_tokens,
            ..Options::default()
        },
    )
}

/// The masks that follow the text.
fn bans() -> impl Strategy<Value = Options> {
    (
        option::weighted(0.3, sequences()),
        option::weighted(0.3, (0..40u32, vec(0..6u32, 1..3usize))),
        option::weighted(0.3, prop_oneof![4 => 0..6u32, 1 => Just(u32::MAX)]),
    )
        .prop_map(|(bad_words, end, no_repeat_ngram_size)| Options {
            bad_words,
            min_new_tokens: end.as_ref().map(|(n, _)| *n),
            eos_token_ids: end.map(|(_, ids)| ids),
            no_repeat_ngram_size,
            ..Options::default()
        })
}

/// Options of all of these stages; their ids may lie outside a small vocabulary.
pub fn text_options() -> impl Strategy<Value = Options> {
    let scale =
        prop_oneof![4 => -2.0..4.0f64, 1 => proptest::sample::select(vec![0.0, 1.0, 1e300])];
    let given = (
        bans(),
        option::weighted(0.4, dry()),
        option::weighted(0.3, xtc()),
        option::weighted(0.3, scale),
    );
    given.prop_map(|(bans, dry, xtc, guidance_scale)| {
        let mut options = Options { guidance_scale, ..bans };
        [dry, xtc].iter().flatten().for_each(|some| options.merge(some));
        options
    })
}
