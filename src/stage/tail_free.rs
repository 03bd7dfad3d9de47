//! Tail-free sampling: up to where the curve of probabilities no longer bends.
//!
//! **Definition.** With the tokens ranked, the bend at a rank that has neighbours on both sides is |w_(i-1) - 2 w_i +
//! w_(i+1)|, the second difference. With B the sum of all bends, each an integer: keep the best token and, down to the
//! first that fails, every token up to whose rank, its own bend included, the bends sum to at most z B. The last token
//! has no bend of its own: it stays where all bends are within z B.
//!
//! **Parameters.** `tail_free`: z, f64 in [0, 1]; default and off value 1. `min_keep`: the least number of tokens to
//! keep.
//!
//! **Boundary and ties.** A token at which the sum is exactly z B is kept. Equal logits are decided for the lower id.
//! Where nothing bends, as with equal tokens, with two or with one, all stay. Tokens of weight 0 lie on a straight line
//! and come after the last bend: they go at any z below 1, unless nothing bends before them.
//!
//! **Draws.** None.
//!
//! **Cost.** The exponentials, and a sort of the tokens that weigh something.
//!
//! **Threshold.** z, a share of the bends.
//!
//! **Reference.** Bricken, *Tail free sampling* (2019); the bend of a token is centred on it, as there.
//!
//! ```
//! use nucleus_sampler::{Options, Sampler};
//! let logits = [0.7f32.ln(), 0.2f32.ln(), 0.06f32.ln(), 0.03f32.ln(), 0.01f32.ln()];
//! let mut sampler = Sampler::new(Options { tail_free: Some(0.5), ..Options::default() })?;
//! assert_eq!(sampler.distribution(&logits)?.token_ids, [0]);
//! # Ok::<(), nucleus_sampler::Error>(())
//! ```

use std::sync::Arc;

use super::{Context, Kind, Stage, halfway};
use crate::candidates::Candidates;
use crate::error::Result;
use crate::names::StageName;

/// Keeps tokens as long as the bends of the curve sum to at most z of all.
#[derive(Clone, Debug)]
pub struct TailFree {
    z: f64,
    min_keep: usize,
}

impl TailFree {
    /// z in [0, 1] (1 is off), and the least number of tokens to keep.
    pub(crate) fn new(z: f64, min_keep: usize) -> TailFree {
        TailFree { z, min_keep }
    }
}

impl Stage for TailFree {
    fn name(&self) -> StageName {
        StageName::TailFree
    }

    fn kind(&self) -> Kind {
        Kind::Truncates
    }

    fn is_active(&self) -> bool {
        self.z < 1.0
    }

    fn keeps_best(&self) -> bool {
        true
    }

    fn relaxed(&self, steps: u32) -> Option<Arc<dyn Stage>> {
        Some(Arc::new(TailFree { z: halfway(self.z, 1.0, steps), ..self.clone() }))
    }

    fn apply(&self, candidates: &mut Candidates<'_>, _: &Context<'_>) -> Result<()> {
        candidates.keep_bends(self.z, self.min_keep);
        Ok(())
    }

    fn threshold(&self, _: &mut Candidates<'_>, _: &Context<'_>) -> Option<f64> {
        Some(self.z)
    }
}
