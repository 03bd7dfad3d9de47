//! A failed call changes nothing: one case for every kind of error, and for every call that can meet it.

use nucleus_sampler::candidates::MAX_VOCAB;
use nucleus_sampler::{
    BatchInput, Error, Input, MAX_DRAWS, Options, Order, Rows, Sampler, StageName,
};
use proptest::prelude::*;

use crate::check;
use crate::common::{DEAD, from_json_text, state_text};
use crate::oracle::{Exact, run};
use crate::strategies::plans;

/// A call that fails, and the code of its error.
struct Case {
    name: &'static str,
    options: Options,
    code: &'static str,
    call: fn(&mut Sampler) -> Result<(), Error>,
}

/// A row that every sampler here can draw from.
const GOOD: [f32; 8] = [0.0, 0.0, 0.0, 0.0, 1.0, 2.0, 0.5, -1.0];

fn case(
    name: &'static str,
    code: &'static str,
    call: fn(&mut Sampler) -> Result<(), Error>,
) -> Case {
    Case { name, options: Options::default(), code, call }
}

fn none<T>(result: Result<T, Error>) -> Result<(), Error> {
    result.map(|_| ())
}

/// Rows that cannot be drawn from.
fn bad_rows() -> Vec<Case> {
    vec![
        case("an empty row", "empty", |s| none(s.sample(&[]))),
        case("NaN", "not_finite", |s| none(s.sample(&[0.0, f32::NAN]))),
        case("+infinity", "not_finite", |s| none(s.sample(&[f32::INFINITY; 8]))),
        case("all dead", "nothing_left", |s| none(s.sample(&[DEAD; 8]))),
        case("too large", "too_large", |s| none(s.sample(&vec![0.0; MAX_VOCAB + 1]))),
        case("a history outside the row", "bad_token", |s| none(s.sample(&GOOD[..2]))),
        case("a short mask", "wrong_length", |s| none(s.sample(masked(&[])))),
        case("a long mask", "wrong_length", |s| none(s.sample(masked(&[1, 1])))),
        case("a mask that allows nothing", "nothing_left", |s| none(s.sample(masked(&[1 << 8])))),
        case("many draws of NaN", "not_finite", |s| none(s.sample_many(&[f32::NAN], 3))),
        case("details of NaN", "not_finite", |s| none(s.sample_detailed(&[f32::NAN]))),
        case("the distribution of NaN", "not_finite", |s| none(s.distribution(&[f32::NAN]))),
        case("a report of NaN", "not_finite", |s| none(s.report(&[f32::NAN], true))),
        case("an explanation of NaN", "not_finite", |s| none(s.explain(&[f32::NAN], 0))),
        case("log probabilities of NaN", "not_finite", |s| none(s.logprobs(&[f32::NAN], 1, None))),
    ]
}

fn masked(mask: &[u32]) -> Input<'_> {
    Input::from(&GOOD).with_mask(Some(mask))
}

/// Arguments that no row would accept.
fn bad_arguments() -> Vec<Case> {
    vec![
        case("too many draws", "too_large", |s| none(s.sample_many(&GOOD, MAX_DRAWS + 1))),
        case("a token outside the row", "bad_token", |s| none(s.explain(&GOOD, 8))),
        case("a named token outside", "bad_token", |s| none(s.logprobs(&GOOD, 1, Some(8)))),
        case("a row that is not", "row_unknown", |s| none(s.row(9))),
        case("to remove row 0", "out_of_range", |s| s.remove_row(0)),
        case("to remove a row that is not", "row_unknown", |s| s.remove_row(9)),
        case("to update a row that is not", "row_unknown", |s| {
            s.update(&Options::default(), Some(9))
        }),
        case("an update out of range", "out_of_range", |s| {
            s.update(&Options { top_k: Some(1), top_p: Some(1.5), ..Options::default() }, None)
        }),
        case("a row's update out of range", "out_of_range", |s| {
            s.update(&Options { top_k: Some(1), min_keep: Some(0), ..Options::default() }, Some(1))
        }),
        case("an update to no token", "empty", |s| {
            s.update(&Options { allowed_tokens: Some(Vec::new()), ..Options::default() }, None)
        }),
        case("an update to a bad order", "bad_order", |s| s.update(&bad_order(), None)),
        case("a row's update to a bad order", "bad_order", |s| s.update(&bad_order(), Some(1))),
        case("a new row out of range", "out_of_range", |s| {
            none(s.add_row(Options { temperature: Some(-1.0), ..Options::default() }))
        }),
        case("a new row with a bad order", "bad_order", |s| none(s.add_row(bad_order()))),
    ]
}

