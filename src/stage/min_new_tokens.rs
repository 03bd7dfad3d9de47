//! Minimum new tokens: the text does not end before so many tokens were output.
//!
//! **Definition.** While the output has fewer than n tokens, every token of `eos_token_ids` is removed.
//!
//! **Parameters.** `min_new_tokens`: n, an integer in [0, 2^32 - 1]; default and off value 0. `eos_token_ids`: the tokens
//! that end a text; at least one where n is above 0, else the options are refused.
//!
//! **Boundary and ties.** With n tokens output the end is free. The prompt does not count, and neither does the penalties'
//! window. An id outside the vocabulary is an error, whether or not the end is free. A mask: it does not know `min_keep`,
//! it applies after temperature 0, and when nothing else is alive the call fails with `nothing_left`.
//!
//! **Draws.** None.
//!
//! **Cost.** A copy of the row, and one step a token that ends a text; nothing once the end is free.
//!
//! **Threshold.** None.
//!
//! **Reference.** `MinNewTokensLengthLogitsProcessor` of Hugging Face's transformers.
//!
//! ```
//! use nucleus_sampler::{Options, Sampler};
//! let mut sampler = Sampler::new(Options {
//!     min_new_tokens: Some(1),
//!     eos_token_ids: Some(vec![2]),
//!     ..Options::default()
//! })?;
//! assert_eq!(sampler.distribution(&[1.0, 2.0, 9.0])?.token_ids, [1, 0]);
//! sampler.accept(1)?;
//! assert_eq!(sampler.distribution(&[1.0, 2.0, 9.0])?.token_ids, [2, 1, 0]);
//! # Ok::<(), nucleus_sampler::Error>(())
//! ```

use super::{Context, Kind, Stage};
use crate::candidates::Candidates;
use crate::error::{Error, Result};
use crate::names::StageName;
use crate::options::Settings;

/// Removes the tokens that end a text until enough were output.
#[derive(Clone, Debug)]
pub struct MinNewTokens {
    n: u32,
    ends: Vec<u32>,
}

impl MinNewTokens {
    /// n (0 is off), and the tokens that end a text.
    pub(crate) fn new(n: u32, ends: &[u32]) -> MinNewTokens {
        MinNewTokens { n, ends: ends.to_vec() }
    }

    /// Whether the settings say what ends a text where they must.
    pub(crate) fn check(settings: &Settings) -> Result<()> {
        if settings.min_new_tokens > 0 && settings.eos_token_ids.is_empty() {
            return Err(Error::OutOfRange {
                option: "minNewTokens".into(),
                found: settings.min_new_tokens.to_string(),
                accepted: "0 where eosTokenIds names no token".into(),
            });
        }
        Ok(())
    }
}

impl Stage for MinNewTokens {
    fn name(&self) -> StageName {
        StageName::MinNewTokens
    }

    fn kind(&self) -> Kind {
        Kind::Masks
    }

    fn is_active(&self) -> bool {
        self.n > 0
    }

    fn apply(&self, candidates: &mut Candidates<'_>, context: &Context<'_>) -> Result<()> {
        let n_vocab = candidates.n_vocab();
        let highest = self.ends.iter().copied().max();
        if let Some(token) = highest.filter(|id| *id as usize >= n_vocab) {
            return Err(Error::BadToken { option: "eosTokenIds", token, n_vocab });
        }
        if context.history.output().len() < self.n as usize {
            candidates.remove(self.ends.iter().copied());
        }
        Ok(())
    }
}
