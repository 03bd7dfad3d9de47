//! Logit bias: a number added to the logits of chosen tokens, or a ban.
//!
//! **Definition.** l' = l + b for every token with a finite bias b, computed in f64, rounded once; a bias of -infinity
//! removes the token.
//!
//! **Parameters.** `logit_bias`: pairs of a token id and b, finite or -infinity; default and off value: no pair.
//!
//! **Boundary and ties.** A bias does not bring a dead token back. An id outside the vocabulary is an error, and so are
//! logits that leave f32's range. Bans act as a mask: they do not know `min_keep`, and they apply after temperature 0.
//!
//! **Draws.** None.
//!
//! **Cost.** A copy of the row, and one step a pair.
//!
//! **Threshold.** None.
//!
//! **Reference.** The `logit_bias` of OpenAI's completions interface, without its limit of 100.
//!
//! ```
//! use nucleus_sampler::{Options, Sampler};
//! let bias = vec![(0, 0.5), (2, f64::NEG_INFINITY)];
//! let mut sampler = Sampler::new(Options { logit_bias: Some(bias), ..Options::default() })?;
//! let distribution = sampler.distribution(&[1.0, 1.25, 9.0])?;
//! assert_eq!(distribution.token_ids, [0, 1]);
//! assert_eq!(distribution.logits, [1.5, 1.25]);
//! # Ok::<(), nucleus_sampler::Error>(())
//! ```

use super::{Context, Kind, Stage};
use crate::candidates::{Candidates, write_raw};
use crate::error::{Error, Result};
use crate::names::StageName;
use crate::rank;

/// Adds to the logits of chosen tokens, or bans them.
#[derive(Clone, Debug)]
pub struct LogitBias {
    /// Finite ones, by ascending id.
    added: Vec<(u32, f64)>,
    /// Bans.
    banned: Vec<u32>,
}

impl LogitBias {
    /// Pairs of a token id and a bias, each id at most once.
    pub(crate) fn new(pairs: &[(u32, f64)]) -> LogitBias {
        let (mut added, mut banned) = (pairs.to_vec(), Vec::new());
        added.retain(|(id, bias)| {
            if !bias.is_finite() {
                banned.push(*id);
            }
            bias.is_finite()
        });
        // By id, so that an error names the lowest token at fault.
        let mut order: Vec<u64> =
            added.iter().enumerate().map(|(i, (id, _))| u64::from(*id) << 32 | i as u64).collect();
        rank::sort(&mut order);
        let added =
            order.iter().filter_map(|entry| added.get(rank::place_of(*entry)).copied()).collect();
        LogitBias { added, banned }
    }

    /// The highest id that a vocabulary does not have.
    fn outside(&self, n_vocab: usize) -> Option<u32> {
        let ids = self.added.iter().map(|(id, _)| *id).chain(self.banned.iter().copied());
        ids.max().filter(|id| *id as usize >= n_vocab)
    }
}

impl Stage for LogitBias {
    fn name(&self) -> StageName {
        StageName::LogitBias
    }

    fn kind(&self) -> Kind {
        if self.added.is_empty() { Kind::Masks } else { Kind::Writes }
    }

    fn is_active(&self) -> bool {
        !self.added.is_empty() || !self.banned.is_empty()
    }

    fn writes_raw(&self, _: &Context<'_>) -> Option<bool> {
        Some(true)
    }

    fn write_raw(&self, logits: &mut [f32], _: &Context<'_>) -> bool {
        let valid = self.outside(logits.len()).is_none()
            && write_raw(logits, self.added.iter().copied(), |logit, bias| {
                (f64::from(logit) + bias) as f32
            });
        // What is banned may not hide that it was no logit.
        let mut ban = |id: u32| {
            let logit = logits.get_mut(id as usize)?;
            Some(core::mem::replace(logit, f32::NEG_INFINITY) < f32::INFINITY)
        };
        self.banned.iter().fold(valid, |valid, id| valid & ban(*id).unwrap_or_default())
    }

    fn apply(&self, candidates: &mut Candidates<'_>, _: &Context<'_>) -> Result<()> {
        let n_vocab = candidates.n_vocab();
        if let Some(token) = self.outside(n_vocab) {
            return Err(Error::BadToken { option: "logitBias", token, n_vocab });
        }
        if !self.added.is_empty() {
            candidates.begin_writing(self.name())?;
            candidates
                .write(self.name(), self.added.iter().copied(), |logit, bias| logit + bias)?;
        }
        if !self.banned.is_empty() {
            candidates.remove(self.banned.iter().copied());
        }
        Ok(())
    }
}