fn bad_order() -> Options {
    let order = Some(Order::Listed(vec![StageName::TopK]));
    Options { top_p: Some(0.5), seed: Some(9), order, ..Options::default() }
}

/// Batches that fail as a whole.
fn bad_batches() -> Vec<Case> {
    vec![
        case("no row", "empty", |s| none(s.sample_batch(&GOOD, Rows::First(0)))),
        case("no ids", "empty", |s| none(s.sample_batch(&GOOD, Rows::Ids(&[])))),
        case("no logits", "empty", |s| none(s.sample_batch(&[], Rows::First(2)))),
        case("uneven rows", "wrong_length", |s| none(s.sample_batch(&GOOD, Rows::First(3)))),
        case("more rows than logits", "wrong_length", |s| {
            none(s.sample_batch(&GOOD, Rows::First(9)))
        }),
        case("a row twice", "out_of_range", |s| none(s.sample_batch(&GOOD, Rows::Ids(&[1, 1])))),
        case("an id never added", "row_unknown", |s| {
            none(s.sample_batch(&GOOD, Rows::Ids(&[0, 9])))
        }),
        case("a row that was removed", "row_unknown", |s| {
            none(s.sample_batch(&GOOD, Rows::First(4)))
        }),
        case("masks of other rows", "wrong_length", |s| {
            none(s.sample_batch(
                BatchInput { masks: &[None], ..BatchInput::from(&GOOD) },
                Rows::First(2),
            ))
        }),
    ]
}

/// Options that a row shows to be wrong.
fn bad_options() -> Vec<Case> {
    let with = |name, options, code, call| Case { name, options, code, call };
    let sample: fn(&mut Sampler) -> Result<(), Error> = |s| none(s.sample(&GOOD));
    let negative: fn(&mut Sampler) -> Result<(), Error> = |s| none(s.sample(&[-1.0; 8]));
    vec![
        with(
            "a bias outside the row",
            Options { logit_bias: Some(vec![(8, 1.0)]), ..Options::default() },
            "bad_token",
            sample,
        ),
        with(
            "an allowed token outside the row",
            Options { allowed_tokens: Some(vec![0, 8]), ..Options::default() },
            "bad_token",
            sample,
        ),
        with(
            "allowed tokens that are dead",
            Options { allowed_tokens: Some(vec![4]), ..Options::default() },
            "nothing_left",
            |s| none(s.sample(&[0.0, 0.0, 0.0, 0.0, DEAD, 0.0, 0.0, 0.0])),
        ),
        with(
            "a bias out of the range of f32",
            Options { logit_bias: Some(vec![(4, 1e39)]), ..Options::default() },
            "not_finite",
            sample,
        ),
        with(
            "a penalty out of the range of f32",
            Options { repetition_penalty: Some(1e300), ..Options::default() },
            "not_finite",
            negative,
        ),
        with(
            "a factor out of the range of f32",
            Options {
                order: Some(Order::Listed(vec![
                    StageName::Temperature,
                    StageName::PresencePenalty,
                ])),
                temperature: Some(1e-30),
                presence_penalty: Some(0.5),
                ..Options::default()
            },
            "not_finite",
            |s| none(s.sample(&[1e9; 8])),
        ),
    ]
}

/// A sampler in the middle of its work: rows 0 to 2, of which 2 was removed, histories, positions, a failed batch.
fn at_work(options: &Options) -> Sampler {
    let mut sampler = Sampler::new(Options { seed: Some(5), ..options.clone() }).unwrap();
    sampler.prompt(&[0, 1]).unwrap();
    sampler.accept(3).unwrap();
    sampler.add_row(Options { temperature: Some(0.9), ..Options::default() }).unwrap();
    sampler.add_row(Options::default()).unwrap();
    sampler.remove_row(2).unwrap();
    let mut row = sampler.row(1).unwrap();
    row.accept(2).unwrap();
    drop(row.sample_many(&GOOD, 3));
    drop(sampler.sample_many(&GOOD, 2));
    sampler.sample_batch(&[f32::INFINITY; 16], Rows::First(2)).unwrap();
    sampler
}

