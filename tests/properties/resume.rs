//! A state is all there is: from its JSON text, or from a clone, the future is the same, whatever came before.

use nucleus_sampler::{Error, Input, Options, PresetName, Rows, Sampler};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use crate::chains::orders;
use crate::check;
use crate::common::{from_json_text, state_text};
use crate::oracle::Plan;
use crate::strategies::{plans_over, rows_of};

/// One call.
#[derive(Clone, Debug)]
enum Call {
    Sample(u32, Vec<f32>),
    Many(u32, Vec<f32>, usize),
    Batch(usize, Vec<f32>),
    Accept(u32, u32),
    /// A draw, accepted.
    Step(u32, Vec<f32>),
    Prompt(u32, Vec<u32>),
    Update(Box<Options>, Option<u32>),
    AddRow(Box<Options>),
    RemoveRow(u32),
    Reset,
}

const VOCABULARY: usize = 40;

fn calls(n: usize) -> impl Strategy<Value = Vec<Call>> {
    let row = || rows_of(VOCABULARY..VOCABULARY + 1);
    let token = 0..VOCABULARY as u32;
    let boxed = || any_options().prop_map(Box::new).boxed();
    let call = prop_oneof![
        4 => (0..4u32, row()).prop_map(|(id, row)| Call::Sample(id, row)),
        2 => (0..4u32, row(), 0..9usize).prop_map(|(id, row, n)| Call::Many(id, row, n)),
        2 => (1..5usize, row()).prop_map(|(n, row)| Call::Batch(n, row)),
        4 => (0..4u32, token.clone()).prop_map(|(id, token)| Call::Accept(id, token)),
        4 => (0..4u32, row()).prop_map(|(id, row)| Call::Step(id, row)),
        1 => (0..4u32, vec(token, 0..9)).prop_map(|(id, tokens)| Call::Prompt(id, tokens)),
        2 => (boxed(), option::of(0..4u32)).prop_map(|(options, id)| Call::Update(options, id)),
        1 => boxed().prop_map(Call::AddRow),
        1 => (0..4u32).prop_map(Call::RemoveRow),
        1 => Just(Call::Reset),
    ];
    vec(call, 0..n)
}

/// Options of every kind, over the vocabulary of these tests.
fn any_options() -> impl Strategy<Value = Options> {
    let preset = option::weighted(0.2, proptest::sample::select(PresetName::ALL.to_vec()));
    let plans = plans_over(rows_of(VOCABULARY..VOCABULARY + 1)).boxed();
    (plans, orders().boxed(), preset, any::<bool>()).prop_map(
        |((plan, _), order, preset, seeded)| {
            let seed = plan.options.seed.filter(|_| seeded);
            Options { seed, order, preset, ..plan.options }
        },
    )
}

fn apply(sampler: &mut Sampler, call: &Call) -> Result<Vec<u32>, Error> {
    match call {
        Call::Sample(id, row) => sampler.row(*id)?.sample(row).map(|token| vec![token]),
        Call::Many(id, row, n) => sampler.row(*id)?.sample_many(row, *n),
        Call::Batch(n, row) => sampler.sample_batch(&row.repeat(*n), Rows::First(*n)),
        Call::Accept(id, token) => sampler.row(*id)?.accept(*token).map(|()| Vec::new()),
        Call::Step(id, row) => {
            let mut on = sampler.row(*id)?;
            let token = on.sample(row)?;
            on.accept(token).map(|()| vec![token])
        }
        Call::Prompt(id, tokens) => sampler.row(*id)?.prompt(tokens).map(|()| Vec::new()),
        Call::Update(options, id) => sampler.update(options, *id).map(|()| Vec::new()),
        Call::AddRow(options) => sampler.add_row((**options).clone()).map(|id| vec![id]),
        Call::RemoveRow(id) => sampler.remove_row(*id).map(|()| Vec::new()),
        Call::Reset => {
            sampler.reset();
            Ok(Vec::new())
        }
    }
}

