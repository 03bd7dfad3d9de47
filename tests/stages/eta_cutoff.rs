use nucleus_sampler::{Options, StageName};

use crate::common::{DEAD, assert_probabilities, kept, ln, row, sampler, threshold};
use crate::options::Change;
use crate::oracle::{self, Plan, assert_agrees};
use crate::{above, below, four};

fn eta(eta: f64) -> Options {
    Options { eta_cutoff: Some(eta), seed: Some(1), ..Options::default() }
}

/// What this stage's options change.
pub fn changes() -> Vec<Change> {
    vec![Change::from_none("etaCutoff", eta(0.5))]
}

/// The entropy is 1.279854, e^-H = 0.278078: from eta = 0.0773 on the threshold is sqrt(eta) e^-H.
#[test]
fn eta_cutoff_keeps_tokens_of_at_least_a_probability_that_falls_with_the_entropy() {
    let two = vec![(2, 3.0 / 7.0), (3, 4.0 / 7.0)];
    let three = vec![(1, 2.0 / 9.0), (2, 3.0 / 9.0), (3, 4.0 / 9.0)];
    let all = vec![(0, 0.1), (1, 0.2), (2, 0.3), (3, 0.4)];
    for (share, expected) in [
        (0.0, &all),
        (0.12, &all),
        (0.1293, &all),
        (0.1294, &three),
        (0.51, &three),
        (0.518, &two),
        (1.0, &two),
    ] {
        assert_probabilities(&eta(share), &four(), expected);
    }
}

/// The entropy is 0.153837 here, and e^-H = 0.857: up to eta = 0.735 the threshold is eta itself.
#[test]
fn eta_cutoff_is_epsilon_cutoff_where_the_entropy_is_low() {
    let row = ln(&[0.01, 0.97, 0.02]);
    for share in [0.001, 0.009, 0.011, 0.019, 0.021, 0.5, 0.7] {
        let plain = Options { epsilon_cutoff: Some(share), seed: Some(1), ..Options::default() };
        assert_eq!(kept(&eta(share), &row), kept(&plain, &row), "{share}");
        assert_eq!(
            threshold(&eta(share), &row, StageName::EtaCutoff),
            threshold(&plain, &row, StageName::EpsilonCutoff)
        );
    }
}

#[test]
fn eta_cutoff_keeps_a_token_at_the_threshold_and_drops_it_just_above() {
    for distance in [2.0f32, 5.0, 20.0] {
        let weight = u128::from(oracle::weight(oracle::exp(-distance)));
        let mass = (1 << 44) + weight;
        let mut share = weight as f64 / mass as f64;
        while oracle::share_of(share, mass) > weight {
            share = below(share);
        }
        while oracle::share_of(above(share), mass) <= weight {
            share = above(share);
        }
        let row = [-distance, 0.0];
        assert_eq!(kept(&eta(share), &row), [1, 0], "{distance}");
        assert_eq!(kept(&eta(above(share)), &row), [1], "{distance}");
    }
}

#[test]
fn eta_cutoff_where_none_passes_keeps_the_first_by_rank() {
    // Four equal tokens and eta 1: the threshold is e^-ln 4, and with a fifth one a little lower nobody reaches it.
    let row = [0.0, 0.0, 0.0, 0.0, -3.0];
    let found = threshold(&eta(1.0), &row, StageName::EtaCutoff);
    let best = sampler(&Options::default()).distribution(&row).unwrap().probs[0];
    assert!(found < best, "{found} {best}");
    assert_eq!(kept(&eta(1.0), &row), [0, 1, 2, 3]);
    assert_eq!(kept(&eta(1.0), &[DEAD, 2.0]), [1]);
}

#[test]
fn eta_cutoff_0_is_off_and_keeps_tokens_of_weight_0_which_any_above_0_drops() {
    let row = [0.0, -1.0, -60.0, -1e30];
    assert_eq!(kept(&eta(0.0), &row), [0, 1, 2, 3]);
    for share in [f64::from_bits(1), f64::MIN_POSITIVE, 1e-20] {
        assert_eq!(kept(&eta(share), &row), [0, 1], "{share}");
    }
}

#[test]
fn eta_cutoff_of_one_token_dead_ones_and_extreme_ones() {
    assert_eq!(kept(&eta(1.0), &[DEAD, -3.0]), [1]);
    assert_eq!(kept(&eta(0.3), &[DEAD, 1.0, 1.0]), [1, 2]);
    assert_eq!(kept(&eta(1e-9), &[1e4, -1e4, 9999.0]), [0, 2]);
}

#[test]
fn min_keep_adds_by_rank() {
    let row = [0.0, 1.0, 9.0, 1.0, 1.0];
    assert_eq!(kept(&Options { min_keep: Some(3), ..eta(0.9) }, &row), [2, 1, 3]);
    let weightless = [0.0, DEAD, -90.0, -80.0];
    assert_eq!(kept(&Options { min_keep: Some(3), ..eta(0.9) }, &weightless), [0, 3, 2]);
}

#[test]
fn eta_cutoff_takes_entropy_and_weights_of_what_is_alive_at_the_temperature_in_force() {
    for temperature in [0.4, 1.0, 3.0] {
        for share in [1e-4, 0.02, 0.4] {
            let options =
                Options { temperature: Some(temperature), top_p: Some(0.99), ..eta(share) };
            assert_agrees(&Plan::of(&options), &row("once"), 2);
        }
    }
}

#[test]
fn the_threshold_of_eta_cutoff_is_the_least_probability_that_stays() {
    let found = threshold(&eta(0.16), &four(), StageName::EtaCutoff);
    assert!((found - 0.111_231).abs() < 1e-6, "{found}");
    let report = sampler(&eta(0.16)).report(&four(), false).unwrap();
    let stage = report.stages.iter().find(|stage| stage.name == StageName::EtaCutoff).unwrap();
    assert!((stage.mass_removed - 0.1).abs() < 1e-6);
}
