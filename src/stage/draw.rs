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
///
/// By halves: a product of 128 bits is a call in WebAssembly, four of 64 bits are instructions.
#[inline]
pub(crate) fn target(word: u64, mass: u64) -> u64 {
    const LOW: u64 = 0xffff_ffff;
    let (a, b) = (word >> 32, word & LOW);
    let (c, d) = (mass >> 32, mass & LOW);
    let (middle, other) = (a * d, b * c);
    let carried = (middle & LOW) + (other & LOW) + ((b * d) >> 32);
    a * c + (middle >> 32) + (other >> 32) + (carried >> 32)
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

/// Fewer draws than this are made one by one: a table of the kept tokens costs more.
const TABLE_FROM: usize = 32;
/// Draws from one set, one by one or from a table.
pub(crate) enum Draws<'c, 'a> {
    Single(&'c mut Candidates<'a>),
    Table(Table),
}

impl<'c, 'a> Draws<'c, 'a> {
    /// For about `n` draws.
    pub(crate) fn new(candidates: &'c mut Candidates<'a>, n: usize) -> Draws<'c, 'a> {
        match n < TABLE_FROM {
            true => Draws::Single(candidates),
            false => Draws::Table(Table::new(candidates)),
        }
    }

    /// The token of a word.
    #[inline]
    pub(crate) fn token(&mut self, word: u64) -> u32 {
        match self {
            Draws::Single(candidates) => draw(candidates, word).token,
            Draws::Table(table) => table.token(word),
        }
    }

    /// The token of each word.
    pub(crate) fn fill(&mut self, words: &[u64], tokens: &mut [u32]) {
        let each = tokens.iter_mut().zip(words);
        match self {
            Draws::Single(candidates) => {
                each.for_each(|(token, word)| *token = draw(candidates, *word).token);
            }
            Draws::Table(table) => each.for_each(|(token, word)| *token = table.token(*word)),
        }
    }
}

/// The kept tokens laid out in ascending id, for many draws from one set.
///
/// The words are divided into as many equal ranges as there are tokens, and each range knows the first token that its
/// words can fall on: a draw then looks at one or two tokens, however many there are (Chen and Asau, *On generating random
/// variates from an empirical distribution*, 1974).
#[derive(Clone, Debug)]
pub(crate) struct Table {
    ids: Vec<u32>,
    /// The mass up to and including each token.
    ends: Vec<u64>,
    mass: u64,
    /// The first token of each range of words.
    guide: Vec<u32>,
    /// A word's range is the word shifted by this.
    shift: u32,
}

impl Table {
    /// Lays out the tokens alive; those of weight 0 are left out, for they are never drawn.
    fn new(candidates: &mut Candidates<'_>) -> Table {
        candidates.ensure_weights();
        let n = candidates.n_alive();
        let (mut ids, mut ends, mut mass) = (Vec::with_capacity(n), Vec::with_capacity(n), 0);
        for candidate in candidates.alive().filter(|candidate| candidate.weight() > 0) {
            mass += candidate.weight();
            ids.push(candidate.id);
            ends.push(mass);
        }
        let bits = ids.len().max(2).next_power_of_two().trailing_zeros();
        let shift = 64 - bits;
        let mut place = 0;
        let guide = (0..1u64 << bits)
            .map(|range| {
                let first = target(range << shift, mass);
                while ends.get(place).is_some_and(|end| *end <= first) {
                    place += 1;
                }
                place as u32
            })
            .collect();
        Table { ids, ends, mass, guide, shift }
    }

    /// The token of a word.
    fn token(&self, word: u64) -> u32 {
        let target = target(word, self.mass);
        let mut place = self.guide.get((word >> self.shift) as usize).map_or(0, |p| *p as usize);
        while self.ends.get(place).is_some_and(|end| *end <= target) {
            place += 1;
        }
        self.ids.get(place).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_the_high_half_of_the_product() {
        let numbers =
            [0, 1, 2, 0xffff_ffff, 1 << 32, (1 << 32) + 1, (1 << 63) - 1, 1 << 63, u64::MAX];
        let more = (1..200u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let all: Vec<u64> = numbers.into_iter().chain(more).collect();
        for word in &all {
            for mass in &all {
                let product = u128::from(*word) * u128::from(*mass);
                assert_eq!(target(*word, *mass), (product >> 64) as u64, "{word} {mass}");
            }
        }
    }
}
