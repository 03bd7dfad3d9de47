use nucleus_sampler::{Options, Sampler, StageName};

use crate::common::sampler;
use crate::ordered;

fn options(n: u32, ends: &[u32]) -> Options {
    Options { min_new_tokens: Some(n), eos_token_ids: Some(ends.to_vec()), ..Options::default() }
}

#[test]
fn the_end_is_banned_until_n_tokens_were_output() {
    let mut sampler = sampler(&options(3, &[0, 4]));
    sampler.prompt(&[1; 10]).unwrap();
    for n_output in 0..6 {
        let expected: &[u32] = if n_output < 3 { &[1, 2, 3] } else { &[0, 1, 2, 3, 4] };
        assert_eq!(sampler.distribution(&[0.0; 5]).unwrap().token_ids, expected, "{n_output}");
        sampler.accept(2).unwrap();
    }
    sampler.reset();
    assert_eq!(sampler.distribution(&[0.0; 5]).unwrap().token_ids, [1, 2, 3]);
}

#[test]
fn min_new_tokens_of_0_is_off_whatever_the_ends() {
    for options in [options(0, &[0]), options(0, &[]), options(0, &[99])] {
        let report = sampler(&options).report(&[1.0, 2.0], false).unwrap();
        let stage = report.stages.iter().find(|s| s.name == StageName::MinNewTokens).unwrap();
        assert!(!stage.active && report.kept_count == 2);
    }
}

#[test]
fn min_new_tokens_without_ends_is_refused_when_the_options_are() {
    let seeded = |options| Options { seed: Some(1), ..options };
    for refused in [options(2, &[]), Options { min_new_tokens: Some(2), ..Options::default() }] {
        let error = Sampler::new(seeded(refused)).unwrap_err();
        assert_eq!((error.code(), error.option()), ("out_of_range", Some("minNewTokens")));
        assert_eq!(
            error.to_string(),
            "minNewTokens must be 0 where eosTokenIds names no token, not 2"
        );
    }
    // What the sampler and the row were given counts together.
    let mut sampler =
        Sampler::new(seeded(Options { eos_token_ids: Some(vec![1]), ..Options::default() }))
            .unwrap();
    let more = Options { min_new_tokens: Some(2), ..Options::default() };
    sampler.add_row(more.clone()).unwrap();
    let error =
        sampler.update(&Options { eos_token_ids: Some(Vec::new()), ..Options::default() }, None);
    assert_eq!(error.unwrap_err().option(), Some("minNewTokens"));
    sampler.update(&more, None).unwrap();
    assert_eq!(sampler.distribution(&[0.0; 2]).unwrap().token_ids, [0]);
}

#[test]
fn an_end_outside_the_vocabulary_is_an_error_even_when_the_end_is_free() {
    let mut sampler = sampler(&options(1, &[1, 7]));
    for _ in 0..2 {
        let error = sampler.sample(&[0.0; 5]).unwrap_err();
        assert_eq!((error.code(), error.option()), ("bad_token", Some("eosTokenIds")));
        assert_eq!(error.index(), Some(7));
        sampler.accept(2).unwrap();
    }
}

#[test]
fn min_new_tokens_is_a_mask_that_may_leave_nothing_and_follows_temperature_0() {
    let all = Options { min_keep: Some(2), ..options(1, &[0, 1]) };
    let error = sampler(&all).sample(&[1.0, 2.0]).unwrap_err();
    assert_eq!((error.code(), error.stage()), ("nothing_left", Some(StageName::MinNewTokens)));
    let cold = Options { temperature: Some(0.0), ..options(1, &[1]) };
    assert_eq!(sampler(&cold).sample(&[1.0, 2.0]).unwrap(), 0);
    let order = [StageName::Temperature, StageName::MinNewTokens];
    let error = sampler(&ordered(&order, cold)).sample(&[1.0, 2.0]).unwrap_err();
    assert_eq!((error.code(), error.stage()), ("nothing_left", Some(StageName::MinNewTokens)));
}
