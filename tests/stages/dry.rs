use nucleus_sampler::{Options, Sampler, StageName, Window};

use crate::common::{DEAD, sampler};
use crate::ordered;

/// Multiplier 1, base 2: a match of m tokens costs 2^(m - 2).
fn plain() -> Options {
    Options { dry_multiplier: Some(1.0), dry_base: Some(2.0), ..Options::default() }
}

fn after(options: &Options, text: &[u32]) -> Sampler {
    let mut sampler = sampler(options);
    let (prompt, output) = text.split_at(text.len() / 2);
    sampler.prompt(prompt).unwrap();
    output.iter().for_each(|token| sampler.accept(*token).unwrap());
    sampler
}

/// What is taken from each of ten equal logits, where something is.
fn taken(options: &Options, text: &[u32]) -> Vec<(u32, f32)> {
    let found = after(options, text).distribution(&[0.0; 10]).unwrap();
    let mut pairs: Vec<_> =
        found.token_ids.into_iter().zip(found.logits.into_iter().map(|l| 0.0 - l)).collect();
    pairs.retain(|(_, taken)| *taken != 0.0);
    pairs.sort_by_key(|(id, _)| *id);
    pairs
}

#[test]
fn the_penalty_grows_with_the_match() {
    // 9 apart: matches of one, two, three and four tokens, each followed by 5.
    assert_eq!(taken(&plain(), &[4, 5, 9, 4]), []);
    assert_eq!(taken(&plain(), &[3, 4, 5, 9, 3, 4]), [(5, 1.0)]);
    assert_eq!(taken(&plain(), &[2, 3, 4, 5, 9, 2, 3, 4]), [(5, 2.0)]);
    assert_eq!(taken(&plain(), &[1, 2, 3, 4, 5, 9, 1, 2, 3, 4]), [(5, 4.0)]);
    // At least two tokens of the text before must be the same: 8 4 is not 3 4.
    assert_eq!(taken(&plain(), &[3, 4, 5, 9, 8, 4]), []);
}

#[test]
fn the_allowed_length_is_the_first_that_is_penalised() {
    let text = [1, 2, 3, 5, 9, 1, 2, 3];
    let at = |allowed| taken(&Options { dry_allowed_length: Some(allowed), ..plain() }, &text);
    assert_eq!(at(4), []);
    assert_eq!(at(3), [(5, 1.0)]);
    assert_eq!(at(2), [(5, 2.0)]);
    assert_eq!(at(1), [(5, 4.0)]);
    // A match has one token at least; with 0 its exponent is its length.
    assert_eq!(at(0), [(5, 8.0)]);
    assert_eq!(at(u32::MAX), []);
}

#[test]
fn of_several_places_the_longest_match_counts_for_each_token() {
    let text = [3, 4, 5, 2, 3, 4, 5, 3, 4, 6, 9, 2, 3, 4];
    assert_eq!(taken(&plain(), &text), [(5, 2.0), (6, 1.0)]);
}

#[test]
fn a_match_may_overlap_the_end() {
    assert_eq!(taken(&plain(), &[7, 7]), []);
    assert_eq!(taken(&plain(), &[7, 7, 7]), [(7, 1.0)]);
    assert_eq!(taken(&plain(), &[7; 6]), [(7, 8.0)]);
    assert_eq!(taken(&plain(), &[1, 2, 1, 2, 1, 2]), [(1, 4.0)]);
}

#[test]
fn only_the_window_is_looked_at() {
    let text = [1, 2, 3, 5, 9, 1, 2, 3];
    let in_last = |n| taken(&Options { dry_last_n: Some(Window(n)), ..plain() }, &text);
    assert_eq!(in_last(u32::MAX), [(5, 2.0)]);
    assert_eq!(in_last(8), [(5, 2.0)]);
    // The match is cut where the window begins.
    assert_eq!(in_last(7), [(5, 1.0)]);
    assert_eq!(in_last(6), []);
    assert_eq!(in_last(1), []);
}

#[test]
fn no_match_goes_across_a_breaker() {
    let with = |breakers: &[&[u32]], text: &[u32]| {
        let dry_breakers = Some(breakers.iter().map(|b| b.to_vec()).collect());
        taken(&Options { dry_breakers, ..plain() }, text)
    };
    let text = [0, 1, 2, 3, 4, 5, 9, 0, 1, 2, 3, 4];
    assert_eq!(with(&[], &text), [(5, 8.0)]);
    // Three, two tokens after the breaker; one is too few; and a text that ends in one repeats nothing.
    assert_eq!(with(&[&[1]], &text), [(5, 2.0)]);
    assert_eq!(with(&[&[2]], &text), [(5, 1.0)]);
    assert_eq!(with(&[&[3]], &text), []);
    assert_eq!(with(&[&[4]], &text), []);
    // Of several tokens: the end counts, and all of it must be there.
    assert_eq!(with(&[&[1, 2]], &text), [(5, 1.0)]);
    assert_eq!(with(&[&[0, 1]], &text), [(5, 2.0)]);
    assert_eq!(with(&[&[2, 1], &[7, 0]], &text), [(5, 8.0)]);
    assert_eq!(with(&[&[0, 1], &[2]], &text), [(5, 1.0)]);
    // One that begins before the window does not lie in it.
    let dry_breakers = Some(vec![vec![8, 1]]);
    let windowed = Options { dry_breakers, dry_last_n: Some(Window(3)), ..plain() };
    assert_eq!(taken(&windowed, &[8, 1, 1, 1]), [(1, 1.0)]);
}

