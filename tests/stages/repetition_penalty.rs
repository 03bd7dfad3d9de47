use nucleus_sampler::{Options, Sampler, StageName};

use crate::common::{DEAD, logits, sampler};

fn penalise(r: f64, prompt: &[u32], output: &[u32]) -> Sampler {
    let mut sampler = sampler(&Options { repetition_penalty: Some(r), ..Options::default() });
    sampler.prompt(prompt).unwrap();
    output.iter().for_each(|token| sampler.accept(*token).unwrap());
    sampler
}

fn after(r: f64, prompt: &[u32], output: &[u32], row: &[f32]) -> Vec<f32> {
    logits(&mut penalise(r, prompt, output), row).into_iter().map(|(_, logit)| logit).collect()
}

#[test]
fn repetition_penalty_divides_positive_and_multiplies_negative_logits() {
    assert_eq!(after(2.0, &[0, 1], &[], &[-1.0, 1.0, 3.0]), [-2.0, 0.5, 3.0]);
    assert_eq!(after(4.0, &[], &[0, 1], &[-0.5, 8.0, 3.0]), [-2.0, 2.0, 3.0]);
}

/// Just above 0 a logit is divided, just below it is multiplied, 0 stays.
#[test]
fn repetition_penalty_turns_at_0() {
    let tiny = f32::MIN_POSITIVE;
    assert_eq!(
        after(2.0, &[0, 1, 2, 3], &[], &[tiny, -tiny, 0.0, -0.0]),
        [tiny / 2.0, -tiny * 2.0, 0.0, 0.0]
    );
}

#[test]
fn repetition_penalty_counts_prompt_and_output_each_token_once() {
    assert_eq!(after(2.0, &[0, 0, 0], &[1, 0, 1], &[8.0, 8.0, 8.0]), [4.0, 4.0, 8.0]);
}

#[test]
fn repetition_penalty_below_1_rewards() {
    assert_eq!(after(0.5, &[0, 1], &[], &[1.0, -1.0, 0.0]), [2.0, -0.5, 0.0]);
}

#[test]
fn repetition_penalty_of_1_is_off() {
    let report = penalise(1.0, &[0], &[]).report(&[1.0, 2.0], false).unwrap();
    let stage = report.stages.iter().find(|s| s.name == StageName::RepetitionPenalty).unwrap();
    assert!(!stage.active);
    assert_eq!(after(1.0, &[0], &[1], &[1.0, 2.0]), [1.0, 2.0]);
    assert_eq!(after(crate::above(1.0), &[0], &[], &[1e8, 2.0]), [1e8, 2.0]);
}

#[test]
fn repetition_penalty_without_history_changes_nothing() {
    assert_eq!(after(5.0, &[], &[], &[1.0, -2.0]), [1.0, -2.0]);
}

#[test]
fn repetition_penalty_leaves_the_dead_alone() {
    assert_eq!(after(2.0, &[0, 1], &[], &[DEAD, 4.0]), [2.0]);
}

/// The same distances between logits, ten higher: the penalty does something else. Documented, and unlike the other two.
#[test]
fn repetition_penalty_is_not_invariant_to_a_shift_of_all_logits() {
    let distance = |shift: f32| {
        let row = [shift, 1.0 + shift, 2.0 + shift];
        let found = after(1.5, &[], &[2], &row);
        found[2] - found[0]
    };
    assert!((distance(0.0) - 4.0 / 3.0).abs() < 1e-6);
    assert!((distance(10.0) - (8.0 - 10.0)).abs() < 1e-6);
}

#[test]
fn repetition_penalty_rounds_once_from_f64() {
    let r = 1.1;
    let expected = |l: f32| (f64::from(l) / r) as f32;
    for l in [0.3f32, 1.7, 9.999, 123.456, 1e-39, 3e38] {
        assert_eq!(after(r, &[0], &[], &[l]), [expected(l)]);
    }
}

#[test]
fn repetition_penalty_out_of_the_range_of_f32_is_an_error() {
    for (r, l) in [(1e39, -1.0), (1e-39, 1.0), (f64::MAX, -1e30), (f64::MIN_POSITIVE, 1e30)] {
        let error = penalise(r, &[1], &[]).sample(&[0.0, l]).unwrap_err();
        assert_eq!((error.code(), error.index()), ("not_finite", Some(1)), "{r}");
        assert_eq!(error.stage(), Some(StageName::RepetitionPenalty));
    }
    // 0 stays 0 whatever the penalty.
    assert_eq!(after(f64::MAX, &[0], &[], &[0.0, 1.0]), [0.0, 1.0]);
}
