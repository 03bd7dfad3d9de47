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
            false => Draws::Table(Table::new(candidates, n)),
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
/// The words are divided into equal ranges, and each range knows what its words fall on: one token, or the first of
/// several, from which the ends are looked at one by one (after Chen and Asau, *On generating random variates from an
/// empirical distribution*, 1974). With more ranges than tokens most draws read one number.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    ids: Vec<u32>,
    /// The mass up to and including each token.
    ends: Vec<u64>,
    mass: u64,
    /// For each range of words twice the id of the token that all of them fall on; else twice the place of the first
    /// token, and 1.
    guide: Vec<u32>,
    /// A word's range is the word shifted by this.
    shift: u32,
}

impl Table {
    /// Lays out the tokens alive for about `n_draws` draws; those of weight 0 are left out, for they are never drawn.
    fn new(candidates: &mut Candidates<'_>, n_draws: usize) -> Table {
        let n = candidates.n_alive();
        let (mut ids, mut ends, mut mass) = (Vec::with_capacity(n), Vec::with_capacity(n), 0);
        candidates.each_weight(|id, weight| {
            if weight > 0 {
                mass += weight;
                ids.push(id);
                ends.push(mass);
            }
        });
        let n_ranges = (ids.len() * RANGES_A_TOKEN).max(FEW_RANGES).min(n_draws).max(2);
        let bits = n_ranges.next_power_of_two().trailing_zeros();
        let guide = ranges(bits, mass, &ids, &ends);
        Table { ids, ends, mass, guide, shift: 64 - bits }
    }

    /// The token of a word.
    #[inline]
    fn token(&self, word: u64) -> u32 {
        let range = self.guide.get((word >> self.shift) as usize).copied().unwrap_or_default();
        if range & 1 == 0 {
            return range >> 1;
        }
        let target = target(word, self.mass);
        let mut place = (range >> 1) as usize;
        while self.end(place) <= target {
            place += 1;
        }
        self.id(place)
    }

    #[inline]
    fn end(&self, place: usize) -> u64 {
        self.ends.get(place).copied().unwrap_or(u64::MAX)
    }

    #[inline]
    fn id(&self, place: usize) -> u32 {
        self.ids.get(place).copied().unwrap_or_default()
    }
}

/// The guide of 2^`bits` ranges.
///
/// The first target of range i is floor(i K / 2^bits), which is counted up with its remainder. A target of the range is at
/// most the first of the next one, so a token whose interval goes beyond that one has the whole range.
fn ranges(bits: u32, mass: u64, ids: &[u32], ends: &[u64]) -> Vec<u32> {
    let end = |place: usize| ends.get(place).copied().unwrap_or(u64::MAX);
    let n = 1u64 << bits;
    let (step, more) = (mass >> bits, mass & (n - 1));
    let (mut first, mut remainder, mut place) = (0, 0, 0);
    let range = |_| {
        while end(place) <= first {
            place += 1;
        }
        remainder += more;
        first += step + (remainder >> bits);
        remainder &= n - 1;
        match ids.get(place) {
            Some(id) if end(place) > first => 2 * id,
            _ => 2 * place as u32 + 1,
        }
    };
    (0..n).map(range).collect()
}

/// Ranges of words for each token.
const RANGES_A_TOKEN: usize = 2;
/// As many ranges as are worth their making for a handful of tokens.
const FEW_RANGES: usize = 4096;

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
