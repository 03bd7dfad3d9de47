//! `min_keep`: every truncating stage keeps at least that many, the first by rank.

use nucleus_sampler::{Options, StageName};

use crate::common::{DEAD, kept};
use crate::{four, ordered};

fn least(min_keep: u32) -> Options {
    Options { min_keep: Some(min_keep), ..Options::default() }
}

#[test]
fn top_k_keeps_min_keep_where_k_is_less() {
    for (k, n, expected) in
        [(1, 2, 2), (2, 2, 2), (3, 2, 3), (1, 4, 4), (1, 5, 4), (2, u32::MAX, 4)]
    {
        let options = Options { top_k: Some(k), ..least(n) };
        assert_eq!(kept(&options, &four()), [3, 2, 1, 0][..expected], "k {k}, min_keep {n}");
    }
}

#[test]
fn top_p_keeps_min_keep_where_p_is_reached_before() {
    for (p, n, expected) in
        [(0.0, 1, 1), (0.0, 3, 3), (0.3, 2, 2), (0.69, 2, 2), (0.71, 2, 3), (0.5, 9, 4)]
    {
        let options = Options { top_p: Some(p), ..least(n) };
        assert_eq!(kept(&options, &four()), [3, 2, 1, 0][..expected], "p {p}, min_keep {n}");
    }
}

#[test]
fn min_p_keeps_min_keep_where_fewer_pass() {
    for (m, n, expected) in
        [(1.0, 1, 1), (1.0, 2, 2), (0.74, 2, 2), (0.76, 2, 2), (0.49, 2, 3), (1.0, 9, 4)]
    {
        let options = Options { min_p: Some(m), ..least(n) };
        assert_eq!(kept(&options, &four()), [3, 2, 1, 0][..expected], "m {m}, min_keep {n}");
    }
}

#[test]
fn what_min_keep_adds_is_chosen_by_rank_and_then_by_id() {
    let row = [0.0, 1.0, 9.0, 1.0, 1.0];
    for options in [
        Options { top_k: Some(1), ..least(3) },
        Options { top_p: Some(0.1), ..least(3) },
        Options { min_p: Some(0.9), ..least(3) },
    ] {
        assert_eq!(kept(&options, &row), [2, 1, 3], "{options:?}");
    }
}

#[test]
fn min_keep_keeps_tokens_of_weight_0_but_not_the_dead() {
    let row = [0.0, DEAD, -90.0, -80.0];
    for options in [
        Options { top_p: Some(0.5), ..least(3) },
        Options { min_p: Some(0.5), ..least(3) },
        Options { top_k: Some(1), ..least(3) },
    ] {
        assert_eq!(kept(&options, &row), [0, 3, 2], "{options:?}");
    }
}

#[test]
fn min_keep_alone_truncates_nothing() {
    assert_eq!(kept(&least(2), &four()), [3, 2, 1, 0]);
}

#[test]
fn every_stage_of_a_chain_knows_min_keep() {
    let options = Options { top_k: Some(1), top_p: Some(0.1), min_p: Some(1.0), ..least(3) };
    use StageName::{MinP, TopK, TopP};
    for order in [[TopK, TopP, MinP], [MinP, TopK, TopP], [TopP, MinP, TopK]] {
        assert_eq!(kept(&ordered(&order, options.clone()), &four()), [3, 2, 1]);
    }
}
