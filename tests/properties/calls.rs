//! Ways of asking the same agree: one draw or many, alone or in a batch, with previews or without.

use nucleus_sampler::{Input, Options, Rows, Sampler};
use proptest::prelude::*;

use crate::chains::truncations;
use crate::check;
use crate::common::{sampler, state_text};
use crate::oracle::{Exact, Plan, draw, log_softmax, probabilities, run};
use crate::strategies::{Mix, plans, rows, rows_of};

#[test]
fn sample_many_is_sample_again_and_again() {
    check(400, (plans(), 1..12usize, 1..5usize), |((plan, row), n, before)| {
        let (mut many, mut single) = (plan.sampler(), plan.sampler());
        let ask = |sampler: &mut Sampler, n| sampler.sample_many(plan.input(&row), n);
        let one_by_one = |sampler: &mut Sampler, n| -> Result<Vec<u32>, _> {
            (0..n).map(|_| sampler.sample(plan.input(&row))).collect()
        };
        // From a position that is not 0, and again from where that ends.
        assert_eq!(ask(&mut many, before), one_by_one(&mut single, before));
        assert_eq!(ask(&mut many, n), one_by_one(&mut single, n));
        assert_eq!(ask(&mut many, 1), one_by_one(&mut single, 1));
        // Nothing is pending after many.
        assert_eq!(state_text(&many), without_pending(&single));
        assert!(many.row(0).unwrap().controllers().pending().is_none());
    });
}

#[test]
fn sample_is_the_first_of_sample_many_and_what_sample_detailed_describes() {
    check(400, plans(), |(plan, row)| {
        let many = plan.sampler().sample_many(plan.input(&row), 3);
        let one = plan.sampler().sample(plan.input(&row));
        let detailed = plan.sampler().sample_detailed(plan.input(&row));
        match (many, one, detailed) {
            (Ok(many), Ok(one), Ok(detailed)) => {
                assert_eq!((one, detailed.token), (many[0], many[0]));
                let distribution = plan.sampler().distribution(plan.input(&row)).unwrap();
                assert_eq!(detailed.kept_count, distribution.kept_count);
                assert_eq!(detailed.kept_mass, distribution.kept_mass);
                assert_eq!(detailed.entropy, distribution.entropy);
                assert_eq!(detailed.position, 0);
                assert_eq!(detailed.target.is_none(), plan.reads_no_word());
            }
            (Err(a), Err(b), Err(c)) => assert_eq!((&a, &b), (&b, &c)),
            other => panic!("{other:?}"),
        }
    });
}

/// Log probabilities within 2e-6 + 1e-6 |value| of the mathematics.
#[test]
fn the_log_probabilities_of_a_draw_are_those_of_the_row_and_of_what_is_kept() {
    check(400, plans(), |(plan, row)| {
        let (Ok(found), Ok(kept)) =
            (plan.sampler().sample_detailed(plan.input(&row)), run::<Exact>(&plan, &row))
        else {
            return;
        };
        let near = |found: f64, expected: f64| {
            assert!(
                (found - expected).abs() <= 2e-6 + 1e-6 * expected.abs(),
                "{found}, {expected}"
            );
        };
        let place = kept.ranked.iter().position(|t| t.id == found.token).unwrap();
        near(found.logprob_final, ln(probabilities(&kept.ranked, kept.factor)[place]));
        near(found.logprob_raw, log_softmax(&row)[found.token as usize]);
    });
}

#[allow(clippy::disallowed_methods, reason = "an oracle may use the platform's library")]
fn ln(p: f64) -> f64 {
    p.ln()
}

#[test]
fn previews_change_nothing() {
    check(300, (plans(), any::<u32>()), |((plan, row), token)| {
        let (mut looked, mut blind) = (plan.sampler(), plan.sampler());
        let token = token % row.len() as u32;
        for _ in 0..3 {
            let before = state_text(&looked);
            let first = looked.distribution(plan.input(&row));
            let _ = looked.report(plan.input(&row), true);
            let _ = looked.explain(plan.input(&row), token);
            let _ = looked.logprobs(plan.input(&row), 5, Some(token));
            assert_eq!(looked.distribution(plan.input(&row)), first);
            assert_eq!(state_text(&looked), before);
            assert_eq!(looked.sample(plan.input(&row)), blind.sample(plan.input(&row)));
        }
        assert_eq!(state_text(&looked), state_text(&blind));
    });
}

/// The sampler's state as text, as if nothing were pending.
fn without_pending(sampler: &Sampler) -> String {
    let mut state: serde_json::Value = serde_json::from_str(&state_text(sampler)).unwrap();
    for row in state["rows"].as_array_mut().unwrap() {
        row["pending"] = serde_json::Value::Null;
    }
    state.to_string()
}

