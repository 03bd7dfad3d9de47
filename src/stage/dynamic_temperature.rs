//! Dynamic temperature: a temperature that grows with the entropy.
//!
//! **Definition.** With H the entropy in nats and N the number of tokens alive when the stage starts: T = lo + (hi -
//! lo) (H / ln N)^e, with lo = max(0, temperature - range) and hi = temperature + range, in f64; H / ln N is at most 1,
//! and x^e is e^(e ln x) with our own functions. The factor in force is multiplied by 1 / T.
//!
//! **Parameters.** `temperature`: f64, finite, at least 0; default 1. `dynamic_temperature_range`: f64, finite, at
//! least 0; default and off value 0. `dynamic_temperature_exponent`: e, f64, finite, at least 0; default 1; 0 is hi
//! whatever the entropy.
//!
//! **Boundary and ties.** It takes the place of `temperature`, unless it is listed itself. One token alive changes
//! nothing. Tokens of weight 0 count among the N. Where T comes to 0 (lo is 0 and one token holds all) the factor is at
//! its upper clamp, and the draw still reads its word. `temperature` 0 keeps the first token by rank, whatever the
//! range.
//!
//! **Draws.** None.
//!
//! **Cost.** One pass of exponentials and one for the entropy.
//!
//! **Threshold.** T.
//!
//! **Reference.** The `dynatemp` of llama.cpp and koboldcpp (2023).
//!
//! ```
//! use nucleus_sampler::{Options, Sampler};
//! let options = Options { dynamic_temperature_range: Some(0.5), ..Options::default() };
//! let mut sampler = Sampler::new(options)?;
//! // Equal tokens: the entropy is as high as it can be, and T is 1 + 0.5.
//! let report = sampler.report(&[3.0, 3.0], false)?;
//! let temperature = report.stages.iter().find_map(|stage| stage.threshold).unwrap_or_default();
//! assert!((temperature - 1.5).abs() < 1e-12);
//! # Ok::<(), nucleus_sampler::Error>(())
//! ```

use super::{Context, Kind, Stage};
use crate::candidates::Candidates;
use crate::error::Result;
use crate::math::{exp, ln};
use crate::names::StageName;

/// Multiplies the temperature factor by 1 / T, with T between two temperatures.
#[derive(Clone, Debug)]
pub struct DynamicTemperature {
    temperature: f64,
    range: f64,
    exponent: f64,
}

impl DynamicTemperature {
    /// The temperature and the range, at least 0 (a range of 0 is off), and the exponent, at least 0; all finite.
    pub(crate) fn new(temperature: f64, range: f64, exponent: f64) -> DynamicTemperature {
        DynamicTemperature { temperature, range, exponent }
    }

    /// T; none when it changes nothing.
    fn in_force(&self, candidates: &mut Candidates<'_>) -> Option<f64> {
        let n = candidates.n_alive();
        if n < 2 || self.temperature == 0.0 {
            return None;
        }
        let low = (self.temperature - self.range).max(0.0);
        let high = (self.temperature + self.range).min(f64::MAX);
        let relative = (candidates.entropy() / ln(n as f64)).min(1.0);
        let power = if self.exponent == 0.0 { 1.0 } else { exp(self.exponent * ln(relative)) };
        Some(low + (high - low) * power)
    }
}

impl Stage for DynamicTemperature {
    fn name(&self) -> StageName {
        StageName::DynamicTemperature
    }

    fn kind(&self) -> Kind {
        if self.temperature == 0.0 { Kind::Truncates } else { Kind::Scales }
    }

    fn is_active(&self) -> bool {
        self.range > 0.0
    }

    fn apply(&self, candidates: &mut Candidates<'_>, _: &Context<'_>) -> Result<()> {
        if self.temperature == 0.0 {
            candidates.decide();
        } else if let Some(temperature) = self.in_force(candidates) {
            candidates.multiply_factor(1.0 / temperature);
        }
        Ok(())
    }

    fn threshold(&self, candidates: &mut Candidates<'_>, _: &Context<'_>) -> Option<f64> {
        self.in_force(candidates)
    }
}