/// A sampler with options of every kind and a fixed seed.
fn start(options: &Options) -> Sampler {
    let seed = options.seed.or(Some(7));
    Sampler::new(Options { seed, ..options.clone() }).unwrap()
}

fn startable() -> impl Strategy<Value = Options> {
    any_options().prop_filter("an order that cannot be run", |options| {
        Sampler::new(Options { seed: Some(7), ..options.clone() }).is_ok()
    })
}

#[test]
fn a_state_resumes_exactly_from_its_json_text() {
    check(400, (startable(), calls(30), calls(30)), |(options, before, after)| {
        let mut original = start(&options);
        before.iter().for_each(|call| drop(apply(&mut original, call)));
        let text = state_text(&original);
        let mut restored = Sampler::from_state(&from_json_text(&text)).unwrap();
        assert_eq!(state_text(&restored), text);
        assert_eq!(restored.settings(), original.settings());
        for call in &after {
            assert_eq!(apply(&mut restored, call), apply(&mut original, call), "{call:?}");
        }
        assert_eq!(state_text(&restored), state_text(&original));
    });
}

#[test]
fn a_clone_has_an_identical_future_and_leaves_the_original_alone() {
    check(300, (startable(), calls(30), calls(20)), |(options, before, after)| {
        let mut original = start(&options);
        before.iter().for_each(|call| drop(apply(&mut original, call)));
        let mut clone = original.clone();
        let text = state_text(&original);
        let of_clone: Vec<_> = after.iter().map(|call| apply(&mut clone, call)).collect();
        assert_eq!(state_text(&original), text);
        let of_original: Vec<_> = after.iter().map(|call| apply(&mut original, call)).collect();
        assert_eq!(of_clone, of_original);
        assert_eq!(state_text(&clone), state_text(&original));
    });
}

#[test]
fn reset_is_a_new_sampler_with_the_same_options() {
    check(200, (startable(), calls(30), calls(20)), |(options, before, after)| {
        let keeps_options = |call: &&Call| {
            matches!(
                call,
                Call::Sample(..)
                    | Call::Many(..)
                    | Call::Accept(..)
                    | Call::Step(..)
                    | Call::Prompt(..)
            )
        };
        let mut used = start(&options);
        before.iter().filter(keeps_options).for_each(|call| drop(apply(&mut used, call)));
        used.reset();
        let mut fresh = start(&options);
        assert_eq!(state_text(&used), state_text(&fresh));
        for call in &after {
            assert_eq!(apply(&mut used, call), apply(&mut fresh, call), "{call:?}");
        }
    });
}

/// A generation is cut in two at every position: draw, accept, and the penalties see what was drawn.
#[test]
fn a_generation_may_be_cut_anywhere() {
    let cases = (plans_over(rows_of(VOCABULARY..VOCABULARY + 1)), 0..12usize);
    check(200, cases, |((plan, row), cut)| {
        let whole = generate(&mut plan.sampler(), &plan, &row, 12);
        let mut first = plan.sampler();
        let mut tokens = generate(&mut first, &plan, &row, cut);
        let mut second = Sampler::from_state(&from_json_text(&state_text(&first))).unwrap();
        tokens.extend(generate(&mut second, &plan, &row, 12 - cut));
        assert_eq!(tokens, whole);
    });
}

/// The tokens of `n` steps, ended by the first failure's code.
fn generate(
    sampler: &mut Sampler,
    plan: &Plan,
    row: &[f32],
    n: usize,
) -> Vec<Result<u32, &'static str>> {
    let step = |sampler: &mut Sampler| {
        let token = sampler.sample(Input::from(row).with_mask(plan.mask.as_deref()))?;
        sampler.accept(token)?;
        Ok(token)
    };
    (0..n).map(|_| step(sampler).map_err(|error: Error| error.code())).collect()
}
