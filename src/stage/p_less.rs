//! P-less: what is at least as probable as two draws are to be the same.
//!
//! **Definition.** Keep tokens with p_i >= sum of p_j^2 over the tokens alive: in whole weights w >= ceil((sum of
//! w_j^2) / Z), computed exactly.
//!
//! **Parameters.** `p_less`: bool; default and off value false. `min_keep`: the least number of tokens to keep.
//!
//! **Boundary and ties.** A token exactly at the threshold is kept, and so is every token of the same weight; equal
//! tokens all stay. The best token always passes, for a mean is at most the highest of what it is taken over. When
//! fewer than `min_keep` pass, the first `min_keep` by rank. Tokens of weight 0 go.
//!
//! **Draws.** None.
//!
//! **Cost.** One pass of exponentials and one of their squares.
//!
//! **Threshold.** The least probability that stays, the sum of p_j^2.
//!
//! **Reference.** Tan, Wu and Howard, *p-less sampling: a robust hyperparameter-free approach for LLM decoding* (2025).
//!
//! ```
//! use nucleus_sampler::{Options, Sampler};
//! let logits = [0.5f32.ln(), 0.4f32.ln(), 0.1f32.ln()];
//! let mut sampler = Sampler::new(Options { p_less: Some(true), ..Options::default() })?;
//! assert_eq!(sampler.distribution(&logits)?.token_ids, [0]);
//! # Ok::<(), nucleus_sampler::Error>(())
//! ```

use std::sync::Arc;

use super::{Context, Kind, Stage};
use crate::candidates::Candidates;
use crate::error::Result;
use crate::names::StageName;

/// Keeps tokens at least as probable as two draws are to be the same.
#[derive(Clone, Debug)]
pub struct PLess {
    on: bool,
    min_keep: usize,
    /// How often a guard halves the threshold.
    halvings: u32,
}

impl PLess {
    /// Whether it is on, and the least number of tokens to keep.
    pub(crate) fn new(on: bool, min_keep: usize) -> PLess {
        PLess { on, min_keep, halvings: 0 }
    }

    /// The least weight that stays: at most 2^44, because no weight is higher.
    fn least(&self, candidates: &mut Candidates<'_>) -> u64 {
        let squares = candidates.sum_of_squares();
        let mass = u128::from(candidates.mass()).max(1) << self.halvings.min(32);
        squares.div_ceil(mass) as u64
    }
}

impl Stage for PLess {
    fn name(&self) -> StageName {
        StageName::PLess
    }

    fn kind(&self) -> Kind {
        Kind::Truncates
    }

    fn is_active(&self) -> bool {
        self.on
    }

    fn keeps_best(&self) -> bool {
        true
    }

    fn relaxed(&self, steps: u32) -> Option<Arc<dyn Stage>> {
        Some(Arc::new(PLess { halvings: steps, ..self.clone() }))
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