#[test]
fn a_failed_call_changes_nothing_whatever_the_error() {
    let cases = [bad_rows(), bad_arguments(), bad_batches(), bad_options()];
    let mut codes = std::collections::BTreeSet::new();
    for Case { name, options, code, call } in cases.into_iter().flatten() {
        let mut sampler = at_work(&options);
        let mut untouched = sampler.clone();
        let (before, errors) = (state_text(&sampler), sampler.row_errors().to_vec());
        let error = call(&mut sampler).expect_err(name);
        assert_eq!(error.code(), code, "{name}: {error}");
        assert_eq!(state_text(&sampler), before, "{name}");
        assert_eq!(sampler.row_errors(), errors, "{name}");
        for id in [0, 1] {
            let draws = |s: &mut Sampler| s.row(id).unwrap().sample_many(&GOOD, 20);
            assert_eq!(draws(&mut sampler), draws(&mut untouched), "{name}");
        }
        assert_eq!(sampler.add_row(Options::default()), untouched.add_row(Options::default()));
        codes.insert(code);
    }
    let expected = [
        "bad_order",
        "bad_token",
        "empty",
        "not_finite",
        "nothing_left",
        "out_of_range",
        "row_unknown",
        "too_large",
        "wrong_length",
    ];
    assert_eq!(codes.into_iter().collect::<Vec<_>>(), expected);
}

/// The position past which a state cannot be written: the failed `state` changes nothing either.
#[test]
fn a_position_past_2_to_the_53_is_too_large_for_a_state_and_draws_go_on() {
    let text = state_text(&at_work(&Options::default()));
    let far = text.replace("\"position\":2", "\"position\":9007199254740991");
    let mut sampler = Sampler::from_state(&from_json_text(&far)).unwrap();
    assert!(sampler.state().is_ok());
    sampler.sample(&GOOD).unwrap();
    assert_eq!(sampler.state().unwrap_err().code(), "too_large");
    let row = sampler.row(0).unwrap();
    assert_eq!(row.position(), 1 << 53);
    assert!(sampler.sample(&GOOD).is_ok());
}

#[test]
fn a_failed_row_of_a_batch_stays_where_it_was_and_the_others_advance() {
    check(200, (plans(), any::<bool>()), |((plan, row), first)| {
        let mut sampler = plan.sampler();
        sampler.add_row(Options::default()).unwrap();
        let bad = vec![f32::NAN; row.len()];
        let logits = if first { [row.clone(), bad].concat() } else { [bad, row.clone()].concat() };
        let (good, failed) = if first { (0, 1) } else { (1, 0) };
        let mut alone = sampler.clone();
        let tokens = sampler.sample_batch(&logits, Rows::First(2)).unwrap();
        assert_eq!(tokens[failed as usize], u32::MAX);
        let errors = sampler.row_errors().to_vec();
        let found = errors.iter().find(|(id, _)| *id == failed).map(|(_, error)| error.code());
        assert_eq!(found, Some("not_finite"));
        match alone.row(good).unwrap().sample(&row) {
            Ok(token) => assert_eq!((tokens[good as usize], errors.len()), (token, 1)),
            Err(error) => assert!(errors.contains(&(good, error))),
        }
        assert_eq!(state_text(&sampler), state_text(&alone));
    });
}

/// Random chains over random rows: where the oracle says that the call fails, nothing has changed.
#[test]
fn random_failures_change_nothing() {
    let n_failed = std::cell::Cell::new(0);
    check(1500, plans(), |(plan, row)| {
        if run::<Exact>(&plan, &row).is_ok() {
            return;
        }
        n_failed.set(n_failed.get() + 1);
        let mut sampler = plan.sampler();
        let before = state_text(&sampler);
        assert!(sampler.sample(plan.input(&row)).is_err());
        assert!(sampler.sample_many(plan.input(&row), 3).is_err());
        assert!(sampler.sample_detailed(plan.input(&row)).is_err());
        assert_eq!(state_text(&sampler), before);
    });
    assert!(n_failed.get() > 20, "{n_failed:?}");
}
