use nucleus_sampler::{Options, StageName};

use crate::common::{DEAD, assert_probabilities, kept, ramp, threshold};
use crate::four;

fn k(k: u32) -> Options {
    Options { top_k: Some(k), ..Options::default() }
}

#[test]
fn top_k_keeps_the_k_best_and_renormalises() {
    assert_probabilities(&k(1), &four(), &[(3, 1.0)]);
    assert_probabilities(&k(2), &four(), &[(2, 3.0 / 7.0), (3, 4.0 / 7.0)]);
    assert_probabilities(&k(3), &four(), &[(1, 2.0 / 9.0), (2, 3.0 / 9.0), (3, 4.0 / 9.0)]);
}

#[test]
fn top_k_at_and_above_the_number_of_tokens_keeps_all() {
    for n in [4, 5, 100, u32::MAX] {
        assert_eq!(kept(&k(n), &four()), [3, 2, 1, 0]);
    }
}

#[test]
fn top_k_0_is_off() {
    assert_eq!(kept(&k(0), &four()), [3, 2, 1, 0]);
}

#[test]
fn top_k_keeps_exactly_k_of_equal_tokens_those_with_the_lowest_ids() {
    let row = [1.0, 2.0, 2.0, 0.5, 2.0, 2.0];
    assert_eq!(kept(&k(1), &row), [1]);
    assert_eq!(kept(&k(2), &row), [1, 2]);
    assert_eq!(kept(&k(3), &row), [1, 2, 4]);
    assert_eq!(kept(&k(5), &row), [1, 2, 4, 5, 0]);
    assert_eq!(kept(&k(7), &[0.25; 1000]), [0, 1, 2, 3, 4, 5, 6]);
}

#[test]
fn top_k_holds_minus_0_and_0_for_equal() {
    assert_eq!(kept(&k(1), &[-0.0, 0.0]), [0]);
    assert_eq!(kept(&k(1), &[0.0, -0.0]), [0]);
    assert_eq!(kept(&k(2), &[-1.0, -0.0, 0.0, -0.0]), [1, 2]);
}

#[test]
fn top_k_does_not_count_dead_tokens() {
    let row = [DEAD, 1.0, DEAD, 2.0, DEAD];
    assert_eq!(kept(&k(1), &row), [3]);
    assert_eq!(kept(&k(3), &row), [3, 1]);
}

#[test]
fn top_k_of_a_single_candidate_keeps_it() {
    assert_eq!(kept(&k(1), &[-7.0]), [0]);
    assert_eq!(kept(&k(3), &[DEAD, -7.0]), [1]);
}

/// Float neighbours far from 0 differ by less than their distance to the best one can show in f32.
#[test]
fn top_k_ranks_by_the_logits_themselves_not_by_their_distance_to_the_best() {
    let small = 1.0f32;
    let row = [small, f32::from_bits(small.to_bits() + 1), 1e8];
    assert_eq!(row[0] - row[2], row[1] - row[2]);
    assert_eq!(kept(&k(2), &row), [2, 1]);
}

#[test]
fn top_k_of_a_ramp_of_ten_thousand_keeps_the_last_ids() {
    for n in [1u32, 63, 64, 65, 100, 255, 256, 257, 9998] {
        assert_eq!(kept(&k(n), &ramp(10_000)), (10_000 - n..10_000).rev().collect::<Vec<_>>());
    }
}

#[test]
fn the_threshold_of_top_k_is_k() {
    assert_eq!(threshold(&k(3), &four(), StageName::TopK), 3.0);
}
