//! Repetition penalty: makes tokens of the history less likely, whatever the sign of their logit.
//!
//! **Definition.** For every distinct token of the window (the last `penalty_last_n` of prompt and output):
//! l' = l / r where l > 0, else l r; computed in f64, rounded once.
//!
//! **Parameters.** `repetition_penalty`: r, f64 above 0; default and off value 1; below 1 it rewards repetition.
//!
//! **Boundary and ties.** A logit of 0 stays 0. Not invariant to a shift of all logits: what a model adds to every logit
//! changes what this stage does. Logits that leave f32's range are an error.
//!
//! **Draws.** None.
//!
//! **Cost.** A copy of the row, and one step a distinct token.
//!
//! **Threshold.** None.
//!
//! **Reference.** Keskar et al., *CTRL: a conditional transformer language model for controllable generation* (2019),
//! with the sign handled so that a penalty never rewards.
//!
//! ```
//! use nucleus_sampler::{Options, Sampler};
//! let mut sampler = Sampler::new(Options { repetition_penalty: Some(2.0), ..Options::default() })?;
//! sampler.prompt(&[0])?;
//! sampler.accept(1)?;
//! assert_eq!(sampler.distribution(&[-1.0, 1.0, 0.75])?.logits, [0.75, 0.5, -2.0]);
//! # Ok::<(), nucleus_sampler::Error>(())
//! ```

use super::{Context, Kind, Stage};
use crate::candidates::Candidates;
use crate::error::Result;
use crate::names::StageName;

/// Divides positive and multiplies negative logits of tokens in the window by r.
#[derive(Clone, Debug)]
pub struct RepetitionPenalty {
    penalty: f64,
}

impl RepetitionPenalty {
    /// r, above 0 (1 is off).
    pub(crate) fn new(penalty: f64) -> RepetitionPenalty {
        RepetitionPenalty { penalty }
    }
}

impl Stage for RepetitionPenalty {
    fn name(&self) -> StageName {
        StageName::RepetitionPenalty
    }

    fn kind(&self) -> Kind {
        Kind::Writes
    }

    fn is_active(&self) -> bool {
        self.penalty != 1.0
    }

    fn apply(&self, candidates: &mut Candidates<'_>, context: &Context<'_>) -> Result<()> {
        candidates.begin_writing(self.name())?;
        candidates.write(self.name(), context.history.counts(), |logit, _| {
            if logit > 0.0 { logit / self.penalty } else { logit * self.penalty }
        })?;
        Ok(())
    }
}
