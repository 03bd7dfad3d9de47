//! Smoothing, quadratic sampling: bends the logits along a curve of their distance from the best.
//!
//! **Definition.** With d = l - l_max, k = (3 - c) / 2 and s = (c - 1) / 2: l' = l_max - f d^2 (k - s d), computed in
//! f64, rounded once. At c = 1 that is the parabola l_max - f d^2, at c = 3 the cubic l_max + f d^3; d is at most 0, so
//! that both fall.
//!
//! **Parameters.** `smoothing_factor`: f, f64, finite, at least 0; default and off value 0. `smoothing_curve`: c, f64,
//! finite, at least 1; default 1.
//!
//! **Boundary and ties.** Every finite logit is written. The best logit keeps its value. Tokens at a distance below 1
//! come nearer, those beyond go further, more steeply the larger c. Up to c = 3 no rank changes, though logits may come
//! to be equal; above 3, k is negative, and tokens with -d < (c - 3) / (c - 1) come to lie over the best. Logits that
//! leave f32's range are an error: tokens that must not be drawn should be -infinity.
//!
//! **Draws.** None.
//!
//! **Cost.** One pass that writes every logit.
//!
//! **Threshold.** None.
//!
//! **Reference.** *Quadratic sampling* and its curve in text-generation-webui (2024).
//!
//! ```
//! use nucleus_sampler::{Options, Sampler};
//! let mut sampler = Sampler::new(Options { smoothing_factor: Some(0.5), ..Options::default() })?;
//! assert_eq!(sampler.distribution(&[3.0, 2.0, 0.0])?.logits, [3.0, 2.5, -1.5]);
//! # Ok::<(), nucleus_sampler::Error>(())
//! ```

use super::{Context, Kind, Stage};
use crate::candidates::Candidates;
use crate::error::Result;
use crate::names::StageName;

/// Replaces logits by a curve of their distance from the best.
#[derive(Clone, Debug)]
pub struct Smoothing {
    factor: f64,
    curve: f64,
}

impl Smoothing {
    /// f, finite and at least 0 (0 is off), and c, finite and at least 1.
    pub(crate) fn new(factor: f64, curve: f64) -> Smoothing {
        Smoothing { factor, curve }
    }
}

impl Stage for Smoothing {
    fn name(&self) -> StageName {
        StageName::Smoothing
    }

    fn kind(&self) -> Kind {
        Kind::Writes
    }

    fn is_active(&self) -> bool {
        self.factor > 0.0
    }

    fn apply(&self, candidates: &mut Candidates<'_>, _: &Context<'_>) -> Result<()> {
        candidates.begin_writing(self.name())?;
        let (factor, max) = (self.factor, f64::from(candidates.max()));
        let (k, s) = ((3.0 - self.curve) / 2.0, (self.curve - 1.0) / 2.0);
        candidates.write_all(self.name(), |logit| {
            let d = logit - max;
            max - factor * (d * d) * (k - s * d)
        })
    }
}
