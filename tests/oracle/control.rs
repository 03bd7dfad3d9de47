//! Terminal stages with a controller: what it has learned, the cut and the writing that follow from it, and how a draw
//! that is accepted moves it.
//!
//! The logarithms are the crate's own, which `tests/functions.rs` holds against exact ones: kept sets are decided by them.

use nucleus_sampler::math::{LN_2, exp, ln, log2};
use nucleus_sampler::{Options, StageName};

use super::walk::Walk;
use super::{Failure, Measure, Plan, Token};

/// What the controllers of a row have come to; none before the first accepted draw.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Learned {
    /// Mirostat's surprise above which tokens are cut.
    pub mu: Option<f64>,
    /// Adaptive-p's weighted sum of probabilities, and the sum of the weights.
    pub probabilities: Option<(f64, f64)>,
}

fn tau(options: &Options) -> f64 {
    options.mirostat_tau.unwrap_or(5.0)
}

fn decay(options: &Options) -> f64 {
    options.adaptive_p_decay.unwrap_or(0.9)
}

impl Plan {
    /// The terminal stage that has a controller, if one is active.
    pub fn controlled(&self) -> Option<StageName> {
        let mirostat = self.options.mirostat_version.unwrap_or(0) != 0;
        let adaptive_p = self.options.adaptive_p_target.unwrap_or(0.0) != 0.0;
        let adaptive_p = adaptive_p.then_some(StageName::AdaptiveP);
        if mirostat { Some(StageName::Mirostat) } else { adaptive_p }
    }

    /// mu, learned or at its start.
    pub fn mu(&self) -> f64 {
        self.learned.mu.unwrap_or((2.0 * tau(&self.options)).min(f64::MAX))
    }

    fn probabilities(&self) -> (f64, f64) {
        let Options { adaptive_p_target: target, .. } = self.options;
        let rest = 1.0 - decay(&self.options);
        self.learned.probabilities.unwrap_or((target.unwrap_or(0.0) / rest, 1.0 / rest))
    }

    /// Moves the controller by a draw that is accepted.
    pub fn learn(&mut self, surprise: f64) {
        if self.options.mirostat_version.unwrap_or(0) != 0 {
            let eta = self.options.mirostat_eta.unwrap_or(0.1);
            self.learned.mu = Some(self.mu() - eta * (surprise - tau(&self.options)));
        } else {
            let ((sum, weight), decay) = (self.probabilities(), decay(&self.options));
            let p = exp(-surprise * LN_2);
            self.learned.probabilities = Some((p + decay * sum, 1.0 + decay * weight));
        }
    }
}

/// -log2 p.
pub fn surprise(p: f64) -> f64 {
    0.0 - log2(p)
}

/// The s of Zipf's law, from the hundred best of `ranked`.
pub fn zipf_exponent(ranked: &[Token], factor: f64) -> f64 {
    let (mut above, mut below) = (0.0, 0.0);
    for i in 1..ranked.len().min(100) {
        let t = ln((i + 1) as f64 / i as f64);
        let ratio = (f64::from(ranked[i - 1].logit) - f64::from(ranked[i].logit)) * factor;
        above += t * ratio;
        below += t * t;
    }
    above / below
}

/// How many of `n` tokens mirostat 1 keeps under Zipf's law.
pub fn zipf_count(s: f64, mu: f64, n: usize) -> usize {
    let y = (s - 1.0) * ln(n as f64);
    let part = if y.abs() < 1e-5 { 1.0 - y / 2.0 + y * y / 6.0 } else { (1.0 - exp(-y)) / y };
    let k = exp((mu * LN_2 - ln(ln(n as f64) * part)) / s);
    // What is no number keeps one.
    if k >= n as f64 { n } else { (k as usize).max(1) }
}

impl Walk<'_> {
    /// False when it is off.
    pub(super) fn mirostat<M: Measure>(&mut self) -> bool {
        let (version, mu) = (self.plan.options.mirostat_version.unwrap_or(0), self.plan.mu());
        match version {
            0 => return false,
            1 => self.cut(|ranked, factor| M::zipf(ranked, factor, mu)),
            _ => self.cut(|ranked, factor| M::unsurprising(ranked, factor, mu)),
        }
        true
    }

    /// False when it is off.
    pub(super) fn adaptive_p<M: Measure>(&mut self) -> Result<bool, Failure> {
        let target = self.plan.options.adaptive_p_target.unwrap_or(0.0);
        if target == 0.0 {
            return Ok(false);
        }
        let (sum, weight) = self.plan.probabilities();
        let adapted = (2.0 * target - sum / weight).clamp(0.0, 1.0);
        self.write(StageName::AdaptiveP, |t| f64::from(t.logit))?;
        let ranked = super::by_rank(&self.alive);
        let before: Vec<(u32, f64)> =
            ranked.iter().map(|t| t.id).zip(M::probabilities(&ranked, self.factor)).collect();
        self.write(StageName::AdaptiveP, |t| {
            let p = before.iter().find(|(id, _)| *id == t.id).unwrap().1;
            let d = (p - adapted).abs() / 0.3;
            5.0 - 10.0 * (d * d) / (1.0 + d)
        })?;
        self.before = Some(before);
        Ok(true)
    }
}
