//! The set of tokens still alive, with their logits and weights.
//!
//! Three forms, from cheap to general, all in ascending order of token id:
//!
//! - *given*: the caller's row, untouched; -infinity marks the dead;
//! - *edited*: a copy of the row that stages write and remove in;
//! - *listed*: the survivors alone, with their ids, once a stage has cut the set down.
//!
//! A cut by rank over a dense form may stay *pending*: the set is then what ranks at or above the cut, and is listed
//! only when a later stage asks for more than its draw. Weights are taken lazily and kept until the highest logit, the
//! factor or a logit changes, so the highest weight is always 2^44 and the mass of a non-empty set is never 0.
//!
//! Invariants: logits alive are finite; `n_alive` counts them; a pending cut names a token alive.

mod changes;
mod forms;

use crate::error::{Error, Result};
use crate::kernel::{self, Prefix, Selector, entropy_sums, weight};
use crate::math;

/// The largest vocabulary: 2^19 weights of 2^44 fill an unsigned 64-bit sum.
pub const MAX_VOCAB: usize = 1 << 19;

/// The weight of a token that has the highest logit alive: 2^44.
pub const MAX_WEIGHT: u64 = 1 << 44;

/// Memory that calls reuse, so that a steady state allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    logits: Vec<f32>,
    ids: Vec<u32>,
    exps: Vec<f32>,
    block_max: Vec<f32>,
    block_mass: Vec<u64>,
    selector: Selector,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Given,
    Edited,
    Listed,
}

/// Tokens alive during one pass through a chain.
#[derive(Debug)]
pub struct Candidates<'a> {
    given: &'a [f32],
    scratch: &'a mut Scratch,
    form: Form,
    n_alive: usize,
    max: f32,
    factor: f64,
    /// The mass of all places, when the weights in `scratch` are valid.
    weighed: Option<u64>,
    pending: Option<Prefix>,
    decided: bool,
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
    /// The weight, an integer in [0, 2^44]; needs [`Candidates::mass`] to have been asked for.
    pub fn weight(&self) -> u64 {
        weight(self.exp)
    }
}

impl<'a> Candidates<'a> {
    /// The candidates of a row of logits, shape `(n_vocab)`: everything that is not -infinity.
    ///
    /// Errors: empty; more than 524,288 logits; NaN or +infinity (naming the lowest place); nothing but -infinity.
    pub fn new(given: &'a [f32], scratch: &'a mut Scratch) -> Result<Candidates<'a>> {
        if given.is_empty() {
            return Err(Error::Empty { what: "logits".into() });
        }
        if given.len() > MAX_VOCAB {
            return Err(Error::TooLarge {
                what: "the vocabulary",
                found: given.len() as u64,
                limit: MAX_VOCAB as u64,
            });
        }
        let scan = kernel::scan(given, &mut scratch.block_max).map_err(|index| {
            Error::NotFinite { index, value: given.get(index).copied().unwrap_or(f32::NAN) }
        })?;
        let n_alive = given.len() - scan.n_dead;
        if n_alive == 0 {
            return Err(Error::NothingLeft { stage: None });
        }
        Ok(Candidates {
            given,
            scratch,
            form: Form::Given,
            n_alive,
            max: scan.max,
            factor: 1.0,
            weighed: None,
            pending: None,
            decided: false,
        })
    }

    /// The size of the vocabulary.
    pub fn n_vocab(&self) -> usize {
        self.given.len()
    }

    /// How many tokens are alive.
    pub fn n_alive(&self) -> usize {
        self.pending.map_or(self.n_alive, |prefix| prefix.n)
    }

    /// The highest logit alive; -infinity when none is.
    pub fn max(&self) -> f32 {
        self.max
    }

    /// The temperature factor in force: r, in [1e-30, 3e38].
    pub fn factor(&self) -> f64 {
        self.factor
    }

    /// Multiplies the factor by `by`; rank does not change, weights are taken anew.
    pub fn multiply_factor(&mut self, by: f64) {
        let factor = (self.factor * by).clamp(1e-30, 3e38);
        if factor != self.factor {
            self.settle();
            self.factor = factor;
            self.weighed = None;
        }
    }

    /// The mass alive: the sum of the weights, at least 2^44 while any token is alive.
    pub fn mass(&mut self) -> u64 {
        match self.pending {
            Some(prefix) => prefix.mass,
            None => self.weigh(),
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
        self.ensure_weights();
        let mass = self.mass();
        let sum = entropy_sums(self.alive().map(|c| (c.id, c.logit, c.exp)), self.max);
        (self.log_sum() - self.factor * sum / mass as f64).max(0.0)
    }

    /// The tokens alive, in ascending order of id.
    pub fn alive(&self) -> impl Iterator<Item = Candidate> + Clone + '_ {
        self.alive_from(0)
    }

    fn alive_from(&self, first: usize) -> impl Iterator<Item = Candidate> + Clone + '_ {
        let pending = self.pending;
        self.places(first)
            .filter(move |(place, logit, _)| {
                *logit != f32::NEG_INFINITY
                    && pending.is_none_or(|prefix| prefix.cut.keeps(*logit, *place))
            })
            .map(move |(place, logit, exp)| Candidate { id: self.id(place), logit, exp })
    }

    /// The current logit of a token, if it is alive.
    pub fn logit(&self, id: u32) -> Option<f32> {
        let place = self.place(id)?;
        let logit = self.logits().get(place).copied()?;
        let kept = self.pending.is_none_or(|prefix| prefix.cut.keeps(logit, place));
        (kept && logit != f32::NEG_INFINITY).then_some(logit)
    }

    /// The token in whose interval `target` falls when the tokens alive are laid out in ascending id, each as long as
    /// its weight; `target` is below [`mass`](Candidates::mass).
    pub fn token_at(&mut self, target: u64) -> u32 {
        self.ensure_weights();
        let mut below = target;
        let mut first = 0;
        if self.pending.is_none() && self.form != Form::Listed {
            for mass in &self.scratch.block_mass {
                if below < *mass {
                    break;
                }
                below -= mass;
                first += kernel::BLOCK;
            }
        }
        for candidate in self.alive_from(first) {
            let weight = candidate.weight();
            if below < weight {
                return candidate.id;
            }
            below -= weight;
        }
        // Not reached while `target` is below the mass; the last token is then the nearest answer.
        self.alive().last().map_or(0, |candidate| candidate.id)
    }

    /// Takes the weights if they are not there, so that candidates carry them.
    pub fn ensure_weights(&mut self) {
        if self.pending.is_none() {
            self.weigh();
        }
    }
}
