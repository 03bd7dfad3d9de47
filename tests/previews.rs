//! What can be seen without drawing: distributions, reports, explanations, log probabilities.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

mod common;
mod oracle;

use common::{DEAD, ROWS, ln, row, sampler};
use nucleus_sampler::report::{KEPT, NEVER_ALIVE};
use nucleus_sampler::{Explanation, Input, Options, StageName};
use oracle::{Exact, Plan};

fn four() -> Vec<f32> {
    ln(&[0.1, 0.2, 0.3, 0.4])
}

#[track_caller]
fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 2e-6 + 1e-6 * expected.abs(), "{found} is not {expected}");
}

fn chain() -> Options {
    Options { temperature: Some(0.8), top_k: Some(40), top_p: Some(0.95), ..Options::default() }
}

#[test]
fn a_report_says_for_every_stage_what_entered_what_left_and_the_mass_removed() {
    let options = Options { top_k: Some(3), top_p: Some(0.7), ..Options::default() };
    let report = sampler(&options).report(&four(), false).unwrap();
    let find = |name| report.stages.iter().find(|stage| stage.name == name).unwrap();
    let top_k = find(StageName::TopK);
    assert_eq!((top_k.active, top_k.kept_before, top_k.kept_after), (true, 4, 3));
    near(top_k.mass_removed, 0.1);
    let top_p = find(StageName::TopP);
    // 4 + 3 of 9 reach 0.7 of what entered; 2 of 9 are removed.
    assert_eq!((top_p.active, top_p.kept_before, top_p.kept_after), (true, 3, 2));
    near(top_p.mass_removed, 2.0 / 9.0);
    let min_p = find(StageName::MinP);
    assert_eq!((min_p.active, min_p.kept_before, min_p.kept_after), (false, 2, 2));
    assert_eq!((min_p.mass_removed, min_p.threshold), (0.0, None));
    assert_eq!(report.kept_count, 2);
    near(report.kept_mass, 0.7);
}

/// Entropy of what entered a stage is the entropy of what left the one before it.
#[test]
fn the_entropies_of_a_report_join_up_and_are_those_of_the_mathematics() {
    for name in ROWS {
        let row = row(name);
        let report = sampler(&chain()).report(&row, false).unwrap();
        for pair in report.stages.windows(2) {
            assert_eq!(pair[0].entropy_after, pair[1].entropy_before, "{name}");
        }
        assert_eq!(report.stages.last().unwrap().entropy_after, report.entropy);
        let whole = oracle::run::<Exact>(&Plan::default(), &row).unwrap();
        let raw = oracle::entropy(&oracle::probabilities(&whole.ranked, 1.0));
        near(report.stages[0].entropy_before, raw);
        let kept = oracle::run::<Exact>(&Plan::of(&chain()), &row).unwrap();
        near(report.entropy, oracle::entropy(&oracle::probabilities(&kept.ranked, kept.factor)));
    }
}

#[test]
fn entropy_is_0_for_one_token_and_ln_n_for_n_equal_ones() {
    let entropy = |row: &[f32]| sampler(&Options::default()).distribution(row).unwrap().entropy;
    assert_eq!(entropy(&[3.0]), 0.0);
    assert_eq!(entropy(&[0.0, DEAD]), 0.0);
    assert_eq!(entropy(&[0.0, -1e30, f32::MIN]), 0.0);
    near(entropy(&[-7.0; 4]), 2.0 * std::f64::consts::LN_2);
    near(entropy(&[0.5; 1024]), 10.0 * std::f64::consts::LN_2);
}

#[test]
fn the_largest_row_of_equal_tokens_has_the_largest_mass_and_no_negative_one() {
    // 2^19 weights of 2^44: 2^63, one more than a signed integer holds.
    let row = vec![0.25; 524_288];
    let mut sampler = sampler(&Options { seed: Some(9), ..Options::default() });
    let distribution = sampler.distribution(&row).unwrap();
    assert_eq!(distribution.cumulative.last(), Some(&1.0));
    assert!(distribution.cumulative.windows(2).all(|pair| pair[0] < pair[1]));
    assert!(distribution.probs.iter().all(|p| *p == 1.0 / 524_288.0));
}

