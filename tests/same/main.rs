//! The golden file of draws: it is what its generator writes, this build answers the same, and so does the contract's
//! oracle, token by token.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

mod golden_file;
#[path = "../oracle/mod.rs"]
mod oracle;

use std::collections::HashSet;

use golden_file::answer::N_DRAWS;
use golden_file::compare::{all_logits, compare};
use golden_file::golden::{Answer, Case, Golden, Use};
use golden_file::{read, recorded, same_json, write};
use nucleus_sampler::{PresetName, StageName};
use oracle::{Exact, Plan};

#[test]
#[cfg_attr(debug_assertions, ignore = "slow without optimisation; run with --release")]
fn the_file_is_what_its_generator_writes() {
    let found = std::fs::read_to_string(same_json()).unwrap();
    let written = write::text(&recorded);
    let differs = found.lines().zip(written.lines()).find(|(found, written)| found != written);
    assert_eq!(differs, None);
    assert!(found == written, "{} bytes are not {}", found.len(), written.len());
}

#[test]
fn this_build_answers_as_the_file_says() {
    let golden = read();
    let outcome = compare(&golden, &all_logits(&golden, &recorded));
    assert!(outcome.draws > 20_000, "{outcome:?}");
    assert!(outcome.differing.is_empty(), "{}", outcome.line());
}

fn plan(golden: &Golden, logits: &[Vec<f32>], case: &Case) -> Plan {
    let (row, chain) = (&golden.rows[case.row], &golden.chains[case.chain]);
    let history = chain.uses.contains(&Use::History);
    let of = |tokens: &[u32]| if history { tokens.to_vec() } else { Vec::new() };
    Plan {
        options: chain.options(row, case),
        prompt: of(&row.prompt),
        output: of(&row.output),
        mask: chain.mask(row),
        unconditional: chain.second(&logits[case.row]),
        ..Plan::default()
    }
    .at(case.position)
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow without optimisation; run with --release")]
fn the_oracle_keeps_and_draws_as_the_file_says() {
    let golden = read();
    let logits = all_logits(&golden, &recorded);
    for case in &golden.cases {
        let plan = plan(&golden, &logits, case);
        let found = oracle::run::<Exact>(&plan, &logits[case.row]);
        match (&case.answer, found) {
            (Answer::Failed(code), Err(failure)) => assert_eq!(*code, failure.code, "{plan:?}"),
            (Answer::Kept(expected), Ok(kept)) => {
                assert_eq!(kept.ranked.len(), expected.count, "{plan:?}");
                let (seed, stream) = (plan.options.seed.unwrap(), case.stream.unwrap_or(0));
                for (i, token) in expected.tokens.iter().enumerate() {
                    let position = case.position + i as u64;
                    let other = plan.at(position);
                    let kept = match other.coin == plan.coin {
                        true => kept.clone(),
                        false => oracle::run::<Exact>(&other, &logits[case.row]).unwrap(),
                    };
                    let word = oracle::word(seed, u64::from(stream), position);
                    let drawn = match plan.reads_no_word() {
                        true => kept.ranked[0].id,
                        false => oracle::draw(&kept.ranked, kept.factor, word),
                    };
                    assert_eq!(drawn, *token, "{plan:?}");
                }
            }
            (expected, found) => panic!("{found:?} is not {expected:?}: {plan:?}"),
        }
    }
}

/// A new stage or preset is not the same everywhere before it is in the file.
#[test]
fn every_stage_and_every_preset_is_in_the_file() {
    let golden = read();
    let logits = all_logits(&golden, &recorded);
    let (mut stages, mut presets) = (HashSet::new(), HashSet::from([PresetName::Nucleus]));
    for case in &golden.cases {
        let plan = plan(&golden, &logits, case);
        presets.extend(plan.options.preset);
        stages.extend(plan.order().into_iter().filter(|stage| stage.is_terminal()));
        if golden.rows[case.row].n > 5000 {
            continue;
        }
        if let Ok(report) = plan.sampler().report(plan.input(&logits[case.row]), false) {
            stages.extend(report.stages.iter().filter(|stage| stage.active).map(|s| s.name));
        }
    }
    let missing: Vec<_> = StageName::ALL.iter().filter(|stage| !stages.contains(stage)).collect();
    assert!(missing.is_empty(), "not in the file: {missing:?}");
    assert_eq!(presets.len(), PresetName::ALL.len(), "{presets:?}");
}

#[test]
fn the_file_has_what_it_is_meant_to_have() {
    let golden = read();
    let size = std::fs::metadata(same_json()).unwrap().len();
    assert!(size < 300_000, "{size} bytes");
    let kept = golden.cases.iter().filter_map(|case| match &case.answer {
        Answer::Kept(kept) => Some(kept),
        Answer::Failed(_) => None,
    });
    assert!(kept.clone().all(|kept| kept.tokens.len() == N_DRAWS));
    assert!(kept.map(|kept| kept.tokens.len()).sum::<usize>() > 5000);
    for n in [1, 262_144] {
        assert!(golden.rows.iter().any(|row| row.n == n));
    }
    for code in ["nothing_left", "not_finite"] {
        let failed = |case: &Case| case.answer == Answer::Failed(code.into());
        assert!(golden.cases.iter().any(failed), "no case fails with {code}");
    }
}
