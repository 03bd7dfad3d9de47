use nucleus_sampler::{Options, StageName};

use crate::common::{DEAD, assert_probabilities, kept, row, sampler, threshold};
use crate::options::Change;
use crate::oracle::{Plan, assert_agrees};
use crate::{above, below, four, ordered};

fn h(h: f64) -> Options {
    Options { top_h: Some(h), seed: Some(1), ..Options::default() }
}

/// What this stage's options change.
pub fn changes() -> Vec<Change> {
    vec![Change::from_none("topH", h(0.5))]
}

/// Entropies of the prefixes: 0, 0.682908, 1.060857, 1.279854 nats; shares of the last: 0, 0.53358, 0.82889, 1.
#[test]
fn top_h_keeps_the_longest_prefix_with_at_most_h_of_the_entropy() {
    let one = vec![(3, 1.0)];
    let two = vec![(2, 3.0 / 7.0), (3, 4.0 / 7.0)];
    let three = vec![(1, 2.0 / 9.0), (2, 3.0 / 9.0), (3, 4.0 / 9.0)];
    let all = vec![(0, 0.1), (1, 0.2), (2, 0.3), (3, 0.4)];
    for (share, expected) in [
        (0.0, &one),
        (0.533, &one),
        (0.534, &two),
        (0.828, &two),
        (0.829, &three),
        (0.999, &three),
        (1.0, &all),
    ] {
        assert_probabilities(&h(share), &four(), expected);
    }
}

/// Of equal tokens the entropy is ln n: half of that of 64 is that of 8.
#[test]
fn top_h_keeps_the_prefix_whose_entropy_is_exactly_the_limit() {
    for (n, half) in [(64, 8), (4, 2), (256, 16), (65_536, 256)] {
        let equal = vec![0.5; n];
        assert_eq!(kept(&h(0.5), &equal), (0..half).collect::<Vec<u32>>(), "{n}");
        assert_eq!(kept(&h(above(0.5)), &equal).len(), half as usize, "{n}");
        assert_eq!(kept(&h(below(0.5)), &equal).len(), half as usize - 1, "{n}");
    }
}

#[test]
fn top_h_decides_ties_for_the_lower_id() {
    assert_eq!(kept(&h(0.5), &[0.0, 1.0, 1.0, 1.0, 1.0]), [1, 2]);
    assert_eq!(kept(&h(0.0), &[0.0, 1.0, 1.0]), [1]);
}

#[test]
fn top_h_1_is_off_and_just_below_drops_what_weighs_nothing_and_the_last_that_does() {
    let row = [0.0, -1.0, -60.0, -1e30];
    assert_eq!(kept(&h(1.0), &row), [0, 1, 2, 3]);
    assert_eq!(kept(&h(below(1.0)), &row), [0]);
    // One token holds all: there is no entropy to share, and the others weigh nothing.
    for share in [0.0, 0.5, below(1.0)] {
        assert_eq!(kept(&h(share), &[-50.0, 0.0, -50.0, -1e30]), [1]);
        assert_eq!(kept(&h(share), &[DEAD, -3.0]), [1]);
        assert_eq!(kept(&h(share), &[1e4, -1e4]), [0]);
    }
}

#[test]
fn min_keep_adds_by_rank() {
    let row = [0.0, 1.0, 9.0, 1.0, 1.0];
    assert_eq!(kept(&Options { min_keep: Some(3), ..h(0.1) }, &row), [2, 1, 3]);
    let weightless = [0.0, DEAD, -90.0, -80.0];
    assert_eq!(kept(&Options { min_keep: Some(3), ..h(0.5) }, &weightless), [0, 3, 2]);
}

/// Hugging Face looks at the best hundred alone.
#[test]
fn top_h_looks_at_all_tokens() {
    assert_eq!(kept(&h(0.9), &vec![0.0; 10_000]).len(), 3981);
}

/// Rows at every length and temperature at which the search takes another way.
#[test]
fn the_cut_of_top_h_is_that_of_a_walk() {
    for (name, n) in [("capital", 49_152), ("once", 5000), ("seven", 300), ("list", 33)] {
        let row = &row(name)[..n];
        for temperature in [0.3, 1.0, 4.0, 1000.0] {
            for share in [1e-6, 0.3, 0.8, 0.999, below(1.0)] {
                let options = Options { temperature: Some(temperature), ..h(share) };
                assert_agrees(&Plan::of(&options), row, 1);
            }
        }
    }
}

/// Thousands of tokens so near each other that they share a slot, and entropies that rise by less than the margin.
#[test]
fn the_cut_of_top_h_among_neighbours_is_that_of_a_walk() {
    let near: Vec<f32> =
        (0..20_000u32).map(|i| 1.0 + (i.wrapping_mul(2_654_435_761) >> 20) as f32 * 1e-6).collect();
    let mut tail = vec![0.0f32; 4];
    tail.extend((0..20_000u32).map(|i| -24.0 - (i % 977) as f32 * 1e-3));
    for row in [near, tail] {
        for share in [0.2, 0.7, 0.99, 0.999_99, 0.999_999_999, below(1.0)] {
            assert_agrees(&Plan::of(&h(share)), &row, 1);
        }
    }
}

#[test]
fn top_h_takes_the_entropy_of_what_is_alive() {
    let two = Options { top_k: Some(2), ..h(0.9) };
    assert_eq!(kept(&ordered(&[StageName::TopK, StageName::TopH], two.clone()), &four()), [3]);
    assert_eq!(kept(&ordered(&[StageName::TopH, StageName::TopK], two), &four()), [3, 2]);
}

#[test]
fn the_threshold_of_top_h_is_the_entropy_that_a_prefix_may_have() {
    let found = threshold(&h(0.6), &four(), StageName::TopH);
    assert!((found - 0.6 * 1.279_854).abs() < 1e-6, "{found}");
    let report = sampler(&h(0.6)).report(&four(), false).unwrap();
    let stage = report.stages.iter().find(|stage| stage.name == StageName::TopH).unwrap();
    assert!((stage.mass_removed - 0.3).abs() < 1e-6);
    assert!(stage.entropy_after <= found);
}
