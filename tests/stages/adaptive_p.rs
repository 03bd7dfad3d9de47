use nucleus_sampler::{Options, Sampler, StageName};

use crate::common::{DEAD, kept, ln, logits, sampler, threshold};
use crate::options::Change;
use crate::oracle::{self, Learned, Plan};
use crate::{four, ordered};

/// What the stage's options change.
pub fn changes() -> Vec<Change> {
    let base = target(0.2);
    let quick = Options { adaptive_p_decay: Some(0.0), ..base.clone() };
    vec![
        Change::from_none("adaptiveP.target", base.clone()),
        Change { key: "adaptiveP.decay", without: base, with: quick },
    ]
}

fn target(target: f64) -> Options {
    Options { adaptive_p_target: Some(target), ..Options::default() }
}

#[track_caller]
fn near(found: f32, expected: f64) {
    assert!((f64::from(found) - expected).abs() < 1e-5, "{found} is not {expected}");
}

/// 5 - 10 d^2 / (1 + d), d = |p - a| / 0.3; at first a is the target.
#[test]
fn adaptive_p_gives_every_token_a_logit_by_its_distance_from_the_target() {
    // Distances of 1/3, 2/3, 0 and 1/3 from 0.3... in thirds of 0.1.
    let expected = [
        (0, 5.0 - 10.0 * (4.0 / 9.0) / (5.0 / 3.0)),
        (1, 5.0 - 10.0 * (1.0 / 9.0) / (4.0 / 3.0)),
        (2, 5.0),
        (3, 5.0 - 10.0 * (1.0 / 9.0) / (4.0 / 3.0)),
    ];
    for ((id, found), (expected_id, logit)) in
        logits(&mut sampler(&target(0.3)), &four()).into_iter().zip(expected)
    {
        assert_eq!(id, expected_id);
        near(found, logit);
    }
}

/// The adapted target is 2 target - sum / weight, within [0, 1].
#[test]
fn adaptive_p_adapts_its_target_to_what_was_accepted() {
    for (sum, weight, adapted) in
        [(3.0, 10.0, 0.3), (1.0, 10.0, 0.5), (5.0, 10.0, 0.1), (9.0, 10.0, 0.0), (0.0, 1.0, 0.6)]
    {
        let learned = Learned { probabilities: Some((sum, weight)), ..Learned::default() };
        let plan = Plan { learned, ..Plan::of(&target(0.3)) };
        let report = plan.sampler().report(&four(), false).unwrap();
        let stage = report.stages.last().unwrap();
        let found = stage.threshold.unwrap();
        assert!((found - adapted).abs() < 1e-12, "{found} is not {adapted}");
        let found = logits(&mut plan.sampler(), &four());
        let d = (0.2f64 - adapted).abs() / 0.3;
        near(found[1].1, 5.0 - 10.0 * d * d / (1.0 + d));
    }
    let high = Learned { probabilities: Some((0.0, 1.0)), ..Learned::default() };
    let mut high = Plan { learned: high, ..Plan::of(&target(0.9)) }.sampler();
    assert_eq!(high.report(&four(), false).unwrap().stages.last().unwrap().threshold, Some(1.0));
}

#[test]
fn adaptive_p_removes_nothing_and_ranks_by_the_new_logits() {
    assert_eq!(kept(&target(0.2), &four()), [1, 0, 2, 3]);
    let report = sampler(&target(0.2)).report(&four(), true).unwrap();
    let stage = report.stages.last().unwrap();
    assert_eq!((stage.name, stage.kept_before, stage.kept_after), (StageName::AdaptiveP, 4, 4));
    assert_eq!((stage.mass_removed, report.kept_mass), (0.0, 1.0));
    assert_eq!(threshold(&target(0.2), &four(), StageName::AdaptiveP), 0.2);
}

#[test]
fn equal_tokens_get_equal_logits_and_the_dead_stay_dead() {
    assert_eq!(kept(&target(0.5), &[1.0, DEAD, 1.0, 1.0]), [0, 2, 3]);
    let found = logits(&mut sampler(&target(0.5)), &[7.0; 100]);
    assert_eq!(found.len(), 100);
    assert!(found.iter().all(|(_, logit)| *logit == found[0].1));
}

/// A token of weight 0 gets the logit of p = 0, like all others; min-p before it leaves none.
#[test]
fn tokens_of_weight_0_can_be_drawn_unless_they_are_cut_before() {
    let row = [0.0, -100.0, -1e30];
    let d = 0.5 / 0.3;
    for (id, logit) in logits(&mut sampler(&target(0.5)), &row) {
        near(logit, 5.0 - 10.0 * d * d / (1.0 + d));
        assert!(id < 3);
    }
    assert_eq!(kept(&Options { min_p: Some(1e-6), ..target(0.5) }, &row), [0]);
}

