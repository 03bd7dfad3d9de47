//! Top-a: a threshold that scales with the square of the best probability.
//!
//! **Definition.** Keep tokens with p_i >= a p_max^2: in whole weights w >= ceil(a w_max^2 / Z), computed exactly, with
//! Z the mass alive when the stage starts.
//!
//! **Parameters.** `top_a`: a, f64 in [0, 1]; default and off value 0. `min_keep`: the least number of tokens to keep.
//!
//! **Boundary and ties.** A token exactly at the threshold is kept, and so is every token of the same weight. The best
//! token always passes, for p_max >= a p_max^2. When fewer than `min_keep` pass, the first `min_keep` by rank. Tokens
//! of weight 0 go at any a above 0.
//!
//! **Draws.** None.
//!
//! **Cost.** One pass of exponentials, and those of the tokens near the threshold.
//!
//! **Threshold.** The least probability that stays, a p_max^2.
//!
//! **Reference.** The `top_a` of KoboldAI, after *BlinkDL/RWKV-LM* (2022).
//!
//! ```
//! use nucleus_sampler::{Options, Sampler};
//! let logits = [0.5f32.ln(), 0.3f32.ln(), 0.2f32.ln()];
//! let mut sampler = Sampler::new(Options { top_a: Some(0.9), ..Options::default() })?;
//! assert_eq!(sampler.distribution(&logits)?.token_ids, [0, 1]);
//! # Ok::<(), nucleus_sampler::Error>(())
//! ```

use std::sync::Arc;

use super::{Context, Kind, Stage, halfway};
use crate::candidates::{Candidates, MAX_WEIGHT};
use crate::error::Result;
use crate::math::ceil_share_of_square;
use crate::names::StageName;

/// Keeps tokens with at least a times the square of the best probability.
#[derive(Clone, Debug)]
pub struct TopA {
    a: f64,
    min_keep: usize,
}

impl TopA {
    /// a in [0, 1] (0 is off), and the least number of tokens to keep.
    pub(crate) fn new(a: f64, min_keep: usize) -> TopA {
        TopA { a, min_keep }
    }

    /// The least weight that stays, of a mass.
    fn least(&self, mass: u64) -> u64 {
        // At most 2^44, because the mass is at least that.
        ceil_share_of_square(self.a).div_ceil(u128::from(mass.max(MAX_WEIGHT))) as u64
    }
}

impl Stage for TopA {
    fn name(&self) -> StageName {
        StageName::TopA
    }

    fn kind(&self) -> Kind {
        Kind::Truncates
    }

    fn is_active(&self) -> bool {
        self.a > 0.0
    }

    fn keeps_best(&self) -> bool {
        true
    }

    fn relaxed(&self, steps: u32) -> Option<Arc<dyn Stage>> {
        Some(Arc::new(TopA { a: halfway(self.a, 0.0, steps), ..self.clone() }))
    }

    fn apply(&self, candidates: &mut Candidates<'_>, _: &Context<'_>) -> Result<()> {
        let least = self.least(candidates.mass());
        candidates.keep_weighing(least, self.min_keep);
        Ok(())
    }

    fn threshold(&self, candidates: &mut Candidates<'_>, _: &Context<'_>) -> Option<f64> {
        let mass = candidates.mass();
        Some(self.least(mass) as f64 / mass as f64)
    }
}
