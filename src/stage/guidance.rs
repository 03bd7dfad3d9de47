//! Guidance: moves the logits away from those of a second row, that of the same text without its prompt.
//!
//! **Definition.** l' = lsm(u) + s (lsm(c) - lsm(u)), with c the current logit, u that of the same token in the second
//! row, and lsm the log probability: of c among the tokens alive, of u in the second row, which knows no mask. Both are
//! (l - l_max) - (ln Z - 44 ln 2), Z the row's mass; computed in f64, rounded once.
//!
//! **Parameters.** `guidance_scale`: s, finite f64; default and off value 1. Above 1 the prompt counts for more, 0 is the
//! second row, below 0 its opposite. The second row is [`Input::unconditional`](crate::Input::unconditional), shape
//! `(n_vocab)`, raw logits.
//!
//! **Boundary and ties.** A dead token stays dead; one that is -infinity only in the second row gets lsm(c). A second row
//! that is missing, has another length, or holds NaN or +infinity is an error; while the scale is 1 none is looked at.
//! Logits that leave f32's range are an error.
//!
//! **Draws.** None.
//!
//! **Cost.** One pass of exponentials over each row, and one that writes.
//!
//! **Threshold.** None.
//!
//! **Reference.** Sanchez et al., *Stay on topic with classifier-free guidance* (2023).
//!
//! ```
//! use nucleus_sampler::{Input, Options, Sampler};
//! let mut sampler = Sampler::new(Options { guidance_scale: Some(2.0), ..Options::default() })?;
//! let input = Input { unconditional: Some(&[0.0, 1.0]), ..Input::from(&[1.0, 1.0]) };
//! // What the prompt does not change loses to what it makes likelier.
//! assert_eq!(sampler.distribution(input)?.token_ids, [0, 1]);
//! # Ok::<(), nucleus_sampler::Error>(())
//! ```

use super::{Context, Kind, Stage};
use crate::candidates::Candidates;
use crate::error::{Error, Result};
use crate::names::StageName;

/// Moves logits away from those of the second row.
#[derive(Clone, Debug)]
pub struct Guidance {
    scale: f64,
}

impl Guidance {
    /// s, finite (1 is off).
    pub(crate) fn new(scale: f64) -> Guidance {
        Guidance { scale }
    }
}

impl Stage for Guidance {
    fn name(&self) -> StageName {
        StageName::Guidance
    }

    fn kind(&self) -> Kind {
        Kind::Writes
    }

    fn is_active(&self) -> bool {
        self.scale != 1.0
    }

    fn apply(&self, candidates: &mut Candidates<'_>, context: &Context<'_>) -> Result<()> {
        let Some(unconditional) = context.unconditional else {
            return Err(Error::WrongType {
                option: "unconditional".into(),
                found: "missing",
                accepted: "the second row of logits, which guidance needs".into(),
            });
        };
        candidates.guide(self.name(), unconditional, self.scale)
    }
}
