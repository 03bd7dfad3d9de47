use nucleus_sampler::{Input, Options, Sampler, StageName};

use crate::common::{DEAD, ln, sampler, state_text};
use crate::{above, below, ordered};

fn always(threshold: f64) -> Options {
    Options { xtc_probability: Some(1.0), xtc_threshold: Some(threshold), ..Options::default() }
}

fn kept(options: &Options, row: &[f32]) -> Vec<u32> {
    crate::common::kept(options, row)
}

/// Equal tokens: each is exactly the same share of the mass.
const EIGHT: [f32; 8] = [0.0; 8];

#[test]
fn the_top_choices_go_but_the_last_of_them() {
    let row = ln(&[0.4, 0.3, 0.2, 0.1]);
    for (threshold, expected) in [
        (0.09, &[3][..]),
        (0.11, &[2, 3]),
        (0.19, &[2, 3]),
        (0.21, &[1, 2, 3]),
        (0.29, &[1, 2, 3]),
        (0.31, &[0, 1, 2, 3]),
        (0.41, &[0, 1, 2, 3]),
    ] {
        assert_eq!(kept(&always(threshold), &row), expected, "{threshold}");
    }
}

#[test]
fn a_token_exactly_at_the_threshold_is_a_top_choice() {
    assert_eq!(kept(&always(0.125), &EIGHT), [7]);
    assert_eq!(kept(&always(below(0.125)), &EIGHT), [7]);
    assert_eq!(kept(&always(above(0.125)), &EIGHT), [0, 1, 2, 3, 4, 5, 6, 7]);
    // Two halves of the mass: the highest threshold there is.
    assert_eq!(kept(&always(0.5), &[1.0, DEAD, 1.0]), [2]);
}

#[test]
fn of_ties_the_highest_id_is_the_last_by_rank() {
    assert_eq!(kept(&always(0.1), &[1.0, 2.0, 1.0, 2.0, -4.0]), [2, 4]);
}

#[test]
fn one_top_choice_or_none_stays() {
    assert_eq!(kept(&always(0.5), &ln(&[0.6, 0.3, 0.1])), [0, 1, 2]);
    assert_eq!(kept(&always(0.5), &[0.0; 3]), [0, 1, 2]);
    assert_eq!(kept(&always(0.1), &[5.0]), [0]);
    assert_eq!(kept(&always(0.1), &[1e4, -1e4]), [0, 1]);
    assert_eq!(kept(&always(0.1), &[DEAD, 3.0, DEAD]), [1]);
}

#[test]
fn protected_tokens_stay_and_do_not_stay_for_the_others() {
    let row = ln(&[0.4, 0.3, 0.2, 0.1]);
    let protect = |ids: &[u32]| {
        kept(&Options { xtc_protected_tokens: Some(ids.to_vec()), ..always(0.15) }, &row)
    };
    assert_eq!(protect(&[]), [2, 3]);
    assert_eq!(protect(&[0]), [0, 2, 3]);
    // 1 stays as the last of those that are not protected.
    assert_eq!(protect(&[2]), [1, 2, 3]);
    assert_eq!(protect(&[2, 1, 2]), [0, 1, 2, 3]);
    // Not in the vocabulary: nothing is protected, and nothing wrong.
    assert_eq!(protect(&[99]), [2, 3]);
}

#[test]
fn nothing_goes_where_fewer_than_min_keep_would_be_left() {
    let keep = |n| kept(&Options { min_keep: Some(n), ..always(0.125) }, &EIGHT[..8]).len();
    assert_eq!((keep(1), keep(2), keep(8), keep(9)), (1, 8, 8, 8));
    let row = ln(&[0.4, 0.3, 0.2, 0.1]);
    let keep = |n| kept(&Options { min_keep: Some(n), ..always(0.15) }, &row).len();
    assert_eq!((keep(2), keep(3)), (2, 4));
}

/// A coin for which every side occurs.
fn sometimes() -> Options {
    Options { xtc_probability: Some(0.5), xtc_threshold: Some(0.15), ..Options::default() }
}

#[test]
fn a_probability_of_0_is_off_and_one_of_1_reads_no_coin() {
    let off = Options { xtc_probability: Some(0.0), ..always(0.1) };
    let report = sampler(&off).report(&EIGHT, false).unwrap();
    assert!(!report.stages.iter().find(|s| s.name == StageName::Xtc).unwrap().active);
    let mut sampler = sampler(&always(0.125));
    assert_eq!(sampler.sample_many(&EIGHT, 200).unwrap(), [7; 200]);
}

/// The coin's words are those of the stream of purpose 1; it falls where C < ceil(p 2^64).
#[test]
fn the_coin_of_each_position_is_the_word_of_a_stream_of_its_own() {
    let mut sampler =
        sampler(&Options { stream: Some(3), xtc_threshold: Some(0.125), ..sometimes() });
    let mut n_fallen = 0;
    for position in 0..200 {
        let coin = crate::oracle::word(42, 3 + (1 << 48), position) < 1 << 63;
        let preview = sampler.distribution(&EIGHT).unwrap().kept_count;
        assert_eq!(preview, if coin { 1 } else { 8 }, "{position}");
        let drawn = sampler.sample_detailed(&EIGHT).unwrap();
        assert_eq!(drawn.kept_count, preview);
        n_fallen += u32::from(coin);
    }
    assert!((80..120).contains(&n_fallen), "{n_fallen}");
}

