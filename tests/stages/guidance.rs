use nucleus_sampler::{Input, Options, Sampler, StageName};

use crate::common::{DEAD, ln, logits, sampler};
use crate::ordered;

fn guide(scale: f64) -> Sampler {
    sampler(&Options { guidance_scale: Some(scale), ..Options::default() })
}

/// Kept tokens by id with their probabilities.
fn probabilities(scale: f64, row: &[f32], second: &[f32]) -> Vec<(u32, f64)> {
    let input = Input { unconditional: Some(second), ..Input::from(row) };
    let found = guide(scale).distribution(input).unwrap();
    let mut pairs: Vec<_> = found.token_ids.into_iter().zip(found.probs).collect();
    pairs.sort_by_key(|(id, _)| *id);
    pairs
}

#[track_caller]
fn assert_near(found: &[(u32, f64)], expected: &[(u32, f64)]) {
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for ((id, p), (other, q)) in found.iter().zip(expected) {
        assert!(id == other && (p - q).abs() < 2e-6, "{found:?} is not {expected:?}");
    }
}

/// p_c^s p_u^(1 - s), renormalised: worked out by hand.
#[test]
fn guidance_multiplies_the_share_that_the_prompt_brought() {
    let (c, u) = (ln(&[0.5, 0.3, 0.2]), ln(&[0.2, 0.3, 0.5]));
    // s = 2: 0.25 / 0.2, 0.09 / 0.3, 0.04 / 0.5 = 1.25, 0.3, 0.08, of 1.63.
    let twice = [(0, 1.25 / 1.63), (1, 0.3 / 1.63), (2, 0.08 / 1.63)];
    assert_near(&probabilities(2.0, &c, &u), &twice);
    // s = 0 is the second row; s = -1 its opposite: 0.04 / 0.5, 0.09 / 0.3, 0.25 / 0.2.
    assert_near(&probabilities(0.0, &c, &u), &[(0, 0.2), (1, 0.3), (2, 0.5)]);
    let away = [(0, 0.08 / 1.63), (1, 0.3 / 1.63), (2, 1.25 / 1.63)];
    assert_near(&probabilities(-1.0, &c, &u), &away);
}

/// The logits are log probabilities afterwards: lsm(u) + s (lsm(c) - lsm(u)).
#[test]
fn guidance_leaves_log_probabilities() {
    let (c, u) = (ln(&[0.5, 0.25, 0.25]), ln(&[0.25, 0.5, 0.25]));
    let mut sampler = guide(2.0);
    let shifted: Vec<f32> = c.iter().map(|l| l + 40.0).collect();
    let input = Input { unconditional: Some(&u), ..Input::from(&shifted) };
    let found = sampler.distribution(input).unwrap();
    let ln2 = std::f64::consts::LN_2;
    for (id, l) in found.token_ids.iter().zip(&found.logits) {
        let expected = [0.0, -3.0 * ln2, -2.0 * ln2][*id as usize];
        assert!((f64::from(*l) - expected).abs() < 1e-5, "{id}: {l}");
    }
}

#[test]
fn guidance_of_1_is_off_and_looks_at_no_second_row() {
    let row = [1.0, 2.0];
    let found = guide(1.0).report(&row, false).unwrap();
    assert!(!found.stages.iter().find(|s| s.name == StageName::Guidance).unwrap().active);
    let wrong = Input { unconditional: Some(&[f32::NAN]), ..Input::from(&row) };
    assert_eq!(guide(1.0).distribution(wrong).unwrap().logits, [2.0, 1.0]);
}

#[test]
fn guidance_leaves_the_dead_dead_and_keeps_what_is_dead_only_in_the_second_row() {
    let half = 0.5f32.ln();
    let found = probabilities(3.0, &[half, DEAD, half], &[half, half, DEAD]);
    // lsm(c) = ln 1/2 for both; token 0: ln 1/2 + 3 * 0.
    assert_near(&found, &[(0, 0.5), (2, 0.5)]);
    let all_dead = probabilities(3.0, &[0.0, 1.0], &[DEAD, DEAD]);
    let plain = 1.0 / (1.0 + std::f64::consts::E);
    assert_near(&all_dead, &[(0, plain), (1, 1.0 - plain)]);
}

