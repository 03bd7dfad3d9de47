use nucleus_sampler::{Options, StageName};

use crate::common::{DEAD, assert_probabilities, kept, row, sampler, threshold};
use crate::options::Change;
use crate::oracle::{Plan, assert_agrees};
use crate::{above, below, ordered};

fn n(n: f64) -> Options {
    Options { top_n_sigma: Some(n), seed: Some(1), ..Options::default() }
}

/// What this stage's options change.
pub fn changes() -> Vec<Change> {
    vec![Change::from_none("topNSigma", n(1.0))]
}

/// The mean is 1.25, sigma 1.77365: distances from the best are 0.28 and 2.26 sigma.
#[test]
fn top_n_sigma_keeps_what_lies_within_n_standard_deviations_of_the_best() {
    let row = [4.0, 3.5, 0.0, 0.0, 0.0, 0.0];
    for (sigmas, expected) in [
        (0.28, vec![0]),
        (0.282, vec![0, 1]),
        (2.25, vec![0, 1]),
        (2.26, vec![0, 1, 2, 3, 4, 5]),
        (0.0, vec![0, 1, 2, 3, 4, 5]),
    ] {
        assert_eq!(kept(&n(sigmas), &row), expected, "{sigmas}");
    }
    let best = 1.0 / (1.0 + nucleus_sampler::math::exp(-0.5));
    assert_probabilities(&n(1.0), &row, &[(0, best), (1, 1.0 - best)]);
}

/// Sigma is that of the population: 1 here, where a sample's would be 1.155.
#[test]
fn top_n_sigma_keeps_a_logit_at_the_threshold_and_drops_it_just_below() {
    let row = [2.0, 0.0, 2.0, 0.0];
    for (sigmas, expected) in
        [(2.0, vec![0, 2, 1, 3]), (above(2.0), vec![0, 2, 1, 3]), (below(2.0), vec![0, 2])]
    {
        assert_eq!(kept(&n(sigmas), &row), expected, "{sigmas}");
    }
}

#[test]
fn the_dead_do_not_count_for_sigma_and_the_weightless_do() {
    assert_eq!(kept(&n(2.0), &[1.0, -1.0, DEAD, DEAD]), [0, 1]);
    assert_eq!(kept(&n(below(2.0)), &[1.0, DEAD, -1.0]), [0]);
    // A logit of -1000 makes sigma 471: the two others lie within a hundredth of it.
    assert_eq!(kept(&n(0.01), &[0.0, -1.0, -1000.0]), [0, 1]);
    assert_eq!(kept(&n(0.01), &[0.0, -1.0, DEAD]), [0]);
}

#[test]
fn top_n_sigma_of_equal_tokens_or_one_keeps_them() {
    for sigmas in [f64::from_bits(1), 1.0, f64::MAX] {
        assert_eq!(kept(&n(sigmas), &[0.25; 100]).len(), 100);
        assert_eq!(kept(&n(sigmas), &[DEAD, -1e4]), [1]);
    }
}

#[test]
fn top_n_sigma_decides_extreme_logits() {
    assert_eq!(kept(&n(1.0), &[1e4, -1e4]), [0]);
    assert_eq!(kept(&n(f64::MAX), &[f32::MAX, 0.0, f32::MIN]), [0, 1, 2]);
    assert_eq!(kept(&n(1.0), &[f32::MAX, 0.0, f32::MIN]), [0]);
    assert_eq!(kept(&n(1.3), &[f32::MAX, 0.0, f32::MIN]), [0, 1]);
}

#[test]
fn min_keep_adds_by_rank() {
    let row = [0.0, 1.0, 9.0, 1.0, 1.0];
    assert_eq!(kept(&Options { min_keep: Some(3), ..n(0.1) }, &row), [2, 1, 3]);
    assert_eq!(kept(&Options { min_keep: Some(9), ..n(0.1) }, &row).len(), 5);
}

#[test]
fn temperature_does_not_matter_to_top_n_sigma() {
    for name in ["capital", "once"] {
        let row = row(name);
        for sigmas in [0.5, 1.0, 3.0] {
            let plain = kept(&n(sigmas), &row);
            for temperature in [0.1, 0.7, 3.0] {
                let options = Options { temperature: Some(temperature), ..n(sigmas) };
                assert_eq!(kept(&options, &row), plain);
                let before = [StageName::TopNSigma, StageName::Temperature];
                assert_eq!(kept(&ordered(&before, options), &row), plain);
            }
        }
    }
}

#[test]
fn sigma_of_a_list_is_that_of_what_was_left() {
    let options = Options { top_k: Some(1000), ..n(2.0) };
    for name in ["capital", "code"] {
        assert_agrees(&Plan::of(&options), &row(name), 2);
        let first = ordered(&[StageName::TopK, StageName::TopNSigma], options.clone());
        assert_agrees(&Plan::of(&first), &row(name)[..5000], 2);
    }
}

#[test]
fn the_threshold_of_top_n_sigma_is_the_least_logit_that_stays() {
    assert_eq!(threshold(&n(1.5), &[2.0, 0.0, 2.0, 0.0], StageName::TopNSigma), 0.5);
    let report = sampler(&n(1.5)).report(&[2.0, 0.0, 2.0, 0.0], false).unwrap();
    let stage = report.stages.iter().find(|stage| stage.name == StageName::TopNSigma).unwrap();
    let removed = 1.0 / (1.0 + nucleus_sampler::math::exp(2.0));
    assert!((stage.mass_removed - removed).abs() < 1e-6);
}