#[test]
fn a_preview_takes_the_coin_that_is_given() {
    let row = ln(&[0.4, 0.3, 0.2, 0.1]);
    for options in [sometimes(), always(0.15)] {
        let mut sampler = sampler(&options);
        for _ in 0..10 {
            let on = |coin| Input { coin: Some(coin), ..Input::from(&row) };
            assert_eq!(sampler.distribution(on(true)).unwrap().token_ids, [2, 3]);
            assert_eq!(sampler.distribution(on(false)).unwrap().token_ids, [0, 1, 2, 3]);
            let stages = sampler.report(on(true), false).unwrap().stages;
            let stage = stages.iter().find(|s| s.name == StageName::Xtc).unwrap();
            assert!((stage.mass_removed - 0.7).abs() < 1e-6, "{stage:?}");
            assert!((stage.threshold.unwrap() - 0.15).abs() < 1e-9, "{stage:?}");
            let why = sampler.explain(on(true), 0).unwrap();
            assert_eq!((why.kept, why.stage), (false, Some(StageName::Xtc)));
            assert!(sampler.explain(on(false), 0).unwrap().kept);
            assert_eq!(sampler.logprobs(on(true), 9, None).unwrap().kept.len(), 2);
            sampler.sample(&row).unwrap();
        }
    }
}

#[test]
fn sample_many_is_what_single_draws_are_for_each_coin() {
    let row = ln(&[0.3, 0.25, 0.2, 0.15, 0.1]);
    for n in [1, 2, 31, 32, 1500] {
        for temperature in [1.0, 0.0] {
            let options = Options { temperature: Some(temperature), ..sometimes() };
            let (mut many, mut single) = (sampler(&options), sampler(&options));
            let one_by_one: Vec<u32> = (0..n).map(|_| single.sample(&row).unwrap()).collect();
            assert_eq!(many.sample_many(&row, n).unwrap(), one_by_one);
            assert_eq!(state_text(&many), state_text(&single));
        }
    }
}

/// A mask after XTC may leave nothing on one side only: many draws fail as the first of the single ones that fails.
#[test]
fn sample_many_fails_where_a_later_coin_leaves_nothing() {
    let order = [StageName::Xtc, StageName::AllowedTokens];
    let options = ordered(&order, Options { allowed_tokens: Some(vec![0]), ..sometimes() });
    let row = ln(&[0.5, 0.5]);
    let mut sampler = sampler(&options);
    let single: Vec<bool> =
        (0..20).map_while(|_| sampler.sample(&row).is_ok().then_some(true)).collect();
    let n_before = single.len();
    assert!(n_before < 20);
    let mut again = Sampler::new(Options { seed: Some(42), ..options }).unwrap();
    assert_eq!(again.sample_many(&row, n_before).unwrap(), vec![0; n_before]);
    let error = again.sample_many(&row, 1).unwrap_err();
    assert_eq!((error.code(), error.stage()), ("nothing_left", Some(StageName::AllowedTokens)));
    again.reset();
    assert_eq!(again.sample_many(&row, n_before + 1).unwrap_err(), error);
    assert_eq!(again.row(0).unwrap().position(), 0);
}

/// A generator that counts its words.
struct Counting(u32);

impl rand::TryRng for Counting {
    type Error = std::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        self.try_next_u64().map(|word| word as u32)
    }

    // The coin falls, and the draw takes the last token.
    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        self.0 += 1;
        Ok(if self.0 == 1 { (1 << 63) - 1 } else { u64::MAX })
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        panic!("a draw is one word, not {} bytes", bytes.len())
    }
}

#[test]
fn a_caller_s_generator_gives_the_coin_s_word_and_then_the_draw_s() {
    let row = ln(&[0.1, 0.2, 0.3, 0.4]);
    let drawn = |options: &Options| {
        let mut generator = Counting(0);
        let token = sampler(options).row(0).unwrap().sample_with(&row, &mut generator).unwrap();
        (token, generator.0)
    };
    assert_eq!(drawn(&sometimes()), (1, 2));
    assert_eq!(drawn(&always(0.15)), (1, 1));
    assert_eq!(drawn(&Options::default()), (2, 1));
    // Half of 2^64 is no longer below a probability one step smaller.
    let barely = Options { xtc_probability: Some(below(0.5)), ..sometimes() };
    assert_eq!(drawn(&barely), (3, 2));
    assert_eq!(drawn(&Options { temperature: Some(0.0), ..sometimes() }), (3, 1));
}

#[test]
fn xtc_after_temperature_0_changes_nothing_and_before_it_chooses_among_the_rest() {
    let row = ln(&[0.4, 0.3, 0.2, 0.1]);
    let cold = |order: &[StageName]| {
        kept(&ordered(order, Options { temperature: Some(0.0), ..always(0.15) }), &row)
    };
    assert_eq!(cold(&[StageName::Temperature, StageName::Xtc]), [0]);
    assert_eq!(cold(&[StageName::Xtc, StageName::Temperature]), [2]);
}

/// The best token may go: what is kept has a share of what entered, and weights of its own.
#[test]
fn kept_mass_is_that_of_what_entered_the_first_truncating_stage() {
    let row = ln(&[0.4, 0.3, 0.2, 0.1]);
    let options = Options { top_k: Some(3), ..always(0.15) };
    let found = sampler(&options).distribution(&row).unwrap();
    assert_eq!((found.token_ids.clone(), found.probs), (vec![2], vec![1.0]));
    assert!((found.kept_mass - 0.2).abs() < 1e-6, "{}", found.kept_mass);
    let detailed = sampler(&options).sample_detailed(&row).unwrap();
    assert_eq!(detailed.kept_mass, found.kept_mass);
}
