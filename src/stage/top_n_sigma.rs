//! Top-n-sigma: what lies within some standard deviations of the best logit.
//!
//! **Definition.** With sigma the standard deviation of the logits alive, that of the population: keep tokens with l -
//! l_max >= -n sigma. All of it is f64; sigma takes two passes, each in 8 lanes by token id. Temperature changes logits
//! and sigma alike, so it does not matter whether it comes before.
//!
//! **Parameters.** `top_n_sigma`: n, f64, finite, at least 0; default and off value 0. `min_keep`: the least number of
//! tokens to keep.
//!
//! **Boundary and ties.** A logit exactly at the threshold is kept, and so is every logit equal to it. All logits alive
//! count for sigma, those of weight 0 too: a banned token must be -infinity, not merely low. Where all are equal, sigma
//! is 0 and all stay.
//!
//! **Draws.** None.
//!
//! **Cost.** Two passes over the logits and one that gathers; no exponentials and no sort.
//!
//! **Threshold.** The least logit that stays, l_max - n sigma, before temperature.
//!
//! **Reference.** Tang, Liu, Xu and Huang, *Top-n-sigma: not all logits are you need* (2024).
//!
//! ```
//! use nucleus_sampler::{Options, Sampler};
//! let logits = [4.0, 3.5, 0.0, 0.0, 0.0, 0.0];
//! let mut sampler = Sampler::new(Options { top_n_sigma: Some(1.0), ..Options::default() })?;
//! assert_eq!(sampler.distribution(&logits)?.token_ids, [0, 1]);
//! # Ok::<(), nucleus_sampler::Error>(())
//! ```

use std::sync::Arc;

use super::{Context, Kind, Stage, halfway};
use crate::candidates::Candidates;
use crate::error::Result;
use crate::names::StageName;

/// Keeps tokens within n standard deviations of the best logit.
#[derive(Clone, Debug)]
pub struct TopNSigma {
    n: f64,
    min_keep: usize,
}

impl TopNSigma {
    /// n, finite and at least 0 (0 is off), and the least number of tokens to keep.
    pub(crate) fn new(n: f64, min_keep: usize) -> TopNSigma {
        TopNSigma { n, min_keep }
    }
}

impl Stage for TopNSigma {
    fn name(&self) -> StageName {
        StageName::TopNSigma
    }

    fn kind(&self) -> Kind {
        Kind::Truncates
    }

    fn is_active(&self) -> bool {
        self.n > 0.0
    }

    fn keeps_best(&self) -> bool {
        true
    }

    fn relaxed(&self, steps: u32) -> Option<Arc<dyn Stage>> {
        Some(Arc::new(TopNSigma { n: self.n / halfway(1.0, 0.0, steps), ..self.clone() }))
    }

    fn apply(&self, candidates: &mut Candidates<'_>, _: &Context<'_>) -> Result<()> {
        let sigma = candidates.standard_deviation();
        candidates.keep_within(self.n * sigma, self.min_keep);
        Ok(())
    }

    fn threshold(&self, candidates: &mut Candidates<'_>, _: &Context<'_>) -> Option<f64> {
        Some(f64::from(candidates.max()) - self.n * candidates.standard_deviation())
    }
}