#[test]
fn every_token_s_fate_is_the_stage_that_removed_it() {
    let options = Options {
        logit_bias: Some(vec![(5, f64::NEG_INFINITY)]),
        top_k: Some(3),
        min_p: Some(0.6),
        ..Options::default()
    };
    let row = [0.0, 3.0, DEAD, 2.9, 2.0, 9.0, -1.0];
    let mut sampler = sampler(&options);
    let report = sampler.report(Input { logits: &row, mask: Some(&[0b011_1111]) }, true).unwrap();
    let fates = report.tokens.unwrap();
    let named = |fate: u8| report.stages[fate as usize].name;
    assert_eq!(fates.removed_by.len(), row.len());
    assert_eq!(named(fates.removed_by[0]), StageName::TopK);
    assert_eq!(fates.removed_by[1], KEPT);
    assert_eq!(fates.removed_by[2], NEVER_ALIVE);
    assert_eq!(fates.removed_by[3], KEPT);
    assert_eq!(named(fates.removed_by[4]), StageName::MinP);
    assert_eq!(named(fates.removed_by[5]), StageName::LogitBias);
    assert_eq!(named(fates.removed_by[6]), StageName::Mask);
    // Ranks among those alive before the first truncation: masked, banned and dead ones have none.
    let none = u32::MAX;
    assert_eq!(fates.rank, [3, 0, none, 1, 2, none, none]);
    assert!(sampler.report(&row, false).unwrap().tokens.is_none());
}

#[test]
fn kept_mass_is_the_final_set_s_share_when_the_first_truncation_began() {
    let kept_mass = |options: Options| sampler(&options).distribution(&four()).unwrap().kept_mass;
    let plain = Options::default();
    assert_eq!(kept_mass(plain.clone()), 1.0);
    assert_eq!(kept_mass(Options { temperature: Some(0.5), ..plain.clone() }), 1.0);
    // What a mask removes before does not count.
    assert_eq!(kept_mass(Options { allowed_tokens: Some(vec![1, 2]), ..plain.clone() }), 1.0);
    near(kept_mass(Options { top_k: Some(2), ..plain.clone() }), 0.7);
    near(kept_mass(Options { top_k: Some(3), min_p: Some(0.9), ..plain.clone() }), 0.4);
    let colder = Options { temperature: Some(0.5), top_k: Some(2), ..plain.clone() };
    near(kept_mass(colder), 25.0 / 30.0);
    // Temperature 0 truncates: one token of what entered it is left.
    near(kept_mass(Options { temperature: Some(0.0), ..plain.clone() }), 0.4);
    near(kept_mass(Options { temperature: Some(0.0), top_k: Some(3), ..plain }), 0.4);
}

#[test]
fn ranks_are_there_at_temperature_0_too() {
    let options = Options { temperature: Some(0.0), top_k: Some(2), ..Options::default() };
    let fates = sampler(&options).report(&four(), true).unwrap().tokens.unwrap();
    assert_eq!(fates.rank, [3, 2, 1, 0]);
}

#[test]
fn an_explanation_of_a_removed_token_describes_what_entered_the_stage_that_removed_it() {
    let options = Options { top_k: Some(3), top_p: Some(0.7), ..Options::default() };
    let mut sampler = sampler(&options);
    let cut = sampler.explain(&four(), 1).unwrap();
    assert_eq!((cut.token, cut.kept, cut.stage), (1, false, Some(StageName::TopP)));
    assert_eq!((cut.rank, cut.kept_before, cut.kept_after), (Some(2), 3, 2));
    near(cut.prob, 2.0 / 9.0);
    near(cut.mass_before, 7.0 / 9.0);
    near(cut.threshold.unwrap(), 0.7);
    assert_eq!(cut.logit, four()[1]);
    near(cut.weight as f64 / (1u64 << 44) as f64, 0.5);
    let far = sampler.explain(&four(), 0).unwrap();
    assert_eq!((far.stage, far.threshold), (Some(StageName::TopK), Some(3.0)));
    assert_eq!((far.rank, far.kept_before, far.kept_after), (Some(3), 4, 3));
}

#[test]
fn an_explanation_of_a_kept_token_describes_the_final_set() {
    let options = Options { top_k: Some(3), ..Options::default() };
    let found = sampler(&options).explain(&four(), 2).unwrap();
    assert_eq!((found.kept, found.stage, found.threshold), (true, None, None));
    assert_eq!((found.rank, found.kept_before, found.kept_after), (Some(1), 3, 3));
    near(found.prob, 3.0 / 9.0);
    near(found.mass_before, 4.0 / 9.0);
}

#[test]
fn an_explanation_of_a_dead_token_is_that_it_never_lived() {
    let row = [1.0, DEAD, 2.0];
    for options in [Options::default(), Options { top_k: Some(1), ..Options::default() }] {
        let found = sampler(&options).explain(&row, 1).unwrap();
        let Explanation { kept, stage, logit, rank, weight, prob, .. } = found;
        assert_eq!((kept, stage, logit), (false, None, DEAD));
        assert_eq!((rank, weight, prob), (None, 0, 0.0));
    }
}

