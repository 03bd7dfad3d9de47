use nucleus_sampler::{Options, StageName};

use crate::common::{
    DEAD, assert_probabilities, kept, probabilities, ramp, row, sampler, threshold,
};
use crate::oracle::{self, Exact, Plan};
use crate::{above, below, four, ordered};

fn p(p: f64) -> Options {
    Options { top_p: Some(p), ..Options::default() }
}

#[test]
fn top_p_keeps_the_smallest_set_reaching_p() {
    let one = vec![(3, 1.0)];
    let two = vec![(2, 3.0 / 7.0), (3, 4.0 / 7.0)];
    let three = vec![(1, 2.0 / 9.0), (2, 3.0 / 9.0), (3, 4.0 / 9.0)];
    let four_of = vec![(0, 0.1), (1, 0.2), (2, 0.3), (3, 0.4)];
    for (share, expected) in [
        (0.0, &one),
        (0.39, &one),
        (0.41, &two),
        (0.69, &two),
        (0.71, &three),
        (0.8, &three),
        (0.89, &three),
        (0.91, &four_of),
        (0.999, &four_of),
        (1.0, &four_of),
    ] {
        assert_probabilities(&p(share), &four(), expected);
    }
}

#[test]
fn top_p_keeps_the_token_that_reaches_p_exactly_and_one_more_just_above() {
    // Equal tokens weigh exactly 1/4, and the quarters are exact in f64.
    for (share, n) in [(0.25, 1), (0.5, 2), (0.75, 3)] {
        assert_eq!(kept(&p(share), &[0.5; 4]).len(), n);
        assert_eq!(kept(&p(below(share)), &[0.5; 4]).len(), n);
        assert_eq!(kept(&p(above(share)), &[0.5; 4]).len(), n + 1);
    }
}

/// The f64 that was given is what counts, not the decimal that was meant.
#[test]
fn top_p_takes_p_as_the_f64_it_is() {
    // Above 55/100, above 10/100, below 30/100, below 70/100.
    for (share, n) in [(0.55, 56), (0.1, 11), (0.3, 30), (0.7, 70), (0.5, 50)] {
        assert_eq!(kept(&p(share), &[1.25; 100]).len(), n, "{share}");
    }
}

#[test]
fn top_p_0_keeps_one_and_any_p_above_0_no_fewer() {
    for share in [0.0, -0.0, f64::from_bits(1), f64::MIN_POSITIVE, 1e-300, 1e-9] {
        assert_eq!(kept(&p(share), &four()), [3]);
    }
}

/// A token 60 below the best has no weight: rank keeps it, only p = 1 does not cut it off.
#[test]
fn top_p_1_keeps_tokens_of_weight_0_which_the_next_smaller_f64_drops() {
    let row = [0.0, -1.0, -60.0, -70.0, -1e30];
    assert_eq!(kept(&p(1.0), &row), [0, 1, 2, 3, 4]);
    assert_eq!(kept(&p(below(1.0)), &row), [0, 1]);
    // e^x 2^44 passes one half at x = -45 ln 2, which is -31.19.
    assert_eq!(kept(&p(below(1.0)), &[0.0, -31.1, -31.3]), [0, 1]);
}

#[test]
fn top_p_breaks_ties_by_token_id() {
    let row = [0.0, 2.0, 2.0, 2.0, 2.0];
    assert_eq!(kept(&p(0.3), &row), [1, 2]);
    assert_eq!(kept(&p(0.9), &row), [1, 2, 3, 4]);
    assert_eq!(kept(&p(0.5), &[0.75; 1000]), (0..500).collect::<Vec<_>>());
}

#[test]
fn top_p_of_a_single_candidate_keeps_it() {
    for share in [0.0, 0.5, below(1.0), 1.0] {
        assert_eq!(kept(&p(share), &[3.0]), [0]);
        assert_eq!(kept(&p(share), &[DEAD, 3.0, DEAD]), [1]);
    }
}

#[test]
fn top_p_shares_out_what_is_alive() {
    assert_eq!(kept(&p(0.5), &[1.0, DEAD, 1.0, DEAD, 1.0, 1.0]), [0, 2]);
}

/// The mass of top_p is what enters it: after top_k, p is a share of what top_k kept.
#[test]
fn top_p_renormalises_over_what_entered() {
    let options = Options { top_k: Some(2), ..p(0.56) };
    assert_eq!(kept(&options, &four()), [3]);
    assert_eq!(kept(&p(0.56), &four()), [3, 2]);
    let last = ordered(&[StageName::TopP, StageName::TopK], Options { top_k: Some(3), ..p(0.75) });
    assert_eq!(kept(&last, &four()), [3, 2, 1]);
}

#[test]
fn top_p_takes_weights_at_the_temperature_in_force() {
    let options = Options { temperature: Some(0.5), ..p(0.8) };
    // Squares: 1, 4, 9, 16 of 30.
    assert_probabilities(&options, &four(), &[(2, 9.0 / 25.0), (3, 16.0 / 25.0)]);
    let last = ordered(&[StageName::TopP, StageName::Temperature], options);
    assert_probabilities(&last, &four(), &[(1, 4.0 / 29.0), (2, 9.0 / 29.0), (3, 16.0 / 29.0)]);
}

/// On recorded rows: at the share that a prefix holds the prefix is kept, at the next f64 one token more.
#[test]
fn the_cut_of_top_p_moves_at_exactly_the_mass_of_a_prefix() {
    for name in ["once", "list"] {
        let row = row(name);
        let whole = oracle::run::<Exact>(&Plan::default(), &row).unwrap();
        let weights = oracle::weights(&whole.ranked, 1.0);
        let total = oracle::mass(&weights);
        for n in [1, 2, 5, 40, 200, 1000] {
            let reached = oracle::mass(&weights[..n]);
            let mut share = reached as f64 / total as f64;
            while oracle::share_of(share, total) <= reached {
                share = above(share);
            }
            while oracle::share_of(share, total) > reached {
                share = below(share);
            }
            assert_eq!(kept(&p(share), &row).len(), n, "{name}: at {share}");
            assert_eq!(kept(&p(above(share)), &row).len(), n + 1, "{name}: above {share}");
        }
    }
}

#[test]
fn top_p_of_a_ramp_of_ten_thousand_keeps_what_the_sum_says() {
    for (share, n) in [(0.0003, 2), (0.8, 5528), (0.5, 2929)] {
        let found = kept(&p(share), &ramp(10_000));
        assert_eq!(found, (10_000 - n..10_000).rev().collect::<Vec<_>>(), "{share}");
    }
}

#[test]
fn the_threshold_of_top_p_is_the_probability_to_reach() {
    let found = threshold(&p(0.7), &four(), StageName::TopP);
    assert!((found - 0.7).abs() < 1e-12, "{found}");
    // Quarters are exact.
    assert_eq!(threshold(&p(0.75), &[1.0; 4], StageName::TopP), 0.75);
}

#[test]
fn the_kept_mass_is_what_the_kept_tokens_had() {
    let found = sampler(&p(0.6)).distribution(&four()).unwrap();
    assert!((found.kept_mass - 0.7).abs() < 2e-6, "{}", found.kept_mass);
    assert_eq!(probabilities(&p(0.6), &four()).len(), 2);
}
