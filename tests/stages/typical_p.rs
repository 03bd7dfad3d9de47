use nucleus_sampler::{Options, StageName};

use crate::common::{DEAD, assert_probabilities, kept, row, sampler, threshold};
use crate::options::Change;
use crate::oracle::{self, Exact, Plan, assert_agrees};
use crate::{above, below, four, ordered};

fn p(p: f64) -> Options {
    Options { typical_p: Some(p), seed: Some(1), ..Options::default() }
}

/// What this stage's options change.
pub fn changes() -> Vec<Change> {
    vec![Change::from_none("typicalP", p(0.4))]
}

/// The entropy is 1.28 nats. Deviations by id: 1.02, 0.33, 0.08, 0.36; so the order is 2, 1, 3, 0.
#[test]
fn typical_p_keeps_the_tokens_nearest_to_the_entropy_until_they_hold_p() {
    let one = vec![(2, 1.0)];
    let two = vec![(1, 0.4), (2, 0.6)];
    let three = vec![(1, 2.0 / 9.0), (2, 3.0 / 9.0), (3, 4.0 / 9.0)];
    let all = vec![(0, 0.1), (1, 0.2), (2, 0.3), (3, 0.4)];
    for (share, expected) in [
        (0.0, &one),
        (0.29, &one),
        (0.31, &two),
        (0.49, &two),
        (0.51, &three),
        (0.89, &three),
        (0.91, &all),
        (1.0, &all),
    ] {
        assert_probabilities(&p(share), &four(), expected);
    }
}

#[test]
fn typical_p_keeps_the_token_that_reaches_p_exactly_and_no_more() {
    let equal = [0.5; 100];
    for (share, n) in [(0.5, 50), (below(0.5), 50), (above(0.5), 51), (0.25, 25), (0.55, 56)] {
        assert_eq!(kept(&p(share), &equal), (0..n).collect::<Vec<u32>>(), "{share}");
    }
}

/// The best token is further from the entropy than the others are.
#[test]
fn typical_p_may_drop_the_best_and_decides_equal_deviations_by_rank() {
    let row = crate::common::ln(&[0.2, 0.4, 0.2, 0.2]);
    assert_eq!(kept(&p(0.1), &row), [0]);
    assert_eq!(kept(&p(0.3), &row), [0, 2]);
    assert_eq!(kept(&p(0.5), &row), [0, 2, 3]);
    assert_eq!(kept(&p(0.7), &row), [1, 0, 2, 3]);
}

#[test]
fn min_keep_adds_by_deviation_and_not_by_rank() {
    for (n, expected) in [(1, vec![2]), (2, vec![2, 1]), (3, vec![3, 2, 1]), (9, vec![3, 2, 1, 0])]
    {
        let options = Options { min_keep: Some(n), ..p(0.1) };
        assert_eq!(kept(&options, &four()), expected, "min_keep {n}");
    }
}

/// #26, huggingface/transformers#16080: a typical mass of 1 crashed.
#[test]
fn typical_p_1_is_off_and_just_below_drops_what_weighs_nothing() {
    let row = [0.0, -1.0, -60.0, -1e30];
    assert_eq!(kept(&p(1.0), &row), [0, 1, 2, 3]);
    assert_eq!(kept(&p(below(1.0)), &row), [0, 1]);
    let three = Options { min_keep: Some(3), ..p(below(1.0)) };
    assert_eq!(kept(&three, &row), [0, 1, 2]);
}

/// #7: an entropy sum that takes 0 times minus infinity is NaN.
#[test]
fn typical_p_of_probabilities_that_underflow_is_as_good_as_any() {
    let row: Vec<f32> = (-5..5).map(|i| i as f32 * 100.0).collect();
    assert_eq!(kept(&p(0.7), &row), [9]);
    assert_eq!(kept(&Options { min_keep: Some(2), ..p(0.7) }, &row), [9, 8]);
}

#[test]
fn typical_p_of_one_token_or_equal_ones_keeps_what_p_asks_for() {
    for share in [0.0, 0.5, below(1.0), 1.0] {
        assert_eq!(kept(&p(share), &[DEAD, -3.0]), [1]);
        assert_eq!(kept(&p(share), &[1e4, -1e4, DEAD]).first(), Some(&0));
    }
    let equal = vec![-2.5; 5000];
    assert_eq!(kept(&p(0.3), &equal), (0..1500).collect::<Vec<u32>>());
}

#[test]
fn typical_p_takes_entropy_and_weights_at_the_temperature_in_force() {
    for temperature in [0.3, 2.0, 20.0] {
        let options = Options { temperature: Some(temperature), ..p(0.5) };
        assert_agrees(&Plan::of(&options), &four(), 4);
        let last = ordered(&[StageName::TypicalP, StageName::Temperature], options);
        assert_eq!(kept(&last, &four()), kept(&p(0.5), &four()));
    }
}

/// Rows of every length at which the search takes another way; the cut at the mass of a prefix, just below and above.
#[test]
fn the_cut_of_typical_p_is_that_of_a_full_sort() {
    for (name, n) in [("capital", 49_152), ("once", 5000), ("seven", 300), ("list", 33)] {
        let row = &row(name)[..n];
        for share in [0.01, 0.2, 0.5, 0.9, 0.99, 0.999_999] {
            let kept = oracle::run::<Exact>(&Plan::of(&p(share)), row).unwrap();
            let whole = oracle::run::<Exact>(&Plan::default(), row).unwrap();
            let weights = oracle::weights(&whole.ranked, 1.0);
            let is_kept = |id: u32| kept.ranked.iter().any(|t| t.id == id);
            let held: u64 = whole
                .ranked
                .iter()
                .zip(&weights)
                .filter(|(t, _)| is_kept(t.id))
                .map(|(_, w)| *w)
                .sum();
            let at = held as f64 / oracle::mass(&weights) as f64;
            for share in [share, below(at), at, above(at).min(1.0)] {
                assert_agrees(&Plan::of(&p(share)), row, 1);
            }
        }
    }
}

#[test]
fn the_threshold_of_typical_p_is_the_largest_deviation_that_stays() {
    let found = threshold(&p(0.31), &four(), StageName::TypicalP);
    assert!((found - 0.329_584).abs() < 1e-5, "{found}");
    let report = sampler(&p(0.31)).report(&four(), false).unwrap();
    let stage = report.stages.iter().find(|stage| stage.name == StageName::TypicalP).unwrap();
    assert_eq!((stage.kept_before, stage.kept_after), (4, 2));
    assert!((stage.mass_removed - 0.5).abs() < 1e-6);
}
