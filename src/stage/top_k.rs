//! Top-k: a fixed number of tokens.
//!
//! **Definition.** Keep the k first by rank.
//!
//! **Parameters.** `top_k`: u32; default and off value 0.
//!
//! **Boundary and ties.** Exactly max(k, `min_keep`) tokens, or all alive when there are no more; equal logits are
//! decided for the lower id.
//!
//! **Draws.** None.
//!
//! **Cost.** One pass over the logits; no exponentials and no sort.
//!
//! **Threshold.** k, in tokens.
//!
//! **Reference.** Fan, Lewis and Dauphin, *Hierarchical neural story generation* (2018).
//!
//! ```
//! use nucleus_sampler::{Options, Sampler};
//! let mut sampler = Sampler::new(Options { top_k: Some(2), ..Options::default() })?;
//! assert_eq!(sampler.distribution(&[0.5, 2.0, 2.0, 1.0])?.token_ids, [1, 2]);
//! # Ok::<(), nucleus_sampler::Error>(())
//! ```

use super::{Context, Kind, Stage};
use crate::candidates::Candidates;
use crate::error::Result;
use crate::names::StageName;

/// Keeps the k first by rank.
#[derive(Clone, Debug)]
pub struct TopK {
    k: u32,
    min_keep: usize,
}

impl TopK {
    /// k (0 is off), and the least number of tokens to keep.
    pub(crate) fn new(k: u32, min_keep: usize) -> TopK {
        TopK { k, min_keep }
    }
}

impl Stage for TopK {
    fn name(&self) -> StageName {
        StageName::TopK
    }

    fn kind(&self) -> Kind {
        Kind::Truncates
    }

    fn is_active(&self) -> bool {
        self.k > 0
    }

    fn keeps_best(&self) -> bool {
        true
    }

    fn apply(&self, candidates: &mut Candidates<'_>, _: &Context<'_>) -> Result<()> {
        candidates.keep_top((self.k as usize).max(self.min_keep));
        Ok(())
    }

    fn threshold(&self, _: &mut Candidates<'_>, _: &Context<'_>) -> Option<f64> {
        Some(f64::from(self.k))
    }
}
