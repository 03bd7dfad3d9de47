//! In which order draws, previews and accepted tokens come does not matter, but where the documentation says so: a token is
//! matched with the row's latest draw, and the history is in the order of the text.

use nucleus_sampler::{Input, Options, Sampler};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::chains::truncations;
use crate::check;
use crate::common::state_text;
use crate::oracle::Plan;
use crate::strategies::{plans_over, rows_of};

const VOCABULARY: usize = 40;

fn plans() -> impl Strategy<Value = (Plan, Vec<f32>)> {
    plans_over(rows_of(VOCABULARY..VOCABULARY + 1))
}

/// Looks at a row in one of the ways that there are.
fn look(sampler: &mut Sampler, input: Input<'_>, way: u8) {
    match way % 4 {
        0 => drop(sampler.distribution(input)),
        1 => drop(sampler.report(input, true)),
        2 => drop(sampler.explain(input, u32::from(way) % VOCABULARY as u32)),
        _ => drop(sampler.logprobs(input, 3, Some(1))),
    }
}

/// Draws and accepts with previews before, between and after, as many as the case says; the same without any.
#[test]
fn previews_between_a_draw_and_its_accept_change_nothing() {
    check(300, (plans(), vec(any::<u8>(), 0..20)), |((plan, row), looks)| {
        let (mut looked, mut blind) = (plan.sampler(), plan.sampler());
        let mut looks = looks.into_iter();
        for step in 0..6 {
            for way in looks.by_ref().take(step % 3) {
                look(&mut looked, plan.input(&row), way);
            }
            let drawn = looked.sample(plan.input(&row));
            assert_eq!(drawn, blind.sample(plan.input(&row)));
            let Ok(token) = drawn else { return };
            if let Some(way) = looks.next() {
                look(&mut looked, plan.input(&row), way);
            }
            looked.accept(token).unwrap();
            blind.accept(token).unwrap();
            assert_eq!(state_text(&looked), state_text(&blind));
        }
    });
}

/// Rows do not touch each other: their calls in any interleaving give each row what it gets when the rows go one by one.
#[test]
fn the_calls_of_rows_may_be_interleaved_in_any_way() {
    let cases = (truncations(), truncations(), rows_of(50..51), vec(any::<bool>(), 40));
    check(200, cases, |(base, own, row, turns)| {
        let start = || {
            let mut sampler = Sampler::new(base.clone()).unwrap();
            sampler.add_row(own.clone()).unwrap();
            sampler
        };
        let call = |sampler: &mut Sampler, id: u32, n: usize| {
            let mut on = sampler.row(id).unwrap();
            // A draw, then its accept; now and then another token, and a prompt.
            match n % 5 {
                0 | 2 => drop(on.sample(&row).unwrap()),
                1 | 3 => {
                    let other = n as u32 % 50;
                    let token = on.controllers().pending().map_or(other, |(token, _)| token);
                    on.accept(if n % 5 == 3 { other } else { token }).unwrap();
                }
                _ => on.prompt(&[n as u32 % 50]).unwrap(),
            }
        };
        let (mut mixed, mut ordered) = (start(), start());
        let mut n = [0, 0];
        for first in turns {
            let id = usize::from(!first);
            call(&mut mixed, id as u32, n[id]);
            n[id] += 1;
        }
        for id in [1, 0] {
            (0..n[id]).for_each(|i| call(&mut ordered, id as u32, i));
        }
        assert_eq!(state_text(&mixed), state_text(&ordered));
    });
}

/// A token that was not drawn may be accepted before the drawn one or after it: the controller learns the same and counts
/// one; only the history is in another order.
#[test]
fn a_drawn_token_is_matched_whether_another_comes_before_or_after_it() {
    check(300, (plans(), 0..VOCABULARY as u32), |((plan, row), other)| {
        let mut before = plan.sampler();
        let Ok(token) = before.sample(plan.input(&row)) else { return };
        if other == token {
            return;
        }
        let mut after = before.clone();
        [other, token].into_iter().for_each(|id| before.accept(id).unwrap());
        [token, other].into_iter().for_each(|id| after.accept(id).unwrap());
        let learned = |sampler: &mut Sampler| sampler.row(0).unwrap().controllers().clone();
        assert_eq!(learned(&mut before), learned(&mut after));
        assert!(learned(&mut before).pending().is_none());
    });
}

/// Only the latest draw is matched: a draw that is not accepted leaves no trace but its position.
#[test]
fn a_draw_that_is_not_accepted_teaches_nothing() {
    check(300, plans(), |(plan, row)| {
        let mut twice = plan.sampler();
        let Ok(_) = twice.sample(plan.input(&row)) else { return };
        let learned = |sampler: &mut Sampler| sampler.row(0).unwrap().controllers().clone();
        let mut skipped = plan.sampler();
        skipped.sample_many(plan.input(&row), 1).unwrap();
        assert_eq!(twice.sample(plan.input(&row)), skipped.sample(plan.input(&row)));
        assert_eq!(learned(&mut twice), learned(&mut skipped));
        assert_eq!(state_text(&twice), state_text(&skipped));
    });
}

/// Options that change nothing may be given between a draw and its accept.
#[test]
fn an_update_that_changes_nothing_keeps_a_pending_draw() {
    check(200, plans(), |(plan, row)| {
        let (mut updated, mut left) = (plan.sampler(), plan.sampler());
        let Ok(token) = updated.sample(plan.input(&row)) else { return };
        left.sample(plan.input(&row)).unwrap();
        updated.update(&Options::default(), None).unwrap();
        updated.update(&plan.options, None).unwrap();
        updated.accept(token).unwrap();
        left.accept(token).unwrap();
        assert_eq!(state_text(&updated), state_text(&left));
    });
}
