//! Allowed tokens: only listed tokens may be drawn.
//!
//! **Definition.** Every token that is not listed is removed.
//!
//! **Parameters.** `allowed_tokens`: token ids, at least one; repetitions are harmless; off when not given.
//!
//! **Boundary and ties.** An id outside the vocabulary is an error. A mask: it does not know `min_keep`, and when nothing
//! listed is alive the call fails with `nothing_left`.
//!
//! **Draws.** None.
//!
//! **Cost.** One step a listed token and one pass over the row.
//!
//! **Threshold.** None.
//!
//! **Reference.** The `allowed_token_ids` of vLLM's sampling parameters.
//!
//! ```
//! use nucleus_sampler::{Options, Sampler};
//! let mut sampler = Sampler::new(Options { allowed_tokens: Some(vec![2, 0]), ..Options::default() })?;
//! assert_eq!(sampler.distribution(&[1.0, 9.0, 2.0])?.token_ids, [2, 0]);
//! # Ok::<(), nucleus_sampler::Error>(())
//! ```

use super::{Context, Kind, Stage};
use crate::candidates::Candidates;
use crate::error::{Error, Result};
use crate::names::StageName;
use crate::rank;

/// Removes every token that is not listed.
#[derive(Clone, Debug)]
pub struct AllowedTokens {
    /// By ascending id, each once.
    allowed: Vec<u32>,
}

impl AllowedTokens {
    /// The ids that stay; none is off.
    pub(crate) fn new(ids: &[u32]) -> AllowedTokens {
        let mut allowed = ids.to_vec();
        rank::sort_distinct(&mut allowed);
        AllowedTokens { allowed }
    }
}

impl Stage for AllowedTokens {
    fn name(&self) -> StageName {
        StageName::AllowedTokens
    }

    fn kind(&self) -> Kind {
        Kind::Masks
    }

    fn is_active(&self) -> bool {
        !self.allowed.is_empty()
    }

    fn apply(&self, candidates: &mut Candidates<'_>, _: &Context<'_>) -> Result<()> {
        let n_vocab = candidates.n_vocab();
        if let Some(token) = self.allowed.last().copied().filter(|id| *id as usize >= n_vocab) {
            return Err(Error::BadToken { option: "allowedTokens", token, n_vocab });
        }
        candidates.keep_only(&self.allowed);
        Ok(())
    }
}
