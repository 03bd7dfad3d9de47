//! Logits at the ends of their range, and tokens too small for a weight.

use nucleus_sampler::{Options, Sampler};

use crate::common::{DEAD, assert_probabilities, kept, sampler};
use crate::oracle::{Plan, assert_agrees};

/// Options that make every present stage work.
fn chains() -> Vec<Options> {
    vec![
        Options::default(),
        Options { temperature: Some(0.7), ..Options::default() },
        Options { temperature: Some(0.0), ..Options::default() },
        Options { top_k: Some(2), ..Options::default() },
        Options { top_p: Some(0.9), ..Options::default() },
        Options { min_p: Some(0.1), ..Options::default() },
        Options {
            temperature: Some(1e-9),
            top_k: Some(3),
            top_p: Some(0.999),
            min_p: Some(1e-6),
            ..Options::default()
        },
        Options { temperature: Some(1e30), top_p: Some(0.5), ..Options::default() },
        Options { typical_p: Some(0.5), ..Options::default() },
        Options { top_n_sigma: Some(1.0), ..Options::default() },
        Options { top_a: Some(0.5), ..Options::default() },
        Options { top_h: Some(0.5), ..Options::default() },
        Options { tail_free: Some(0.5), ..Options::default() },
        Options { p_less: Some(true), ..Options::default() },
        Options { epsilon_cutoff: Some(0.1), ..Options::default() },
        Options { eta_cutoff: Some(0.1), ..Options::default() },
        Options { smoothing_factor: Some(0.5), ..Options::default() },
        Options { dynamic_temperature_range: Some(0.5), ..Options::default() },
    ]
}

#[test]
fn logits_of_plus_and_minus_10000_are_as_good_as_any() {
    let row = [1e4, -1e4, 9999.0, 0.0, 1e4];
    // 1 : 1 : 1/e.
    let best = 1.0 / (2.0 + 1.0 / std::f64::consts::E);
    let three = Options { top_k: Some(3), ..Options::default() };
    assert_probabilities(&three, &row, &[(0, best), (2, 1.0 - 2.0 * best), (4, best)]);
    for options in chains() {
        let plan = Plan { options: Options { seed: Some(3), ..options }, ..Plan::default() };
        assert_agrees(&plan, &row, 8);
        assert_agrees(&plan, &row.map(|l| -l), 8);
    }
}

#[test]
fn the_ends_of_f32_are_as_good_as_any() {
    let rows: [&[f32]; 6] = [
        &[f32::MAX, f32::MIN, 0.0],
        &[f32::MIN, f32::MIN, DEAD],
        &[f32::MAX, f32::MAX, f32::from_bits(f32::MAX.to_bits() - 1)],
        &[f32::from_bits(1), -f32::from_bits(1), 0.0, -0.0],
        &[f32::MIN_POSITIVE, 0.0, f32::from_bits(0x007f_ffff)],
        &[DEAD, f32::MIN, DEAD],
    ];
    for row in rows {
        for options in chains() {
            let plan = Plan { options: Options { seed: Some(3), ..options }, ..Plan::default() };
            assert_agrees(&plan, row, 8);
        }
    }
    assert_eq!(kept(&Options { top_k: Some(1), ..Options::default() }, rows[0]), [0]);
    // The distance between the ends overflows f32 and still only means "nothing".
    assert_probabilities(&Options::default(), rows[0], &[(0, 1.0), (1, 0.0), (2, 0.0)]);
}

/// Rank keeps it where it is, it has probability 0, and its log probability is finite.
#[test]
fn a_token_too_small_for_a_weight_is_kept_never_drawn_and_has_a_log_probability() {
    let row = [0.0, -40.0, -100.0, -1e4];
    let mut sampler = sampler(&Options::default());
    let found = sampler.distribution(&row).unwrap();
    assert_eq!(found.token_ids, [0, 1, 2, 3]);
    assert_eq!(found.probs, [1.0, 0.0, 0.0, 0.0]);
    let logprobs = sampler.logprobs(&row, 4, None).unwrap();
    for list in [logprobs.raw, logprobs.kept] {
        let values: Vec<f64> = list.iter().map(|item| item.logprob).collect();
        assert_eq!(values, [0.0, -40.0, -100.0, -1e4]);
    }
    assert_eq!(sampler.sample_many(&row, 2000).unwrap(), [0; 2000]);
}

#[test]
fn all_equal_tokens_are_equally_likely_whatever_their_logit() {
    for logit in [0.0, 1e4, -1e4, f32::MAX, f32::MIN, f32::from_bits(1)] {
        let expected: Vec<(u32, f64)> = (0..10).map(|id| (id, 0.1)).collect();
        for temperature in [0.01, 1.0, 100.0] {
            let options = Options { temperature: Some(temperature), ..Options::default() };
            assert_probabilities(&options, &[logit; 10], &expected);
        }
    }
}

#[test]
fn a_single_candidate_has_probability_1_under_every_chain() {
    for options in chains() {
        for row in [&[-1e4][..], &[DEAD, f32::MIN, DEAD], &[f32::MAX]] {
            let found = sampler(&options).distribution(row).unwrap();
            assert_eq!((found.probs, found.cumulative, found.entropy), (vec![1.0], vec![1.0], 0.0));
        }
    }
}

#[test]
fn a_row_without_a_finite_logit_is_an_error() {
    for row in [vec![DEAD], vec![DEAD; 1000]] {
        let error = sampler(&Options::default()).sample(&row).unwrap_err();
        assert_eq!((error.code(), error.stage()), ("nothing_left", None));
        assert_eq!(error.to_string(), "no token can be drawn: every logit is -Infinity");
    }
}

/// The lowest index, wherever it lies; the sign and the payload of a NaN do not matter.
#[test]
fn nan_and_plus_infinity_are_errors_that_name_the_lowest_index() {
    for bad in [f32::NAN, -f32::NAN, f32::from_bits(0x7f80_0001), f32::INFINITY] {
        for (n, places) in [(1, [0, 0]), (3, [2, 1]), (600, [599, 256]), (600, [255, 300])] {
            let mut row = vec![0.5; n];
            places.iter().for_each(|place| row[*place] = bad);
            let error = Sampler::new(Options { seed: Some(1), ..Options::default() })
                .unwrap()
                .sample(&row)
                .unwrap_err();
            let lowest = places.iter().min().copied();
            assert_eq!((error.code(), error.index()), ("not_finite", lowest));
        }
    }
}
