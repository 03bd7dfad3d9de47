use nucleus_sampler::{Options, StageName};

use crate::common::{DEAD, assert_probabilities, kept, ramp, row, threshold};
use crate::oracle::{self, Exact, Plan};
use crate::{above, below, four, ordered};

fn m(m: f64) -> Options {
    Options { min_p: Some(m), ..Options::default() }
}

#[test]
fn min_p_keeps_tokens_with_at_least_m_times_the_best_probability() {
    let one = vec![(3, 1.0)];
    let two = vec![(2, 3.0 / 7.0), (3, 4.0 / 7.0)];
    let three = vec![(1, 2.0 / 9.0), (2, 3.0 / 9.0), (3, 4.0 / 9.0)];
    let all = vec![(0, 0.1), (1, 0.2), (2, 0.3), (3, 0.4)];
    for (share, expected) in [
        (0.0, &all),
        (0.24, &all),
        (0.26, &three),
        (0.49, &three),
        (0.51, &two),
        (0.74, &two),
        (0.76, &one),
        (1.0, &one),
    ] {
        assert_probabilities(&m(share), &four(), expected);
    }
}

/// The weight of a token a whole number of times below the best, as the contract rounds it.
fn share_of_best(distance: f32) -> f64 {
    oracle::weight(oracle::exp(-distance)) as f64 / (1u64 << 44) as f64
}

#[test]
fn min_p_keeps_a_token_at_the_threshold_and_drops_it_just_above() {
    for distance in [0.5, 1.0, 3.0, 10.0, 25.0] {
        let share = share_of_best(distance);
        let row = [2.0, 2.0 - distance, 2.0];
        assert_eq!(kept(&m(below(share)), &row), [0, 2, 1], "{distance}");
        assert_eq!(kept(&m(share), &row), [0, 2, 1], "{distance}");
        assert_eq!(kept(&m(above(share)), &row), [0, 2], "{distance}");
    }
}

#[test]
fn min_p_0_is_off_and_keeps_tokens_of_weight_0_which_any_m_above_0_drops() {
    let row = [0.0, -1.0, -60.0, -1e30];
    assert_eq!(kept(&m(0.0), &row), [0, 1, 2, 3]);
    assert_eq!(kept(&m(-0.0), &row), [0, 1, 2, 3]);
    for share in [f64::from_bits(1), f64::MIN_POSITIVE, 1e-20] {
        assert_eq!(kept(&m(share), &row), [0, 1], "{share}");
    }
}

#[test]
fn min_p_1_keeps_all_that_weigh_what_the_best_weighs() {
    assert_eq!(kept(&m(1.0), &[2.0, 1.0, 2.0, 2.0]), [0, 2, 3]);
    assert_eq!(kept(&m(1.0), &[0.5; 100]).len(), 100);
    // A distance of 1e-9 is less than a weight can show; 1e-4 is not.
    assert_eq!(kept(&m(1.0), &[0.0, -1e-9, -1e-4]), [0, 1]);
}

#[test]
fn min_p_of_a_single_candidate_keeps_it() {
    for share in [0.0, 0.5, 1.0] {
        assert_eq!(kept(&m(share), &[DEAD, -3.0]), [1]);
    }
}

#[test]
fn min_p_looks_at_the_best_that_is_alive() {
    assert_eq!(kept(&m(0.9), &[DEAD, 1.0, 1.0, 0.0]), [1, 2]);
    let banned = Options { logit_bias: Some(vec![(0, f64::NEG_INFINITY)]), ..m(0.5) };
    assert_eq!(kept(&banned, &[50.0, 1.0, 0.9, -3.0]), [1, 2]);
}

#[test]
fn min_p_takes_weights_at_the_temperature_in_force() {
    // Ratios to the best: 1/4, 1/2, 3/4; their squares: 1/16, 1/4, 9/16.
    let options = Options { temperature: Some(0.5), ..m(0.5) };
    assert_eq!(kept(&options, &four()), [3, 2]);
    let last = ordered(&[StageName::MinP, StageName::Temperature], m(0.4));
    let last = Options { temperature: Some(0.5), ..last };
    assert_eq!(kept(&last, &four()), [3, 2, 1]);
}

/// Unlike top_p, min_p does not mind how many other tokens there are.
#[test]
fn min_p_of_a_ramp_of_ten_thousand_keeps_ids_from_m_times_the_last_on() {
    for (share, first) in [(0.1, 1000), (0.5, 5000), (0.75, 7500)] {
        assert_eq!(kept(&m(share), &ramp(10_000)), (first..10_000).rev().collect::<Vec<_>>());
    }
}

/// On recorded rows: at the weight of a token the token is kept, just above it is not.
#[test]
fn the_cut_of_min_p_moves_at_exactly_the_weight_of_a_token() {
    for name in ["capital", "code"] {
        let row = row(name);
        let whole = oracle::run::<Exact>(&Plan::default(), &row).unwrap();
        let weights = oracle::weights(&whole.ranked, 1.0);
        for n in [2, 7, 100, 3000] {
            let share = weights[n - 1] as f64 / (1u64 << 44) as f64;
            let at = weights.iter().filter(|w| **w >= weights[n - 1]).count();
            let over = weights.iter().filter(|w| **w > weights[n - 1]).count();
            assert_eq!(kept(&m(share), &row).len(), at, "{name}: at {share}");
            assert_eq!(kept(&m(above(share)), &row).len(), over, "{name}: above {share}");
        }
    }
}

#[test]
fn the_threshold_of_min_p_is_the_least_probability_that_stays() {
    let found = threshold(&m(0.5), &four(), StageName::MinP);
    assert!((found - 0.2).abs() < 1e-6, "{found}");
}

/// Rows long enough for the gathering path, with weights of a few units at and around the threshold.
#[test]
fn the_cut_of_min_p_at_weights_of_a_few_units_is_that_of_the_exact_oracle() {
    let ln_2 = core::f32::consts::LN_2;
    for units in [0.6f32, 0.9, 1.2, 1.7, 2.4, 3.5, 7.6, 40.5, 499.6] {
        let mut row = vec![-100.0f32; 64];
        row[0] = 0.0;
        row[9] = nucleus_sampler::math::ln(f64::from(units)) as f32 - 44.0 * ln_2;
        for least in [1.0, 2.0, 3.0, 4.0, 8.0, 41.0, 500.0] {
            let m = (least - 0.5) / 17_592_186_044_416.0;
            let options = Options { min_p: Some(m), ..Options::default() };
            oracle::assert_agrees(&Plan::of(&options), &row, 8);
        }
    }
}
