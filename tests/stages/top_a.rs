use nucleus_sampler::{Options, StageName};

use crate::common::{DEAD, assert_probabilities, kept, ln, row, sampler, threshold};
use crate::options::Change;
use crate::oracle::{self, Exact, Plan, assert_agrees};
use crate::{above, below};

fn a(a: f64) -> Options {
    Options { top_a: Some(a), seed: Some(1), ..Options::default() }
}

/// What this stage's options change.
pub fn changes() -> Vec<Change> {
    vec![Change::from_none("topA", a(0.5))]
}

/// The square of the best is 0.64: the others are 0.15625, 0.09375 and 0.0625 of it.
#[test]
fn top_a_keeps_tokens_with_at_least_a_times_the_squared_probability_of_the_best() {
    let row = ln(&[0.04, 0.8, 0.06, 0.1]);
    let all = vec![(0, 0.04), (1, 0.8), (2, 0.06), (3, 0.1)];
    let three = vec![(1, 0.8 / 0.96), (2, 0.06 / 0.96), (3, 0.1 / 0.96)];
    let two = vec![(1, 0.8 / 0.9), (3, 0.1 / 0.9)];
    for (share, expected) in [
        (0.0, &all),
        (0.062, &all),
        (0.063, &three),
        (0.093, &three),
        (0.094, &two),
        (0.156, &two),
        (0.157, &vec![(1, 1.0)]),
        (1.0, &vec![(1, 1.0)]),
    ] {
        assert_probabilities(&a(share), &row, expected);
    }
}

/// The same share of the best keeps more where the best is less probable: min-p would keep the same number.
#[test]
fn top_a_keeps_more_where_the_best_is_less_probable() {
    assert_eq!(kept(&a(0.5), &ln(&[0.5, 0.2, 0.2, 0.1])), [0, 1, 2]);
    let flat = ln(&[0.1, 0.09, 0.05, 0.02, 0.006, 0.004]);
    assert_eq!(kept(&a(0.02), &flat), [0, 1, 2, 3, 4, 5]);
    assert_eq!(kept(&a(1.0), &[0.0; 50]).len(), 50);
}

/// ceil(share 2^88): the share has at most 53 bits and lies in [2^-30, 1).
fn of_square(share: f64) -> u128 {
    let (m, down) = oracle::fraction(share);
    m << (88 - down)
}

/// Of one best token and one at a distance, w Z >= a 2^88 where w = e^-distance: the largest such a is at the threshold.
#[test]
fn top_a_keeps_a_token_at_the_threshold_and_drops_it_just_above() {
    for distance in [1.0f32, 2.5, 8.0, 14.0] {
        let weight = u128::from(oracle::weight(oracle::exp(-distance)));
        let at = weight * ((1 << 44) + weight);
        let mut share = at as f64 / (1u128 << 88) as f64;
        while of_square(share) > at {
            share = below(share);
        }
        while of_square(above(share)) <= at {
            share = above(share);
        }
        let row = [-distance, 0.0];
        assert_eq!(kept(&a(below(share)), &row), [1, 0], "{distance}");
        assert_eq!(kept(&a(share), &row), [1, 0], "{distance}");
        assert_eq!(kept(&a(above(share)), &row), [1], "{distance}");
    }
}

#[test]
fn top_a_0_is_off_and_keeps_tokens_of_weight_0_which_any_a_above_0_drops() {
    let row = [0.0, -1.0, -60.0, -1e30];
    assert_eq!(kept(&a(0.0), &row), [0, 1, 2, 3]);
    for share in [f64::from_bits(1), f64::MIN_POSITIVE, 1e-40, 1e-27] {
        assert_eq!(kept(&a(share), &row), [0, 1], "{share}");
    }
}

#[test]
fn top_a_of_one_token_dead_ones_and_extreme_ones() {
    assert_eq!(kept(&a(1.0), &[DEAD, -3.0]), [1]);
    assert_eq!(kept(&a(1.0), &[1e4, -1e4]), [0]);
    assert_eq!(kept(&a(1.0), &[DEAD, 1.0, 1.0]), [1, 2]);
}

#[test]
fn min_keep_adds_by_rank() {
    let row = [0.0, 1.0, 9.0, 1.0, 1.0];
    assert_eq!(kept(&Options { min_keep: Some(3), ..a(1.0) }, &row), [2, 1, 3]);
    assert_eq!(
        kept(&Options { min_keep: Some(3), ..a(1.0) }, &[0.0, DEAD, -90.0, -80.0]),
        [0, 3, 2]
    );
}

#[test]
fn the_cut_of_top_a_on_recorded_rows_is_that_of_the_exact_oracle() {
    for name in ["capital", "code"] {
        let row = row(name);
        let whole = oracle::run::<Exact>(&Plan::default(), &row).unwrap();
        let weights = oracle::weights(&whole.ranked, 1.0);
        let mass = oracle::mass(&weights) as f64;
        for n in [2, 7, 100, 3000] {
            let share = weights[n - 1] as f64 * mass / (1u128 << 88) as f64;
            for share in [below(share), share, above(share)].map(|share| share.min(1.0)) {
                assert_agrees(&Plan::of(&a(share)), &row, 1);
            }
        }
    }
}

#[test]
fn the_threshold_of_top_a_is_the_least_probability_that_stays() {
    let row = ln(&[0.04, 0.8, 0.06, 0.1]);
    let found = threshold(&a(0.125), &row, StageName::TopA);
    assert!((found - 0.08).abs() < 1e-6, "{found}");
    let report = sampler(&a(0.125)).report(&row, false).unwrap();
    let stage = report.stages.iter().find(|stage| stage.name == StageName::TopA).unwrap();
    assert!((stage.mass_removed - 0.1).abs() < 1e-6);
}
