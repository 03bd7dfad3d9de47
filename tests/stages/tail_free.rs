use nucleus_sampler::{Options, StageName};

use crate::common::{DEAD, assert_probabilities, kept, ln, row, sampler, threshold};
use crate::options::Change;
use crate::oracle::{Plan, assert_agrees};
use crate::{below, four};

fn z(z: f64) -> Options {
    Options { tail_free: Some(z), seed: Some(1), ..Options::default() }
}

/// What this stage's options change.
pub fn changes() -> Vec<Change> {
    vec![Change::from_none("tailFree", z(0.5))]
}

/// The bends are 0.36, 0.11 and 0.01, centred on the second to the fourth: 0.75, 0.979 and 1 of all.
#[test]
fn tail_free_keeps_tokens_up_to_where_the_bends_exceed_z() {
    let row = ln(&[0.03, 0.7, 0.01, 0.2, 0.06]);
    let one = vec![(1, 1.0)];
    let two = vec![(1, 7.0 / 9.0), (3, 2.0 / 9.0)];
    let three = vec![(1, 0.7 / 0.96), (3, 0.2 / 0.96), (4, 0.06 / 0.96)];
    let all = vec![(0, 0.03), (1, 0.7), (2, 0.01), (3, 0.2), (4, 0.06)];
    for (share, expected) in [
        (0.0, &one),
        (0.749, &one),
        (0.751, &two),
        (0.979, &two),
        (0.98, &three),
        (0.999, &three),
        (1.0, &all),
    ] {
        assert_probabilities(&z(share), &row, expected);
    }
}

/// Two tokens that hold all, then nothing: the bends are equal, on the second and on the third.
#[test]
fn tail_free_keeps_the_token_at_which_the_bends_are_exactly_z() {
    let row = [0.0, 0.0, -60.0, -61.0, -62.0];
    assert_eq!(kept(&z(0.5), &row), [0, 1]);
    assert_eq!(kept(&z(below(0.5)), &row), [0]);
    assert_eq!(kept(&z(below(1.0)), &row), [0, 1]);
}

#[test]
fn tail_free_where_nothing_bends_keeps_everything() {
    for share in [0.0, 0.5, below(1.0), 1.0] {
        assert_eq!(kept(&z(share), &[0.5; 100]).len(), 100);
        assert_eq!(kept(&z(share), &[0.0, -4.0]), [0, 1]);
        assert_eq!(kept(&z(share), &[0.0, -400.0]), [0, 1]);
        assert_eq!(kept(&z(share), &[DEAD, -3.0]), [1]);
    }
}

#[test]
fn tail_free_1_is_off_and_just_below_drops_what_weighs_nothing() {
    let row = [0.0, -1.0, -2.0, -60.0, -1e30];
    assert_eq!(kept(&z(1.0), &row), [0, 1, 2, 3, 4]);
    assert_eq!(kept(&z(below(1.0)), &row), [0, 1, 2]);
    assert_eq!(kept(&z(0.5), &[1e4, -1e4, 0.0]), [0]);
}

/// However many tokens weigh nothing, from two on.
#[test]
fn tokens_of_weight_0_do_not_matter_to_tail_free() {
    let mut row = ln(&[0.5, 0.2, 0.15, 0.1, 0.05]);
    row.extend([-200.0; 2]);
    let mut long = row.clone();
    long.extend([-300.0; 5000]);
    for share in [0.0, 0.3, 0.6, 0.9, 0.99, below(1.0)] {
        assert_eq!(kept(&z(share), &row), kept(&z(share), &long), "{share}");
    }
}

#[test]
fn tail_free_decides_ties_for_the_lower_id() {
    // Weights 1, 1, 1, 0, 0 of the best: the bends are on the third and the fourth.
    let row = [-60.0, 2.0, 2.0, -60.0, 2.0];
    assert_eq!(kept(&z(0.4), &row), [1, 2]);
    assert_eq!(kept(&z(0.5), &row), [1, 2, 4]);
}

#[test]
fn min_keep_adds_by_rank() {
    let row = [0.0, 1.0, 9.0, 1.0, 1.0];
    assert_eq!(kept(&Options { min_keep: Some(3), ..z(0.1) }, &row), [2, 1, 3]);
    let weightless = [0.0, DEAD, -90.0, -80.0];
    assert_eq!(kept(&Options { min_keep: Some(3), ..z(0.1) }, &weightless), [0, 3, 2]);
}

#[test]
fn the_cut_of_tail_free_on_recorded_rows_is_that_of_the_exact_oracle() {
    for (name, n) in [("capital", 49_152), ("once", 5000), ("seven", 300), ("list", 33)] {
        for temperature in [0.3, 1.0, 4.0] {
            for share in [0.0, 0.5, 0.95, 0.999_999, below(1.0)] {
                let options = Options { temperature: Some(temperature), ..z(share) };
                assert_agrees(&Plan::of(&options), &row(name)[..n], 1);
            }
        }
    }
}

#[test]
fn the_threshold_of_tail_free_is_z() {
    assert_eq!(threshold(&z(0.75), &four(), StageName::TailFree), 0.75);
    let row = ln(&[0.03, 0.7, 0.01, 0.2, 0.06]);
    let report = sampler(&z(0.76)).report(&row, false).unwrap();
    let stage = report.stages.iter().find(|stage| stage.name == StageName::TailFree).unwrap();
    assert!((stage.mass_removed - 0.1).abs() < 1e-6);
}
