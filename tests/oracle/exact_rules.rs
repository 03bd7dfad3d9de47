//! The rules in integer weights; f64 where the contract says so, in its order of operations.

// The contract's own functions, which tests/functions.rs holds against a hundred bits.
use nucleus_sampler::math::{exp, ln};

use super::exact::{fraction, whole_share_of};
use super::{Choice, Rule, Token, mass, share_of, weights};

/// 2^44.
const UNIT: f64 = 17_592_186_044_416.0;

/// What the rule keeps.
pub fn choose(rule: Rule, ranked: &[Token], factor: f64) -> Choice {
    let weights = weights(ranked, factor);
    let whole = mass(&weights);
    let heavy = |least: u128| {
        let n = weights.iter().filter(|w| u128::from(**w) >= least).count();
        Choice::prefix(n, ranked.len(), f64::INFINITY)
    };
    match rule {
        Rule::TypicalP(p) => typical(ranked, factor, &weights, share_of(p, whole)),
        Rule::TopNSigma(n) => {
            let distance = n * deviation(ranked);
            let near = |t: &&Token| f64::from(t.logit) - f64::from(ranked[0].logit) >= -distance;
            Choice::prefix(ranked.iter().filter(near).count(), ranked.len(), f64::INFINITY)
        }
        Rule::TopA(a) => heavy(least_of_square(a, whole)),
        Rule::TopH(h) => {
            Choice::prefix(bounded(ranked, factor, &weights, h), ranked.len(), f64::INFINITY)
        }
        Rule::TailFree(z) => Choice::prefix(bends(&weights, z), ranked.len(), f64::INFINITY),
        Rule::PLess => {
            let squares: u128 = weights.iter().map(|w| u128::from(*w).pow(2)).sum();
            heavy(squares.div_ceil(whole))
        }
        Rule::EpsilonCutoff(epsilon) => heavy(share_of(epsilon, whole)),
        Rule::EtaCutoff(eta) => {
            let falling = eta.sqrt() * exp(-entropy(ranked, factor));
            heavy(share_of(eta.min(falling), whole))
        }
    }
}

/// The least w with w / mass >= a (2^44 / mass)^2, which is w mass >= a 2^88, bit by bit from the highest down.
fn least_of_square(a: f64, mass: u128) -> u128 {
    let (m, down) = fraction(a);
    let enough = |w: u128| match down.checked_sub(88) {
        None => w * mass >= m << (88 - down),
        Some(more) if more < 64 => w * mass >= m.div_ceil(1 << more),
        Some(_) => w > 0,
    };
    let too_little = |w: u128, bit: u32| if enough(w | 1 << bit) { w } else { w | 1 << bit };
    (0..45).rev().fold(0, too_little) + 1
}

/// ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7)) of eight lanes by id.
fn lanes(ranked: &[Token], term: impl Fn(&Token, usize) -> f64) -> f64 {
    let mut by_id: Vec<usize> = (0..ranked.len()).collect();
    by_id.sort_by_key(|place| ranked[*place].id);
    let mut lanes = [0.0; 8];
    for place in by_id {
        lanes[ranked[place].id as usize % 8] += term(&ranked[place], place);
    }
    let l = lanes;
    ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]))
}

/// Entropy in nats, from weights.
pub fn entropy(ranked: &[Token], factor: f64) -> f64 {
    let weights = weights(ranked, factor);
    let whole = mass(&weights) as f64;
    let distance = |t: &Token| f64::from(t.logit) - f64::from(ranked[0].logit);
    let sum = lanes(ranked, |t, place| match weights[place] {
        0 => 0.0,
        w => w as f64 / UNIT * distance(t),
    });
    (log_sum(whole) - factor * (sum * UNIT) / whole).max(0.0)
}

fn log_sum(whole: f64) -> f64 {
    ln(whole) - 44.0 * std::f64::consts::LN_2
}

/// The standard deviation of the logits, those of the population.
fn deviation(ranked: &[Token]) -> f64 {
    let n = ranked.len() as f64;
    let distance = |t: &Token| f64::from(t.logit) - f64::from(ranked[0].logit);
    let mean = lanes(ranked, |t, _| distance(t)) / n;
    let square = |t: &Token| (distance(t) - mean) * (distance(t) - mean);
    (lanes(ranked, |t, _| square(t)) / n).sqrt()
}

/// The shortest prefix by deviation that holds the target; ranks decide where deviations are equal.
fn typical(ranked: &[Token], factor: f64, weights: &[u64], target: u128) -> Choice {
    let (entropy, log_sum) = (entropy(ranked, factor), log_sum(mass(weights) as f64));
    let log_probability =
        |t: &Token| (f64::from(t.logit) - f64::from(ranked[0].logit)) * factor - log_sum;
    let deviations: Vec<f64> =
        ranked.iter().map(|t| (log_probability(t) + entropy).abs()).collect();
    let mut order: Vec<usize> = (0..ranked.len()).collect();
    order.sort_by(|a, b| deviations[*a].total_cmp(&deviations[*b]));
    let (mut n, mut reached) = (0, 0);
    while reached < target {
        reached += u128::from(weights[order[n]]);
        n += 1;
    }
    Choice { order, n, slack: f64::INFINITY }
}

/// How many of the first tokens have h of the entropy at most.
fn bounded(ranked: &[Token], factor: f64, weights: &[u64], h: f64) -> usize {
    let (mut mass, mut surprise) = (0u128, 0u128);
    let mut entropies = Vec::new();
    for (token, w) in ranked.iter().zip(weights).filter(|(_, w)| **w > 0) {
        let distance = f64::from(ranked[0].logit) - f64::from(token.logit);
        let units = (distance * factor * 4_294_967_296.0).round_ties_even() as u128;
        mass += u128::from(*w);
        surprise += u128::from(*w) * units;
        let (mass, surprise) = (mass as f64, surprise as f64);
        entropies.push(ln(mass / UNIT) + surprise / mass / 4_294_967_296.0);
    }
    let limit = h * entropies[entropies.len() - 1];
    entropies.iter().take_while(|entropy| **entropy <= limit).count()
}

/// How many of the first tokens have z of the bends at most.
fn bends(weights: &[u64], z: f64) -> usize {
    let w = |i: usize| i128::from(weights[i]);
    let bends: Vec<u128> = (1..weights.len().max(2) - 1)
        .map(|i| (w(i - 1) - 2 * w(i) + w(i + 1)).unsigned_abs())
        .collect();
    let whole: u128 = bends.iter().sum();
    let limit = whole_share_of(z, whole);
    let mut sum = 0;
    let within = bends.iter().take_while(|bend| {
        sum += **bend;
        sum <= limit
    });
    let n = within.count();
    if n == bends.len() { weights.len() } else { n + 1 }
}
