//! The set of tokens still alive, with their logits and weights.
//!
//! Three forms, all in ascending order of token id:
//!
//! - *given*: the caller's row, untouched; -infinity marks the dead;
//! - *edited*: a copy of the row that stages write and remove in;
//! - *listed*: the survivors alone, with their ids, once a stage has cut the set down.
//!
//! Work is put off until something asks for its result. A nucleus may stay *open* (its share known, its end not), so that
//! a following min-p can settle both at once; a cut by rank over a dense form may stay *pending*: the set is then what
//! ranks at or above the cut. Weights are taken when first asked for and kept until the highest logit, the factor or a
//! logit changes, so the highest weight is always 2^44 and the mass of a non-empty set is never 0.
//!
//! Invariants: logits alive are finite; a list holds no dead token; `maxima` are those of a dense form's logits; a pending
//! cut names a token alive and goes with weights taken.

mod bends;
mod bounded_entropy;
mod changes;
mod cuts;
mod deviation;
mod exclude;
mod forms;
mod guided;
mod lending;
mod lookup;
mod nucleus;
mod opening;
mod ranked;
mod spread;
mod squares;
mod surprise;
mod writing;

pub use crate::kernel::Cost;
pub(crate) use crate::kernel::weight;
use crate::kernel::{BlockMasses, Listed, Maxima, Prefix, Selector};
use crate::math;
use crate::repeats::Repeats;
pub(crate) use ranked::Ranked;
pub(crate) use writing::write_raw;

/// The largest vocabulary: 2^19 weights of 2^44 fill an unsigned 64-bit sum.
pub const MAX_VOCAB: usize = 1 << 19;

/// The weight of a token that has the highest logit alive: 2^44.
pub const MAX_WEIGHT: u64 = 1 << 44;

/// Memory that calls reuse, so that a steady state allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// The copy of the row that is written in.
    edited: Vec<f32>,
    /// The logits of the list.
    logits: Vec<f32>,
    /// The ids of the list.
    ids: Vec<u32>,
    /// e of every place, where weights are stored.
    exps: Vec<f32>,
    /// e of every place before the logits were written by probability.
    before: Vec<f32>,
    /// The best logits, as entries of rank.
    best: Vec<u64>,
    maxima: Maxima,
    /// Maxima of several groups at once.
    merged: Maxima,
    masses: BlockMasses,
    listed: Listed,
    selector: Selector,
    repeats: Repeats,
    /// Tokens to be put in an order of their own: by deviation, then by rank.
    keys: Vec<(u64, u64)>,
    /// Tokens by rank, and what sorting them needs.
    entries: Vec<u64>,
    spare: Vec<u64>,
    cost: Cost,
}

impl Scratch {
    /// What was done since a row was last opened.
    pub fn cost(&self) -> Cost {
        let gathered = Cost { groups: self.listed.opened, ..Cost::default() };
        self.cost.and(self.selector.cost).and(gathered)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Given,
    Edited,
    Listed,
}

impl Form {
    /// The row of a dense form: the caller's, or the copy that was written in.
    fn dense<'r>(self, given: &'r [f32], edited: &'r [f32]) -> &'r [f32] {
        if self == Form::Given { given } else { edited }
    }
}

/// What is known of the weights; the number is the mass of all places, pending cuts aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Weights {
    /// Nothing.
    Unknown,
    /// The mass of every block of a dense form.
    Masses(u64),
    /// That, and e of every place.
    Stored(u64),
}

/// What a cut that was asked for has come to.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Cutting {
    /// Nothing outstanding.
    Done,
    /// The shortest prefix that holds `share` of the mass, and at least `min_keep` tokens: not looked for yet.
    Open { share: f64, min_keep: usize },
    /// What ranks at or above a token of a dense form.
    Pending(Prefix),
}

/// Tokens alive during one pass through a chain.
#[derive(Debug)]
pub struct Candidates<'a> {
    given: &'a [f32],
    scratch: &'a mut Scratch,
    form: Form,
    max: f32,
    factor: f64,
    weights: Weights,
    cutting: Cutting,
    decided: bool,
    /// The mass before the logits were written by probability.
    mass_before: Option<u64>,
}

/// A token alive, as stages and reports see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// Token id.
    pub id: u32,
    /// Current logit, finite.
    pub logit: f32,
    /// e^x for x = (logit - max) * factor, 0 when no weights were asked for.
    exp: f32,
}

impl Candidate {
    /// The weight, an integer in [0, 2^44]; needs [`Candidates::ensure_weights`].
    pub fn weight(&self) -> u64 {
        weight(self.exp)
    }
}

impl<'a> Candidates<'a> {
    /// The size of the vocabulary.
    #[inline]
    pub fn n_vocab(&self) -> usize {
        self.given.len()
    }

    /// Whether no token is alive.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.max == f32::NEG_INFINITY
    }

    /// How many tokens are alive.
    pub fn n_alive(&mut self) -> usize {
        self.resolve();
        match (self.cutting, self.form) {
            (Cutting::Pending(prefix), _) => prefix.n,
            (_, Form::Listed) => self.scratch.ids.len(),
            _ => self.logits().iter().filter(|logit| **logit != f32::NEG_INFINITY).count(),
        }
    }

    /// The highest logit alive; -infinity when none is.
    #[inline]
    pub fn max(&self) -> f32 {
        self.max
    }

    /// The temperature factor in force: r, in [1e-30, 3e38].
    #[inline]
    pub fn factor(&self) -> f64 {
        self.factor
    }

    /// Multiplies the factor by `by`; rank does not change, weights are taken anew.
    pub fn multiply_factor(&mut self, by: f64) {
        let factor = (self.factor * by).clamp(1e-30, 3e38);
        if factor != self.factor {
            self.settle();
            self.factor = factor;
            self.weights = Weights::Unknown;
        }
    }

    /// The mass alive: the sum of the weights, at least 2^44 while any token is alive.
    #[inline]
    pub fn mass(&mut self) -> u64 {
        self.resolve();
        match self.cutting {
            Cutting::Pending(prefix) => prefix.mass,
            _ => self.weigh(false),
        }
    }

    /// ln of the sum of e^((l - max) r) over the tokens alive: ln Z - 44 ln 2.
    pub fn log_sum(&mut self) -> f64 {
        math::ln(self.mass() as f64) - 44.0 * math::LN_2
    }

    /// The log probability of a logit among the tokens alive, in f64, never from the clamped exponent.
    pub fn logprob(&mut self, logit: f32) -> f64 {
        (f64::from(logit) - f64::from(self.max)) * self.factor - self.log_sum()
    }

    /// Entropy in nats: -sum p ln p, in 8 lanes by token id.
    pub fn entropy(&mut self) -> f64 {
        let sum = self.entropy_sum() * MAX_WEIGHT as f64;
        let mass = self.mass();
        (self.log_sum() - self.factor * sum / mass as f64).max(0.0)
    }

    /// Takes the weights if they are not there, so that candidates carry them.
    pub fn ensure_weights(&mut self) {
        self.resolve();
        self.weigh(true);
    }

    /// The tokens alive, in ascending order of id.
    pub fn alive(&mut self) -> impl Iterator<Item = Candidate> + Clone + '_ {
        self.resolve();
        self.alive_from(0)
    }

    /// The current logit of a token, if it is alive.
    pub fn logit(&mut self, id: u32) -> Option<f32> {
        self.resolve();
        let place = self.place(id)?;
        self.candidate(place).map(|candidate| candidate.logit)
    }
}
