//! The draw: one word laid over the kept tokens.
//!
//! **Definition.** With K the mass kept and R the draw's 64-bit word: target = floor(R K / 2^64); the token is the one
//! in whose interval the target falls when the kept tokens are laid out in ascending id, each as long as its weight.
//!
//! **Parameters.** `seed` and `stream` choose the words; see [`rng`](crate::rng).
//!
//! **Boundary and ties.** target < K always, so a token of weight 0 has an empty interval and is never drawn.
//!
//! **Draws.** One word; none after temperature 0.
//!
//! **Cost.** One pass over what is kept, less with the masses of blocks. Many draws share a table: a search each.
//!
//! **Threshold.** None.
//!
//! **Reference.** Inverse transform sampling; Devroye, *Non-uniform random variate generation* (1986), chapter III.
//!
//! ```
//! use nucleus_sampler::{Options, Sampler};
//! let mut sampler = Sampler::new(Options { seed: Some(42), ..Options::default() })?;
//! let sample = sampler.sample_detailed(&[0.0, 0.0])?;
//! let share = sample.target.unwrap_or_default();
//! assert_eq!(sample.token, if share < 0.5 { 0 } else { 1 });
//! # Ok::<(), nucleus_sampler::Error>(())
//! ```

use crate::candidates::{Candidates, MAX_WEIGHT};

/// Where a draw fell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Drawn {
    /// The token.
    pub token: u32,
    /// floor(R K / 2^64).
    pub target: u64,
    /// K, the mass kept.
    pub mass: u64,
}

/// floor(word * mass / 2^64), below `mass`.
#[inline]
pub(crate) fn target(word: u64, mass: u64) -> u64 {
    ((u128::from(word) * u128::from(mass)) >> 64) as u64
}

/// Draws one token.
#[inline]
pub(crate) fn draw(candidates: &mut Candidates<'_>, word: u64) -> Drawn {
    if let Some(token) = candidates.only() {
        return Drawn { token, target: target(word, MAX_WEIGHT), mass: MAX_WEIGHT };
    }
    let mass = candidates.mass();
    let target = target(word, mass);
    Drawn { token: candidates.token_at(target), target, mass }
}

/// The kept tokens laid out in ascending id, for many draws from one set.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    ids: Vec<u32>,
    /// The mass up to and including each token.
    ends: Vec<u64>,
    mass: u64,
}

impl Table {
    /// Lays out the tokens alive; those of weight 0 are left out, for they are never drawn.
    pub(crate) fn new(candidates: &mut Candidates<'_>) -> Table {
        candidates.ensure_weights();
        let (mut ids, mut ends, mut mass) = (Vec::new(), Vec::new(), 0);
        for candidate in candidates.alive().filter(|candidate| candidate.weight() > 0) {
            mass += candidate.weight();
            ids.push(candidate.id);
            ends.push(mass);
        }
        Table { ids, ends, mass }
    }

    /// The token of a word.
    pub(crate) fn token(&self, word: u64) -> u32 {
        let target = target(word, self.mass);
        let place = self.ends.partition_point(|end| *end <= target);
        self.ids.get(place).copied().unwrap_or_default()
    }
}
