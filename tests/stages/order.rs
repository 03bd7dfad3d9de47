//! Orders: what may be listed, and why an order cannot be run.

use nucleus_sampler::{Error, Options, Order, Sampler, StageName};

use StageName::{
    AllowedTokens, BadWords, Draw, Dry, DynamicTemperature, EpsilonCutoff, EtaCutoff,
    FrequencyPenalty, Greedy, Guidance, LogitBias, Mask, MinNewTokens, MinP, NoRepeatNgram, PLess,
    PresencePenalty, RepetitionPenalty, Smoothing, TailFree, Temperature, TopA, TopH, TopK,
    TopNSigma, TopP, TypicalP, Xtc,
};

use crate::common::kept;
use crate::{four, ordered};

fn refused(order: &[StageName], options: Options) -> Error {
    let options = Options { seed: Some(1), ..ordered(order, options) };
    Sampler::new(options).unwrap_err()
}

#[test]
fn an_active_stage_that_is_not_listed_is_a_bad_order() {
    let plain = Options::default();
    for (stage, options) in [
        (Temperature, Options { temperature: Some(0.5), ..plain.clone() }),
        (Temperature, Options { temperature: Some(0.0), ..plain.clone() }),
        (TopK, Options { top_k: Some(1), ..plain.clone() }),
        (TopP, Options { top_p: Some(0.5), ..plain.clone() }),
        (MinP, Options { min_p: Some(0.5), ..plain.clone() }),
        (DynamicTemperature, Options { dynamic_temperature_range: Some(0.5), ..plain.clone() }),
        (Smoothing, Options { smoothing_factor: Some(0.5), ..plain.clone() }),
        (TopH, Options { top_h: Some(0.5), ..plain.clone() }),
        (TypicalP, Options { typical_p: Some(0.5), ..plain.clone() }),
        (TopNSigma, Options { top_n_sigma: Some(0.5), ..plain.clone() }),
        (TopA, Options { top_a: Some(0.5), ..plain.clone() }),
        (TailFree, Options { tail_free: Some(0.5), ..plain.clone() }),
        (PLess, Options { p_less: Some(true), ..plain.clone() }),
        (EpsilonCutoff, Options { epsilon_cutoff: Some(0.5), ..plain.clone() }),
        (EtaCutoff, Options { eta_cutoff: Some(0.5), ..plain.clone() }),
        (RepetitionPenalty, Options { repetition_penalty: Some(2.0), ..plain.clone() }),
        (FrequencyPenalty, Options { frequency_penalty: Some(1.0), ..plain.clone() }),
        (PresencePenalty, Options { presence_penalty: Some(1.0), ..plain.clone() }),
        (LogitBias, Options { logit_bias: Some(vec![(0, 1.0)]), ..plain.clone() }),
        (AllowedTokens, Options { allowed_tokens: Some(vec![0]), ..plain.clone() }),
        (Guidance, Options { guidance_scale: Some(0.0), ..plain.clone() }),
        (BadWords, Options { bad_words: Some(vec![vec![0]]), ..plain.clone() }),
        (NoRepeatNgram, Options { no_repeat_ngram_size: Some(1), ..plain.clone() }),
        (Dry, Options { dry_multiplier: Some(1.0), ..plain.clone() }),
        (Xtc, Options { xtc_probability: Some(0.1), ..plain.clone() }),
        (
            MinNewTokens,
            Options { min_new_tokens: Some(1), eos_token_ids: Some(vec![0]), ..plain.clone() },
        ),
    ] {
        let error = refused(&[Draw], options.clone());
        assert_eq!(error, Error::BadOrder { stage, reason: "is active but not listed" });
        // Listed, it may be run.
        assert!(Sampler::new(Options { seed: Some(1), ..ordered(&[stage], options) }).is_ok());
    }
}

#[test]
fn a_stage_at_its_off_value_need_not_be_listed() {
    let off = Options {
        temperature: Some(1.0),
        top_k: Some(0),
        top_p: Some(1.0),
        min_p: Some(0.0),
        dynamic_temperature_range: Some(0.0),
        smoothing_factor: Some(0.0),
        top_h: Some(1.0),
        typical_p: Some(1.0),
        top_n_sigma: Some(0.0),
        top_a: Some(0.0),
        tail_free: Some(1.0),
        p_less: Some(false),
        epsilon_cutoff: Some(0.0),
        eta_cutoff: Some(0.0),
        repetition_penalty: Some(1.0),
        frequency_penalty: Some(0.0),
        presence_penalty: Some(0.0),
        logit_bias: Some(Vec::new()),
        ..Options::default()
    };
    assert_eq!(kept(&ordered(&[], off), &four()), [3, 2, 1, 0]);
}

