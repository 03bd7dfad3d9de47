//! Probability as the mathematics says it: e^x and sums in f64.
#![allow(clippy::disallowed_methods, reason = "an oracle may use the platform's library")]

use super::{Choice, Cut, Measure, Plan, Rule, Token, real_rules, run, zipf_exponent};

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

    fn unsurprising(ranked: &[Token], factor: f64, mu: f64) -> Cut {
        let (probabilities, threshold) = (probabilities(ranked, factor), (-mu).exp2());
        let n = probabilities.iter().filter(|p| **p >= threshold).count();
        // The best token stays whatever the rounding.
        let distances = probabilities.iter().skip(1).map(|p| (p - threshold).abs());
        Cut { n, slack: distances.fold(f64::INFINITY, f64::min) }
    }

    fn zipf(ranked: &[Token], factor: f64, mu: f64) -> Cut {
        let count = |s: f64, mu: f64| {
            let (e, n) = (s - 1.0, ranked.len() as f64);
            let k = (e * mu.exp2() / (1.0 - n.powf(-e))).powf(1.0 / s);
            k.min(n).max(1.0) as usize
        };
        let s = zipf_exponent(ranked, factor);
        let n = count(s, mu);
        // Where the smallest difference tells, rounding may too.
        let near = [(1e-9, 0.0), (-1e-9, 0.0), (0.0, 1e-9), (0.0, -1e-9)];
        let representable = mu < 1000.0 && s < 1e6 && (s - 1.0).abs() > 1e-6;
        let sure = representable && near.iter().all(|(a, b)| count(s + a, mu + b) == n);
        Cut { n, slack: if sure { f64::INFINITY } else { 0.0 } }
    }

    fn probabilities(ranked: &[Token], factor: f64) -> Vec<f64> {
        probabilities(ranked, factor)
    }

    fn at_share(ranked: &[Token], factor: f64, share: f64) -> Cut {
        let probabilities = probabilities(ranked, factor);
        let n = probabilities.iter().filter(|p| **p >= share).count();
        let distances = probabilities.iter().map(|p| (p - share).abs());
        Cut { n, slack: distances.fold(f64::INFINITY, f64::min) }
    }

    fn log_sum(ranked: &[Token]) -> f64 {
        let best = ranked.first().map_or(0.0, |t| f64::from(t.logit));
        ranked.iter().map(|t| (f64::from(t.logit) - best).exp()).sum::<f64>().ln()
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
