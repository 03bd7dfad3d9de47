//! What stages do to a candidate set: write logits, remove tokens, cut by rank or by weight.

use super::{Candidate, Candidates};
use crate::error::{Error, Result};
use crate::kernel::Target;
use crate::names::StageName;

/// Writing logits; each result is computed in f64 and rounded once.
impl Candidates<'_> {
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
            let Some(logit) = place.and_then(|place| self.scratch.logits.get_mut(place)) else {
                continue;
            };
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
}

/// Cutting the set down.
impl Candidates<'_> {
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
}
