use nucleus_sampler::{Options, StageName};

use crate::common::{DEAD, kept, row, sampler, threshold};
use crate::options::Change;
use crate::oracle::{Plan, assert_agrees};
use crate::{four, ordered};

fn dynamic(temperature: f64, range: f64, exponent: f64) -> Options {
    Options {
        temperature: Some(temperature),
        dynamic_temperature_range: Some(range),
        dynamic_temperature_exponent: Some(exponent),
        seed: Some(1),
        ..Options::default()
    }
}

/// What this stage's options change.
pub fn changes() -> Vec<Change> {
    vec![
        Change::from_none("dynamicTemperature.range", dynamic(1.0, 0.5, 1.0)),
        Change {
            key: "dynamicTemperature.exponent",
            without: dynamic(1.0, 0.5, 1.0),
            with: dynamic(1.0, 0.5, 2.0),
        },
    ]
}

/// T as the report has it, which the logits confirm: l / T.
#[track_caller]
fn assert_temperature(options: &Options, row: &[f32], expected: f64) {
    let found = threshold(options, row, StageName::DynamicTemperature);
    assert!((found - expected).abs() <= 1e-6 * expected, "{found} is not {expected}: {options:?}");
    let distribution = sampler(options).distribution(row).unwrap();
    for (id, logit) in distribution.token_ids.iter().zip(distribution.logits) {
        let expected = f64::from(row[*id as usize]) / found;
        assert!((f64::from(logit) - expected).abs() <= 1e-6 * expected.abs(), "{logit} {expected}");
    }
}

/// The entropy is 1.279854 of ln 4 = 1.386294: 0.923220 of what it can be.
#[test]
fn dynamic_temperature_lies_where_the_entropy_says() {
    assert_temperature(&dynamic(1.0, 0.5, 1.0), &four(), 0.5 + 0.923_220);
    assert_temperature(&dynamic(1.0, 0.5, 2.0), &four(), 0.5 + 0.852_335);
    assert_temperature(&dynamic(0.8, 0.2, 1.0), &four(), 0.6 + 0.4 * 0.923_220);
    assert_temperature(&dynamic(1.0, 0.5, 0.5), &four(), 0.5 + 0.960_843);
}

#[test]
fn the_lowest_temperature_is_never_below_0() {
    assert_temperature(&dynamic(0.3, 0.5, 1.0), &four(), 0.8 * 0.923_220);
}

#[test]
fn equal_tokens_have_the_highest_temperature_and_an_exponent_of_0_always_does() {
    for n in [2, 3, 10, 1000, 5000] {
        assert_temperature(&dynamic(1.0, 0.5, 1.0), &vec![0.7; n], 1.5);
        assert_temperature(&dynamic(1.0, 0.5, 7.0), &vec![0.7; n], 1.5);
    }
    assert_temperature(&dynamic(1.0, 0.5, 0.0), &four(), 1.5);
    assert_temperature(&dynamic(1.0, 0.5, 0.0), &[0.0, -1000.0], 1.5);
}

#[test]
fn a_token_that_holds_all_has_the_lowest_temperature() {
    assert_temperature(&dynamic(1.0, 0.5, 1.0), &[0.0, -1000.0], 0.5);
    assert_temperature(&dynamic(1.0, 0.5, 1e-3), &[1e4, -1e4], 0.5);
}

/// ln 2 of ln 3.
#[test]
fn tokens_of_weight_0_count_among_those_alive_and_the_dead_do_not() {
    assert_temperature(&dynamic(1.0, 0.5, 1.0), &[0.0, 0.0, -1000.0], 0.5 + 0.630_930);
    assert_temperature(&dynamic(1.0, 0.5, 1.0), &[0.0, 0.0, DEAD], 1.5);
}

#[test]
fn one_token_alive_changes_nothing() {
    let options = dynamic(1.0, 0.5, 1.0);
    let found = sampler(&options).distribution(&[DEAD, 3.0]).unwrap();
    assert_eq!((found.token_ids, found.logits), (vec![1], vec![3.0]));
    let report = sampler(&options).report(&[DEAD, 3.0], false).unwrap();
    assert!(report.stages.iter().all(|stage| stage.threshold.is_none()));
}

#[test]
fn a_range_of_0_is_off_and_the_plain_temperature_stays() {
    for exponent in [0.0, 1.0, 3.0] {
        let plain = Options { temperature: Some(0.7), seed: Some(1), ..Options::default() };
        let found = sampler(&dynamic(0.7, 0.0, exponent)).distribution(&four()).unwrap();
        assert_eq!(found, sampler(&plain).distribution(&four()).unwrap());
    }
}

/// lo is 0 and one token holds all, or so nearly that the factor is at its clamp.
#[test]
fn a_temperature_that_comes_to_0_draws_the_best_and_reads_its_word() {
    let options = dynamic(0.5, 1.0, 1.0);
    let mut sampler = sampler(&options);
    assert_eq!(sampler.sample_many(&[0.0, 9.0, -1000.0], 50).unwrap(), [1; 50]);
    assert_eq!(sampler.distribution(&[-1000.0, 9.0, -1000.0]).unwrap().probs, [1.0, 0.0, 0.0]);
    let detailed = sampler.sample_detailed(&[-1000.0, 9.0]).unwrap();
    assert!(detailed.target.is_some());
}

#[test]
fn temperature_0_is_greedy_whatever_the_range() {
    for order in [None, Some(StageName::DynamicTemperature), Some(StageName::Temperature)] {
        let options = dynamic(0.0, 0.5, 1.0);
        let options = order.map_or(options.clone(), |stage| ordered(&[stage], options));
        let mut sampler = sampler(&options);
        assert_eq!(sampler.distribution(&[1.0, 3.0, 3.0]).unwrap().token_ids, [1]);
        assert_eq!(sampler.sample_detailed(&[1.0, 3.0, 3.0]).unwrap().target, None);
    }
}

#[test]
fn dynamic_temperature_stands_in_temperatures_place_or_in_its_own() {
    use StageName::{DynamicTemperature, Temperature, TopK};
    let options = Options { top_k: Some(2), ..dynamic(1.0, 0.5, 1.0) };
    let t = |order: &[StageName]| {
        threshold(&ordered(order, options.clone()), &four(), DynamicTemperature)
    };
    // Of the best two the entropy is 0.682908 of ln 2.
    let (of_four, of_two) = (0.5 + 0.923_220, 0.5 + 0.985_228);
    for (order, expected) in [
        (&[Temperature, TopK][..], of_four),
        (&[TopK, Temperature], of_two),
        (&[DynamicTemperature, TopK], of_four),
        (&[TopK, DynamicTemperature], of_two),
        (&[Temperature, TopK, DynamicTemperature], of_two),
    ] {
        assert!((t(order) - expected).abs() < 1e-6, "{order:?}: {}", t(order));
    }
}

#[test]
fn dynamic_temperature_never_changes_a_rank_and_truncations_see_it() {
    for name in ["capital", "once"] {
        for (range, exponent) in [(0.2, 1.0), (0.9, 0.5), (3.0, 2.0), (f64::MAX, 1.0)] {
            let options = Options { top_p: Some(0.9), ..dynamic(1.0, range, exponent) };
            assert_agrees(&Plan::of(&options), &row(name), 3);
            let k = Options { top_k: Some(20), ..dynamic(1.0, range, exponent) };
            let plain = Options { top_k: Some(20), ..Options::default() };
            assert_eq!(kept(&k, &row(name)), kept(&plain, &row(name)));
        }
    }
}
