//! The cut: the shortest prefix by rank that holds a mass and a number of tokens, found without a sort.
//!
//! Rank is by logit, highest first, ties by lower place. A histogram over the high bits of the rank key, of counts and
//! exact masses, shows in which bucket the prefix ends; only that bucket's tokens are looked at again, by the next
//! bits, until few enough are left to sort.
//!
//! Cost: one pass over the row, and passes over what fell into the last bucket.

use super::weigh::weight;
use crate::math::{rank_key, rank_key_logit};

/// The last token of a prefix by rank: what ranks at or above it is inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cut {
    /// Its logit.
    pub logit: f32,
    /// Its place in the row.
    pub place: usize,
}

impl Cut {
    /// Whether the token at `place` ranks at or above the cut.
    #[inline(always)]
    pub(crate) fn keeps(self, logit: f32, place: usize) -> bool {
        logit > self.logit || (logit == self.logit && place <= self.place)
    }
}

/// A prefix by rank.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Prefix {
    /// Its last token.
    pub cut: Cut,
    /// How many tokens it holds.
    pub n: usize,
    /// Their mass.
    pub mass: u64,
}

/// What a prefix must hold; the shortest one that holds both is meant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Target {
    /// At least this mass.
    pub mass: u64,
    /// At least this many tokens.
    pub n: usize,
}

/// A token that may be the last of the prefix.
#[derive(Clone, Copy, Debug)]
struct Near {
    key: u32,
    place: u32,
    weight: u64,
}

/// What ranks above the bucket in hand.
#[derive(Clone, Copy, Debug, Default)]
struct Above {
    n: usize,
    mass: u64,
}

/// Buckets of a histogram: 11 bits of the key, as in the first of three steps.
const BUCKETS: usize = 1 << 11;
/// The shifts of the three steps: 11, 11 and 10 bits.
const SHIFTS: [u32; 3] = [21, 10, 0];
/// As few tokens as this are sorted at once.
const SORTED_AT_ONCE: usize = 64;

/// The scratch memory of a search.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selector {
    buckets: Vec<Above>,
    near: Vec<Near>,
}

impl Selector {
    /// The shortest prefix of the tokens (place, logit, e), in ascending order of place, that holds `target`.
    ///
    /// When all of them do not hold it, the prefix is all of them; none when there is no token.
    pub(crate) fn prefix<'t, I>(&mut self, tokens: I, target: Target) -> Option<Prefix>
    where
        I: Iterator<Item = (usize, f32, f32)> + Clone + 't,
    {
        let mut above = Above::default();
        let tokens = tokens.map(|(place, logit, e)| Near {
            key: rank_key(logit),
            place: place as u32,
            weight: weight(e),
        });
        let [first, others @ ..] = SHIFTS;
        let bucket = self.last_bucket(tokens.clone(), first, &mut above, target);
        self.near.clear();
        self.near.extend(tokens.filter(|near| near.key >> first == bucket));
        for shift in others {
            if self.near.len() <= SORTED_AT_ONCE {
                break;
            }
            let near = core::mem::take(&mut self.near);
            let bucket = self.last_bucket(near.iter().copied(), shift, &mut above, target);
            self.near = near;
            self.near.retain(|near| near.key >> shift == bucket);
        }
        self.walk(above, target)
    }

    /// The bucket in which the prefix ends; `above` grows by the buckets over it.
    fn last_bucket(
        &mut self,
        tokens: impl Iterator<Item = Near>,
        shift: u32,
        above: &mut Above,
        target: Target,
    ) -> u32 {
        self.buckets.clear();
        self.buckets.resize(BUCKETS, Above::default());
        let mut high = 0;
        for near in tokens {
            high = near.key >> shift;
            if let Some(bucket) = self.buckets.get_mut(high as usize % BUCKETS) {
                bucket.n += 1;
                bucket.mass += near.weight;
            }
        }
        let mut last: Option<(u32, Above)> = None;
        for (i, bucket) in self.buckets.iter().enumerate().rev().filter(|(_, bucket)| bucket.n > 0)
        {
            if let Some((_, whole)) = last {
                above.n += whole.n;
                above.mass += whole.mass;
            }
            last = Some((i as u32, *bucket));
            if above.n + bucket.n >= target.n && above.mass + bucket.mass >= target.mass {
                break;
            }
        }
        let last = last.map_or(0, |(i, _)| i);
        // All tokens in hand share the bits above this step's.
        (high & !(BUCKETS as u32 - 1)) | last
    }

    /// Sorts what is near and walks down to the end of the prefix.
    fn walk(&mut self, above: Above, target: Target) -> Option<Prefix> {
        // One key is left after the last step: then places are already in order and nothing needs a sort.
        self.near.sort_unstable_by_key(|near| (core::cmp::Reverse(near.key), near.place));
        let mut prefix = None;
        let Above { mut n, mut mass } = above;
        for near in &self.near {
            n += 1;
            mass += near.weight;
            let cut = Cut { logit: rank_key_logit(near.key), place: near.place as usize };
            prefix = Some(Prefix { cut, n, mass });
            if n >= target.n && mass >= target.mass {
                break;
            }
        }
        prefix
    }
}
