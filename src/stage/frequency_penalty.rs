//! Frequency penalty: lowers a logit once for each time that its token was output.
//!
//! **Definition.** l' = l - c f, with c the number of times that the token stands among the output tokens of the window
//! (the last `penalty_last_n` of prompt and output); computed in f64, rounded once.
//!
//! **Parameters.** `frequency_penalty`: f, finite f64; default and off value 0; below 0 it rewards repetition.
//!
//! **Boundary and ties.** The prompt is not counted. Logits that leave f32's range are an error.
//!
//! **Draws.** None.
//!
//! **Cost.** A copy of the row, and one step a distinct token.
//!
//! **Threshold.** None.
//!
//! **Reference.** The `frequency_penalty` of OpenAI's completions interface.
//!
//! ```
//! use nucleus_sampler::{Options, Sampler};
//! let mut sampler = Sampler::new(Options { frequency_penalty: Some(0.5), ..Options::default() })?;
//! sampler.prompt(&[0])?;
//! sampler.accept(1)?;
//! sampler.accept(1)?;
//! assert_eq!(sampler.distribution(&[1.0, 1.5, 0.0])?.logits, [1.0, 0.5, 0.0]);
//! # Ok::<(), nucleus_sampler::Error>(())
//! ```

use super::{Context, Kind, Stage};
use crate::candidates::Candidates;
use crate::error::Result;
use crate::names::StageName;

/// Subtracts f for each time that a token was output.
#[derive(Clone, Debug)]
pub struct FrequencyPenalty {
    penalty: f64,
}

impl FrequencyPenalty {
    /// f, finite (0 is off).
    pub(crate) fn new(penalty: f64) -> FrequencyPenalty {
        FrequencyPenalty { penalty }
    }
}

impl Stage for FrequencyPenalty {
    fn name(&self) -> StageName {
        StageName::FrequencyPenalty
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
        candidates.write(self.name(), counts, |logit, count| {
            logit - f64::from(count.output) * self.penalty
        })?;
        Ok(())
    }
}
