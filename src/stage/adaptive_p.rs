//! Adaptive-p: a terminal stage that favours tokens of about one probability, whichever they are, and draws.
//!
//! **Definition.** With p = w / Z of what enters, and sum and weight what the row's controller has come to:
//! a = 2 target - sum / weight, clamped to [0, 1], is the adapted target; with d = |p - a| / 0.3 every token alive gets the
//! logit 5 - 10 d^2 / (1 + d), computed in f64, rounded once. Then the draw. The drawn token is left pending with the
//! surprise -log2 p of what entered; when it is accepted, sum' = p + decay sum and weight' = 1 + decay weight. They start
//! at target / (1 - decay) and 1 / (1 - decay), as if the target had always been met.
//!
//! **Parameters.** `adaptive_p_target`: target, f64 in [0, 1]; default and off value 0. `adaptive_p_decay`: decay, f64 in
//! [0, 0.99]; default 0.9; 0 looks at the latest accepted draw alone.
//!
//! **Boundary and ties.** Tokens of weight 0 get a logit like all others, and can then be drawn: cut the tail before, with
//! `min_p` for instance. Tokens of equal weight get equal logits. p comes back from its surprise, 2^-surprise.
//!
//! **Draws.** One word, by the rule of the [`draw`](super::draw). At temperature 0 none is drawn: nothing is written and
//! nothing is pending then, and sum and weight stay where they are.
//!
//! **Cost.** A copy of the row, and two passes of exponentials.
//!
//! **Threshold.** The adapted target, a probability.
//!
//! **Reference.** The adaptive-p sampler of llama.cpp (pull request 17927).
//!
//! ```
//! use nucleus_sampler::{Options, Sampler};
//! let mut sampler = Sampler::new(Options {
//!     adaptive_p_target: Some(0.3),
//!     seed: Some(42),
//!     ..Options::default()
//! })?;
//! // The token whose probability is nearest to the target comes first.
//! let logits = [0.5f32.ln(), 0.3f32.ln(), 0.2f32.ln()];
//! assert_eq!(sampler.distribution(&logits)?.token_ids, [1, 2, 0]);
//! let token = sampler.sample(&logits)?;
//! sampler.accept(token)?;
//! # Ok::<(), nucleus_sampler::Error>(())
//! ```

use super::{Context, Kind, Stage};
use crate::candidates::Candidates;
use crate::error::Result;
use crate::names::StageName;

/// The distance from the target at which d is 1.
const WIDTH: f64 = 0.3;
/// The logit of a token at the target.
const PEAK: f64 = 5.0;
/// How steeply logits fall away from it.
const STEEPNESS: f64 = 10.0;

/// Bends probabilities towards the adapted target.
#[derive(Clone, Debug)]
pub struct AdaptiveP {
    target: f64,
    decay: f64,
}

impl AdaptiveP {
    /// The target in [0, 1] (0 is off), and the decay in [0, 0.99].
    pub(crate) fn new(target: f64, decay: f64) -> AdaptiveP {
        AdaptiveP { target, decay }
    }

    fn adapted_target(&self, context: &Context<'_>) -> f64 {
        let (sum, weight) = context.controllers.adaptive_p(self.target, self.decay);
        (2.0 * self.target - sum / weight).clamp(0.0, 1.0)
    }
}

impl Stage for AdaptiveP {
    fn name(&self) -> StageName {
        StageName::AdaptiveP
    }

    fn kind(&self) -> Kind {
        Kind::Writes
    }

    fn is_active(&self) -> bool {
        self.target > 0.0
    }

    fn apply(&self, candidates: &mut Candidates<'_>, context: &Context<'_>) -> Result<()> {
        let target = self.adapted_target(context);
        candidates.begin_writing(self.name())?;
        candidates.write_by_probability(self.name(), |p| {
            let d = (p - target).abs() / WIDTH;
            PEAK - STEEPNESS * (d * d) / (1.0 + d)
        })
    }

    fn threshold(&self, _: &mut Candidates<'_>, context: &Context<'_>) -> Option<f64> {
        Some(self.adapted_target(context))
    }
}
