//! What every kept set has in common, whatever the row and the chain.

use std::collections::BTreeSet;

use nucleus_sampler::Options;
use proptest::prelude::*;
use proptest::sample::SizeRange;

use crate::chains::{shares, truncations};
use crate::check;
use crate::common::{kept, sampler};
use crate::oracle::Plan;
use crate::strategies::{Mix, plans, rows};

fn set(ids: &[u32]) -> BTreeSet<u32> {
    ids.iter().copied().collect()
}

#[test]
fn what_is_kept_was_alive_and_allowed_and_is_never_empty() {
    check(600, plans(), |(plan, row)| {
        let Ok(found) = plan.sampler().distribution(plan.input(&row)) else { return };
        assert!(!found.token_ids.is_empty());
        assert_eq!(set(&found.token_ids).len(), found.kept_count, "each token once");
        let banned: Vec<u32> = plan.options.logit_bias.iter().flatten().filter_map(ban).collect();
        for id in found.token_ids {
            assert!(row[id as usize].is_finite(), "{id} was dead");
            let allowed = plan.options.allowed_tokens.as_ref();
            assert!(allowed.is_none_or(|ids| ids.contains(&id)), "{id} is not allowed");
            let bit = |mask: &Vec<u32>| mask[id as usize / 32] >> (id % 32) & 1 == 1;
            assert!(plan.mask.as_ref().is_none_or(bit), "{id} is masked");
            assert!(!banned.contains(&id), "{id} is banned");
        }
    });
}

fn ban((id, bias): &(u32, f64)) -> Option<u32> {
    (*bias == f64::NEG_INFINITY).then_some(*id)
}

