use nucleus_sampler::{Options, StageName};

use crate::common::{DEAD, assert_probabilities, kept, row, sampler, threshold};
use crate::options::Change;
use crate::oracle::{self, Exact, Plan, assert_agrees};
use crate::{above, below, four, ordered};

fn epsilon(epsilon: f64) -> Options {
    Options { epsilon_cutoff: Some(epsilon), seed: Some(1), ..Options::default() }
}

/// What this stage's options change.
pub fn changes() -> Vec<Change> {
    vec![Change::from_none("epsilonCutoff", epsilon(0.1))]
}

#[test]
fn epsilon_cutoff_keeps_tokens_of_at_least_that_probability() {
    let one = vec![(3, 1.0)];
    let two = vec![(2, 3.0 / 7.0), (3, 4.0 / 7.0)];
    let three = vec![(1, 2.0 / 9.0), (2, 3.0 / 9.0), (3, 4.0 / 9.0)];
    let all = vec![(0, 0.1), (1, 0.2), (2, 0.3), (3, 0.4)];
    for (share, expected) in [
        (0.0, &all),
        (0.09, &all),
        (0.11, &three),
        (0.19, &three),
        (0.21, &two),
        (0.29, &two),
        (0.31, &one),
        (0.41, &one),
        (1.0, &one),
    ] {
        assert_probabilities(&epsilon(share), &four(), expected);
    }
}

#[test]
fn epsilon_cutoff_keeps_tokens_at_the_threshold_and_where_none_passes_the_first_by_rank() {
    let equal = [1.0; 4];
    assert_eq!(kept(&epsilon(below(0.25)), &equal), [0, 1, 2, 3]);
    assert_eq!(kept(&epsilon(0.25), &equal), [0, 1, 2, 3]);
    assert_eq!(kept(&epsilon(above(0.25)), &equal), [0]);
    assert_eq!(kept(&Options { min_keep: Some(2), ..epsilon(above(0.25)) }, &equal), [0, 1]);
    assert_eq!(kept(&epsilon(1.0), &[0.0, 2.0, 2.0, 2.0]), [1]);
}

#[test]
fn epsilon_cutoff_0_is_off_and_keeps_tokens_of_weight_0_which_any_above_0_drops() {
    let row = [0.0, -1.0, -60.0, -1e30];
    assert_eq!(kept(&epsilon(0.0), &row), [0, 1, 2, 3]);
    for share in [f64::from_bits(1), f64::MIN_POSITIVE, 1e-20] {
        assert_eq!(kept(&epsilon(share), &row), [0, 1], "{share}");
    }
}

#[test]
fn epsilon_cutoff_of_one_token_dead_ones_and_extreme_ones() {
    assert_eq!(kept(&epsilon(1.0), &[DEAD, -3.0]), [1]);
    assert_eq!(kept(&epsilon(0.4), &[DEAD, 1.0, 1.0]), [1, 2]);
    assert_eq!(kept(&epsilon(1e-9), &[1e4, -1e4, 9999.0]), [0, 2]);
}

#[test]
fn min_keep_adds_by_rank() {
    let row = [0.0, 1.0, 9.0, 1.0, 1.0];
    assert_eq!(kept(&Options { min_keep: Some(3), ..epsilon(0.9) }, &row), [2, 1, 3]);
    let weightless = [0.0, DEAD, -90.0, -80.0];
    assert_eq!(kept(&Options { min_keep: Some(3), ..epsilon(0.9) }, &weightless), [0, 3, 2]);
}

/// The mass is that of what is alive when the stage starts, at the temperature in force.
#[test]
fn epsilon_cutoff_looks_at_what_is_left_of_the_others() {
    let after = Options { top_k: Some(2), ..epsilon(0.42) };
    assert_eq!(kept(&after, &four()), [3, 2]);
    let first = ordered(&[StageName::EpsilonCutoff, StageName::TopK], after);
    assert_eq!(kept(&first, &four()), [3]);
    assert_eq!(kept(&Options { temperature: Some(0.5), ..epsilon(0.31) }, &four()), [3]);
    assert_eq!(kept(&Options { temperature: Some(0.5), ..epsilon(0.29) }, &four()), [3, 2]);
}

#[test]
fn the_cut_of_epsilon_cutoff_moves_at_exactly_the_weight_of_a_token() {
    for name in ["capital", "code"] {
        let row = row(name);
        let whole = oracle::run::<Exact>(&Plan::default(), &row).unwrap();
        let weights = oracle::weights(&whole.ranked, 1.0);
        let mass = oracle::mass(&weights);
        for n in [2, 7, 100, 3000] {
            let weight = weights[n - 1];
            let mut share = weight as f64 / mass as f64;
            while oracle::share_of(share, mass) > u128::from(weight) {
                share = below(share);
            }
            while oracle::share_of(above(share), mass) <= u128::from(weight) {
                share = above(share);
            }
            let at = weights.iter().filter(|w| **w >= weight).count();
            let over = weights.iter().filter(|w| **w > weight).count();
            assert_eq!(kept(&epsilon(share), &row).len(), at, "{name}: at {share}");
            assert_eq!(kept(&epsilon(above(share)), &row).len(), over.max(1), "{name}: above");
            assert_agrees(&Plan::of(&epsilon(share)), &row, 1);
        }
    }
}

#[test]
fn the_threshold_of_epsilon_cutoff_is_epsilon() {
    let found = threshold(&epsilon(0.25), &four(), StageName::EpsilonCutoff);
    assert!((found - 0.25).abs() < 1e-12, "{found}");
    let report = sampler(&epsilon(0.25)).report(&four(), false).unwrap();
    let stage = report.stages.iter().find(|s| s.name == StageName::EpsilonCutoff).unwrap();
    assert!((stage.mass_removed - 0.3).abs() < 1e-6);
}
