//! Typical-p, locally typical sampling: the tokens whose surprise is nearest to the expected one.
//!
//! **Definition.** With s_i = -ln p_i the surprise and H the entropy, order the tokens by the deviation |H - s_i|, the
//! smallest first. With Z the mass alive when the stage starts and t = ceil(p Z), computed exactly: keep the shortest
//! prefix of that order whose mass is at least t.
//!
//! **Parameters.** `typical_p`: p, f64 in [0, 1]; default and off value 1. `min_keep`: the least number of tokens to
//! keep.
//!
//! **Boundary and ties.** The token that reaches p is kept. Deviations are f64, from log probabilities; equal ones are
//! decided by rank: for the higher logit, then for the lower id. What `min_keep` adds comes by deviation too, so the
//! best token may go. p = 0 keeps `min_keep` tokens. p = 1 keeps everything alive; tokens of weight 0 are the furthest
//! off, and any p that the others reach drops them.
//!
//! **Draws.** None.
//!
//! **Cost.** The exponentials, one pass for the entropy and three over the deviations; no sort.
//!
//! **Threshold.** The largest deviation that stays, in nats.
//!
//! **Reference.** Meister, Pimentel, Wiher and Cotterell, *Locally typical sampling* (2023).
//!
//! ```
//! use nucleus_sampler::{Options, Sampler};
//! let logits = [0.4f32.ln(), 0.2f32.ln(), 0.2f32.ln(), 0.2f32.ln()];
//! let mut sampler = Sampler::new(Options { typical_p: Some(0.5), ..Options::default() })?;
//! assert_eq!(sampler.distribution(&logits)?.token_ids, [1, 2, 3]);
//! # Ok::<(), nucleus_sampler::Error>(())
//! ```

use std::sync::Arc;

use super::{Context, Kind, Stage, halfway};
use crate::candidates::Candidates;
use crate::error::Result;
use crate::names::StageName;

/// Keeps the tokens nearest to the entropy until they hold p.
#[derive(Clone, Debug)]
pub struct TypicalP {
    p: f64,
    min_keep: usize,
}

impl TypicalP {
    /// p in [0, 1] (1 is off), and the least number of tokens to keep.
    pub(crate) fn new(p: f64, min_keep: usize) -> TypicalP {
        TypicalP { p, min_keep }
    }
}

impl Stage for TypicalP {
    fn name(&self) -> StageName {
        StageName::TypicalP
    }

    fn kind(&self) -> Kind {
        Kind::Truncates
    }

    fn is_active(&self) -> bool {
        self.p < 1.0
    }

    fn relaxed(&self, steps: u32) -> Option<Arc<dyn Stage>> {
        Some(Arc::new(TypicalP { p: halfway(self.p, 1.0, steps), ..self.clone() }))
    }

    fn apply(&self, candidates: &mut Candidates<'_>, _: &Context<'_>) -> Result<()> {
        candidates.keep_typical(self.p, self.min_keep);
        Ok(())
    }

    fn threshold(&self, candidates: &mut Candidates<'_>, _: &Context<'_>) -> Option<f64> {
        candidates.typical_deviation(self.p, self.min_keep)
    }
}