#[test]
fn probabilities_sum_to_1_fall_by_rank_and_cumulate_to_exactly_1() {
    check(600, (truncations(), rows()), |(options, row)| {
        let found = sampler(&options).distribution(&row).unwrap();
        assert!((found.probs.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(found.probs.is_sorted_by(|a, b| a >= b));
        assert!(found.cumulative.is_sorted());
        assert_eq!(found.cumulative.last(), Some(&1.0));
        assert!(found.logits.is_sorted_by(|a, b| a >= b));
        assert!((0.0..=1.0).contains(&found.kept_mass), "{}", found.kept_mass);
        let limit = nucleus_sampler::math::ln(found.kept_count as f64);
        assert!(found.entropy >= 0.0 && found.entropy <= limit + 1e-6, "{}", found.entropy);
    });
}

/// The order of ids decides ties and nothing else: logits and probabilities by rank stay.
#[test]
fn permuting_a_row_permutes_what_is_kept_up_to_the_tie_rule() {
    check(400, (truncations(), rows(), any::<u64>()), |(options, row, seed)| {
        let places = permutation(row.len(), seed);
        let permuted: Vec<f32> = places.iter().map(|place| row[*place]).collect();
        let before = sampler(&options).distribution(&row).unwrap();
        let after = sampler(&options).distribution(&permuted).unwrap();
        assert_eq!(after.logits, before.logits);
        assert_eq!(after.probs, before.probs);
        assert_eq!(after.cumulative, before.cumulative);
        let distinct: BTreeSet<u32> = row.iter().map(|l| (l + 0.0).to_bits()).collect();
        if distinct.len() == row.len() {
            let back: Vec<u32> =
                after.token_ids.iter().map(|id| places[*id as usize] as u32).collect();
            assert_eq!(back, before.token_ids);
        }
    });
}

fn permutation(n: usize, seed: u64) -> Vec<usize> {
    let mut mix = Mix(seed);
    let mut places: Vec<usize> = (0..n).collect();
    for i in (1..n).rev() {
        places.swap(i, mix.below(i + 1));
    }
    places
}

/// Logits on a grid, so that adding a whole number to all of them is exact.
#[test]
fn adding_a_number_to_every_logit_changes_no_probability_and_no_draw() {
    let grid = prop::collection::vec(-3000..3000i32, SizeRange::from(1..400));
    check(400, (truncations(), grid, -2000..2000i32), |(options, grid, shift)| {
        let row =
            |shift: i32| grid.iter().map(|l| *l as f32 / 64.0 + shift as f32).collect::<Vec<f32>>();
        let (mut here, mut there) = (sampler(&options), sampler(&options));
        let (a, b) =
            (here.distribution(&row(0)).unwrap(), there.distribution(&row(shift)).unwrap());
        assert_eq!((a.token_ids, a.probs), (b.token_ids, b.probs));
        let many = |sampler: &mut nucleus_sampler::Sampler, row| sampler.sample_many(&row, 20);
        assert_eq!(many(&mut here, row(0)), many(&mut there, row(shift)));
    });
}

#[test]
fn a_looser_threshold_keeps_all_that_a_tighter_one_kept() {
    let pairs = (rows(), (shares(), shares()), (0..2000u32, 0..2000u32), 1..50u32);
    check(500, pairs, |(row, (a, b), (k, l), min_keep)| {
        let (low, high) = (a.min(b), a.max(b));
        let with_p = |p| kept(&Options { top_p: Some(p), ..Options::default() }, &row);
        assert!(set(&with_p(low)).is_subset(&set(&with_p(high))), "top_p {low} and {high}");
        let with_m = |m| kept(&Options { min_p: Some(m), ..Options::default() }, &row);
        assert!(set(&with_m(high)).is_subset(&set(&with_m(low))), "min_p {high} and {low}");
        let (few, many) = (k.min(l) + 1, k.max(l) + 1);
        let with_k = |k| kept(&Options { top_k: Some(k), ..Options::default() }, &row);
        assert!(set(&with_k(few)).is_subset(&set(&with_k(many))), "top_k {few} and {many}");
        for version in [1, 2] {
            let with_tau = |tau| {
                let mirostat_version = Some(version);
                kept(
                    &Options { mirostat_version, mirostat_tau: Some(tau), ..Options::default() },
                    &row,
                )
            };
            let (low, high) = (8.0 * low, 8.0 * high);
            assert!(set(&with_tau(low)).is_subset(&set(&with_tau(high))), "tau {low} and {high}");
        }
        let floor = |n| {
            let options = Options { top_p: Some(low), min_keep: Some(n), ..Options::default() };
            kept(&options, &row)
        };
        assert!(set(&floor(1)).is_subset(&set(&floor(min_keep))), "min_keep {min_keep}");
    });
}

#[test]
fn a_looser_threshold_of_the_other_stages_keeps_all_that_a_tighter_one_kept() {
    let numbers = (shares(), shares(), 0.0..4.0f64, 0.0..4.0f64);
    check(500, (rows(), numbers), |(row, (a, b, m, n))| {
        let (low, high) = (a.min(b), a.max(b));
        let none = Options::default();
        // The tighter first; 0 turns some of them off, and then everything is kept.
        for (tight, loose) in [
            (
                Options { typical_p: Some(low), ..none.clone() },
                Options { typical_p: Some(high), ..none.clone() },
            ),
            (
                Options { top_h: Some(low), ..none.clone() },
                Options { top_h: Some(high), ..none.clone() },
            ),
            (
                Options { tail_free: Some(low), ..none.clone() },
                Options { tail_free: Some(high), ..none.clone() },
            ),
            (
                Options { top_a: Some(high), ..none.clone() },
                Options { top_a: Some(low), ..none.clone() },
            ),
            (
                Options { epsilon_cutoff: Some(high), ..none.clone() },
                Options { epsilon_cutoff: Some(low), ..none.clone() },
            ),
            (
                Options { eta_cutoff: Some(high), ..none.clone() },
                Options { eta_cutoff: Some(low), ..none.clone() },
            ),
            (
                Options { top_n_sigma: Some(m.min(n) + 1e-9), ..none.clone() },
                Options { top_n_sigma: Some(m.max(n) + 1e-9), ..none },
            ),
        ] {
            let (few, many) = (kept(&tight, &row), kept(&loose, &row));
            assert!(set(&few).is_subset(&set(&many)), "{tight:?} and {loose:?}");
        }
    });
}

/// A factor above 0 keeps the order of logits, so top_k keeps the same tokens at every temperature.
#[test]
fn temperature_never_changes_a_rank() {
    check(300, (rows(), 0.01..100.0f64, 1..50u32), |(row, temperature, k)| {
        let cold = Options { temperature: Some(temperature), top_k: Some(k), ..Options::default() };
        let plain = Options { top_k: Some(k), ..Options::default() };
        assert_eq!(kept(&cold, &row), kept(&plain, &row));
    });
}

/// What a plan that does nothing keeps is the row.
#[test]
fn options_at_their_off_values_keep_everything() {
    check(200, rows(), |row| {
        let off = Options {
            temperature: Some(1.0),
            top_k: Some(0),
            top_p: Some(1.0),
            min_p: Some(0.0),
            repetition_penalty: Some(1.0),
            frequency_penalty: Some(0.0),
            presence_penalty: Some(0.0),
            logit_bias: Some(Vec::new()),
            typical_p: Some(1.0),
            top_n_sigma: Some(0.0),
            top_a: Some(0.0),
            top_h: Some(1.0),
            tail_free: Some(1.0),
            p_less: Some(false),
            epsilon_cutoff: Some(0.0),
            eta_cutoff: Some(0.0),
            dynamic_temperature_range: Some(0.0),
            smoothing_factor: Some(0.0),
            ..Options::default()
        };
        let plan = Plan { options: off, output: vec![0], ..Plan::default() };
        let found = plan.sampler().distribution(&row).unwrap();
        assert_eq!(found, sampler(&Options::default()).distribution(&row).unwrap());
        assert_eq!(found.kept_count, row.iter().filter(|l| l.is_finite()).count());
        assert_eq!(found.kept_mass, 1.0);
    });
}
