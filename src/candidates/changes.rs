//! What stages do to a candidate set, part one: write logits, and remove tokens by id.

use super::{Candidate, Candidates, Cutting, Form, Scratch, Weights};
use crate::error::{Error, Result};
use crate::kernel::{self, GROUP, Maxima};
use crate::names::StageName;

/// Writing logits; each result is computed in f64 and rounded once.
impl Candidates<'_> {
    /// Begins a writing stage: a factor other than 1 is first written into every logit, f32(l * r), and becomes 1.
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

    /// Replaces the logits of the given tokens that are alive by `f` of them, computed in f64 and rounded once.
    pub fn write<T: Copy>(
        &mut self,
        stage: StageName,
        tokens: impl Iterator<Item = (u32, T)>,
        f: impl Fn(f64, T) -> f64,
    ) -> Result<()> {
        let rounded = |logit: f32, argument| f(f64::from(logit), argument) as f32;
        self.write_steps(tokens, rounded, |_, _| (0, stage))
    }

    /// Replaces the logits of the given tokens that are alive by `f` of them: several writing stages at once.
    ///
    /// Where that leaves f32's range `blame` says in which step, and of which stage. The error is the one that stages
    /// one after the other would have met: of the earliest step, the first token.
    pub(crate) fn write_steps<T: Copy>(
        &mut self,
        tokens: impl Iterator<Item = (u32, T)>,
        f: impl Fn(f32, T) -> f32,
        blame: impl Fn(f32, T) -> (usize, StageName),
    ) -> Result<()> {
        let mut tokens = tokens.peekable();
        if self.decided || tokens.peek().is_none() {
            return Ok(());
        }
        self.edit();
        let listed = self.form == Form::Listed;
        let Scratch { edited, logits, maxima, ids, .. } = &mut *self.scratch;
        let logits = if listed { logits } else { edited };
        let (best, mut max, mut lowered, mut fault) = (self.max, self.max, false, None);
        let mut step = |logit: &mut f32, id, argument| {
            let old = *logit;
            let new = if old == f32::NEG_INFINITY { old } else { f(old, argument) + 0.0 };
            if !new.is_finite() && old.is_finite() {
                let (step, stage) = blame(old, argument);
                if fault.is_none_or(|(earliest, _, _)| step < earliest) {
                    fault = Some((step, stage, id));
                }
            }
            *logit = new;
            lowered |= old == best && new < old;
            max = if new > max { new } else { max };
            (old, new)
        };
        // By for_each: the loop is then the list's own.
        if listed {
            tokens.for_each(|(id, argument)| {
                let place = ids.binary_search(&id).ok();
                if let Some(logit) = place.and_then(|place| logits.get_mut(place)) {
                    step(logit, id, argument);
                }
            });
        } else {
            tokens.for_each(|(id, argument)| {
                if let Some(logit) = logits.get_mut(id as usize) {
                    let (old, new) = step(logit, id, argument);
                    raise(logits, maxima, id as usize, old, new);
                }
            });
        }
        if let Some((_, stage, token)) = fault {
            return Err(Error::StageOverflow { stage, token });
        }
        self.max = max;
        self.written(lowered);
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
    fn written(&mut self, lowered: bool) {
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
            self.scratch.edited.clear();
            self.scratch.edited.extend_from_slice(self.given);
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

/// Keeps the maxima of a row right after the logit at a place was written.
#[inline(always)]
fn raise(logits: &[f32], maxima: &mut Maxima, place: usize, old: f32, new: f32) {
    let Some(max) = maxima.get_mut(place / GROUP).and_then(|group| group.get_mut(place % 8)) else {
        return;
    };
    // One branch, seldom taken: which of the two it was is asked inside.
    if !(new > *max || old == *max) {
        return;
    }
    if new >= *max {
        *max = new;
    } else {
        let group = logits.get(place / GROUP * GROUP..).unwrap_or_default();
        let lane = group.iter().take(GROUP).skip(place % 8).step_by(8);
        *max = lane.copied().fold(new, |max, logit| if logit > max { logit } else { max });
    }
}
