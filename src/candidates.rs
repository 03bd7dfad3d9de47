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

mod forms;

use crate::error::{Error, Result};
use crate::kernel::{self, Prefix, Selector, Target, entropy_sums, weight};
use crate::math;
use crate::names::StageName;

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
            return Err(Error::Empty { what: "logits" });
        }
        if given.len() > MAX_VOCAB {
            return Err(Error::TooLarge {
                what: "the vocabulary",
                found: given.len() as u64,
                limit: MAX_VOCAB as u64,
            });
        }
        let scan = kernel::scan(given, &mut scratch.block_max).map_err(|index| Error::NotFinite {
            index,
            value: given.get(index).copied().unwrap_or(f32::NAN),
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

    /// Begins a writing stage: a factor other than 1 is first written into every logit, f32(l * r), and becomes 1.
    pub fn begin_writing(&mut self, stage: StageName) -> Result<()> {
        if self.decided || self.factor == 1.0 {
            return Ok(());
        }
        let factor = self.factor;
        self.factor = 1.0;
        self.write_all(stage, |logit| logit * factor)
    }

    /// Replaces every logit alive by `f` of it, computed in f64 and rounded once; leaving f32's range is an error.
    pub fn write_all(&mut self, stage: StageName, f: impl Fn(f64) -> f64) -> Result<()> {
        if self.decided {
            return Ok(());
        }
        self.edit();
        let mut overflow = None;
        for (place, logit) in self.scratch.logits.iter_mut().enumerate() {
            if *logit != f32::NEG_INFINITY {
                *logit = f(f64::from(*logit)) as f32 + 0.0;
                if !logit.is_finite() {
                    overflow = overflow.or(Some(place));
                }
            }
        }
        if let Some(place) = overflow {
            return Err(Error::StageOverflow { stage, token: self.id(place) });
        }
        self.refresh();
        Ok(())
    }

    /// Replaces the logits of the given tokens that are alive by `f` of them, computed in f64 and rounded once.
    pub fn write<T>(
        &mut self,
        stage: StageName,
        tokens: impl Iterator<Item = (u32, T)>,
        f: impl Fn(f64, T) -> f64,
    ) -> Result<()> {
        if self.decided {
            return Ok(());
        }
        self.edit();
        for (id, argument) in tokens {
            let place = self.place(id);
            let Some(logit) = place.and_then(|place| self.scratch.logits.get_mut(place)) else { continue };
            if *logit != f32::NEG_INFINITY {
                *logit = f(f64::from(*logit), argument) as f32 + 0.0;
                if !logit.is_finite() {
                    return Err(Error::StageOverflow { stage, token: id });
                }
            }
        }
        self.refresh();
        Ok(())
    }

    /// Removes the given tokens.
    pub fn remove(&mut self, tokens: impl Iterator<Item = u32>) {
        self.edit();
        for id in tokens {
            let place = self.place(id);
            if let Some(logit) = place.and_then(|place| self.scratch.logits.get_mut(place)) {
                *logit = f32::NEG_INFINITY;
            }
        }
        self.refresh();
    }

    /// Keeps the tokens for which `keep` holds.
    pub fn retain(&mut self, keep: impl Fn(Candidate) -> bool) {
        self.settle();
        self.list(|candidate, _| keep(candidate));
    }

    /// Keeps the first by rank, for good: later writes change nothing.
    pub fn decide(&mut self) {
        self.keep_prefix(Target { mass: 0, n: 1 });
        self.decided = true;
    }

    /// Keeps the `n` first by rank; everything when there are no more.
    pub fn keep_top(&mut self, n: usize) {
        self.keep_prefix(Target { mass: 0, n });
    }

    /// Keeps the shortest prefix by rank whose mass is at least `mass`, and at least `min_keep` tokens.
    pub fn keep_mass(&mut self, mass: u64, min_keep: usize) {
        self.ensure_weights();
        self.keep_prefix(Target { mass, n: min_keep });
    }

    /// Keeps tokens whose weight is at least `least`; the first `min_keep` by rank when those would be fewer.
    pub fn keep_weight(&mut self, least: u64, min_keep: usize) {
        self.ensure_weights();
        self.settle();
        let n = self.alive().filter(|candidate| candidate.weight() >= least).count();
        if n < min_keep.min(self.n_alive) {
            self.keep_top(min_keep);
        } else if n < self.n_alive {
            self.list(|candidate, _| candidate.weight() >= least);
        }
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
