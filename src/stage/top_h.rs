//! Top-h: as many tokens as a share of the entropy allows.
//!
//! **Definition.** With H(n) the entropy of the first n tokens by rank, renormalised, and H that of all: keep the
//! longest prefix of which every part has H(n) <= h H. H(n) = ln M + U / M, with M the mass in units of 2^44 and U the
//! sum of w u, where u is the distance (l_max - l) r in whole units of 2^-32 nats; M and U are exact, so the order of
//! summation does not matter.
//!
//! **Parameters.** `top_h`: h, f64 in [0, 1]; default and off value 1. `min_keep`: the least number of tokens to keep.
//!
//! **Boundary and ties.** A prefix whose entropy is exactly h H is kept. Every further token raises the entropy, so
//! there is one place for the cut; equal logits are decided for the lower id. The first token, whose entropy is 0,
//! always stays, and h = 0 keeps it alone. Tokens of weight 0 go at any h below 1. All tokens are looked at, where some
//! look at the best hundred only.
//!
//! **Draws.** None.
//!
//! **Cost.** The exponentials, two passes over them, and a search among what lies near the cut; no sort.
//!
//! **Threshold.** The entropy that a prefix may have, h H, in nats.
//!
//! **Reference.** Potraka, Azizi, Kundu and Pedram, *Top-H decoding: adapting the creativity and coherence with bounded
//! entropy in text generation* (2025).
//!
//! ```
//! use nucleus_sampler::{Options, Sampler};
//! let logits = [0.5f32.ln(), 0.3f32.ln(), 0.2f32.ln()];
//! let mut sampler = Sampler::new(Options { top_h: Some(0.7), ..Options::default() })?;
//! assert_eq!(sampler.distribution(&logits)?.token_ids, [0, 1]);
//! # Ok::<(), nucleus_sampler::Error>(())
//! ```

use std::sync::Arc;

use super::{Context, Kind, Stage, halfway};
use crate::candidates::Candidates;
use crate::error::Result;
use crate::names::StageName;

/// Keeps the longest prefix whose entropy is at most h times the whole entropy.
#[derive(Clone, Debug)]
pub struct TopH {
    h: f64,
    min_keep: usize,
}

impl TopH {
    /// h in [0, 1] (1 is off), and the least number of tokens to keep.
    pub(crate) fn new(h: f64, min_keep: usize) -> TopH {
        TopH { h, min_keep }
    }
}

impl Stage for TopH {
    fn name(&self) -> StageName {
        StageName::TopH
    }

    fn kind(&self) -> Kind {
        Kind::Truncates
    }

    fn is_active(&self) -> bool {
        self.h < 1.0
    }

    fn keeps_best(&self) -> bool {
        true
    }

    fn relaxed(&self, steps: u32) -> Option<Arc<dyn Stage>> {
        Some(Arc::new(TopH { h: halfway(self.h, 1.0, steps), ..self.clone() }))
    }

    fn apply(&self, candidates: &mut Candidates<'_>, _: &Context<'_>) -> Result<()> {
        candidates.keep_entropy(self.h, self.min_keep);
        Ok(())
    }

    fn threshold(&self, candidates: &mut Candidates<'_>, _: &Context<'_>) -> Option<f64> {
        Some(candidates.entropy_limit(self.h))
    }
}
