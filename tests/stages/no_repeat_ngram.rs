use nucleus_sampler::{Options, Sampler, StageName, Window};

use crate::common::sampler;
use crate::ordered;

fn after(n: u32, prompt: &[u32], output: &[u32]) -> Sampler {
    let options = Options { no_repeat_ngram_size: Some(n), ..Options::default() };
    let mut sampler = sampler(&options);
    sampler.prompt(prompt).unwrap();
    output.iter().for_each(|token| sampler.accept(*token).unwrap());
    sampler
}

const NONE: [u32; 0] = [];

/// The tokens that are banned of nine equal ones.
fn banned(n: u32, prompt: &[u32], output: &[u32]) -> Vec<u32> {
    let kept = after(n, prompt, output).distribution(&[0.0; 9]).unwrap().token_ids;
    (0..9).filter(|id| !kept.contains(id)).collect()
}

#[test]
fn a_token_that_would_complete_an_ngram_of_the_text_is_banned() {
    assert_eq!(banned(3, &[1, 2, 5, 7, 8, 5, 1, 2], &[]), [5]);
    assert_eq!(banned(2, &[1, 2, 5, 1], &[]), [2]);
    assert_eq!(banned(2, &[1, 2, 1, 3, 1, 4, 1], &[]), [2, 3, 4]);
    assert_eq!(banned(3, &[0, 1, 0, 1], &[]), [0]);
    assert_eq!(banned(3, &[1, 1, 2, 1], &[]), NONE);
}

#[test]
fn prompt_and_output_are_one_text() {
    for split in 0..8 {
        let text = [1, 2, 5, 7, 8, 5, 1, 2];
        assert_eq!(banned(3, &text[..split], &text[split..]), [5], "{split}");
    }
}

#[test]
fn an_ngram_may_overlap_itself() {
    assert_eq!(banned(2, &[7, 7], &[]), [7]);
    assert_eq!(banned(3, &[7, 7], &[]), NONE);
    assert_eq!(banned(3, &[7, 7, 7], &[]), [7]);
    assert_eq!(banned(4, &[7, 8, 7, 8, 7, 8], &[]), [7]);
}

#[test]
fn an_ngram_of_one_token_bans_every_token_of_the_text() {
    assert_eq!(banned(1, &[3, 1], &[3]), [1, 3]);
    assert_eq!(banned(1, &[], &[]), NONE);
}

#[test]
fn a_text_shorter_than_n_holds_no_ngram() {
    for n in 2..6 {
        for len in 0..n as usize {
            assert_eq!(banned(n, &[4; 6][..len], &[]), NONE, "{n} {len}");
        }
        assert_eq!(banned(n, &[4; 6][..n as usize], &[]), [4], "{n}");
    }
    assert_eq!(banned(u32::MAX, &[4; 6], &[]), NONE);
}

#[test]
fn no_repeat_ngram_of_0_is_off_and_the_penalties_window_does_not_count() {
    let report = after(0, &[1], &[1]).report(&[0.0; 9], false).unwrap();
    assert!(!report.stages.iter().find(|s| s.name == StageName::NoRepeatNgram).unwrap().active);
    let options = Options {
        no_repeat_ngram_size: Some(2),
        penalty_last_n: Some(Window(0)),
        ..Options::default()
    };
    let mut sampler = sampler(&options);
    sampler.prompt(&[1, 2, 1]).unwrap();
    assert_eq!(sampler.distribution(&[0.0; 3]).unwrap().token_ids, [0, 1]);
}

#[test]
fn no_repeat_ngram_is_a_mask_that_may_leave_nothing_and_follows_temperature_0() {
    let mut all = sampler(&Options {
        no_repeat_ngram_size: Some(1),
        min_keep: Some(3),
        ..Options::default()
    });
    all.prompt(&[0, 1]).unwrap();
    let error = all.sample(&[0.0, 1.0]).unwrap_err();
    assert_eq!((error.code(), error.stage()), ("nothing_left", Some(StageName::NoRepeatNgram)));
    let cold =
        Options { no_repeat_ngram_size: Some(1), temperature: Some(0.0), ..Options::default() };
    let order = [StageName::Temperature, StageName::NoRepeatNgram];
    for (options, expected) in [(cold.clone(), Some(0)), (ordered(&order, cold), None)] {
        let mut sampler = sampler(&options);
        sampler.accept(1).unwrap();
        assert_eq!(sampler.sample(&[0.0, 1.0]).ok(), expected);
    }
}

/// What a report says of a mask: how many went, and their share of the mass.
#[test]
fn the_report_says_what_share_was_banned() {
    let row = crate::common::ln(&[0.1, 0.2, 0.3, 0.4]);
    let report = after(1, &[3, 0], &[]).report(&row, true).unwrap();
    let place = report.stages.iter().position(|s| s.name == StageName::NoRepeatNgram).unwrap();
    let stage = &report.stages[place];
    assert_eq!((stage.kept_before, stage.kept_after, stage.threshold), (4, 2, None));
    assert!((stage.mass_removed - 0.5).abs() < 1e-6, "{}", stage.mass_removed);
    let place = place as u8;
    assert_eq!(report.tokens.unwrap().removed_by, [place, 255, 255, place]);
}
