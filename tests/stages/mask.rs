use nucleus_sampler::{Input, Options, StageName};

use crate::common::{DEAD, sampler};

fn kept(options: &Options, logits: &[f32], mask: &[u32]) -> Vec<u32> {
    let input = Input::from(logits).with_mask(Some(mask));
    let mut kept = sampler(options).distribution(input).unwrap().token_ids;
    kept.sort_unstable();
    kept
}

#[test]
fn a_mask_keeps_the_tokens_whose_bit_is_1() {
    let row = [0.5; 70];
    let mask = [1 << 31 | 1, 0b110, 1 << 5];
    assert_eq!(kept(&Options::default(), &row, &mask), [0, 31, 33, 34, 69]);
}

#[test]
fn spare_bits_of_a_mask_are_ignored() {
    for n in [1, 31, 32, 33, 63, 64, 65] {
        let row = vec![1.0; n];
        let mask = vec![u32::MAX; n.div_ceil(32)];
        assert_eq!(kept(&Options::default(), &row, &mask), (0..n as u32).collect::<Vec<_>>());
        if n % 32 != 0 {
            let mut spare = vec![0; n.div_ceil(32)];
            *spare.last_mut().unwrap() = !0 << (n % 32);
            let input = Input::from(&row).with_mask(Some(&spare));
            let error = sampler(&Options::default()).sample(input).unwrap_err();
            assert_eq!((error.code(), error.stage()), ("nothing_left", Some(StageName::Mask)));
        }
    }
}

#[test]
fn a_mask_has_one_word_for_32_tokens_no_fewer_and_no_more() {
    for (n, n_words) in [(1, 1), (32, 1), (33, 2), (64, 2), (65, 3)] {
        let row = vec![1.0; n];
        for given in 0..5 {
            let mask = vec![u32::MAX; given];
            let input = Input::from(&row).with_mask(Some(&mask));
            let result = sampler(&Options::default()).distribution(input);
            if given == n_words {
                assert_eq!(result.unwrap().kept_count, n);
            } else {
                let message = format!("mask has length {given}, expected {n_words}");
                assert_eq!(result.unwrap_err().to_string(), message);
            }
        }
    }
}

#[test]
fn a_mask_intersects_allowed_tokens_and_does_not_bring_back_the_dead() {
    let options = Options { allowed_tokens: Some(vec![0, 1, 2]), ..Options::default() };
    assert_eq!(kept(&options, &[1.0, DEAD, 2.0, 3.0], &[0b1110]), [2]);
}

#[test]
fn a_mask_acts_before_the_first_stage() {
    let options = Options { top_k: Some(1), ..Options::default() };
    assert_eq!(kept(&options, &[3.0, 2.0, 1.0], &[0b110]), [1]);
    let input = Input::from(&[3.0, 2.0, 1.0]).with_mask(Some(&[0b110]));
    let report = sampler(&options).report(input, true).unwrap();
    let first = &report.stages[0];
    assert_eq!((first.name, first.kept_before, first.kept_after), (StageName::Mask, 3, 2));
    assert_eq!(report.tokens.unwrap().removed_by[0], 0);
}

#[test]
fn a_mask_does_not_know_min_keep() {
    let options = Options { min_keep: Some(3), ..Options::default() };
    assert_eq!(kept(&options, &[1.0; 4], &[0b1000]), [3]);
}

#[test]
fn without_a_mask_the_report_has_no_stage_of_that_name() {
    let report = sampler(&Options::default()).report(&[1.0, 2.0], false).unwrap();
    assert!(report.stages.iter().all(|stage| stage.name != StageName::Mask));
}
