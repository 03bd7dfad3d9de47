//! What must hold of the stages that look at the text, at a second row and at the coin.

use nucleus_sampler::{Input, Options, Sampler, StageName};
use proptest::prelude::*;

use crate::chains::shares;
use crate::check;
use crate::common::{kept, sampler, state_text};
use crate::strategies::{rows, rows_of};
use crate::texts::{texts, xtc};

fn with_text(options: &Options, (prompt, output): &(Vec<u32>, Vec<u32>), n: usize) -> Sampler {
    let mut sampler = sampler(options);
    let inside = |id: &u32| id % n as u32;
    sampler.prompt(&prompt.iter().map(inside).collect::<Vec<_>>()).unwrap();
    output.iter().for_each(|id| sampler.accept(inside(id)).unwrap());
    sampler
}

#[test]
fn a_longer_ngram_and_a_longer_allowed_length_take_less() {
    check(400, (rows_of(6..40), texts(), 1..6u32), |(row, text, n)| {
        let ids = |options: &Options| {
            let found = with_text(options, &text, row.len()).distribution(&row);
            found.map(|found| found.token_ids).unwrap_or_default()
        };
        let ngram = |n| ids(&Options { no_repeat_ngram_size: Some(n), ..Options::default() });
        let (short, long) = (ngram(n), ngram(n + 1));
        assert!(short.iter().all(|id| long.contains(id)), "{n}: {short:?}, {long:?}");
        let total = |allowed| {
            let options = Options {
                dry_multiplier: Some(1.0),
                dry_base: Some(1.5),
                dry_allowed_length: Some(allowed),
                ..Options::default()
            };
            // Two equal rows: what is penalised shows in the logits.
            let found = with_text(&options, &text, row.len()).distribution(&vec![0.0; row.len()]);
            found.unwrap().logits.iter().map(|l| f64::from(*l)).sum::<f64>()
        };
        assert!(total(n) <= total(n + 1));
    });
}

/// The text and nothing else decides: in one prompt, in two, or accepted token by token.
#[test]
fn the_stages_do_not_mind_where_a_text_came_from() {
    check(300, (texts(), 1..4u32), |((prompt, output), n)| {
        let options = Options {
            dry_multiplier: Some(0.5),
            no_repeat_ngram_size: Some(n + 2),
            bad_words: Some(vec![vec![0, 1], vec![1, 2, 0]]),
            ..Options::default()
        };
        let row = [0.5; 40];
        let whole = [prompt.clone(), output.clone()].concat();
        let split = with_text(&options, &(prompt, output), 40).distribution(&row);
        let one = with_text(&options, &(whole, Vec::new()), 40).distribution(&row);
        assert_eq!(split, one);
    });
}

#[test]
fn xtc_keeps_all_or_takes_some_of_the_best_whatever_the_coin() {
    check(400, (xtc(), rows()), |(options, row)| {
        let mut sampler = sampler(&options);
        let mut on = |coin| {
            let input = Input { coin: Some(coin), ..Input::from(&row) };
            sampler.distribution(input).unwrap().token_ids
        };
        let (fallen, standing) = (on(true), on(false));
        assert_eq!(standing, kept(&Options::default(), &row));
        assert!(!fallen.is_empty());
        let protected = options.xtc_protected_tokens.clone().unwrap_or_default();
        let removed: Vec<u32> =
            standing.iter().copied().filter(|id| !fallen.contains(id)).collect();
        assert!(removed.iter().all(|id| !protected.contains(id)));
        // All better ones of those that are not protected go too, and a worse one stays.
        let free = standing.iter().copied().filter(|id| !protected.contains(id));
        assert_eq!(free.clone().take(removed.len()).collect::<Vec<_>>(), removed);
        assert!(removed.is_empty() || free.count() > removed.len());
    });
}

#[test]
fn a_higher_threshold_of_xtc_takes_fewer() {
    check(300, (rows(), shares(), shares()), |(row, a, b)| {
        let n = |threshold: f64| {
            let options = Options {
                xtc_probability: Some(1.0),
                xtc_threshold: Some((threshold / 2.0).max(f64::MIN_POSITIVE)),
                ..Options::default()
            };
            kept(&options, &row).len()
        };
        assert!(n(a.min(b)) <= n(a.max(b)));
    });
}

/// The coin has a stream of its own: turning it on and off moves no other draw.
#[test]
fn the_coin_shifts_no_word_of_the_draws() {
    check(200, (rows_of(2..60), any::<u64>()), |(row, seed)| {
        let plain = Options { seed: Some(seed), ..Options::default() };
        let coined = Options {
            xtc_probability: Some(0.5),
            xtc_threshold: Some(0.5),
            min_keep: Some(60),
            ..plain.clone()
        };
        let draws = |options| sampler(options).sample_many(&row, 40).unwrap();
        assert_eq!(draws(&plain), draws(&coined));
    });
}

#[test]
fn guidance_away_from_the_same_row_and_away_from_a_dead_one_is_the_row() {
    check(200, (rows_of(1..400), -3.0..5.0f64), |(row, scale)| {
        // Logits of f32's far ends cannot be held apart once their log probabilities are taken.
        let near = |l: &f32| if l.is_finite() { l.clamp(-1e4, 1e4) } else { *l };
        let row: Vec<f32> = row.iter().map(near).collect();
        let guided = |second: &[f32]| {
            let options = Options { guidance_scale: Some(scale), ..Options::default() };
            let input = Input { unconditional: Some(second), ..Input::from(&row) };
            sampler(&options).distribution(input).unwrap()
        };
        let plain = sampler(&Options::default()).distribution(&row).unwrap();
        for second in [row.clone(), vec![f32::NEG_INFINITY; row.len()]] {
            let found = guided(&second);
            assert_eq!(found.kept_count, plain.kept_count);
            let ids = |d: &nucleus_sampler::Distribution| {
                let mut pairs: Vec<_> = d.token_ids.iter().copied().zip(d.probs.clone()).collect();
                pairs.sort_by_key(|(id, _)| *id);
                pairs
            };
            for ((_, p), (_, q)) in ids(&found).iter().zip(ids(&plain)) {
                assert!((p - q).abs() < 2e-3, "{p} is not {q}");
            }
        }
    });
}

/// A call that fails for want of a second row leaves everything as it was.
#[test]
fn a_missing_second_row_changes_nothing() {
    let mut sampler = sampler(&Options { guidance_scale: Some(1.5), ..Options::default() });
    let before = state_text(&sampler);
    let error = sampler.sample(&[0.0, 1.0]).unwrap_err();
    assert_eq!((error.code(), error.option()), ("wrong_type", Some("unconditional")));
    assert_eq!(state_text(&sampler), before);
    assert_eq!(StageName::Guidance.as_str(), "guidance");
}
