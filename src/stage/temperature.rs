//! Temperature: sharpens or flattens the distribution.
//!
//! **Definition.** p_i proportional to e^(l_i / T). The stage multiplies the factor in force by 1 / T; logits are not
//! touched, so temperature never changes a rank. T = 0 keeps the first token by rank.
//!
//! **Parameters.** `temperature`: f64, finite, at least 0; default and off value 1.
//!
//! **Boundary and ties.** The factor is clamped to [1e-30, 3e38]. At T = 0 equal logits are decided for the lower id;
//! later writes, truncations and the draw then change nothing, and a later mask still applies.
//!
//! **Draws.** None, and at T = 0 the draw reads no word either.
//!
//! **Cost.** None at T > 0 (the weights, when next asked for, are taken anew).
//!
//! **Threshold.** None.
//!
//! **Reference.** Ackley, Hinton and Sejnowski, *A learning algorithm for Boltzmann machines* (1985).
//!
//! ```
//! use nucleus_sampler::{Options, Sampler};
//! let mut greedy = Sampler::new(Options { temperature: Some(0.0), ..Options::default() })?;
//! assert_eq!(greedy.sample(&[1.0, 3.0, 3.0])?, 1);
//! # Ok::<(), nucleus_sampler::Error>(())
//! ```

use super::{Context, Kind, Stage};
use crate::candidates::Candidates;
use crate::error::Result;
use crate::names::StageName;

/// Multiplies the temperature factor by 1 / T.
#[derive(Clone, Debug)]
pub struct Temperature {
    temperature: f64,
}

impl Temperature {
    /// T, finite and at least 0.
    pub(crate) fn new(temperature: f64) -> Temperature {
        Temperature { temperature }
    }
}

impl Stage for Temperature {
    fn name(&self) -> StageName {
        StageName::Temperature
    }

    fn kind(&self) -> Kind {
        if self.temperature == 0.0 { Kind::Truncates } else { Kind::Scales }
    }

    fn is_active(&self) -> bool {
        self.temperature != 1.0
    }

    fn keeps_best(&self) -> bool {
        true
    }

    fn apply(&self, candidates: &mut Candidates<'_>, _: &Context<'_>) -> Result<()> {
        if self.temperature == 0.0 {
            candidates.decide();
        } else {
            candidates.multiply_factor(1.0 / self.temperature);
        }
        Ok(())
    }
}
