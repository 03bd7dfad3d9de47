//! Moving the logits of a candidate set away from those of another row.

use super::{Candidates, Form, Scratch, Weights};
use crate::error::{Error, Result};
use crate::kernel::{self, Factor};
use crate::math;
use crate::names::StageName;

impl Candidates<'_> {
    /// Replaces every logit c alive by lsm(u) + scale * (lsm(c) - lsm(u)), u the logit of the same token in `other`, shape
    /// `(n_vocab)`; where u is -infinity, by lsm(c). lsm(c) is the log probability among the tokens alive, lsm(u) that in
    /// the other row.
    ///
    /// Errors: `other` has another length, or holds NaN or +infinity; a result out of f32's range.
    pub(crate) fn guide(&mut self, stage: StageName, other: &[f32], scale: f64) -> Result<()> {
        let what = "unconditional";
        if other.len() != self.n_vocab() {
            return Err(Error::WrongLength { what, found: other.len(), expected: self.n_vocab() });
        }
        let max = kernel::scan(other, &mut self.scratch.merged).map_err(|index| {
            let value = other.get(index).copied().unwrap_or(f32::NAN);
            Error::SecondNotFinite { what, index, value }
        })?;
        if self.decided {
            return Ok(());
        }
        self.begin_writing(stage)?;
        let own = (f64::from(self.max), self.log_sum());
        let other_sum = (f64::from(max), self.log_sum_of(other, max));
        self.write_guided(stage, other, |logit, other| {
            let own = (logit - own.0) - own.1;
            if other == f64::NEG_INFINITY {
                return own;
            }
            let other = (other - other_sum.0) - other_sum.1;
            other + scale * (own - other)
        })
    }

    /// ln Z - 44 ln 2 of another row at temperature 1, whose highest logit is `max`; 0 where all of it is dead.
    fn log_sum_of(&mut self, row: &[f32], max: f32) -> f64 {
        if max == f32::NEG_INFINITY {
            return 0.0;
        }
        // The masses are those of another row now: weights are taken anew.
        self.weights = Weights::Unknown;
        self.scratch.cost.weighed(row.len());
        let mass = kernel::weigh(row, max, Factor::new(1.0), &mut self.scratch.masses, None);
        math::ln(mass as f64) - 44.0 * math::LN_2
    }

    /// Replaces every logit alive by `f` of it and of the other row's, computed in f64 and rounded once.
    fn write_guided(
        &mut self,
        stage: StageName,
        other: &[f32],
        f: impl Fn(f64, f64) -> f64,
    ) -> Result<()> {
        self.edit();
        let listed = self.form == Form::Listed;
        let Scratch { edited, logits, ids, .. } = &mut *self.scratch;
        let logits = if listed { logits } else { edited };
        for (place, logit) in logits.iter_mut().enumerate() {
            if *logit == f32::NEG_INFINITY {
                continue;
            }
            let id =
                if listed { ids.get(place).copied().unwrap_or(u32::MAX) } else { place as u32 };
            let second = other.get(id as usize).copied().unwrap_or(f32::NEG_INFINITY);
            *logit = f(f64::from(*logit), f64::from(second)) as f32 + 0.0;
            if !logit.is_finite() {
                return Err(Error::StageOverflow { stage, token: id });
            }
        }
        self.refresh();
        Ok(())
    }
}
