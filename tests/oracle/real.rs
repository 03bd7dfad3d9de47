//! Probability as the mathematics says it: e^x and sums in f64.
#![allow(clippy::disallowed_methods, reason = "an oracle may use the platform's library")]

use super::{Choice, Cut, Measure, Plan, Rule, Token, real_rules, run};

/// Probabilities in f64.
#[derive(Debug)]
pub struct Real;

impl Measure for Real {
    fn reach(ranked: &[Token], factor: f64, p: f64) -> Cut {
        let (mut n, mut sum, mut slack) = (0, 0.0, p);
        for probability in probabilities(ranked, factor) {
            if sum >= p {
                break;
            }
            sum += probability;
            n += 1;
            slack = slack.min((sum - p).abs());
        }
        // p = 0 is no matter of rounding.
        Cut { n, slack: if p == 0.0 { f64::INFINITY } else { slack } }
    }

    fn at_least(ranked: &[Token], factor: f64, m: f64) -> Cut {
        let probabilities = probabilities(ranked, factor);
        let threshold = m * probabilities[0];
        let n = probabilities.iter().filter(|p| **p >= threshold).count();
        // The best token stays whatever the rounding.
        let distances = probabilities.iter().skip(1).map(|p| (p - threshold).abs());
        Cut { n, slack: distances.fold(f64::INFINITY, f64::min) }
    }

    fn choose(rule: Rule, ranked: &[Token], factor: f64) -> Choice {
        real_rules::choose(rule, ranked, factor)
    }

    fn entropy(ranked: &[Token], factor: f64) -> f64 {
        entropy(&probabilities(ranked, factor))
    }
}

/// The softmax of a ranked set.
pub fn probabilities(ranked: &[Token], factor: f64) -> Vec<f64> {
    let best = f64::from(ranked[0].logit);
    let e = |t: &Token| ((f64::from(t.logit) - best) * factor).exp();
    let sum: f64 = ranked.iter().map(e).sum();
    ranked.iter().map(|t| e(t) / sum).collect()
}

/// The probability of every token of the vocabulary after a plan's chain: 0 outside the kept set.
pub fn probabilities_by_id(plan: &Plan, row: &[f32]) -> Vec<f64> {
    let kept = run::<Real>(plan, row).unwrap();
    let mut by_id = vec![0.0; row.len()];
    for (token, p) in kept.ranked.iter().zip(probabilities(&kept.ranked, kept.factor)) {
        by_id[token.id as usize] = p;
    }
    by_id
}

/// Entropy in nats.
pub fn entropy(probabilities: &[f64]) -> f64 {
    -probabilities.iter().filter(|p| **p > 0.0).map(|p| p * p.ln()).sum::<f64>()
}

/// The log probabilities of a row at temperature 1.
pub fn log_softmax(row: &[f32]) -> Vec<f64> {
    let best = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f64 = row.iter().map(|l| (f64::from(*l) - f64::from(best)).exp()).sum();
    row.iter().map(|l| f64::from(*l) - f64::from(best) - sum.ln()).collect()
}
