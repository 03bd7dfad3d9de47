//! Stages that truncate, and the temperature that follows the entropy.

use nucleus_sampler::StageName;
// The contract's own functions, which tests/functions.rs holds against a hundred bits.
use nucleus_sampler::math::{exp, ln};

use super::exact::weights;
use super::rules::Rule;
use super::walk::{Cut, Measure, Token, Walk, by_rank};

impl Walk<'_> {
    /// Notes what enters the first truncating stage, with the weights that it has there.
    pub(super) fn begin_truncating(&mut self) {
        if self.entered.is_none() {
            let ranked = by_rank(&self.alive);
            let weights = weights(&ranked, self.factor);
            self.entered = Some(ranked.iter().map(|t| t.id).zip(weights).collect());
        }
    }

    /// The share of that mass which is still alive; 1 where nothing truncated.
    pub(super) fn kept_mass(&self) -> f64 {
        let Some(entered) = &self.entered else { return 1.0 };
        let mass = |keep: &dyn Fn(u32) -> bool| -> u64 {
            entered.iter().filter(|(id, _)| keep(*id)).map(|(_, w)| w).sum()
        };
        let alive: std::collections::BTreeSet<u32> = self.alive.iter().map(|t| t.id).collect();
        mass(&|id| alive.contains(&id)) as f64 / mass(&|_| true) as f64
    }

    /// A stage whose rule is neither a prefix by rank and mass nor a share of the best.
    pub(super) fn truncate<M: Measure>(&mut self, stage: StageName) -> bool {
        let Some(rule) = Rule::of(stage, &self.plan.options) else { return false };
        self.begin_truncating();
        let ranked = by_rank(&self.alive);
        let choice = M::choose(rule, &ranked, self.factor);
        self.slack = self.slack.min(choice.slack);
        let n = choice.n.max(self.plan.min_keep()).min(ranked.len());
        let kept: Vec<Token> = choice.order[..n].iter().map(|place| ranked[*place]).collect();
        self.keep(&kept);
        true
    }

    /// A temperature between two, by the share that the entropy has of the highest that there can be.
    pub(super) fn dynamic_temperature<M: Measure>(&mut self) -> bool {
        let Some((low, high, exponent)) = self.plan.dynamic_temperature() else { return false };
        let ranked = by_rank(&self.alive);
        if self.plan.options.temperature == Some(0.0) {
            self.decide();
        } else if ranked.len() > 1 {
            let highest = ln(ranked.len() as f64);
            let relative = (M::entropy(&ranked, self.factor) / highest).min(1.0);
            let power = if exponent == 0.0 { 1.0 } else { exp(exponent * ln(relative)) };
            let temperature = low + (high - low) * power;
            self.factor = (self.factor * (1.0 / temperature)).clamp(1e-30, 3e38);
        }
        true
    }

    pub(super) fn cut(&mut self, rule: impl Fn(&[Token], f64) -> Cut) {
        self.begin_truncating();
        let ranked = by_rank(&self.alive);
        let cut = rule(&ranked, self.factor);
        self.slack = self.slack.min(cut.slack);
        self.keep(&ranked[..cut.n.max(self.plan.min_keep()).min(ranked.len())]);
    }

    pub(super) fn decide(&mut self) {
        self.begin_truncating();
        let ranked = by_rank(&self.alive);
        self.keep(&ranked[..1]);
        self.decided = true;
    }

    fn keep(&mut self, tokens: &[Token]) {
        self.alive = tokens.to_vec();
        self.alive.sort_by_key(|t| t.id);
    }
}
