//! Surprise: what terminal stages cut and write by, and what they learn of a draw.
//!
//! The surprise of a token is -log2(w / Z), in bits, computed in f64.

use super::{Candidates, Form, MAX_WEIGHT, Scratch};
use crate::error::{Error, Result};
use crate::kernel::{self, Factor, threshold_of_count, weight};
use crate::math;
use crate::names::StageName;
use crate::rank;

impl Candidates<'_> {
    /// Keeps tokens whose surprise is at most `mu`; the first `min_keep` by rank when those would be fewer.
    pub fn keep_unsurprising(&mut self, mu: f64, min_keep: usize) {
        let least = least_weight(mu, self.mass());
        match least > MAX_WEIGHT {
            true => self.keep_top(min_keep),
            false => self.keep_weighing(least, min_keep),
        }
    }

    /// The best `n` > 0 logits alive, or all when there are fewer; highest first.
    pub(crate) fn best_logits(&mut self, n: usize) -> impl Iterator<Item = f32> + '_ {
        self.settle();
        let listed = self.form == Form::Listed;
        let Scratch { edited, logits, maxima, merged, listed: gathered, best, .. } =
            &mut *self.scratch;
        if !listed {
            let row = self.form.dense(self.given, edited);
            let threshold = threshold_of_count(maxima, n, merged).max(f32::MIN);
            kernel::gather(row, maxima, threshold, usize::MAX, gathered);
        }
        let logits = if listed { logits } else { &gathered.logits };
        best.clear();
        best.extend(logits.iter().map(|logit| rank::entry(*logit, 0)));
        if rank::select(best, n).is_some() {
            best.truncate(n);
        }
        rank::sort(best);
        best.iter().map(|entry| rank::logit_of(*entry))
    }

    /// Replaces every logit alive by `f` of its token's probability w / Z, computed in f64 and rounded once; leaving f32's
    /// range is an error. Surprises are measured from now on in what was there before.
    pub fn write_by_probability(&mut self, stage: StageName, f: impl Fn(f64) -> f64) -> Result<()> {
        if self.decided {
            return Ok(());
        }
        self.edit();
        self.ensure_weights();
        let mass = self.mass();
        let listed = self.form == Form::Listed;
        let Scratch { edited, logits, exps, before, .. } = &mut *self.scratch;
        core::mem::swap(exps, before);
        let logits = if listed { logits } else { edited };
        let mut overflow = None;
        for (place, (logit, e)) in logits.iter_mut().zip(before).enumerate() {
            if *logit != f32::NEG_INFINITY {
                *logit = f(weight(*e) as f64 / mass as f64) as f32 + 0.0;
                if !logit.is_finite() {
                    overflow = overflow.or(Some(place));
                }
            }
        }
        if let Some(place) = overflow {
            return Err(Error::StageOverflow { stage, token: self.id(place) });
        }
        self.mass_before = Some(mass);
        self.refresh();
        Ok(())
    }

    /// The surprise of a token alive: among what is kept; where logits were written by probability, in what was there
    /// before.
    pub(crate) fn surprise(&mut self, id: u32) -> f64 {
        if let Some(mass) = self.mass_before {
            let e = self.place(id).and_then(|place| self.scratch.before.get(place));
            return surprise(e.map_or(0, |e| weight(*e)), mass);
        }
        let mass = self.mass();
        let logit = self.logit(id).unwrap_or(f32::NEG_INFINITY);
        surprise(kernel::weight_of(logit, self.max, Factor::new(self.factor)), mass)
    }
}

/// -log2(weight / mass), and 0 rather than -0 where that is certain.
fn surprise(weight: u64, mass: u64) -> f64 {
    0.0 - math::log2(weight as f64 / mass as f64)
}

/// The least weight whose surprise is at most `mu`, from 1 on; 2^44 + 1 when that of 2^44 is more.
///
/// Two neighbouring weights differ by more than 8e-14 bits, log2 errs by less than 1e-14: surprises fall strictly as
/// weights rise, and comparing integers decides what comparing surprises would.
fn least_weight(mu: f64, mass: u64) -> u64 {
    let (mut low, mut high) = (1, MAX_WEIGHT + 1);
    while low < high {
        let middle = low + (high - low) / 2;
        if surprise(middle, mass) <= mu {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}
