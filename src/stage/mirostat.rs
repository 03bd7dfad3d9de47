//! Mirostat: a terminal stage that cuts so deep that the surprise of what is drawn stays near tau, and draws.
//!
//! **Definition.** With mu the surprise that the row's controller has come to, in bits:
//!
//! - *version 2* keeps tokens with -log2(w / Z) <= mu, computed in f64;
//! - *version 1* takes the best tokens for Zipf's law, whose exponent s is estimated from the m = 100 best (or all N alive,
//!   when there are fewer): s = sum t_i b_i / sum t_i^2 over i from 1 to m - 1, by rank, with t_i = ln((i + 1) / i) and
//!   b_i = (l_i - l_(i + 1)) r, the logarithm of the ratio of two probabilities. It keeps the best
//!   k = floor((2^mu / H)^(1 / s)), with H = (1 - N^(1 - s)) / (s - 1), and ln N for s = 1.
//!
//! Then the draw. The drawn token is left pending with its surprise -log2(w / K), in what is kept; when it is accepted,
//! mu' = mu - eta (surprise - tau). mu starts at 2 tau.
//!
//! **Parameters.** `mirostat_version`: 1 or 2; default and off value 0. `mirostat_tau`: tau, f64 at least 0, in bits;
//! default 5. `mirostat_eta`: eta, f64 in [0, 1]; default 0.1; 0 leaves mu where it is. `min_keep`: the least number of
//! tokens to keep.
//!
//! **Boundary and ties.** Version 2 keeps a token whose surprise is mu exactly, and every token of its weight. Both keep
//! the first by rank at least, whatever mu is. Where the best tokens of version 1 are all equal (s = 0) it keeps all when
//! 2^mu > N - 1, asked as mu > log2(N - 1), else one. mu stays finite.
//!
//! **Draws.** One word, by the rule of the [`draw`](super::draw). At temperature 0 none is drawn: nothing is pending then
//! and mu stays where it is.
//!
//! **Cost.** Version 2: one pass of exponentials, and those of what is kept. Version 1: a search for the best tokens.
//!
//! **Threshold.** Version 2: mu, in bits. Version 1: k.
//!
//! **Reference.** Basu et al., *Mirostat: a neural text decoding algorithm that directly controls perplexity* (2021);
//! version 2 and m = 100 are those of its authors' program and of llama.cpp.
//!
//! ```
//! use nucleus_sampler::{Options, Sampler};
//! let mut sampler = Sampler::new(Options {
//!     mirostat_version: Some(2),
//!     mirostat_tau: Some(1.0),
//!     seed: Some(42),
//!     ..Options::default()
//! })?;
//! // Surprises of 1, 2, 3 and 3 bits; mu begins at 2.
//! let logits = [0.5f32.ln(), 0.25f32.ln(), 0.125f32.ln(), 0.125f32.ln()];
//! assert_eq!(sampler.distribution(&logits)?.kept_count, 2);
//! let token = sampler.sample(&logits)?;
//! sampler.accept(token)?;
//! # Ok::<(), nucleus_sampler::Error>(())
//! ```

use std::sync::Arc;

use super::{Context, Kind, Stage, halfway};
use crate::candidates::Candidates;
use crate::error::Result;
use crate::math::{LN_2, exp, ln, log2};
use crate::names::StageName;

/// The most tokens from which the exponent of Zipf's law is estimated.
const M: usize = 100;

/// Cuts where the controller's surprise says.
#[derive(Clone, Debug)]
pub struct Mirostat {
    version: u32,
    tau: f64,
    min_keep: usize,
    /// What a guard multiplies mu by: 1, or a power of two.
    relaxed: f64,
}

impl Mirostat {
    /// The version (0 is off), tau in bits, and the least number of tokens to keep.
    pub(crate) fn new(version: u32, tau: f64, min_keep: usize) -> Mirostat {
        Mirostat { version, tau, min_keep, relaxed: 1.0 }
    }

    fn mu(&self, context: &Context<'_>) -> f64 {
        let mu = context.controllers.mirostat_mu(self.tau);
        // Away from what a negative mu cuts, too.
        mu + mu.abs() * (self.relaxed - 1.0)
    }
}

impl Stage for Mirostat {
    fn name(&self) -> StageName {
        StageName::Mirostat
    }

    fn kind(&self) -> Kind {
        Kind::Truncates
    }

    fn is_active(&self) -> bool {
        self.version != 0
    }

    fn relaxed(&self, steps: u32) -> Option<Arc<dyn Stage>> {
        Some(Arc::new(Mirostat { relaxed: 1.0 / halfway(1.0, 0.0, steps), ..self.clone() }))
    }

    fn apply(&self, candidates: &mut Candidates<'_>, context: &Context<'_>) -> Result<()> {
        let mu = self.mu(context);
        if self.version == 1 {
            let k = best_of_zipf(candidates, mu);
            candidates.keep_top(k.max(self.min_keep));
        } else {
            candidates.keep_unsurprising(mu, self.min_keep);
        }
        Ok(())
    }

    fn threshold(&self, candidates: &mut Candidates<'_>, context: &Context<'_>) -> Option<f64> {
        let mu = self.mu(context);
        Some(if self.version == 1 { best_of_zipf(candidates, mu) as f64 } else { mu })
    }
}

/// How many of the best tokens mirostat 1 keeps: k, from 1 to the number alive.
fn best_of_zipf(candidates: &mut Candidates<'_>, mu: f64) -> usize {
    let n = candidates.n_alive();
    let s = zipf_exponent(candidates);
    if s == 0.0 {
        // 2^mu > N - 1, by a logarithm that is exact where N - 1 is a power of two.
        return if mu > log2((n - 1) as f64) { n } else { 1 };
    }
    let ln_n = ln(n as f64);
    let y = (s - 1.0) * ln_n;
    // (1 - e^-y) / y, by its series where both are next to nothing.
    let relative = if y.abs() < 1e-5 { 1.0 - y / 2.0 + y * y / 6.0 } else { (1.0 - exp(-y)) / y };
    let k = exp((mu * LN_2 - ln(ln_n * relative)) / s);
    // What is no number (one token alone) becomes 0, what is infinite the largest integer.
    (k as usize).clamp(1, n)
}

/// s, estimated from the best tokens.
fn zipf_exponent(candidates: &mut Candidates<'_>) -> f64 {
    let factor = candidates.factor();
    let (mut products, mut squares) = (0.0, 0.0);
    let mut above = None;
    for (rank, logit) in candidates.best_logits(M).enumerate() {
        if let Some(above) = above.replace(f64::from(logit)) {
            let t = ln((rank + 1) as f64 / rank as f64);
            products += t * ((above - f64::from(logit)) * factor);
            squares += t * t;
        }
    }
    products / squares
}