#[test]
fn a_stage_listed_twice_is_a_bad_order_except_temperature() {
    for stage in StageName::ALL {
        let order = [*stage, *stage];
        let options = Options { seed: Some(1), ..ordered(&order, Options::default()) };
        let result = Sampler::new(options).map(|_| ());
        let expected = match stage {
            Temperature => Ok(()),
            Mask => {
                assert_eq!(result.unwrap_err().code(), "out_of_range");
                continue;
            }
            name if name.is_terminal() => Err("chooses the token and can only come last"),
            _ => Err("is listed twice"),
        };
        let expected = expected.map_err(|reason| Error::BadOrder { stage: *stage, reason });
        assert_eq!(result, expected);
    }
}

#[test]
fn a_terminal_stage_anywhere_but_last_is_a_bad_order_and_so_are_two() {
    let reason = "chooses the token and can only come last";
    for (order, stage) in [
        (&[Draw, TopK][..], Draw),
        (&[TopK, Greedy, TopP], Greedy),
        (&[Greedy, Draw], Greedy),
        (&[Draw, Greedy], Draw),
    ] {
        assert_eq!(refused(order, Options::default()), Error::BadOrder { stage, reason });
    }
}

#[test]
fn a_bad_order_says_why_in_one_sentence() {
    let error = refused(&[TopK], Options { top_p: Some(0.5), ..Options::default() });
    assert_eq!(error.to_string(), "order: top_p is active but not listed");
    assert_eq!(
        (error.code(), error.option(), error.stage()),
        ("bad_order", Some("order"), Some(TopP))
    );
}

#[test]
fn an_order_without_a_terminal_stage_ends_in_the_draw() {
    let row = four();
    let tokens = |order: &[StageName]| {
        let options = Options { seed: Some(4), ..ordered(order, Options::default()) };
        Sampler::new(options).unwrap().sample_many(&row, 100).unwrap()
    };
    assert_eq!(tokens(&[]), tokens(&[Draw]));
    assert_eq!(tokens(&[TopK, Temperature]), tokens(&[]));
    assert_eq!(tokens(&[Greedy]), [3; 100]);
}

#[test]
fn the_default_order_is_that_of_the_contract() {
    let report = crate::common::sampler(&Options::default()).report(&four(), false).unwrap();
    let names: Vec<&str> = report.stages.iter().map(|stage| stage.name.as_str()).collect();
    let contract = "guidance, logit_bias, allowed_tokens, bad_words, min_new_tokens, repetition_penalty, \
        frequency_penalty, presence_penalty, no_repeat_ngram, dry, temperature, smoothing, top_h, \
        top_k, top_p, min_p, typical_p, top_n_sigma, top_a, tail_free, p_less, epsilon_cutoff, \
        eta_cutoff, xtc";
    assert_eq!(names.join(", "), contract);
}

#[test]
fn stages_run_in_the_order_in_which_they_are_listed() {
    let options = Options { top_k: Some(2), top_p: Some(0.56), ..Options::default() };
    // top_k first: 0.4 of 0.7 reaches 0.56. top_p first: 0.4 does not.
    assert_eq!(kept(&ordered(&[TopK, TopP], options.clone()), &four()), [3]);
    assert_eq!(kept(&ordered(&[TopP, TopK], options), &four()), [3, 2]);
}

/// The default order, given explicitly over a preset, wins over the preset's.
#[test]
fn the_default_order_may_be_given_explicitly() {
    let options = Options {
        preset: Some(nucleus_sampler::PresetName::Textbook),
        order: Some(Order::Default),
        min_p: Some(0.5),
        ..Options::default()
    };
    assert_eq!(kept(&options, &four()), [3, 2, 1]);
}

/// A sampler whose state cannot be read back cannot be resumed.
#[test]
fn a_state_resumes_where_the_default_order_was_given_explicitly() {
    let options = Options { order: Some(Order::Default), seed: Some(1), ..Options::default() };
    let state = Sampler::new(options).unwrap().state().unwrap();
    assert_eq!(Sampler::from_state(&state).unwrap().state().unwrap(), state);
}
