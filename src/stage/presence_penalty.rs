//! Presence penalty: lowers a logit once if its token was output.
//!
//! **Definition.** l' = l - q for every token that stands among the output tokens of the window (the last
//! `penalty_last_n` of prompt and output); computed in f64, rounded once.
//!
//! **Parameters.** `presence_penalty`: q, finite f64; default and off value 0; below 0 it rewards repetition.
//!
//! **Boundary and ties.** The prompt is not counted. Logits that leave f32's range are an error.
//!
//! **Draws.** None.
//!
//! **Cost.** A copy of the row, and one step a distinct token.
//!
//! **Threshold.** None.
//!
//! **Reference.** The `presence_penalty` of OpenAI's completions interface.
//!
//! ```
//! use nucleus_sampler::{Options, Sampler};
//! let mut sampler = Sampler::new(Options { presence_penalty: Some(0.5), ..Options::default() })?;
//! sampler.accept(1)?;
//! sampler.accept(1)?;
//! assert_eq!(sampler.distribution(&[1.25, 1.5, 0.0])?.logits, [1.25, 1.0, 0.0]);
//! # Ok::<(), nucleus_sampler::Error>(())
//! ```

use super::{Context, Kind, Stage};
use crate::candidates::Candidates;
use crate::error::Result;
use crate::names::StageName;

/// Subtracts q once from the logit of every token that was output.
#[derive(Clone, Debug)]
pub struct PresencePenalty {
    penalty: f64,
}

impl PresencePenalty {
    /// q, finite (0 is off).
    pub(crate) fn new(penalty: f64) -> PresencePenalty {
        PresencePenalty { penalty }
    }
}

impl Stage for PresencePenalty {
    fn name(&self) -> StageName {
        StageName::PresencePenalty
    }

    fn kind(&self) -> Kind {
        Kind::Writes
    }

    fn is_active(&self) -> bool {
        self.penalty != 0.0
    }

    fn apply(&self, candidates: &mut Candidates<'_>, context: &Context<'_>) -> Result<()> {
        candidates.begin_writing(self.name())?;
        let counts = context.history.counts().filter(|(_, count)| count.output > 0);
        candidates.write(self.name(), counts, |logit, _| logit - self.penalty)?;
        Ok(())
    }
}
