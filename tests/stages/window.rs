//! The window of the penalties: the last n tokens of prompt and output.

use nucleus_sampler::Window;
use nucleus_sampler::{Options, Sampler};

use crate::common::{logits, sampler};

/// Text: 0 1 2 0 (prompt), 3 1 3 (output).
fn text(options: Options, window: Option<u32>) -> Sampler {
    let penalty_last_n = window.map(Window);
    let mut sampler = sampler(&Options { penalty_last_n, ..options });
    sampler.prompt(&[0, 1, 2, 0]).unwrap();
    [3, 1, 3].into_iter().for_each(|token| sampler.accept(token).unwrap());
    sampler
}

fn after(options: &Options, window: Option<u32>) -> Vec<f32> {
    let found = logits(&mut text(options.clone(), window), &[8.0; 4]);
    found.into_iter().map(|(_, logit)| logit).collect()
}

#[test]
fn repetition_penalty_sees_the_last_n_of_prompt_and_output() {
    let options = Options { repetition_penalty: Some(2.0), ..Options::default() };
    for (window, expected) in [
        (Some(0), [8.0, 8.0, 8.0, 8.0]),
        (Some(1), [8.0, 8.0, 8.0, 4.0]),
        (Some(2), [8.0, 4.0, 8.0, 4.0]),
        (Some(3), [8.0, 4.0, 8.0, 4.0]),
        (Some(4), [4.0, 4.0, 8.0, 4.0]),
        (Some(5), [4.0, 4.0, 4.0, 4.0]),
        (Some(7), [4.0, 4.0, 4.0, 4.0]),
        (Some(u32::MAX), [4.0, 4.0, 4.0, 4.0]),
        (None, [4.0, 4.0, 4.0, 4.0]),
    ] {
        assert_eq!(after(&options, window), expected, "{window:?}");
    }
}

#[test]
fn frequency_penalty_counts_the_output_inside_the_window() {
    let options = Options { frequency_penalty: Some(1.0), ..Options::default() };
    for (window, expected) in [
        (Some(0), [8.0, 8.0, 8.0, 8.0]),
        (Some(1), [8.0, 8.0, 8.0, 7.0]),
        (Some(2), [8.0, 7.0, 8.0, 7.0]),
        (Some(3), [8.0, 7.0, 8.0, 6.0]),
        (Some(4), [8.0, 7.0, 8.0, 6.0]),
        (None, [8.0, 7.0, 8.0, 6.0]),
    ] {
        assert_eq!(after(&options, window), expected, "{window:?}");
    }
}

#[test]
fn presence_penalty_sees_the_output_inside_the_window() {
    let options = Options { presence_penalty: Some(1.0), ..Options::default() };
    for (window, expected) in [
        (Some(0), [8.0, 8.0, 8.0, 8.0]),
        (Some(1), [8.0, 8.0, 8.0, 7.0]),
        (Some(2), [8.0, 7.0, 8.0, 7.0]),
        (None, [8.0, 7.0, 8.0, 7.0]),
    ] {
        assert_eq!(after(&options, window), expected, "{window:?}");
    }
}

/// A prompt that comes after output lies before it in the text.
#[test]
fn the_prompt_comes_before_the_output_whenever_it_was_given() {
    let options = Options {
        repetition_penalty: Some(2.0),
        penalty_last_n: Some(Window(1)),
        ..Options::default()
    };
    let mut sampler = sampler(&options);
    sampler.accept(0).unwrap();
    sampler.prompt(&[1]).unwrap();
    assert_eq!(logits(&mut sampler, &[8.0, 8.0]), [(0, 4.0), (1, 8.0)]);
}

#[test]
fn a_changed_window_counts_the_same_text_anew() {
    let options = Options { repetition_penalty: Some(2.0), ..Options::default() };
    let mut sampler = text(options.clone(), Some(1));
    for window in [4, 0, 2, u32::MAX] {
        let update = Options { penalty_last_n: Some(Window(window)), ..Options::default() };
        sampler.update(&update, None).unwrap();
        assert_eq!(
            logits(&mut sampler, &[8.0; 4]),
            logits(&mut text(options.clone(), Some(window)), &[8.0; 4])
        );
    }
}

/// An id outside the vocabulary is an error even where no penalty would look at it.
#[test]
fn a_history_outside_the_vocabulary_is_an_error_that_names_the_first_such_token() {
    for options in [
        Options::default(),
        Options { penalty_last_n: Some(Window(0)), ..Options::default() },
        Options { repetition_penalty: Some(2.0), ..Options::default() },
    ] {
        let mut sampler = sampler(&options);
        sampler.prompt(&[1, 7]).unwrap();
        sampler.accept(9).unwrap();
        assert!(sampler.sample(&[0.5; 10]).is_ok());
        let error = sampler.sample(&[0.5; 9]).unwrap_err();
        assert_eq!((error.code(), error.index()), ("bad_token", Some(9)));
        let error = sampler.sample(&[0.5; 7]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the history holds token 7, but the row has token ids below 7"
        );
    }
}
