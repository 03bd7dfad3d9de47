use nucleus_sampler::{Options, Sampler, StageName};

use crate::common::{DEAD, sampler};
use crate::ordered;

fn with_words(words: &[&[u32]]) -> Sampler {
    let bad_words = Some(words.iter().map(|word| word.to_vec()).collect());
    sampler(&Options { bad_words, ..Options::default() })
}

/// What is kept of five equal tokens after a text.
fn kept(words: &[&[u32]], prompt: &[u32], output: &[u32]) -> Vec<u32> {
    let mut sampler = with_words(words);
    sampler.prompt(prompt).unwrap();
    output.iter().for_each(|token| sampler.accept(*token).unwrap());
    sampler.distribution(&[0.0; 5]).unwrap().token_ids
}

#[test]
fn a_word_of_one_token_is_banned_always() {
    assert_eq!(kept(&[&[1], &[4]], &[], &[]), [0, 2, 3]);
    assert_eq!(kept(&[&[1], &[1]], &[1], &[1]), [0, 2, 3, 4]);
}

#[test]
fn the_last_token_of_a_word_is_banned_where_the_text_ends_in_the_others() {
    let words: &[&[u32]] = &[&[0, 1, 2]];
    assert_eq!(kept(words, &[0, 1], &[]), [0, 1, 3, 4]);
    assert_eq!(kept(words, &[3, 0], &[1]), [0, 1, 3, 4]);
    assert_eq!(kept(words, &[], &[3, 0, 1]), [0, 1, 3, 4]);
    for (prompt, output) in
        [(&[][..], &[][..]), (&[1], &[]), (&[0, 1, 3], &[]), (&[0], &[1, 1]), (&[1, 0], &[])]
    {
        assert_eq!(kept(words, prompt, output), [0, 1, 2, 3, 4], "{prompt:?} {output:?}");
    }
}

#[test]
fn a_word_may_repeat_itself_and_end_in_its_own_beginning() {
    assert_eq!(kept(&[&[2, 2, 2]], &[2, 2, 2], &[2]), [0, 1, 3, 4]);
    assert_eq!(kept(&[&[2, 2, 2]], &[2], &[]), [0, 1, 2, 3, 4]);
    assert_eq!(kept(&[&[0, 1, 0], &[1, 0, 4]], &[0, 1], &[]), [1, 2, 3, 4]);
    assert_eq!(kept(&[&[0, 1, 0], &[1, 0, 4]], &[0, 1, 0], &[]), [0, 1, 2, 3]);
}

#[test]
fn no_word_is_off_and_an_empty_one_is_refused() {
    let report = with_words(&[]).report(&[1.0], false).unwrap();
    assert!(!report.stages.iter().find(|s| s.name == StageName::BadWords).unwrap().active);
    let bad_words = Some(vec![vec![1], Vec::new()]);
    let error =
        Sampler::new(Options { bad_words, seed: Some(1), ..Options::default() }).unwrap_err();
    assert_eq!((error.code(), error.option()), ("empty", Some("badWords.1")));
}

#[test]
fn an_id_outside_the_vocabulary_is_an_error_wherever_it_stands() {
    for words in [&[&[5u32][..]][..], &[&[0], &[9, 0]], &[&[0, 9]]] {
        let error = with_words(words).sample(&[0.0; 5]).unwrap_err();
        assert_eq!((error.code(), error.option()), ("bad_token", Some("badWords")));
        assert!(error.index().is_some_and(|id| id >= 5), "{error}");
    }
}

#[test]
fn bad_words_are_a_mask_that_may_leave_nothing_and_follows_temperature_0() {
    let mut all = sampler(&Options {
        bad_words: Some(vec![vec![0], vec![1]]),
        min_keep: Some(5),
        ..Options::default()
    });
    let error = all.sample(&[1.0, 2.0, DEAD]).unwrap_err();
    assert_eq!((error.code(), error.stage()), ("nothing_left", Some(StageName::BadWords)));
    assert_eq!(error.to_string(), "no token is left after bad_words");
    let options =
        Options { temperature: Some(0.0), bad_words: Some(vec![vec![1]]), ..Options::default() };
    let order = [StageName::Temperature, StageName::BadWords];
    let error = sampler(&ordered(&order, options.clone())).sample(&[1.0, 2.0]).unwrap_err();
    assert_eq!((error.code(), error.stage()), ("nothing_left", Some(StageName::BadWords)));
    assert_eq!(sampler(&options).sample(&[1.0, 2.0]).unwrap(), 0);
}

/// The text of both windows: the penalties' does not count.
#[test]
fn bad_words_look_at_the_whole_text_whatever_the_window() {
    let mut sampler = sampler(&Options {
        bad_words: Some(vec![vec![3, 1, 2]]),
        penalty_last_n: Some(nucleus_sampler::Window(0)),
        ..Options::default()
    });
    sampler.prompt(&[3]).unwrap();
    sampler.accept(1).unwrap();
    assert_eq!(sampler.distribution(&[0.0; 4]).unwrap().token_ids, [0, 1, 3]);
    sampler.reset();
    assert_eq!(sampler.distribution(&[0.0; 4]).unwrap().token_ids, [0, 1, 2, 3]);
}