#[test]
fn a_token_that_is_a_breaker_is_never_penalised_and_one_that_begins_one_is() {
    let text = [3, 4, 5, 9, 3, 4];
    let with = |breaker: &[u32]| {
        taken(&Options { dry_breakers: Some(vec![breaker.to_vec()]), ..plain() }, &text)
    };
    assert_eq!(with(&[5]), []);
    assert_eq!(with(&[5, 6]), [(5, 1.0)]);
    // Ids that no row here has are no error.
    assert_eq!(with(&[70_000]), [(5, 1.0)]);
}

#[test]
fn dry_is_off_at_a_multiplier_of_0_and_a_window_of_0() {
    let text = [7; 9];
    for off in [
        Options { dry_multiplier: Some(0.0), ..plain() },
        Options { dry_last_n: Some(Window(0)), ..plain() },
        Options { dry_base: Some(3.0), ..Options::default() },
    ] {
        let report = after(&off, &text).report(&[0.0; 10], false).unwrap();
        assert!(!report.stages.iter().find(|s| s.name == StageName::Dry).unwrap().active);
        assert_eq!(taken(&off, &text), []);
    }
}

#[test]
fn a_base_of_1_does_not_grow_and_none_overflows() {
    let text = [7; 400];
    assert_eq!(taken(&Options { dry_base: Some(1.0), ..plain() }, &text), [(7, 1.0)]);
    // 2^397 is held at f32's end, and so is what is taken from it.
    for options in [
        plain(),
        Options { dry_base: Some(f64::MAX), ..plain() },
        Options { dry_multiplier: Some(f64::MAX), ..plain() },
    ] {
        assert_eq!(taken(&options, &text), [(7, f32::MAX)]);
    }
    let small = Options { dry_multiplier: Some(1e-38), ..plain() };
    assert_eq!(taken(&small, &text), [(7, (1e-38 * f64::from(f32::MAX)) as f32)]);
    let mut sampler = after(&plain(), &text);
    let mut row = [0.0; 10];
    row[7] = f32::MIN;
    // It stays alive, last by rank.
    assert_eq!(sampler.distribution(&row).unwrap().token_ids.last(), Some(&7));
}

#[test]
fn dry_leaves_the_dead_and_the_empty_text_alone() {
    assert_eq!(taken(&plain(), &[]), []);
    assert_eq!(taken(&plain(), &[3]), []);
    let mut row = [1.0; 10];
    row[7] = DEAD;
    let found = after(&plain(), &[7; 5]).distribution(&row).unwrap();
    assert!(!found.token_ids.contains(&7) && found.logits == [1.0; 9]);
    assert_eq!(after(&plain(), &[0; 5]).distribution(&[3.0]).unwrap().logits, [-1.0]);
}

#[test]
fn dry_rounds_once_from_f64_and_follows_the_temperature_in_force() {
    let options = Options { dry_multiplier: Some(0.1), dry_base: Some(1.75), ..Options::default() };
    let text = [1, 2, 3, 5, 9, 1, 2, 3];
    let mut row = [0.0; 10];
    row[5] = 1.0;
    let of = |options: &Options| {
        let found = after(options, &text).distribution(&row).unwrap();
        found.token_ids.iter().zip(&found.logits).find(|(id, _)| **id == 5).map(|(_, l)| *l)
    };
    assert_eq!(of(&options), Some((1.0 - 0.1 * 1.75) as f32));
    let order = [StageName::Temperature, StageName::Dry];
    let warm = ordered(&order, Options { temperature: Some(0.5), ..options.clone() });
    assert_eq!(of(&warm), Some((2.0 - 0.1 * 1.75) as f32));
    let cold = ordered(&order, Options { temperature: Some(0.0), ..options });
    assert_eq!(of(&cold), Some(1.0));
}

/// A text of a million tokens, all the same, is the worst there is: a pass that is linear has done it at once.
#[test]
fn a_long_text_costs_one_pass_over_its_window() {
    let mut sampler = sampler(&plain());
    sampler.prompt(&vec![7; 1 << 20]).unwrap();
    let found = sampler.distribution(&[0.0; 10]).unwrap();
    assert_eq!((found.token_ids.last(), found.logits.last()), (Some(&7), Some(&f32::MIN)));
}