/// A token that had no probability where surprise is measured leaves an infinite one, which counts as p = 0.
#[test]
fn accepting_a_token_that_had_probability_0_pulls_the_average_down() {
    let row = [0.0, -100.0];
    let mut sampler = sampler(&Options { adaptive_p_decay: Some(0.5), ..target(0.5) });
    for token in [0, 1] {
        while sampler.sample(&row).unwrap() != token {}
        let surprise = if token == 0 { 0.0 } else { f64::INFINITY };
        assert_eq!(sampler.row(0).unwrap().controllers().pending(), Some((token, surprise)));
        sampler.accept(token).unwrap();
    }
    // (1, 2), then p = 1, then p = 0.
    let found = sampler.row(0).unwrap().controllers().adaptive_p(0.5, 0.5);
    assert_eq!(found, (0.5 * (1.0 + 0.5), 1.0 + 0.5 * (1.0 + 0.5 * 2.0)));
}

#[test]
fn adaptive_p_of_a_single_candidate_draws_it_with_a_surprise_of_0() {
    let mut sampler = sampler(&target(0.1));
    assert_eq!(sampler.sample(&[DEAD, 2.0]).unwrap(), 1);
    assert_eq!(sampler.row(0).unwrap().controllers().pending(), Some((1, 0.0)));
}

/// A temperature before it is written into the logits first, and p is that of what was written.
#[test]
fn adaptive_p_measures_at_the_temperature_in_force() {
    let options = Options { temperature: Some(0.5), ..target(16.0 / 30.0) };
    // 1, 4, 9 and 16 of 30.
    let found = logits(&mut sampler(&options), &four());
    near(found[3].1, 5.0);
    let d = 15.0 / 30.0 / 0.3;
    near(found[0].1, 5.0 - 10.0 * d * d / (1.0 + d));
}

#[test]
fn adaptive_p_of_extreme_rows_is_that_of_the_exact_oracle() {
    let rows = [
        vec![1e4, -1e4, 0.0],
        vec![-1e4; 5],
        vec![1e30, -1e30, 1.0, DEAD],
        vec![DEAD, 0.0, 1e-30, -1e-30],
        (0..4000).map(|i| ((i * 37) % 101) as f32 / 10.0).collect(),
    ];
    for share in [f64::MIN_POSITIVE, 0.01, 0.5, 1.0] {
        for temperature in [1.0, 0.7, 1e9] {
            for min_p in [0.0, 0.05] {
                for row in &rows {
                    let options = Options {
                        temperature: Some(temperature),
                        min_p: Some(min_p),
                        seed: Some(3),
                        ..target(share)
                    };
                    oracle::assert_agrees(&Plan::of(&options), row, 3);
                }
            }
        }
    }
}

#[test]
fn adaptive_p_0_is_off_whatever_its_decay() {
    let off = Options { adaptive_p_decay: Some(0.5), ..target(0.0) };
    let plain = sampler(&Options::default()).distribution(&four()).unwrap();
    assert_eq!(sampler(&off).distribution(&four()).unwrap(), plain);
    assert_eq!(sampler(&target(-0.0)).distribution(&four()).unwrap(), plain);
    let mut sampler = sampler(&off);
    sampler.sample(&four()).unwrap();
    assert_eq!(sampler.row(0).unwrap().controllers().pending(), None);
}

/// Draws concentrate on the token at the target, and their mean probability meets it.
#[test]
fn accepted_draws_have_about_the_target_s_probability_on_average() {
    let row = ln(&[0.4, 0.3, 0.2, 0.07, 0.03]);
    let p = [0.4, 0.3, 0.2, 0.07, 0.03];
    for share in [0.1, 0.25] {
        let mut sampler = sampler(&Options { seed: Some(5), ..target(share) });
        let mut sum = 0.0;
        for _ in 0..20_000 {
            let token = sampler.sample(&row).unwrap();
            sampler.accept(token).unwrap();
            sum += p[token as usize];
        }
        let mean = sum / 20_000.0;
        assert!((mean - share).abs() < 0.05, "{mean} for {share}");
    }
}

#[test]
fn adaptive_p_can_be_listed_last_and_nowhere_else() {
    let listed = ordered(&[StageName::AdaptiveP], target(0.2));
    assert_eq!(kept(&listed, &four()), kept(&target(0.2), &four()));
    for order in
        [&[StageName::AdaptiveP, StageName::MinP][..], &[StageName::Draw], &[StageName::Mirostat]]
    {
        let options = Options { seed: Some(1), ..ordered(order, target(0.2)) };
        assert_eq!(Sampler::new(options).unwrap_err().code(), "bad_order", "{order:?}");
    }
}

#[test]
fn numbers_out_of_range_are_errors_that_say_what_is_accepted() {
    let plain = Options { seed: Some(1), ..Options::default() };
    for (options, name) in [
        (Options { adaptive_p_target: Some(1.1), ..plain.clone() }, "adaptiveP.target"),
        (Options { adaptive_p_target: Some(-0.1), ..plain.clone() }, "adaptiveP.target"),
        (Options { adaptive_p_decay: Some(0.991), ..plain.clone() }, "adaptiveP.decay"),
        (Options { adaptive_p_decay: Some(-0.1), ..plain }, "adaptiveP.decay"),
    ] {
        let error = Sampler::new(options).unwrap_err();
        assert_eq!((error.code(), error.option()), ("out_of_range", Some(name)));
    }
}
