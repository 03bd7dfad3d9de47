use nucleus_sampler::{Options, Sampler, StageName};

use crate::common::{DEAD, logits, sampler};

fn penalise(f: f64, prompt: &[u32], output: &[u32]) -> Sampler {
    let mut sampler = sampler(&Options { frequency_penalty: Some(f), ..Options::default() });
    sampler.prompt(prompt).unwrap();
    output.iter().for_each(|token| sampler.accept(*token).unwrap());
    sampler
}

fn after(f: f64, prompt: &[u32], output: &[u32], row: &[f32]) -> Vec<f32> {
    logits(&mut penalise(f, prompt, output), row).into_iter().map(|(_, logit)| logit).collect()
}

#[test]
fn frequency_penalty_subtracts_once_for_each_time_that_a_token_was_output() {
    assert_eq!(after(0.5, &[], &[1, 2, 1, 1], &[4.0; 4]), [4.0, 2.5, 3.5, 4.0]);
}

#[test]
fn frequency_penalty_does_not_count_the_prompt() {
    assert_eq!(after(0.5, &[0, 0, 0], &[], &[4.0; 2]), [4.0, 4.0]);
    assert_eq!(after(0.5, &[0, 0, 0], &[0], &[4.0; 2]), [3.5, 4.0]);
}

#[test]
fn frequency_penalty_below_0_rewards() {
    assert_eq!(after(-2.0, &[], &[0, 0], &[-1.0, 1.0]), [3.0, 1.0]);
}

#[test]
fn frequency_penalty_does_not_mind_the_sign_of_a_logit() {
    assert_eq!(after(1.0, &[], &[0, 1, 2], &[-1.0, 0.0, 1.0]), [-2.0, -1.0, 0.0]);
}

#[test]
fn frequency_penalty_of_0_is_off() {
    for f in [0.0, -0.0] {
        let report = penalise(f, &[], &[0]).report(&[1.0, 2.0], false).unwrap();
        let stage = report.stages.iter().find(|s| s.name == StageName::FrequencyPenalty).unwrap();
        assert!(!stage.active);
    }
    assert_eq!(after(0.0, &[], &[0, 0], &[1.0, 2.0]), [1.0, 2.0]);
}

#[test]
fn frequency_penalty_leaves_the_dead_and_the_unseen_alone() {
    assert_eq!(after(1.0, &[], &[0, 2], &[DEAD, 4.0, 4.0]), [4.0, 3.0]);
}

#[test]
fn frequency_penalty_rounds_once_from_f64() {
    // Three times 0.1 in f64, then to f32: not three roundings.
    assert_eq!(after(0.1, &[], &[0, 0, 0], &[1.0]), [(1.0 - 3.0 * 0.1) as f32]);
    assert_eq!(after(1e-9, &[], &[0; 100], &[1.0]), [(1.0 - 100.0 * 1e-9) as f32]);
}

#[test]
fn frequency_penalty_out_of_the_range_of_f32_is_an_error() {
    for f in [1e39, -1e39, f64::MAX, f64::MIN] {
        let error = penalise(f, &[], &[1, 1]).sample(&[0.0, 1.0]).unwrap_err();
        assert_eq!((error.code(), error.index()), ("not_finite", Some(1)));
        assert_eq!(error.stage(), Some(StageName::FrequencyPenalty));
    }
}

/// The penalties in their default order: repetition, frequency, presence. They do not commute.
#[test]
fn the_penalties_follow_their_order() {
    let options = Options {
        repetition_penalty: Some(2.0),
        frequency_penalty: Some(0.5),
        presence_penalty: Some(1.0),
        ..Options::default()
    };
    let run = |options: &Options| {
        let mut sampler = sampler(options);
        [0, 0].into_iter().for_each(|token| sampler.accept(token).unwrap());
        logits(&mut sampler, &[8.0])[0].1
    };
    // 8 / 2 - 2 * 0.5 - 1.
    assert_eq!(run(&options), 2.0);
    use StageName::{FrequencyPenalty, PresencePenalty, RepetitionPenalty};
    let order = [FrequencyPenalty, PresencePenalty, RepetitionPenalty];
    // (8 - 2 * 0.5 - 1) / 2.
    assert_eq!(run(&crate::ordered(&order, options)), 3.0);
}
