//! Min-p: a threshold that scales with the best token's probability.
//!
//! **Definition.** Keep tokens with w >= ceil(m w_max), which is p_i >= m p_max in whole weights; w_max is 2^44.
//!
//! **Parameters.** `min_p`: f64 in [0, 1]; default and off value 0. `min_keep`: the least number of tokens to keep.
//!
//! **Boundary and ties.** A token exactly at the threshold is kept, and so is every token of the same weight. m = 1 keeps
//! the best token and those whose weight equals its own. When fewer than `min_keep` pass, the first `min_keep` by rank.
//!
//! **Draws.** None.
//!
//! **Cost.** One pass of exponentials.
//!
//! **Threshold.** The least probability that stays, m p_max in the distribution that enters.
//!
//! **Reference.** Nguyen et al., *Turning up the heat: min-p sampling for creative and coherent LLM outputs* (2024).
//!
//! ```
//! use nucleus_sampler::{Options, Sampler};
//! let logits = [0.5f32.ln(), 0.3f32.ln(), 0.2f32.ln()];
//! let mut sampler = Sampler::new(Options { min_p: Some(0.5), ..Options::default() })?;
//! assert_eq!(sampler.distribution(&logits)?.token_ids, [0, 1]);
//! # Ok::<(), nucleus_sampler::Error>(())
//! ```

use std::sync::Arc;

use super::{Context, Kind, Stage, halfway};
use crate::candidates::{Candidates, MAX_WEIGHT};
use crate::error::Result;
use crate::math::ceil_share;
use crate::names::StageName;

/// Keeps tokens with at least m times the best probability.
#[derive(Clone, Debug)]
pub struct MinP {
    m: f64,
    min_keep: usize,
}

impl MinP {
    /// m in [0, 1] (0 is off), and the least number of tokens to keep.
    pub(crate) fn new(m: f64, min_keep: usize) -> MinP {
        MinP { m, min_keep }
    }
}

impl Stage for MinP {
    fn name(&self) -> StageName {
        StageName::MinP
    }

    fn kind(&self) -> Kind {
        Kind::Truncates
    }

    fn is_active(&self) -> bool {
        self.m > 0.0
    }

    fn relaxed(&self, steps: u32) -> Option<Arc<dyn Stage>> {
        Some(Arc::new(MinP { m: halfway(self.m, 0.0, steps), ..self.clone() }))
    }

    fn keeps_best(&self) -> bool {
        true
    }

    fn apply(&self, candidates: &mut Candidates<'_>, _: &Context<'_>) -> Result<()> {
        candidates.keep_relative(self.m, self.min_keep);
        Ok(())
    }

    fn threshold(&self, candidates: &mut Candidates<'_>, _: &Context<'_>) -> Option<f64> {
        Some(ceil_share(self.m, MAX_WEIGHT) as f64 / candidates.mass() as f64)
    }
}