/// Options of one row of a batch, with the row's logits.
type RowCase = (Options, bool, Option<u32>);

#[test]
fn a_batch_gives_every_row_the_token_that_it_draws_alone() {
    let row_case = (truncations(), any::<bool>(), prop::option::weighted(0.3, any::<u32>()));
    let cases =
        (truncations(), prop::collection::vec(row_case, 1..5), rows_of(1..600), any::<u64>());
    check(200, cases, |(base, cases, row, seed)| {
        let mut sampler = sampler(&base);
        for (options, own_seed, stream) in &cases {
            sampler.add_row(own(options, *own_seed, *stream)).unwrap();
        }
        let mut mix = Mix(seed);
        for position in 0..3 {
            let mut ids: Vec<u32> = sampler.row_ids().collect();
            (1..ids.len()).rev().for_each(|i| ids.swap(i, mix.below(i + 1)));
            // Each row of the batch gets the logits from a place of its own on.
            let turned = |id: u32| row.iter().cycle().skip(id as usize % row.len());
            let logits: Vec<f32> =
                ids.iter().flat_map(|id| turned(*id).take(row.len()).copied()).collect();
            let tokens = sampler.sample_batch(&logits, Rows::Ids(&ids)).unwrap();
            for (i, id) in ids.iter().enumerate() {
                let plan = alone(&base, &cases, *id);
                let row = &logits[i * row.len()..][..row.len()];
                assert_eq!(tokens[i], drawn_alone(&plan, row, position), "row {id}, {plan:?}");
            }
        }
    });
}

fn own(options: &Options, own_seed: bool, stream: Option<u32>) -> Options {
    let seed = options.seed.filter(|_| own_seed);
    Options { seed, stream, ..options.clone() }
}

/// What a row of the batch is, as a sampler of its own.
fn alone(base: &Options, cases: &[RowCase], id: u32) -> Plan {
    let Some(place) = (id as usize).checked_sub(1) else { return Plan::of(base) };
    let (options, own_seed, stream) = &cases[place];
    let mut merged = base.clone();
    merged.merge(&own(options, *own_seed, *stream));
    merged.stream = stream.or(Some(if *own_seed { 0 } else { id }));
    Plan::of(&merged)
}

fn drawn_alone(plan: &Plan, row: &[f32], position: u64) -> u32 {
    plan.sampler().sample_many(row, position as usize + 1).unwrap()[position as usize]
}

/// A generator of the caller's: counts its words.
struct Counting {
    word: u64,
    n: u32,
}

impl rand::TryRng for Counting {
    type Error = std::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        self.try_next_u64().map(|word| word as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        self.n += 1;
        Ok(self.word)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        panic!("a draw is one word, not {} bytes", bytes.len())
    }
}

#[test]
fn a_caller_s_generator_gives_the_word_and_the_rule_of_the_draw_stays() {
    check(300, (truncations(), rows(), any::<u64>()), |(options, row, word)| {
        let plan = Plan::of(&options);
        let kept = run::<Exact>(&plan, &row).unwrap();
        let (mut sampler, mut generator) = (plan.sampler(), Counting { word, n: 0 });
        let before = state_text(&sampler);
        let input = Input::from(row.as_slice());
        let token = sampler.row(0).unwrap().sample_with(input, &mut generator).unwrap();
        assert_eq!(generator.n, u32::from(!plan.reads_no_word()));
        if plan.reads_no_word() {
            assert_eq!(token, kept.ranked[0].id);
        } else {
            assert_eq!(token, draw(&kept.ranked, kept.factor, word));
        }
        assert_eq!(without_pending(&sampler), before);
        let pending = sampler.row(0).unwrap().controllers().pending();
        let controlled = plan.controlled().is_some() && !plan.reads_no_word();
        assert_eq!(pending.map(|(token, _)| token), controlled.then_some(token));
    });
}

/// The words at both ends of their range draw the first and the last token that has a weight.
#[test]
fn the_smallest_and_the_largest_word_draw_a_token_of_weight_above_0() {
    check(300, (truncations(), rows()), |(options, row)| {
        let plan = Plan::of(&options);
        for word in [0, u64::MAX] {
            let mut generator = Counting { word, n: 0 };
            let mut sampler = plan.sampler();
            let token = sampler.row(0).unwrap().sample_with(&row, &mut generator).unwrap();
            let found = sampler.distribution(&row).unwrap();
            let weighty = found.token_ids.iter().zip(&found.probs).filter(|(_, p)| **p > 0.0);
            let ids = weighty.map(|(id, _)| *id);
            let expected = if word == 0 { ids.min() } else { ids.max() };
            assert_eq!(Some(token), expected);
        }
    });
}
