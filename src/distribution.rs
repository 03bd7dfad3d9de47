//! The distribution that a chain leaves: the kept tokens, highest first, with exact cumulative shares.

use crate::candidates::{Candidates, Ranked, weight};
use crate::chain::{Chain, Observer};
use crate::stage::{Context, Kind, Stage};

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

impl Distribution {
    /// What the chain left.
    pub(crate) fn new(candidates: &mut Candidates<'_>, kept_mass: f64) -> Distribution {
        let entropy = candidates.entropy();
        let factor = candidates.factor();
        let Ranked { ids, mut logits, exps, mass } = candidates.ranked();
        let (probs, cumulative) = shares(&exps, mass);
        for logit in &mut logits {
            *logit = scaled(*logit, factor);
        }
        let kept_count = ids.len();
        Distribution { token_ids: ids, logits, probs, cumulative, kept_count, kept_mass, entropy }
    }
}

/// w / K and the exact prefix sums over K.
fn shares(exps: &[f32], mass: u64) -> (Vec<f64>, Vec<f64>) {
    let whole = mass as f64;
    let (mut probs, mut cumulative) = (vec![0.0; exps.len()], vec![0.0; exps.len()]);
    let mut sum = 0;
    for ((e, prob), share) in exps.iter().zip(&mut probs).zip(&mut cumulative) {
        let weight = weight(*e);
        sum += weight;
        *prob = weight as f64 / whole;
        *share = sum as f64 / whole;
    }
    (probs, cumulative)
}

/// l r in f64, rounded once to f32 and kept inside its range.
fn scaled(logit: f32, factor: f64) -> f32 {
    let product = (f64::from(logit) * factor) as f32 + 0.0;
    if product.is_finite() { product } else { f32::MAX.copysign(product) }
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
    /// Whether weights stay what they are from then on.
    weights_stay: bool,
    entered: Option<Entered>,
}

/// What entered a stage.
#[derive(Clone, Debug)]
pub(crate) enum Entered {
    /// Its mass alone: enough where weights stay.
    Mass(u64),
    /// Every token's weight.
    Tokens(Snapshot),
}

impl Entered {
    /// What is there now; `weights_stay` says that the tokens which will be left weigh then what they weigh now.
    pub(crate) fn new(weights_stay: bool, candidates: &mut Candidates<'_>) -> Entered {
        match weights_stay {
            true => Entered::Mass(candidates.mass()),
            false => Entered::Tokens(Snapshot::new(candidates)),
        }
    }

    /// The share of what entered that is still there, in the weights that it had.
    pub(crate) fn share(&self, candidates: &mut Candidates<'_>) -> f64 {
        match self {
            Entered::Mass(mass) => candidates.mass() as f64 / *mass as f64,
            Entered::Tokens(entered) => entered.share(candidates),
        }
    }
}

impl KeptMass {
    /// For this chain.
    pub(crate) fn of(chain: &Chain) -> KeptMass {
        KeptMass { weights_stay: chain.weights_stay(), entered: None }
    }

    /// The final set's share; 1 when nothing truncated.
    pub(crate) fn share(&self, candidates: &mut Candidates<'_>) -> f64 {
        self.entered.as_ref().map_or(1.0, |entered| entered.share(candidates))
    }
}

impl Observer for KeptMass {
    fn before(&mut self, stage: &dyn Stage, candidates: &mut Candidates<'_>, _: &Context<'_>) {
        if self.entered.is_none() && stage.kind() == Kind::Truncates {
            self.entered = Some(Entered::new(self.weights_stay, candidates));
        }
    }
}