#[test]
fn a_second_row_that_is_missing_short_or_not_finite_is_an_error() {
    let row = [0.0, 1.0, 2.0];
    let failed = |second: Option<&[f32]>| {
        let input = Input { unconditional: second, ..Input::from(&row) };
        guide(1.5).sample(input).unwrap_err()
    };
    let missing = failed(None);
    assert_eq!((missing.code(), missing.option()), ("wrong_type", Some("unconditional")));
    assert_eq!(
        missing.to_string(),
        "unconditional must be the second row of logits, which guidance needs, not missing"
    );
    for n in [0, 2, 4] {
        let error = failed(Some(&vec![0.0; n]));
        assert_eq!((error.code(), error.option()), ("wrong_length", Some("unconditional")));
        assert_eq!(error.to_string(), format!("unconditional has length {n}, expected 3"));
    }
    for (bad, said) in [(f32::NAN, "NaN"), (f32::INFINITY, "Infinity")] {
        let error = failed(Some(&[0.0, bad, bad]));
        assert_eq!((error.code(), error.option()), ("not_finite", Some("unconditional")));
        assert_eq!((error.index(), error.stage()), (Some(1), None));
        let expected = format!(
            "unconditional: the logit at index 1 is {said}: logits must be finite or -Infinity"
        );
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn guidance_out_of_the_range_of_f32_is_an_error_that_names_the_lowest_token() {
    let input = Input { unconditional: Some(&[0.0, 9.0, 1.0]), ..Input::from(&[0.0, 0.0, 0.0]) };
    let error = guide(1e300).sample(input).unwrap_err();
    assert_eq!((error.code(), error.index()), ("not_finite", Some(0)));
    assert_eq!(error.stage(), Some(StageName::Guidance));
}

#[test]
fn guidance_of_extreme_logits_and_of_one_token_is_finite() {
    let found = probabilities(2.0, &[1e4, -1e4], &[-1e4, 1e4]);
    assert_near(&found, &[(0, 1.0), (1, 0.0)]);
    assert_near(&probabilities(-5.0, &[7.0], &[-3.0]), &[(0, 1.0)]);
    assert_near(
        &probabilities(5.0, &[7.0; 4], &[-3.0; 4]),
        &[(0, 0.25), (1, 0.25), (2, 0.25), (3, 0.25)],
    );
}

/// The mask acts first: lsm(c) is that of what it leaves. The second row knows no mask.
#[test]
fn guidance_measures_what_is_alive() {
    let (row, second) = (ln(&[0.5, 0.25, 0.25]), ln(&[0.25, 0.5, 0.25]));
    let input = Input { unconditional: Some(&second), mask: Some(&[0b110]), ..Input::from(&row) };
    let found = guide(2.0).distribution(input).unwrap();
    // lsm(c) = ln 1/2 twice; lsm(u) = ln 1/2, ln 1/4: 2 ln 1/2 - ln 1/2, 2 ln 1/2 - ln 1/4.
    let ln2 = std::f32::consts::LN_2;
    assert_eq!(found.token_ids, [2, 1]);
    for (l, expected) in found.logits.iter().zip([0.0, -ln2]) {
        assert!((l - expected).abs() < 1e-6, "{:?}", found.logits);
    }
}

#[test]
fn guidance_after_a_temperature_writes_the_factor_first_and_after_temperature_0_nothing() {
    let order = [StageName::Temperature, StageName::Guidance];
    let guided = |temperature| {
        let options = Options {
            temperature: Some(temperature),
            guidance_scale: Some(2.0),
            ..Options::default()
        };
        let input = Input { unconditional: Some(&[0.0, 0.0]), ..Input::from(&[1.0, 0.0]) };
        sampler(&ordered(&order, options)).distribution(input).unwrap()
    };
    // The second row is even: the difference of the logits doubles, 4 at temperature 1/2.
    let found = guided(0.5);
    assert!((found.logits[0] - found.logits[1] - 4.0).abs() < 1e-5, "{:?}", found.logits);
    assert_eq!((guided(0.0).token_ids, guided(0.0).logits), (vec![0], vec![1.0]));
    let mut without =
        sampler(&ordered(&order, Options { guidance_scale: Some(2.0), ..Options::default() }));
    assert!(without.distribution(&[0.0]).is_err());
    assert_eq!(logits(&mut guide(1.0), &[1.0]), [(0, 1.0)]);
}

/// Each row of a batch has its own second row; a row without guidance looks at none.
#[test]
fn a_batch_gives_each_row_its_second_row() {
    use nucleus_sampler::{BatchInput, Rows};
    let mut sampler = guide(1e3);
    sampler.add_row(Options::default()).unwrap();
    sampler.add_row(Options { guidance_scale: Some(1.0), ..Options::default() }).unwrap();
    let rows = [0.0; 6];
    let second = [1.0, 0.0, 0.0, 1.0, f32::NAN, 0.0];
    let batch = BatchInput { unconditional: Some(&second), ..BatchInput::from(&rows) };
    let mut alone = sampler.clone();
    let tokens = sampler.sample_batch(batch, Rows::First(3)).unwrap();
    let own = alone.row(2).unwrap().sample(&rows[4..]).unwrap();
    assert_eq!(tokens, [1, 0, own]);
    let without = sampler.sample_batch(&rows, Rows::First(3)).unwrap();
    assert_eq!(without[..2], [u32::MAX; 2]);
    assert_eq!(sampler.row_errors()[0].1.code(), "wrong_type");
    let short = BatchInput { unconditional: Some(&second[..4]), ..BatchInput::from(&rows) };
    let error = sampler.sample_batch(short, Rows::First(3)).unwrap_err();
    assert_eq!(error.to_string(), "unconditional has length 4, expected 6");
}
