//! XTC, exclude top choices: now and then the best tokens go, all but the last of those above a threshold.
//!
//! **Definition.** Where the coin falls, the tokens with w >= ceil(t Z) are the top choices, with Z the mass alive; all of
//! them but the last by rank are removed. The coin falls where its word C < ceil(p 2^64).
//!
//! **Parameters.** `xtc_probability`: p, f64 in [0, 1]; default and off value 0; 1 is always. `xtc_threshold`: t, f64 in
//! (0, 0.5], default 0.1. `xtc_protected_tokens`: token ids, default none. `min_keep`: the least number of tokens to keep.
//!
//! **Boundary and ties.** A token exactly at the threshold is a top choice. Of equal logits the one with the highest id is
//! the last by rank. Protected tokens are no top choices: they stay, and they are not the one that stays for the others;
//! ids outside the vocabulary protect nothing. With fewer than two top choices, or where fewer than `min_keep` tokens would
//! be left, nothing is removed. Where the coin was given with a preview, that is the side on which it falls.
//!
//! **Draws.** One word of a stream of its own, at the row's position, while 0 < p < 1; none else. A caller's generator
//! gives the coin's word first, and the draw's after it.
//!
//! **Cost.** One pass of exponentials; a copy of the set where something is removed.
//!
//! **Threshold.** The least probability of a top choice, t in the distribution that enters, whichever side the coin shows.
//!
//! **Reference.** P. E. Weidmann, *Exclude top choices (XTC): a sampler that boosts creativity, breaks writing clichés, and
//! inhibits non-verbatim repetition* (oobabooga/text-generation-webui pull request 6335, 2024).
//!
//! ```
//! use nucleus_sampler::{Options, Sampler};
//! let logits = [0.4f32.ln(), 0.3f32.ln(), 0.2f32.ln(), 0.1f32.ln()];
//! let options = Options { xtc_probability: Some(1.0), xtc_threshold: Some(0.15), ..Options::default() };
//! let mut sampler = Sampler::new(options)?;
//! assert_eq!(sampler.distribution(&logits)?.token_ids, [2, 3]);
//! # Ok::<(), nucleus_sampler::Error>(())
//! ```

use std::sync::Arc;

use super::{Context, Kind, Stage, halfway};
use crate::candidates::Candidates;
use crate::error::Result;
use crate::math::ceil_share;
use crate::names::StageName;
use crate::options::Settings;
use crate::rank;

/// When the coin falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coin {
    /// Without a word: always, or never.
    Decided(bool),
    /// For words below this.
    Below(u64),
}

impl Coin {
    /// The coin that falls with probability p: for words below ceil(p 2^64).
    pub(crate) fn new(p: f64) -> Coin {
        if p >= 1.0 || p <= 0.0 {
            return Coin::Decided(p >= 1.0);
        }
        // A multiplication by a power of two is exact, and p below 1 leaves room for the ceiling.
        Coin::Below((p * 18_446_744_073_709_551_616.0).ceil() as u64)
    }

    /// Whether the coin falls; `word` is asked for where it decides.
    #[inline]
    pub(crate) fn falls(self, word: impl FnOnce() -> u64) -> bool {
        match self {
            Coin::Decided(falls) => falls,
            Coin::Below(limit) => word() < limit,
        }
    }
}

/// Removes the top choices but the last of them, where the coin falls.
#[derive(Clone, Debug)]
pub struct Xtc {
    probability: f64,
    threshold: f64,
    /// By ascending id, each once.
    protected: Vec<u32>,
    min_keep: usize,
}

impl Xtc {
    /// The settings' XTC.
    pub(crate) fn new(settings: &Settings) -> Xtc {
        let mut protected = settings.xtc_protected_tokens.clone();
        rank::sort_distinct(&mut protected);
        Xtc {
            probability: settings.xtc_probability,
            threshold: settings.xtc_threshold,
            protected,
            min_keep: settings.min_keep as usize,
        }
    }
}

impl Stage for Xtc {
    fn name(&self) -> StageName {
        StageName::Xtc
    }

    fn kind(&self) -> Kind {
        Kind::Truncates
    }

    fn is_active(&self) -> bool {
        self.probability > 0.0
    }

    fn relaxed(&self, steps: u32) -> Option<Arc<dyn Stage>> {
        Some(Arc::new(Xtc { threshold: halfway(self.threshold, 0.5, steps), ..self.clone() }))
    }

    fn apply(&self, candidates: &mut Candidates<'_>, context: &Context<'_>) -> Result<()> {
        if context.coin {
            candidates.exclude_top(self.threshold, &self.protected, self.min_keep);
        }
        Ok(())
    }

    fn threshold(&self, candidates: &mut Candidates<'_>, _: &Context<'_>) -> Option<f64> {
        let mass = candidates.mass();
        Some(ceil_share(self.threshold, mass) as f64 / mass as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_coin_falls_for_words_below_the_exact_share_of_2_to_the_64() {
        let below = |limit| Coin::Below(limit);
        assert_eq!(Coin::new(0.5), below(1 << 63));
        assert_eq!(Coin::new(f64::from_bits(0.5f64.to_bits() + 1)), below((1 << 63) + (1 << 11)));
        assert_eq!(Coin::new(1.0 - f64::EPSILON / 2.0), below(u64::MAX - (1 << 11) + 1));
        assert_eq!(Coin::new(f64::from_bits(1)), below(1));
        assert_eq!(Coin::new(1.5 / 18_446_744_073_709_551_616.0), below(2));
        assert_eq!((Coin::new(1.0), Coin::new(0.0)), (Coin::Decided(true), Coin::Decided(false)));
    }

    #[test]
    fn a_coin_that_is_decided_asks_for_no_word() {
        assert!(Coin::new(1.0).falls(|| panic!("a word was read")));
        assert!(!Coin::new(0.0).falls(|| panic!("a word was read")));
        assert!(Coin::new(0.5).falls(|| (1 << 63) - 1));
        assert!(!Coin::new(0.5).falls(|| 1 << 63));
    }
}
