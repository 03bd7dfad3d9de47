use nucleus_sampler::{Options, StageName};

use crate::common::{DEAD, assert_probabilities, kept, logits, probabilities, sampler};
use crate::{four, ordered};

fn t(temperature: f64) -> Options {
    Options { temperature: Some(temperature), ..Options::default() }
}

#[test]
fn temperature_raises_probabilities_to_the_power_of_1_over_t() {
    for (temperature, powers) in [
        (1.0, [0.1, 0.2, 0.3, 0.4]),
        (0.5, [0.01, 0.04, 0.09, 0.16]),
        (0.25, [0.0001, 0.0016, 0.0081, 0.0256]),
        (2.0, [0.1f64.sqrt(), 0.2f64.sqrt(), 0.3f64.sqrt(), 0.4f64.sqrt()]),
    ] {
        let sum: f64 = powers.iter().sum();
        let expected: Vec<(u32, f64)> = (0..4).map(|id| (id, powers[id as usize] / sum)).collect();
        assert_probabilities(&t(temperature), &four(), &expected);
    }
}

#[test]
fn temperature_1_is_off() {
    let plain = sampler(&Options::default()).distribution(&four()).unwrap();
    assert_eq!(sampler(&t(1.0)).distribution(&four()).unwrap(), plain);
    let report = sampler(&t(1.0)).report(&four(), false).unwrap();
    assert!(report.stages.iter().all(|stage| !stage.active));
}

#[test]
fn a_temperature_just_beside_1_is_on() {
    for temperature in [crate::above(1.0), crate::below(1.0)] {
        let report = sampler(&t(temperature)).report(&four(), false).unwrap();
        let active: Vec<_> = report.stages.iter().filter(|s| s.active).map(|s| s.name).collect();
        assert_eq!(active, [StageName::Temperature]);
    }
}

/// 1e-30 to 3e38 is what the factor can be: colder is no colder, and hotter no hotter.
#[test]
fn extreme_temperatures_stay_within_the_factor_s_range() {
    for cold in [1e-9, 1e-30, 1e-300, f64::from_bits(1)] {
        assert_probabilities(&t(cold), &[1.0, 1.5, 0.0], &[(0, 0.0), (1, 1.0), (2, 0.0)]);
        // Equal best tokens stay equal, however cold.
        assert_probabilities(&t(cold), &[1.5, 1.5, 0.0], &[(0, 0.5), (1, 0.5), (2, 0.0)]);
    }
    for hot in [1e9, 1e30, 1e300, f64::MAX] {
        let third = 1.0 / 3.0;
        let expected = [(0, third), (1, third), (2, third)];
        assert_probabilities(&t(hot), &[100.0, 0.0, -100.0], &expected);
    }
    // At the hottest, r = 1e-30: a distance of 6e38 is still as good as none.
    let ends = [f32::MAX, f32::MIN];
    assert_eq!(probabilities(&t(1e300), &ends), [(0, 1.0), (1, 0.0)]);
    assert_probabilities(&t(1e300), &[1e30, -1e29], &[(0, 0.750_260), (1, 0.249_740)]);
}

#[test]
fn temperature_leaves_logits_ranks_and_the_dead_alone() {
    let row = [0.5, DEAD, 2.0, 2.0, -1.0];
    for temperature in [0.1, 0.7, 3.0, 1e9] {
        assert_eq!(kept(&t(temperature), &row), [2, 3, 0, 4]);
    }
}

#[test]
fn the_distribution_s_logits_are_divided_by_the_temperature() {
    let found = logits(&mut sampler(&t(0.5)), &[1.0, -2.0, f32::MAX]);
    assert_eq!(found, [(0, 2.0), (1, -4.0), (2, f32::MAX)]);
}

/// temperature may stand in the order twice, and then divides twice.
#[test]
fn two_temperatures_multiply() {
    let order = [StageName::Temperature, StageName::Temperature];
    let twice = ordered(&order, t(0.5));
    assert_eq!(
        sampler(&twice).distribution(&four()).unwrap().probs,
        sampler(&t(0.25)).distribution(&four()).unwrap().probs
    );
}

#[test]
fn a_temperature_between_two_cuts_changes_only_the_later_one() {
    let options = Options { top_p: Some(0.75), min_p: Some(0.5), ..t(0.5) };
    let order = |order: &[StageName]| kept(&ordered(order, options.clone()), &four());
    use StageName::{MinP, Temperature, TopP};
    // Warm: 0.4 + 0.3 < 0.75 keeps three; cold ratios to the best are 1, 9/16, 4/16.
    assert_eq!(order(&[TopP, Temperature, MinP]), [3, 2]);
    assert_eq!(order(&[TopP, MinP, Temperature]), [3, 2, 1]);
    // Cold: 16 + 9 of 30 is above 0.75; then warm min_p would keep both.
    assert_eq!(order(&[Temperature, TopP, MinP]), [3, 2]);
}

/// A writing stage after a temperature sees logits that are already divided; before it, the penalty is divided too.
#[test]
fn a_writing_stage_after_a_temperature_writes_into_divided_logits() {
    let options = Options { logit_bias: Some(vec![(0, 1.0)]), ..t(0.5) };
    let row = [0.25, 1.0];
    let before = ordered(&[StageName::LogitBias, StageName::Temperature], options.clone());
    assert_eq!(logits(&mut sampler(&before), &row), [(0, 2.5), (1, 2.0)]);
    let after = ordered(&[StageName::Temperature, StageName::LogitBias], options);
    assert_eq!(logits(&mut sampler(&after), &row), [(0, 1.5), (1, 2.0)]);
}

/// The factor is written once: after a writing stage it is 1, and a later temperature starts from there.
#[test]
fn a_written_factor_is_not_applied_again() {
    let order = [StageName::Temperature, StageName::LogitBias, StageName::Temperature];
    let options = Options { logit_bias: Some(vec![(0, 1.0)]), ..t(0.5) };
    let found = logits(&mut sampler(&ordered(&order, options)), &[0.25, 1.0]);
    assert_eq!(found, [(0, 3.0), (1, 4.0)]);
}
