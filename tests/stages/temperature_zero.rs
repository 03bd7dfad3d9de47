//! Temperature 0, at every place of an order: the first by rank, with nothing after it but masks.

use nucleus_sampler::{Input, Options, Rows, Sampler, StageName};

use crate::common::{DEAD, kept, sampler, state_text};
use crate::ordered;

/// Every stage that can come before or after, each doing something.
fn busy() -> Options {
    Options {
        temperature: Some(0.0),
        logit_bias: Some(vec![(2, 5.0)]),
        repetition_penalty: Some(3.0),
        frequency_penalty: Some(1.5),
        presence_penalty: Some(1.0),
        top_k: Some(3),
        top_p: Some(0.9),
        min_p: Some(0.05),
        min_keep: Some(2),
        ..Options::default()
    }
}

/// Token 0 leads; a bias of 5 makes token 2 lead; penalties on token 2 make token 1 lead.
const ROW: [f32; 5] = [3.0, 2.0, 1.0, 0.5, -1.0];

const LATER: [StageName; 6] = [
    StageName::FrequencyPenalty,
    StageName::PresencePenalty,
    StageName::RepetitionPenalty,
    StageName::TopK,
    StageName::TopP,
    StageName::MinP,
];

#[test]
fn temperature_0_keeps_the_first_by_rank_as_it_is_at_its_place() {
    // The expected token at each place of `temperature` in: bias, temperature?, frequency, presence, repetition, ...
    for (place, expected) in [(0, 0), (1, 2), (2, 2), (3, 2), (4, 0), (5, 0), (6, 0), (7, 0)] {
        let mut order = vec![StageName::LogitBias];
        order.extend(LATER);
        order.insert(place, StageName::Temperature);
        let mut sampler =
            Sampler::new(Options { seed: Some(1), ..ordered(&order, busy()) }).unwrap();
        sampler.prompt(&[2, 2]).unwrap();
        sampler.accept(2).unwrap();
        assert_eq!(sampler.distribution(&ROW).unwrap().token_ids, [expected], "place {place}");
        assert_eq!(sampler.sample(&ROW).unwrap(), expected, "place {place}");
    }
}

#[test]
fn temperature_0_keeps_one_token_whatever_min_keep() {
    let options = Options { min_keep: Some(4), ..busy() };
    assert_eq!(kept(&options, &ROW).len(), 1);
}

#[test]
fn temperature_0_decides_ties_for_the_lower_id() {
    let greedy = Options { temperature: Some(0.0), ..Options::default() };
    assert_eq!(kept(&greedy, &[1.0, 3.0, 3.0, 3.0]), [1]);
    assert_eq!(kept(&greedy, &[-0.0, 0.0]), [0]);
    assert_eq!(kept(&greedy, &[0.0, -0.0]), [0]);
    assert_eq!(kept(&greedy, &[0.5; 3000]), [0]);
    assert_eq!(kept(&greedy, &[DEAD, DEAD, -1e38]), [2]);
}

#[test]
fn minus_0_is_temperature_0() {
    assert_eq!(kept(&Options { temperature: Some(-0.0), ..Options::default() }, &ROW), [0]);
}

#[test]
fn a_later_write_changes_nothing_not_even_the_logit() {
    let order = [StageName::Temperature, StageName::LogitBias, StageName::PresencePenalty];
    let options = Options {
        temperature: Some(0.0),
        logit_bias: Some(vec![(0, -50.0), (1, 50.0)]),
        presence_penalty: Some(80.0),
        ..Options::default()
    };
    let mut sampler = sampler(&ordered(&order, options));
    sampler.accept(0).unwrap();
    let found = sampler.distribution(&ROW).unwrap();
    assert_eq!((found.token_ids, found.logits), (vec![0], vec![3.0]));
}

#[test]
fn no_later_stage_that_truncates_writes_or_scales_changes_anything() {
    let plain = || Options { temperature: Some(0.0), min_keep: Some(3), ..Options::default() };
    use StageName::{EpsilonCutoff, EtaCutoff, PLess, Smoothing, TailFree, Temperature};
    use StageName::{TopA, TopH, TopNSigma, TypicalP};
    for (stage, options) in [
        (TypicalP, Options { typical_p: Some(0.1), ..plain() }),
        (TopNSigma, Options { top_n_sigma: Some(0.1), ..plain() }),
        (TopA, Options { top_a: Some(0.9), ..plain() }),
        (TopH, Options { top_h: Some(0.1), ..plain() }),
        (TailFree, Options { tail_free: Some(0.1), ..plain() }),
        (PLess, Options { p_less: Some(true), ..plain() }),
        (EpsilonCutoff, Options { epsilon_cutoff: Some(0.9), ..plain() }),
        (EtaCutoff, Options { eta_cutoff: Some(0.9), ..plain() }),
        (Smoothing, Options { smoothing_factor: Some(1e300), ..plain() }),
    ] {
        let mut sampler = sampler(&ordered(&[Temperature, stage], options));
        let found = sampler.distribution(&ROW).unwrap();
        assert_eq!((found.token_ids, found.logits), (vec![0], vec![3.0]), "{stage}");
    }
}

