//! Epsilon cut-off: a least probability.
//!
//! **Definition.** With Z the mass alive when the stage starts: keep tokens with w >= ceil(epsilon Z), computed
//! exactly, which is p_i >= epsilon in whole weights.
//!
//! **Parameters.** `epsilon_cutoff`: epsilon, f64 in [0, 1]; default and off value 0. `min_keep`: the least number of
//! tokens to keep.
//!
//! **Boundary and ties.** A token exactly at the threshold is kept, and so is every token of the same weight. When
//! fewer than `min_keep` pass, or none at all, the first `min_keep` by rank: of equal best tokens, too, the lower id.
//! Tokens of weight 0 go at any epsilon above 0.
//!
//! **Draws.** None.
//!
//! **Cost.** One pass of exponentials, and those of the tokens near the threshold.
//!
//! **Threshold.** The least probability that stays, epsilon.
//!
//! **Reference.** Hewitt, Manning and Liang, *Truncation sampling as language model desmoothing* (2022).
//!
//! ```
//! use nucleus_sampler::{Options, Sampler};
//! let logits = [0.5f32.ln(), 0.3f32.ln(), 0.2f32.ln()];
//! let mut sampler = Sampler::new(Options { epsilon_cutoff: Some(0.25), ..Options::default() })?;
//! assert_eq!(sampler.distribution(&logits)?.token_ids, [0, 1]);
//! # Ok::<(), nucleus_sampler::Error>(())
//! ```

use std::sync::Arc;

use super::{Context, Kind, Stage, halfway};
use crate::candidates::Candidates;
use crate::error::Result;
use crate::math::ceil_share;
use crate::names::StageName;

/// Keeps tokens of at least a probability.
#[derive(Clone, Debug)]
pub struct EpsilonCutoff {
    epsilon: f64,
    min_keep: usize,
}

impl EpsilonCutoff {
    /// epsilon in [0, 1] (0 is off), and the least number of tokens to keep.
    pub(crate) fn new(epsilon: f64, min_keep: usize) -> EpsilonCutoff {
        EpsilonCutoff { epsilon, min_keep }
    }
}

impl Stage for EpsilonCutoff {
    fn name(&self) -> StageName {
        StageName::EpsilonCutoff
    }

    fn kind(&self) -> Kind {
        Kind::Truncates
    }

    fn is_active(&self) -> bool {
        self.epsilon > 0.0
    }

    fn keeps_best(&self) -> bool {
        true
    }

    fn relaxed(&self, steps: u32) -> Option<Arc<dyn Stage>> {
        Some(Arc::new(EpsilonCutoff { epsilon: halfway(self.epsilon, 0.0, steps), ..self.clone() }))
    }

    fn apply(&self, candidates: &mut Candidates<'_>, _: &Context<'_>) -> Result<()> {
        let least = ceil_share(self.epsilon, candidates.mass());
        candidates.keep_weighing(least, self.min_keep);
        Ok(())
    }

    fn threshold(&self, candidates: &mut Candidates<'_>, _: &Context<'_>) -> Option<f64> {
        let mass = candidates.mass();
        Some(ceil_share(self.epsilon, mass) as f64 / mass as f64)
    }
}
