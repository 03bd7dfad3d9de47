//! The crate is the contract: random chains over random rows, against the oracles.

use std::cell::Cell;

use nucleus_sampler::{Options, StageName};

use crate::chains::truncations;
use crate::check;
use crate::common::{ROWS, row, sampler};
use crate::oracle::{Plan, Real, assert_agrees, probabilities, run};
use crate::strategies::{plans, rows};

#[test]
fn kept_sets_weights_masses_and_draws_are_those_of_the_exact_oracle() {
    let (succeeded, failed, truncated) = (Cell::new(0), Cell::new(0), Cell::new(0));
    check(2000, plans(), |(plan, row)| match assert_agrees(&plan, &row, 4) {
        Some(kept) => {
            succeeded.set(succeeded.get() + 1);
            let alive = row.iter().filter(|l| l.is_finite()).count();
            truncated.set(truncated.get() + u32::from(kept.ranked.len() < alive));
        }
        None => failed.set(failed.get() + 1),
    });
    // The strategies reach all three, else the test proves little.
    assert!(succeeded.get() > 1000, "{succeeded:?} succeeded");
    assert!(truncated.get() > 500, "{truncated:?} truncated");
    assert!(failed.get() > 20, "{failed:?} failed");
}

/// Every stage of the default order finds something to do in the same chain.
#[test]
fn the_random_plans_reach_every_stage() {
    let seen = std::cell::RefCell::new(std::collections::BTreeSet::new());
    check(300, plans(), |(plan, row)| {
        if let Ok(kept) = run::<crate::oracle::Exact>(&plan, &row) {
            seen.borrow_mut().extend(kept.after.iter().map(|(stage, _)| *stage));
        }
    });
    let missing = StageName::ALL.iter().filter(|name| !seen.borrow().contains(name));
    assert_eq!(missing.collect::<Vec<_>>(), [&StageName::Draw]);
}

/// Kept sets match wherever the cut lies further than 1e-7 of mass from the edge of a token; probabilities match within
/// 2e-6.
#[test]
fn kept_sets_and_probabilities_are_those_of_the_mathematics() {
    let compared = Cell::new(0);
    check(1500, (truncations(), rows()), |(options, row)| {
        let kept = run::<Real>(&Plan::of(&options), &row).unwrap();
        if kept.slack <= 1e-7 {
            return;
        }
        compared.set(compared.get() + 1);
        let found = sampler(&options).distribution(&row).unwrap();
        assert_eq!(found.token_ids, kept.ranked.iter().map(|t| t.id).collect::<Vec<_>>());
        for (p, q) in found.probs.iter().zip(probabilities(&kept.ranked, kept.factor)) {
            assert!((p - q).abs() <= 2e-6, "{p} is not {q}");
        }
    });
    assert!(compared.get() > 750, "{compared:?} of 1500 were compared");
}

/// The same over the recorded rows of 49,152 logits, which fill 192 blocks, with a history that the penalties see.
#[test]
fn the_recorded_rows_are_as_exact() {
    let plain = Options { seed: Some(11), ..Options::default() };
    let penalties = Options {
        repetition_penalty: Some(1.3),
        frequency_penalty: Some(0.5),
        presence_penalty: Some(-0.25),
        ..plain.clone()
    };
    let chains = [
        plain.clone(),
        Options { temperature: Some(1e-3), ..plain.clone() },
        Options { temperature: Some(30.0), top_p: Some(0.7), ..plain.clone() },
        Options { temperature: Some(0.8), top_k: Some(40), top_p: Some(0.95), ..plain.clone() },
        Options { top_p: Some(0.999_999), min_keep: Some(30_000), ..plain.clone() },
        Options { min_p: Some(1e-9), top_k: Some(20_000), ..plain.clone() },
        Options { temperature: Some(1.7), min_p: Some(0.001), ..penalties.clone() },
        Options { top_p: Some(0.9), logit_bias: Some(vec![(49_151, 30.0)]), ..penalties },
        Options { typical_p: Some(0.9), ..plain.clone() },
        Options { typical_p: Some(0.999_9), temperature: Some(1.8), ..plain.clone() },
        Options { typical_p: Some(0.2), top_p: Some(0.99), min_keep: Some(700), ..plain.clone() },
        Options { top_n_sigma: Some(1.3), ..plain.clone() },
        Options { top_n_sigma: Some(5.0), top_k: Some(30_000), ..plain.clone() },
        Options { top_a: Some(0.3), temperature: Some(1.3), ..plain.clone() },
        Options { top_h: Some(0.4), ..plain.clone() },
        Options { top_h: Some(0.95), temperature: Some(3.0), ..plain.clone() },
        Options { tail_free: Some(0.95), ..plain.clone() },
        Options { tail_free: Some(0.999_999), temperature: Some(5.0), ..plain.clone() },
        Options { p_less: Some(true), temperature: Some(2.0), ..plain.clone() },
        Options { epsilon_cutoff: Some(3e-4), ..plain.clone() },
        Options { epsilon_cutoff: Some(1e-9), eta_cutoff: Some(2e-3), ..plain.clone() },
        Options { smoothing_factor: Some(0.2), smoothing_curve: Some(1.5), ..plain.clone() },
        Options {
            dynamic_temperature_range: Some(0.7),
            dynamic_temperature_exponent: Some(1.5),
            top_p: Some(0.95),
            ..plain.clone()
        },
    ];
    for name in ROWS {
        let row = row(name);
        for options in &chains {
            let (prompt, output) = (vec![7042, 260, 0, 49_151], vec![8180, 8180, 12, 216]);
            let plan = Plan { options: options.clone(), prompt, output, ..Plan::default() };
            assert!(assert_agrees(&plan, &row, 5).is_some(), "{name}");
        }
    }
}
