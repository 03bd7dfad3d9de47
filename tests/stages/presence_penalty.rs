use nucleus_sampler::{Options, Sampler, StageName};

use crate::common::{DEAD, logits, sampler};

fn penalise(q: f64, prompt: &[u32], output: &[u32]) -> Sampler {
    let mut sampler = sampler(&Options { presence_penalty: Some(q), ..Options::default() });
    sampler.prompt(prompt).unwrap();
    output.iter().for_each(|token| sampler.accept(*token).unwrap());
    sampler
}

fn after(q: f64, prompt: &[u32], output: &[u32], row: &[f32]) -> Vec<f32> {
    logits(&mut penalise(q, prompt, output), row).into_iter().map(|(_, logit)| logit).collect()
}

#[test]
fn presence_penalty_subtracts_once_from_every_token_that_was_output() {
    assert_eq!(after(0.5, &[], &[1, 2, 1, 1], &[4.0; 4]), [4.0, 3.5, 3.5, 4.0]);
}

#[test]
fn presence_penalty_does_not_count_the_prompt() {
    assert_eq!(after(0.5, &[0, 1], &[], &[4.0; 2]), [4.0, 4.0]);
    assert_eq!(after(0.5, &[0, 1], &[1], &[4.0; 2]), [4.0, 3.5]);
}

#[test]
fn presence_penalty_below_0_rewards() {
    assert_eq!(after(-2.0, &[], &[0, 0], &[-1.0, 1.0]), [1.0, 1.0]);
}

#[test]
fn presence_penalty_does_not_mind_the_sign_of_a_logit() {
    assert_eq!(after(1.0, &[], &[0, 1, 2], &[-1.0, 0.0, 1.0]), [-2.0, -1.0, 0.0]);
}

#[test]
fn presence_penalty_of_0_is_off() {
    for q in [0.0, -0.0] {
        let report = penalise(q, &[], &[0]).report(&[1.0, 2.0], false).unwrap();
        let stage = report.stages.iter().find(|s| s.name == StageName::PresencePenalty).unwrap();
        assert!(!stage.active);
    }
}

#[test]
fn presence_penalty_leaves_the_dead_and_the_unseen_alone() {
    assert_eq!(after(1.0, &[], &[0, 2], &[DEAD, 4.0, 4.0]), [4.0, 3.0]);
}

#[test]
fn presence_penalty_out_of_the_range_of_f32_is_an_error() {
    for q in [1e39, -1e39, f64::MAX, f64::MIN] {
        let error = penalise(q, &[], &[1]).sample(&[0.0, 1.0]).unwrap_err();
        assert_eq!((error.code(), error.index()), ("not_finite", Some(1)));
        assert_eq!(error.stage(), Some(StageName::PresencePenalty));
    }
}
