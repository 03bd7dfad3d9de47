use nucleus_sampler::{Options, StageName};

use crate::common::{DEAD, assert_probabilities, kept, sampler};
use crate::{four, ordered};

fn allow(ids: &[u32]) -> Options {
    Options { allowed_tokens: Some(ids.to_vec()), ..Options::default() }
}

#[test]
fn allowed_tokens_removes_what_is_not_listed_and_renormalises() {
    assert_probabilities(&allow(&[1, 2]), &four(), &[(1, 0.4), (2, 0.6)]);
    assert_probabilities(&allow(&[0]), &four(), &[(0, 1.0)]);
    assert_eq!(kept(&allow(&[0, 1, 2, 3]), &four()), [3, 2, 1, 0]);
}

#[test]
fn the_order_and_repetition_of_the_listed_ids_do_not_matter() {
    assert_eq!(kept(&allow(&[2, 0, 2, 2, 0]), &four()), kept(&allow(&[0, 2]), &four()));
}

#[test]
fn allowed_tokens_does_not_bring_back_the_dead() {
    assert_eq!(kept(&allow(&[0, 2]), &[1.0, 2.0, DEAD]), [0]);
    let error = sampler(&allow(&[2])).sample(&[1.0, 2.0, DEAD]).unwrap_err();
    assert_eq!((error.code(), error.stage()), ("nothing_left", Some(StageName::AllowedTokens)));
}

#[test]
fn allowed_tokens_does_not_know_min_keep() {
    let options = Options { min_keep: Some(3), ..allow(&[1]) };
    assert_eq!(kept(&options, &four()), [1]);
}

#[test]
fn an_allowed_id_is_an_error_from_the_size_of_the_vocabulary_on() {
    assert_eq!(kept(&allow(&[3]), &four()), [3]);
    let error = sampler(&allow(&[3, 4])).sample(&four()).unwrap_err();
    assert_eq!((error.code(), error.index()), ("bad_token", Some(4)));
    assert_eq!(error.to_string(), "allowedTokens holds token 4, but the row has token ids below 4");
}

#[test]
fn at_its_default_place_allowed_tokens_comes_before_the_cuts() {
    let options = Options { top_k: Some(2), ..allow(&[0, 1, 2]) };
    assert_eq!(kept(&options, &four()), [2, 1]);
    let last = ordered(&[StageName::TopK, StageName::AllowedTokens], options);
    assert_eq!(kept(&last, &four()), [2]);
}