/// A write that could not be computed cannot fail either.
#[test]
fn a_later_write_out_of_range_is_no_error() {
    let order = [StageName::Temperature, StageName::LogitBias];
    let options = Options {
        temperature: Some(0.0),
        logit_bias: Some(vec![(0, 1e300)]),
        ..Options::default()
    };
    assert_eq!(kept(&ordered(&order, options), &ROW), [0]);
}

#[test]
fn a_later_mask_still_applies_and_may_leave_nothing() {
    let order = [StageName::Temperature, StageName::AllowedTokens];
    let allow = |ids: &[u32]| {
        let allowed_tokens = Some(ids.to_vec());
        ordered(&order, Options { temperature: Some(0.0), allowed_tokens, ..Options::default() })
    };
    assert_eq!(kept(&allow(&[0, 4]), &ROW), [0]);
    let error = sampler(&allow(&[1, 4])).sample(&ROW).unwrap_err();
    assert_eq!((error.code(), error.stage()), ("nothing_left", Some(StageName::AllowedTokens)));
}

#[test]
fn a_later_ban_removes_the_token_that_was_chosen() {
    let order = [StageName::Temperature, StageName::LogitBias];
    let ban = |id| {
        let logit_bias = Some(vec![(id, f64::NEG_INFINITY)]);
        ordered(&order, Options { temperature: Some(0.0), logit_bias, ..Options::default() })
    };
    assert_eq!(kept(&ban(1), &ROW), [0]);
    let error = sampler(&ban(0)).sample(&ROW).unwrap_err();
    assert_eq!((error.code(), error.stage()), ("nothing_left", Some(StageName::LogitBias)));
}

#[test]
fn masks_before_temperature_0_decide_what_it_chooses_from() {
    let options = Options { allowed_tokens: Some(vec![4, 3]), ..busy() };
    assert_eq!(kept(&options, &ROW), [3]);
    let mut sampler = sampler(&Options { temperature: Some(0.0), ..Options::default() });
    let input = Input::from(&ROW).with_mask(Some(&[0b11000]));
    assert_eq!(sampler.sample(input).unwrap(), 3);
}

/// A position passes: the draws after a greedy one are those of their own positions.
#[test]
fn temperature_0_passes_a_position_and_reads_no_word() {
    let row: Vec<f32> = (0..40).map(|i| (i as f32 * 0.9).rem_euclid(3.0)).collect();
    let cold = Options { temperature: Some(0.0), ..Options::default() };
    let warm = Options { temperature: Some(1.0), ..Options::default() };
    let mut mixed = sampler(&warm);
    let first = mixed.sample_many(&row, 3).unwrap();
    mixed.update(&cold, None).unwrap();
    let best = mixed.sample_many(&row, 2).unwrap();
    mixed.update(&warm, None).unwrap();
    let last = mixed.sample_many(&row, 3).unwrap();
    let plain = sampler(&warm).sample_many(&row, 8).unwrap();
    assert_eq!((first.as_slice(), last.as_slice()), (&plain[..3], &plain[5..]));
    assert_eq!(best[0], best[1]);
    assert_eq!(mixed.row(0).unwrap().position(), 8);
}

#[test]
fn every_way_of_sampling_passes_a_position_at_temperature_0() {
    let mut sampler = sampler(&Options { temperature: Some(0.0), ..Options::default() });
    sampler.sample(&ROW).unwrap();
    let detailed = sampler.sample_detailed(&ROW).unwrap();
    assert_eq!((detailed.token, detailed.position, detailed.target), (0, 1, None));
    assert_eq!((detailed.kept_count, detailed.entropy, detailed.logprob_final), (1, 0.0, 0.0));
    sampler.sample_many(&ROW, 5).unwrap();
    sampler.sample_batch(&ROW, Rows::First(1)).unwrap();
    assert!(state_text(&sampler).contains("\"position\":8"), "{}", state_text(&sampler));
}

/// The terminal stage `greedy` acts as temperature 0 at the end of the order.
#[test]
fn greedy_is_temperature_0_after_everything_else() {
    let order = [StageName::Temperature, StageName::LogitBias, StageName::TopK, StageName::Greedy];
    let options = Options {
        temperature: Some(0.7),
        logit_bias: Some(vec![(4, 40.0)]),
        top_k: Some(2),
        ..Options::default()
    };
    let mut sampler = sampler(&ordered(&order, options));
    assert_eq!(sampler.sample_many(&ROW, 10).unwrap(), [4; 10]);
    assert_eq!(sampler.row(0).unwrap().position(), 10);
    assert_eq!(sampler.distribution(&ROW).unwrap().token_ids, [4]);
}
