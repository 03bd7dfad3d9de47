//! The distribution that a chain leaves: the kept tokens, highest first, with exact cumulative shares.

use crate::candidates::{Candidate, Candidates};
use crate::chain::Observer;
use crate::rank;
use crate::stage::{Kind, Stage};

/// The kept tokens by rank, and what describes the set. All lists have shape `(kept_count)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    /// Token ids, highest rank first.
    pub token_ids: Vec<u32>,
    /// Logits after the chain, multiplied by the factor in force; saturated to f32's range.
    pub logits: Vec<f32>,
    /// Probabilities w / K in [0, 1].
    pub probs: Vec<f64>,
    /// Exact prefix sums over K; the last is 1.
    pub cumulative: Vec<f64>,
    /// How many tokens are kept: the rank at which the set ends.
    pub kept_count: usize,
    /// The set's share of the mass that entered the first active truncating stage, in that stage's weights; 1 without.
    pub kept_mass: f64,
    /// Entropy in nats.
    pub entropy: f64,
}

/// The kept tokens by rank.
fn ranked(candidates: &mut Candidates<'_>) -> Vec<Candidate> {
    candidates.ensure_weights();
    let mut kept = Vec::with_capacity(candidates.n_alive());
    kept.extend(candidates.alive());
    let mut order: Vec<u64> =
        kept.iter().enumerate().map(|(i, c)| rank::entry(c.logit, i)).collect();
    rank::sort(&mut order);
    let mut ranked = Vec::with_capacity(kept.len());
    ranked.extend(order.iter().filter_map(|entry| kept.get(rank::place_of(*entry)).copied()));
    ranked
}

impl Distribution {
    /// What the chain left.
    pub(crate) fn new(candidates: &mut Candidates<'_>, kept_mass: f64) -> Distribution {
        let ranked = ranked(candidates);
        let mass = candidates.mass() as f64;
        let mut sum = 0u64;
        Distribution {
            token_ids: ranked.iter().map(|candidate| candidate.id).collect(),
            logits: ranked
                .iter()
                .map(|candidate| scaled(candidate.logit, candidates.factor()))
                .collect(),
            probs: ranked.iter().map(|candidate| candidate.weight() as f64 / mass).collect(),
            cumulative: ranked
                .iter()
                .map(|candidate| {
                    sum += candidate.weight();
                    sum as f64 / mass
                })
                .collect(),
            kept_count: ranked.len(),
            kept_mass,
            entropy: candidates.entropy(),
        }
    }
}

/// l r in f64, rounded once to f32 and kept inside its range.
fn scaled(logit: f32, factor: f64) -> f32 {
    (f64::from(logit) * factor).clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32 + 0.0
}

/// The weights of a set at one moment.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    /// (token id, weight), by ascending id.
    pub tokens: Vec<(u32, u64)>,
    /// The sum of the weights.
    pub mass: u64,
}

impl Snapshot {
    /// The weights now.
    pub(crate) fn new(candidates: &mut Candidates<'_>) -> Snapshot {
        let mass = candidates.mass();
        candidates.ensure_weights();
        // As long as it will be: lists that double as they grow would double what a preview takes.
        let mut tokens = Vec::with_capacity(candidates.n_alive());
        tokens.extend(candidates.alive().map(|candidate| (candidate.id, candidate.weight())));
        Snapshot { tokens, mass }
    }

    /// The share of this moment's mass that the tokens now alive had.
    pub(crate) fn share(&self, candidates: &mut Candidates<'_>) -> f64 {
        let mut alive = candidates.alive().map(|candidate| candidate.id).peekable();
        let mut mass = 0;
        for (id, weight) in &self.tokens {
            while alive.next_if(|next| next < id).is_some() {}
            if alive.peek() == Some(id) {
                mass += weight;
            }
        }
        mass as f64 / self.mass as f64
    }
}

/// Observes what share of the mass survives from the first active truncating stage on.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeptMass {
    entered: Option<Snapshot>,
}

impl KeptMass {
    /// The final set's share; 1 when nothing truncated.
    pub(crate) fn share(self, candidates: &mut Candidates<'_>) -> f64 {
        self.entered.map_or(1.0, |entered| entered.share(candidates))
    }
}

impl Observer for KeptMass {
    fn before(&mut self, stage: &dyn Stage, candidates: &mut Candidates<'_>) {
        if self.entered.is_none() && stage.kind() == Kind::Truncates {
            self.entered = Some(Snapshot::new(candidates));
        }
    }
}