#[test]
fn an_explanation_names_masks_bans_and_temperature_0_too() {
    let plain = Options::default();
    for (options, mask, stage) in [
        (plain.clone(), Some([0b0111]), StageName::Mask),
        (
            Options { allowed_tokens: Some(vec![0]), ..plain.clone() },
            None,
            StageName::AllowedTokens,
        ),
        (
            Options { logit_bias: Some(vec![(3, f64::NEG_INFINITY)]), ..plain.clone() },
            None,
            StageName::LogitBias,
        ),
        (Options { temperature: Some(0.0), ..plain.clone() }, None, StageName::Temperature),
        (Options { min_p: Some(0.9), ..plain }, None, StageName::MinP),
    ] {
        let row = [2.0, 1.0, 0.5, 1.5];
        let input = Input { logits: &row, mask: mask.as_ref().map(|mask| mask.as_slice()) };
        let found = sampler(&options).explain(input, 3).unwrap();
        assert_eq!((found.kept, found.stage, found.rank), (false, Some(stage), Some(1)));
    }
}

#[test]
fn explanations_agree_with_the_distribution_for_every_token() {
    let row: Vec<f32> = row("once")[..300].to_vec();
    let mut sampler = sampler(&chain());
    let found = sampler.distribution(&row).unwrap();
    for token in 0..300 {
        let explained = sampler.explain(&row, token).unwrap();
        let place = found.token_ids.iter().position(|id| *id == token);
        assert_eq!(explained.kept, place.is_some());
        if let Some(place) = place {
            assert_eq!(explained.rank, Some(place as u32));
            assert_eq!(explained.prob, found.probs[place]);
            let before = place.checked_sub(1).map_or(0.0, |before| found.cumulative[before]);
            assert_eq!(explained.mass_before, before);
        }
    }
}

#[test]
fn raw_and_final_log_probabilities_are_those_of_the_mathematics() {
    for name in ROWS {
        let row = row(name);
        let found = sampler(&chain()).logprobs(&row, 12, None).unwrap();
        let expected = oracle::log_softmax(&row);
        assert_eq!(found.raw.len(), 12);
        let whole = oracle::run::<Exact>(&Plan::default(), &row).unwrap();
        for (rank, item) in found.raw.iter().enumerate() {
            assert_eq!((item.token, item.rank), (whole.ranked[rank].id, Some(rank as u32)));
            near(item.logprob, expected[item.token as usize]);
        }
        let kept = oracle::run::<Exact>(&Plan::of(&chain()), &row).unwrap();
        let probabilities = oracle::probabilities(&kept.ranked, kept.factor);
        assert_eq!(found.kept.len(), kept.ranked.len().min(12), "{name}");
        for (rank, item) in found.kept.iter().enumerate() {
            assert_eq!((item.token, item.rank), (kept.ranked[rank].id, Some(rank as u32)));
            near(item.logprob, natural_logarithm(probabilities[rank]));
        }
    }
}

#[allow(clippy::disallowed_methods, reason = "an oracle may use the platform's library")]
fn natural_logarithm(p: f64) -> f64 {
    p.ln()
}

#[test]
fn raw_log_probabilities_know_no_mask_and_no_stage() {
    let plain = sampler(&Options::default()).logprobs(&four(), 4, None).unwrap();
    let options = Options { temperature: Some(0.1), allowed_tokens: Some(vec![0]), ..chain() };
    let input = Input { logits: &four(), mask: Some(&[0b0001]) };
    let found = sampler(&options).logprobs(input, 4, None).unwrap();
    assert_eq!(found.raw, plain.raw);
    assert_eq!(found.kept.len(), 1);
}

#[test]
fn a_named_token_is_added_where_it_is_not_among_the_best() {
    let mut sampler = sampler(&Options { top_k: Some(2), ..Options::default() });
    let tokens = |items: &[nucleus_sampler::TokenLogprob]| {
        items.iter().map(|item| (item.token, item.rank)).collect::<Vec<_>>()
    };
    let found = sampler.logprobs(&four(), 1, Some(3)).unwrap();
    assert_eq!(tokens(&found.raw), [(3, Some(0))]);
    let found = sampler.logprobs(&four(), 1, Some(1)).unwrap();
    assert_eq!(tokens(&found.raw), [(3, Some(0)), (1, Some(2))]);
    assert_eq!(tokens(&found.kept), [(3, Some(0)), (1, None)]);
    near(found.raw[1].logprob, natural_logarithm(0.2));
    assert_eq!(found.kept[1].logprob, f64::NEG_INFINITY);
    let found = sampler.logprobs(&four(), 0, Some(2)).unwrap();
    assert_eq!(tokens(&found.raw), [(2, Some(1))]);
    assert_eq!(tokens(&found.kept), [(2, Some(1))]);
    let nothing = sampler.logprobs(&four(), 0, None).unwrap();
    assert_eq!((nothing.raw.len(), nothing.kept.len()), (0, 0));
}
