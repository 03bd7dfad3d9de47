use nucleus_sampler::{Options, StageName};

use crate::common::{DEAD, assert_probabilities, kept, ln, row, sampler, threshold};
use crate::options::Change;
use crate::oracle::{Plan, assert_agrees};
use crate::{four, ordered};

fn on() -> Options {
    Options { p_less: Some(true), seed: Some(1), ..Options::default() }
}

/// What this stage's options change.
pub fn changes() -> Vec<Change> {
    vec![Change::from_none("pLess", on())]
}

#[test]
fn p_less_keeps_tokens_at_least_as_probable_as_two_draws_are_to_be_the_same() {
    // The sum of squares is 0.225, 0.42, 0.52 and 0.38.
    let five = ln(&[0.1, 0.15, 0.2, 0.25, 0.3]);
    assert_probabilities(&on(), &five, &[(3, 5.0 / 11.0), (4, 6.0 / 11.0)]);
    assert_probabilities(&on(), &ln(&[0.4, 0.5, 0.1]), &[(1, 1.0)]);
    assert_probabilities(&on(), &ln(&[0.6, 0.4]), &[(0, 1.0)]);
    assert_probabilities(&on(), &ln(&[0.2, 0.5, 0.3]), &[(1, 1.0)]);
}

/// Equal tokens are each exactly as probable as two draws are to be the same.
#[test]
fn p_less_keeps_tokens_at_the_threshold() {
    for n in [1, 2, 3, 7, 100, 5000] {
        assert_eq!(kept(&on(), &vec![0.3; n]).len(), n);
        let mut with_less = vec![0.3; n];
        with_less.push(-1.0);
        assert_eq!(kept(&on(), &with_less).len(), n, "one less probable goes");
    }
}

#[test]
fn p_less_false_is_off_and_keeps_tokens_of_weight_0_which_true_drops() {
    let row = [0.0, 0.0, -60.0, -1e30];
    let off = Options { p_less: Some(false), ..on() };
    assert_eq!(kept(&off, &row), [0, 1, 2, 3]);
    assert_eq!(kept(&on(), &row), [0, 1]);
}

#[test]
fn p_less_of_one_token_dead_ones_and_extreme_ones() {
    assert_eq!(kept(&on(), &[DEAD, -3.0]), [1]);
    assert_eq!(kept(&on(), &[DEAD, 1.0, 1.0]), [1, 2]);
    assert_eq!(kept(&on(), &[1e4, -1e4, 1e4]), [0, 2]);
}

#[test]
fn min_keep_adds_by_rank() {
    let row = [0.0, 1.0, 9.0, 1.0, 1.0];
    assert_eq!(kept(&Options { min_keep: Some(3), ..on() }, &row), [2, 1, 3]);
    let weightless = [0.0, DEAD, -90.0, -80.0];
    assert_eq!(kept(&Options { min_keep: Some(3), ..on() }, &weightless), [0, 3, 2]);
}

#[test]
fn p_less_takes_weights_of_what_is_alive_at_the_temperature_in_force() {
    // Of the best two the sum of squares is 0.51: above the second.
    let two = ordered(&[StageName::TopK, StageName::PLess], Options { top_k: Some(2), ..on() });
    assert_eq!(kept(&two, &four()), [3]);
    let after = ordered(&[StageName::PLess, StageName::TopK], Options { top_k: Some(2), ..on() });
    assert_eq!(kept(&after, &ln(&[0.1, 0.15, 0.2, 0.25, 0.3])), [4, 3]);
    for temperature in [0.3, 2.0, 30.0] {
        for name in ["capital", "once"] {
            let options = Options { temperature: Some(temperature), ..on() };
            assert_agrees(&Plan::of(&options), &row(name), 2);
            assert_agrees(&Plan::of(&options), &row(name)[..1001], 2);
        }
    }
}

/// Sums of squares that do not fit into 64 bits, nor their halves into 53.
#[test]
fn the_sum_of_squares_is_exact() {
    let row: Vec<f32> = (0..262_144).map(|i| -(i as f32) * 1e-7).collect();
    assert_agrees(&Plan::of(&on()), &row, 1);
}

#[test]
fn the_threshold_of_p_less_is_the_sum_of_squares() {
    let five = ln(&[0.1, 0.15, 0.2, 0.25, 0.3]);
    let found = threshold(&on(), &five, StageName::PLess);
    assert!((found - 0.225).abs() < 1e-6, "{found}");
    let report = sampler(&on()).report(&five, false).unwrap();
    let stage = report.stages.iter().find(|stage| stage.name == StageName::PLess).unwrap();
    assert!((stage.mass_removed - 0.45).abs() < 1e-6);
}
