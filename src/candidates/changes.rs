//! Writing the logits of all tokens alive, and removing tokens by id.

use super::writing::raise;
use super::{Candidate, Candidates, Cutting, Form, Scratch, Weights};
use crate::error::{Error, Result};
use crate::kernel;
use crate::names::StageName;

/// Writing logits; each result is computed in f64 and rounded once.
impl Candidates<'_> {
    /// Begins a writing stage: a factor other than 1 is first written into every logit, f32(l * r), and becomes 1.
    ///
    /// Errors: a product out of f32's range, blamed on `stage`.
    pub fn begin_writing(&mut self, stage: StageName) -> Result<()> {
        if self.decided || self.factor == 1.0 {
            return Ok(());
        }
        let factor = self.factor;
        self.settle();
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
        for (place, logit) in self.own().iter_mut().enumerate() {
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

    /// Removes the token at a place; true when the set's maximum may have been lowered.
    fn kill(&mut self, place: usize) -> bool {
        let listed = self.form == Form::Listed;
        let Scratch { edited, logits, maxima, .. } = &mut *self.scratch;
        let logits = if listed { logits } else { edited };
        let Some(logit) = logits.get_mut(place) else { return false };
        let old = core::mem::replace(logit, f32::NEG_INFINITY);
        if !listed {
            raise(logits, maxima, place, old, f32::NEG_INFINITY);
        }
        old == self.max && old != f32::NEG_INFINITY
    }

    /// After single logits were written.
    pub(super) fn written(&mut self, lowered: bool) {
        self.weights = Weights::Unknown;
        if lowered {
            let Scratch { logits, maxima, .. } = &*self.scratch;
            self.max = match self.form {
                Form::Listed => logits.iter().copied().fold(f32::NEG_INFINITY, f32::max),
                _ => kernel::highest(maxima),
            };
        }
    }

    /// The logits that are written in: the copy or the list.
    #[inline]
    fn own(&mut self) -> &mut Vec<f32> {
        match self.form {
            Form::Listed => &mut self.scratch.logits,
            _ => &mut self.scratch.edited,
        }
    }

    /// Copies the given row, so that it can be written to.
    #[inline]
    pub(super) fn edit(&mut self) {
        self.settle();
        if self.form == Form::Given {
            kernel::copy(self.given, &mut self.scratch.edited);
            self.form = Form::Edited;
        }
    }

    /// Finds maxima anew after many logits were written.
    pub(super) fn refresh(&mut self) {
        let Scratch { edited, logits, maxima, .. } = &mut *self.scratch;
        let logits = if self.form == Form::Listed { logits } else { edited };
        // Written logits are finite or -infinity, so the scan finds nothing wrong.
        self.max = kernel::scan(logits, maxima).unwrap_or(f32::NEG_INFINITY);
        self.weights = Weights::Unknown;
    }
}

/// Removing tokens by id.
impl Candidates<'_> {
    /// Removes the given tokens.
    pub fn remove(&mut self, tokens: impl Iterator<Item = u32>) {
        let mut tokens = tokens.peekable();
        if tokens.peek().is_none() {
            return;
        }
        self.edit();
        let mut lowered = false;
        for id in tokens {
            let Some(place) = self.place(id) else { continue };
            lowered |= self.kill(place);
        }
        self.written(lowered);
        if self.form == Form::Listed {
            self.list(|_, _| true);
        }
    }

    /// Keeps the tokens for which `keep` holds.
    pub fn retain(&mut self, keep: impl Fn(Candidate) -> bool) {
        self.settle();
        self.list(|candidate, _| keep(candidate));
    }

    /// Keeps only the given tokens, in ascending order of id.
    pub fn keep_only(&mut self, tokens: &[u32]) {
        self.settle();
        let mut listed = core::mem::take(&mut self.scratch.listed);
        listed.clear();
        let alive = tokens.iter().filter_map(|id| self.candidate(self.place(*id)?));
        for candidate in alive {
            listed.places.push(candidate.id);
            listed.logits.push(candidate.logit);
        }
        let max = listed.logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        self.scratch.listed = listed;
        self.adopt_gathered();
        self.max = max;
    }

    /// Keeps the first by rank, for good: later writes change nothing.
    #[inline]
    pub fn decide(&mut self) {
        if !self.is_empty() {
            self.settle_if_pending();
            self.keep_first();
        }
        self.decided = true;
    }

    /// An open nucleus always holds the first by rank, so it need not be looked for.
    #[inline]
    fn settle_if_pending(&mut self) {
        match self.cutting {
            Cutting::Open { .. } => self.cutting = Cutting::Done,
            _ => self.settle(),
        }
    }
}
