//! Compares what the crate answers with the golden file, and says so as one line of JSON: what every engine's runner
//! says, whatever language it is written in.

use serde_json::json;

use super::answer::{answers, batch};
use super::golden::{Answer, Case, Golden};

/// Rows above this are large.
const LARGE: usize = 10_000;
/// Of the cases over large rows one in so many is asked for: without optimisation each takes a second.
const ONE_IN: usize = if cfg!(debug_assertions) { 8 } else { 1 };

/// What a comparison found.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Tokens compared.
    pub draws: usize,
    /// Cases and batches whose answer is another.
    pub differing: Vec<String>,
}

impl Outcome {
    /// The line that `scripts/test-engines.mjs` reads.
    pub fn line(&self) -> String {
        let first: Vec<&String> = self.differing.iter().take(3).collect();
        json!({ "draws": self.draws, "differing": self.differing.len(), "first": first })
            .to_string()
    }
}

/// The logits of every row of the file.
pub fn all_logits(golden: &Golden, recorded: &dyn Fn(&str) -> Vec<u8>) -> Vec<Vec<f32>> {
    golden.rows.iter().map(|row| row.logits(recorded)).collect()
}

/// Asks the crate for everything in the file.
pub fn compare(golden: &Golden, logits: &[Vec<f32>]) -> Outcome {
    let mut outcome = Outcome::default();
    let asked =
        |i: usize, case: &Case| golden.rows[case.row].n <= LARGE || i.is_multiple_of(ONE_IN);
    for (_, case) in golden.cases.iter().enumerate().filter(|(i, case)| asked(*i, case)) {
        let (row, chain) = (&golden.rows[case.row], &golden.chains[case.chain]);
        for found in answers(chain, row, case, &logits[case.row]) {
            if let Answer::Kept(kept) = &found {
                outcome.draws += kept.tokens.len();
            }
            if found != case.answer {
                let (expected, options) = (&case.answer, &chain.options);
                let at = format!("seed {}, position {}", case.seed, case.position);
                outcome
                    .differing
                    .push(format!("{}, {options}, {at}: {found:?} is not {expected:?}", row.name));
            }
        }
    }
    for expected in &golden.batches {
        let found = batch(expected, logits);
        outcome.draws += found.calls.iter().map(|call| call.tokens.len()).sum::<usize>();
        if found != *expected {
            outcome.differing.push(format!("{found:?} is not {expected:?}"));
        }
    }
    outcome
}
