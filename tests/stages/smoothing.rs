use nucleus_sampler::{Options, StageName};

use crate::common::{DEAD, kept, logits, sampler};
use crate::options::Change;
use crate::oracle::{Plan, assert_agrees};
use crate::{above, ordered};

fn smoothing(factor: f64, curve: f64) -> Options {
    Options {
        smoothing_factor: Some(factor),
        smoothing_curve: Some(curve),
        seed: Some(1),
        ..Options::default()
    }
}

/// What this stage's options change.
pub fn changes() -> Vec<Change> {
    vec![
        Change::from_none("smoothing.factor", smoothing(0.5, 1.0)),
        Change { key: "smoothing.curve", without: smoothing(0.5, 1.0), with: smoothing(0.5, 2.0) },
    ]
}

/// By hand: d is 0, -1, -3; d^2 is 0, 1, 9; d^3 is 0, -1, -27.
#[test]
fn smoothing_replaces_logits_by_a_curve_of_their_distance_from_the_best() {
    for (factor, curve, expected) in [
        (0.5, 1.0, [3.0, 2.5, -1.5]),
        (0.5, 3.0, [3.0, 2.5, -10.5]),
        (0.5, 2.0, [3.0, 2.5, -6.0]),
        (0.25, 1.0, [3.0, 2.75, 0.75]),
        (1.0, 2.0, [3.0, 2.0, -15.0]),
        (0.5, 4.0, [3.0, 2.5, -15.0]),
        (0.0, 2.0, [3.0, 2.0, 0.0]),
    ] {
        let found = logits(&mut sampler(&smoothing(factor, curve)), &[3.0, 2.0, 0.0]);
        let found: Vec<f32> = found.iter().map(|(_, logit)| *logit).collect();
        assert_eq!(found, expected, "factor {factor}, curve {curve}");
    }
}

#[test]
fn smoothing_keeps_the_best_logit_and_every_rank_up_to_a_curve_of_3() {
    let row: Vec<f32> = (0..40).map(|i| (i as f32 * 7.7).rem_euclid(11.0)).collect();
    let ranked = kept(&Options::default(), &row);
    for curve in [1.0, 2.0, 3.0] {
        let found = sampler(&smoothing(0.3, curve)).distribution(&row).unwrap();
        assert_eq!(found.token_ids, ranked);
        assert_eq!(found.logits[0], row[ranked[0] as usize]);
    }
}

/// At a curve of 5 tokens nearer than 0.5 come to lie over the best.
#[test]
fn smoothing_above_a_curve_of_3_lifts_what_is_near_the_best() {
    let found = logits(&mut sampler(&smoothing(0.5, 5.0)), &[3.0, 2.75, 2.5, 2.0]);
    assert_eq!(found, [(0, 3.0), (1, 3.015_625), (2, 3.0), (3, 2.5)]);
    assert_eq!(kept(&smoothing(0.5, 5.0), &[3.0, 2.75, 2.5, 2.0]), [1, 0, 2, 3]);
}

#[test]
fn smoothing_0_is_off_whatever_the_curve() {
    let row = [0.3, DEAD, -7.5, 2.0];
    for options in [smoothing(0.0, 1.0), smoothing(0.0, 9.0), smoothing(-0.0, 2.0)] {
        let found = sampler(&options).distribution(&row).unwrap();
        assert_eq!(found, sampler(&Options::default()).distribution(&row).unwrap());
    }
}

#[test]
fn smoothing_leaves_the_dead_dead_and_one_or_equal_tokens_as_they_are() {
    assert_eq!(logits(&mut sampler(&smoothing(0.5, 2.0)), &[DEAD, 1.5]), [(1, 1.5)]);
    assert_eq!(logits(&mut sampler(&smoothing(0.5, 2.0)), &[1.5, 1.5]), [(0, 1.5), (1, 1.5)]);
}

/// The distance from the best of a written logit: -1e4 to 1e4 is 2e4, its square 4e8.
#[test]
fn smoothing_of_extreme_logits_is_exact_or_an_error_that_names_the_token() {
    assert_eq!(
        logits(&mut sampler(&smoothing(1.0, 1.0)), &[1e4, -1e4]),
        [(0, 1e4), (1, -399_990_000.0)]
    );
    let error = sampler(&smoothing(1.0, 1.0)).sample(&[0.0, -1.0, -1e30]).unwrap_err();
    assert_eq!(
        (error.code(), error.stage(), error.index()),
        ("not_finite", Some(StageName::Smoothing), Some(2))
    );
}

/// A temperature before it is written into the logits; one after it is not seen.
#[test]
fn smoothing_sees_the_temperature_before_it() {
    let cold = |order: &[StageName]| {
        let options = Options { temperature: Some(0.5), ..smoothing(0.5, 1.0) };
        logits(&mut sampler(&ordered(order, options)), &[3.0, 2.0, 0.0])
    };
    use StageName::{Smoothing, Temperature};
    assert_eq!(cold(&[Temperature, Smoothing]), [(0, 6.0), (1, 4.0), (2, -12.0)]);
    assert_eq!(cold(&[Smoothing, Temperature]), [(0, 6.0), (1, 5.0), (2, -3.0)]);
}

#[test]
fn truncations_after_smoothing_see_what_it_wrote() {
    let row: Vec<f32> = (0..3000).map(|i| ((i * 37) % 101) as f32 * 0.1).collect();
    for curve in [1.0, 1.7, 6.0] {
        let options = Options { top_p: Some(0.9), temperature: Some(0.8), ..smoothing(0.4, curve) };
        assert_agrees(&Plan::of(&options), &row, 4);
        let listed = [StageName::TopK, StageName::Smoothing, StageName::TopP];
        let options = Options { top_k: Some(50), top_p: Some(0.9), ..smoothing(0.4, curve) };
        assert_agrees(&Plan::of(&ordered(&listed, options)), &row, 4);
    }
}

#[test]
fn a_stage_that_writes_has_no_threshold_and_removes_nothing() {
    let report = sampler(&smoothing(0.5, above(1.0))).report(&[3.0, 2.0], false).unwrap();
    let stage = report.stages.iter().find(|stage| stage.name == StageName::Smoothing).unwrap();
    assert_eq!((stage.threshold, stage.mass_removed, stage.active), (None, 0.0, true));
    assert!(stage.entropy_after > stage.entropy_before);
}
