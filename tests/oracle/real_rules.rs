//! The rules as the mathematics says them: probabilities in f64, sums as they come.
#![allow(clippy::disallowed_methods, reason = "an oracle may use the platform's library")]

use super::real::{entropy, probabilities};
use super::{Choice, Rule, Token};

/// What the rule keeps.
pub fn choose(rule: Rule, ranked: &[Token], factor: f64) -> Choice {
    let p = probabilities(ranked, factor);
    match rule {
        Rule::TypicalP(share) => typical(&p, share),
        Rule::TopNSigma(n) => near(ranked, n),
        Rule::TopA(a) => likely(&p, a * p[0] * p[0], 1),
        Rule::TopH(h) => bounded(&p, h),
        Rule::TailFree(z) => bends(&p, z),
        Rule::PLess => likely(&p, p.iter().map(|p| p * p).sum(), 1),
        Rule::EpsilonCutoff(epsilon) => likely(&p, epsilon, 0),
        Rule::EtaCutoff(eta) => likely(&p, eta.min(eta.sqrt() * (-entropy(&p)).exp()), 0),
    }
}

/// Tokens of at least a probability, which the first `sure` have whatever the rounding.
fn likely(p: &[f64], threshold: f64, sure: usize) -> Choice {
    let n = p.iter().filter(|p| **p >= threshold).count().max(sure);
    let distances = p.iter().skip(sure).map(|p| (p - threshold).abs());
    Choice::prefix(n, p.len(), distances.fold(f64::INFINITY, f64::min))
}

/// Surprises off by 1e-6 at most may change places.
const CLOSE: f64 = 1e-6;

fn typical(p: &[f64], share: f64) -> Choice {
    let entropy = entropy(p);
    let deviations: Vec<f64> = p.iter().map(|p| (p.ln() + entropy).abs()).collect();
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|a, b| deviations[*a].total_cmp(&deviations[*b]));
    let (mut n, mut sum, mut slack) = (0, 0.0, f64::INFINITY);
    while n < p.len() && sum < share {
        sum += p[order[n]];
        n += 1;
        slack = slack.min((sum - share).abs());
    }
    if let (Some(last), Some(next)) = (n.checked_sub(1).map(|i| order[i]), order.get(n).copied()) {
        let gap = (deviations[last] - deviations[next]).abs();
        if gap < CLOSE && p[last] != p[next] {
            slack = 0.0;
        }
    }
    Choice { order, n, slack }
}

fn near(ranked: &[Token], n: f64) -> Choice {
    let distance = |t: &Token| f64::from(t.logit) - f64::from(ranked[0].logit);
    let mean = ranked.iter().map(distance).sum::<f64>() / ranked.len() as f64;
    let square = |t: &Token| (distance(t) - mean) * (distance(t) - mean);
    let sigma = (ranked.iter().map(square).sum::<f64>() / ranked.len() as f64).sqrt();
    let kept = ranked.iter().filter(|t| distance(t) >= -n * sigma).count();
    let off = |t: &Token| (distance(t) + n * sigma).abs() / -distance(t);
    let slack = ranked.iter().filter(|t| distance(t) < 0.0).map(off).fold(f64::INFINITY, f64::min);
    Choice::prefix(kept, ranked.len(), slack)
}

/// An entropy is off by ten times as much as a share is.
const ENTROPY: f64 = 0.1;

fn bounded(p: &[f64], h: f64) -> Choice {
    let limit = h * entropy(p);
    let (mut n, mut mass, mut sum, mut slack) = (1, p[0], p[0] * p[0].ln(), f64::INFINITY);
    for p in &p[1..] {
        if *p > 0.0 {
            (mass, sum) = (mass + p, sum + p * p.ln());
        }
        let entropy = mass.ln() - sum / mass;
        slack = slack.min((entropy - limit).abs() * ENTROPY);
        if entropy > limit {
            break;
        }
        n += 1;
    }
    Choice::prefix(n, p.len(), slack)
}

/// A sum of bends is off by ten times as much as a share is.
const BENDS: f64 = 0.1;

fn bends(p: &[f64], z: f64) -> Choice {
    let bends: Vec<f64> =
        p.windows(3).map(|three| (three[0] - 2.0 * three[1] + three[2]).abs()).collect();
    let limit = z * bends.iter().sum::<f64>();
    let (mut sum, mut slack) = (0.0, f64::INFINITY);
    let within = bends.iter().take_while(|bend| {
        sum += **bend;
        slack = slack.min((sum - limit).abs() * BENDS);
        sum <= limit
    });
    let n = within.count();
    Choice::prefix(if n == bends.len() { p.len() } else { n + 1 }, p.len(), slack)
}
