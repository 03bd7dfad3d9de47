//! Eta cut-off: a least probability that falls as the entropy grows.
//!
//! **Definition.** With H the entropy in nats and Z the mass alive when the stage starts, t = min(eta, sqrt(eta) e^-H)
//! in f64: keep tokens with w >= ceil(t Z), computed exactly, which is p_i >= t in whole weights.
//!
//! **Parameters.** `eta_cutoff`: eta, f64 in [0, 1]; default and off value 0. `min_keep`: the least number of tokens to
//! keep.
//!
//! **Boundary and ties.** A token exactly at the threshold is kept, and so is every token of the same weight. When
//! fewer than `min_keep` pass, or none at all, the first `min_keep` by rank. Tokens of weight 0 go at any eta above 0.
//!
//! **Draws.** None.
//!
//! **Cost.** One pass of exponentials, one for the entropy, and the tokens near the threshold.
//!
//! **Threshold.** The least probability that stays, t.
//!
//! **Reference.** Hewitt, Manning and Liang, *Truncation sampling as language model desmoothing* (2022).
//!
//! ```
//! use nucleus_sampler::{Options, Sampler};
//! let logits = [0.5f32.ln(), 0.3f32.ln(), 0.2f32.ln()];
//! let mut sampler = Sampler::new(Options { eta_cutoff: Some(0.4), ..Options::default() })?;
//! assert_eq!(sampler.distribution(&logits)?.token_ids, [0, 1]);
//! # Ok::<(), nucleus_sampler::Error>(())
//! ```

use std::sync::Arc;

use super::{Context, Kind, Stage, halfway};
use crate::candidates::Candidates;
use crate::error::Result;
use crate::math::{ceil_share, exp};
use crate::names::StageName;

/// Keeps tokens of at least a probability that falls with the entropy.
#[derive(Clone, Debug)]
pub struct EtaCutoff {
    eta: f64,
    min_keep: usize,
}

impl EtaCutoff {
    /// eta in [0, 1] (0 is off), and the least number of tokens to keep.
    pub(crate) fn new(eta: f64, min_keep: usize) -> EtaCutoff {
        EtaCutoff { eta, min_keep }
    }

    /// The least weight that stays.
    fn least(&self, candidates: &mut Candidates<'_>) -> u64 {
        let falling = self.eta.sqrt() * exp(-candidates.entropy());
        ceil_share(self.eta.min(falling), candidates.mass())
    }
}

impl Stage for EtaCutoff {
    fn name(&self) -> StageName {
        StageName::EtaCutoff
    }

    fn kind(&self) -> Kind {
        Kind::Truncates
    }

    fn is_active(&self) -> bool {
        self.eta > 0.0
    }

    fn keeps_best(&self) -> bool {
        true
    }

    fn relaxed(&self, steps: u32) -> Option<Arc<dyn Stage>> {
        Some(Arc::new(EtaCutoff { eta: halfway(self.eta, 0.0, steps), ..self.clone() }))
    }

    fn apply(&self, candidates: &mut Candidates<'_>, _: &Context<'_>) -> Result<()> {
        let least = self.least(candidates);
        candidates.keep_weighing(least, self.min_keep);
        Ok(())
    }

    fn threshold(&self, candidates: &mut Candidates<'_>, _: &Context<'_>) -> Option<f64> {
        Some(self.least(candidates) as f64 / candidates.mass() as f64)
    }
}
