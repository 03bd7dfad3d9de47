//! Writing the logits of single tokens, for one stage or several at once.

use super::{Candidates, Form, Scratch};
use crate::error::{Error, Result};
use crate::kernel::{GROUP, Maxima};
use crate::names::StageName;

impl Candidates<'_> {
    /// Replaces the logits of the given tokens that are alive by `f` of them, computed in f64 and rounded once.
    ///
    /// Errors: a result out of f32's range, blamed on `stage` and the first such token.
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
        let mut writing = Writing { best: self.max, max: self.max, lowered: false, fault: None };
        // By for_each: the loop is then the list's own.
        if listed {
            tokens.for_each(|(id, argument)| {
                let place = ids.binary_search(&id).ok();
                if let Some(logit) = place.and_then(|place| logits.get_mut(place)) {
                    writing.take(logit, |old| f(old, argument), |old| (blame(old, argument), id));
                }
            });
        } else {
            tokens.for_each(|(id, argument)| {
                if let Some(logit) = logits.get_mut(id as usize) {
                    let (old, new) = writing.take(
                        logit,
                        |old| f(old, argument),
                        |old| (blame(old, argument), id),
                    );
                    raise(logits, maxima, id as usize, old, new);
                }
            });
        }
        self.finish(writing)
    }

    /// Takes over what came of it.
    fn finish(&mut self, Writing { max, lowered, fault, .. }: Writing) -> Result<()> {
        if let Some(((_, stage), token)) = fault {
            return Err(Error::StageOverflow { stage, token });
        }
        self.max = max;
        self.written(lowered);
        Ok(())
    }
}

/// Replaces logits of a row that nobody has looked at yet by `f` of them, computed in f64 and rounded once; false where
/// that is no row of valid logits, or was none.
#[inline(always)]
pub(crate) fn write_raw<T: Copy>(
    logits: &mut [f32],
    tokens: impl Iterator<Item = (u32, T)>,
    f: impl Fn(f32, T) -> f32,
) -> bool {
    let mut valid = true;
    tokens.for_each(|(id, argument)| {
        if let Some(logit) = logits.get_mut(id as usize) {
            let old = *logit;
            let new = if old == f32::NEG_INFINITY { old } else { f(old, argument) + 0.0 };
            valid &= new.is_finite() | (old == f32::NEG_INFINITY);
            *logit = new;
        }
    });
    valid
}

/// What has come of writing single logits.
struct Writing {
    /// The highest logit before.
    best: f32,
    /// The highest of that and what was written.
    max: f32,
    /// Whether a token that had the highest has it no more.
    lowered: bool,
    /// The earliest step that left f32's range, with its stage and the first such token.
    fault: Option<((usize, StageName), u32)>,
}

impl Writing {
    /// Replaces a logit alive by `f` of it; returns the old and the new one.
    #[inline(always)]
    fn take(
        &mut self,
        logit: &mut f32,
        f: impl Fn(f32) -> f32,
        blame: impl Fn(f32) -> ((usize, StageName), u32),
    ) -> (f32, f32) {
        let old = *logit;
        let new = if old == f32::NEG_INFINITY { old } else { f(old) + 0.0 };
        if !new.is_finite() && old.is_finite() {
            let found = blame(old);
            if self.fault.is_none_or(|((earliest, _), _)| found.0.0 < earliest) {
                self.fault = Some(found);
            }
        }
        *logit = new;
        self.lowered |= old == self.best && new < old;
        self.max = if new > self.max { new } else { self.max };
        (old, new)
    }
}

/// Keeps the maxima of a row right after the logit at a place was written.
#[inline(always)]
pub(super) fn raise(logits: &[f32], maxima: &mut Maxima, place: usize, old: f32, new: f32) {
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
