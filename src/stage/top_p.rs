//! Top-p, nucleus sampling: as many tokens as it takes to hold a share of the mass.
//!
//! **Definition.** With Z the mass alive when the stage starts and t = ceil(p Z), computed exactly: keep the shortest
//! prefix by rank whose mass is at least t.
//!
//! **Parameters.** `top_p`: f64 in [0, 1]; default and off value 1. `min_keep`: the least number of tokens to keep.
//!
//! **Boundary and ties.** The token that reaches p is kept. p is the f64 that was given: 0.55 of a hundred equal tokens
//! keeps 56, because the f64 nearest to 0.55 lies above 55/100. p = 0 keeps `min_keep` tokens. p = 1 keeps everything
//! alive, tokens of weight 0 too; p = 1 - 2^-53 drops those. Equal logits are decided for the lower id.
//!
//! **Draws.** None.
//!
//! **Cost.** One pass of exponentials and a search for the cut; no sort.
//!
//! **Threshold.** t / Z, a probability: the mass that the prefix had to reach.
//!
//! **Reference.** Holtzman, Buys, Du, Forbes and Choi, *The curious case of neural text degeneration* (2020).
//!
//! ```
//! use nucleus_sampler::{Options, Sampler};
//! let logits = [0.5f32.ln(), 0.3f32.ln(), 0.2f32.ln()];
//! let mut sampler = Sampler::new(Options { top_p: Some(0.7), ..Options::default() })?;
//! assert_eq!(sampler.distribution(&logits)?.token_ids, [0, 1]);
//! # Ok::<(), nucleus_sampler::Error>(())
//! ```

use super::{Context, Kind, Stage};
use crate::candidates::Candidates;
use crate::error::Result;
use crate::math::ceil_share;
use crate::names::StageName;

/// Keeps the shortest prefix by rank whose mass reaches p.
#[derive(Clone, Debug)]
pub struct TopP {
    p: f64,
    min_keep: usize,
}

impl TopP {
    /// p in [0, 1] (1 is off), and the least number of tokens to keep.
    pub(crate) fn new(p: f64, min_keep: usize) -> TopP {
        TopP { p, min_keep }
    }
}

impl Stage for TopP {
    fn name(&self) -> StageName {
        StageName::TopP
    }

    fn kind(&self) -> Kind {
        Kind::Truncates
    }

    fn is_active(&self) -> bool {
        self.p < 1.0
    }

    fn keeps_best(&self) -> bool {
        true
    }

    fn apply(&self, candidates: &mut Candidates<'_>, _: &Context<'_>) -> Result<()> {
        candidates.keep_share(self.p, self.min_keep);
        Ok(())
    }

    fn threshold(&self, candidates: &mut Candidates<'_>, _: &Context<'_>) -> Option<f64> {
        let mass = candidates.mass();
        Some(ceil_share(self.p, mass) as f64 / mass as f64)
    }
}
