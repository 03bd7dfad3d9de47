use nucleus_sampler::{Options, Report, StageName};

use crate::common::{DEAD, kept, logits, sampler};
use crate::ordered;

const BAN: f64 = f64::NEG_INFINITY;

fn bias(pairs: &[(u32, f64)]) -> Options {
    Options { logit_bias: Some(pairs.to_vec()), ..Options::default() }
}

fn biased(pairs: &[(u32, f64)], row: &[f32]) -> Vec<(u32, f32)> {
    logits(&mut sampler(&bias(pairs)), row)
}

#[test]
fn logit_bias_adds_to_the_tokens_named() {
    let found = biased(&[(3, -2.0), (1, 5.0)], &[1.0; 5]);
    assert_eq!(found, [(0, 1.0), (1, 6.0), (2, 1.0), (3, -1.0), (4, 1.0)]);
}

#[test]
fn logit_bias_rounds_once_from_f64() {
    // In f32, 2^24 + 1 + 1 would lose both; added as 2 it is there.
    let large = 16_777_216.0;
    assert_eq!(biased(&[(0, 2.0)], &[large]), [(0, large + 2.0)]);
    assert_eq!(biased(&[(0, 1.0)], &[large]), [(0, large)]);
    assert_eq!(biased(&[(0, 1.000_001)], &[large]), [(0, large + 2.0)]);
    assert_eq!(biased(&[(0, 1e-9)], &[1.0]), [(0, 1.0)]);
}

#[test]
fn logit_bias_of_minus_infinity_bans() {
    assert_eq!(biased(&[(2, BAN)], &[1.0, 2.0, 3.0, 4.0]), [(0, 1.0), (1, 2.0), (3, 4.0)]);
    assert_eq!(biased(&[(2, BAN), (0, 0.5)], &[1.0, 2.0, 3.0]), [(0, 1.5), (1, 2.0)]);
}

#[test]
fn a_ban_of_everything_leaves_nothing() {
    let error = sampler(&bias(&[(0, BAN), (1, BAN)])).sample(&[1.0, 2.0, DEAD]).unwrap_err();
    assert_eq!((error.code(), error.stage()), ("nothing_left", Some(StageName::LogitBias)));
}

#[test]
fn a_bias_does_not_bring_back_the_dead() {
    assert_eq!(biased(&[(0, 1e30)], &[DEAD, 1.0]), [(1, 1.0)]);
}

#[test]
fn no_pair_is_off_and_a_bias_of_0_changes_no_logit() {
    let row = [0.5, 1.5];
    let active =
        |report: &Report| report.stages.iter().any(|s| s.name == StageName::LogitBias && s.active);
    let report = sampler(&bias(&[])).report(&row, false).unwrap();
    assert!(!active(&report));
    let report = sampler(&bias(&[(0, 0.0)])).report(&row, false).unwrap();
    assert!(active(&report));
    assert_eq!(biased(&[(0, 0.0)], &row), [(0, 0.5), (1, 1.5)]);
}

/// A finite entry writes, and so the factor of an earlier temperature is written first; a ban alone only masks.
#[test]
fn only_a_finite_bias_writes() {
    let third = 1.0 / 3.0;
    let after_temperature = |pairs: &[(u32, f64)]| {
        let options = Options { temperature: Some(3.0), ..bias(pairs) };
        let options = ordered(&[StageName::Temperature, StageName::LogitBias], options);
        sampler(&options).distribution(&[1.0, 0.1, 0.0]).unwrap()
    };
    let written = after_temperature(&[(2, 0.0)]);
    assert_eq!(written.logits, [third as f32, (0.1f32 as f64 * third) as f32, 0.0]);
    let masked = after_temperature(&[(2, BAN)]);
    let plain = Options { temperature: Some(3.0), ..Options::default() };
    assert_eq!(masked, sampler(&plain).distribution(&[1.0, 0.1]).unwrap());
}

#[test]
fn a_biased_id_is_an_error_from_the_size_of_the_vocabulary_on() {
    for value in [0.5, BAN] {
        assert!(sampler(&bias(&[(1, value)])).sample(&[1.0, 2.0]).is_ok());
        let error = sampler(&bias(&[(0, 1.0), (2, value)])).sample(&[1.0, 2.0]).unwrap_err();
        assert_eq!(error.to_string(), "logitBias holds token 2, but the row has token ids below 2");
    }
}

#[test]
fn a_logit_that_leaves_the_range_of_f32_is_an_error_that_names_the_token() {
    let largest = f64::from(f32::MAX);
    // Half a step above the largest float still rounds down to it; a whole step does not.
    let step = largest - f64::from(f32::from_bits(f32::MAX.to_bits() - 1));
    assert_eq!(biased(&[(1, 0.49 * step)], &[0.0, f32::MAX])[1], (1, f32::MAX));
    for (value, logit) in
        [(0.5 * step, f32::MAX), (1e300, 0.0), (-1e300, 5.0), (-largest, f32::MIN)]
    {
        let error = sampler(&bias(&[(1, value)])).sample(&[0.0, logit]).unwrap_err();
        assert_eq!((error.code(), error.index()), ("not_finite", Some(1)));
        assert_eq!(error.stage(), Some(StageName::LogitBias));
        assert_eq!(
            error.to_string(),
            "logit_bias takes the logit of token 1 out of the range of 32-bit floats"
        );
    }
}

#[test]
fn a_bias_moves_a_token_across_a_cut() {
    let options = |pairs| Options { top_k: Some(1), ..bias(pairs) };
    assert_eq!(kept(&options(&[(0, 0.9)]), &[1.0, 2.0]), [1]);
    // Equal logits: the lower id.
    assert_eq!(kept(&options(&[(0, 1.0)]), &[1.0, 2.0]), [0]);
    assert_eq!(kept(&options(&[(0, 1.1)]), &[1.0, 2.0]), [0]);
}
