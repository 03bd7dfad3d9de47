//! A cut by rank: the last token of a prefix, and what a block keeps of it.

use super::lanes::{F32s, Lanes, U64s, WIDTH};
use super::weigh::weight;

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

impl Cut {
    /// The mass of what a block keeps; `first` is the block's first place.
    pub(crate) fn mass_kept(self, logits: &[f32], exps: &[f32], first: usize) -> u64 {
        let over = F32s::splat(self.logit.next_up());
        let least = F32s::splat(self.logit);
        let (chunks, rest) = logits.as_chunks::<WIDTH>();
        let (exp_chunks, exp_rest) = exps.as_chunks::<WIDTH>();
        let mut sum = U64s::zero();
        let mut ties = 0;
        for (i, (chunk, exps)) in chunks.iter().zip(exp_chunks).enumerate() {
            let lanes = F32s::load(chunk);
            sum = sum.add_shifted(F32s::load(exps).where_at_least(lanes, over));
            if lanes.at_least(least) != lanes.at_least(over) {
                ties += self.mass_of_ties(chunk, exps, first + i * WIDTH);
            }
        }
        let last = first + chunks.len() * WIDTH;
        let kept =
            rest.iter().zip(exp_rest).zip(last..).filter(|((l, _), place)| self.keeps(**l, *place));
        let rest: u64 = kept.map(|((_, e), _)| weight(*e)).sum();
        sum.total((chunks.len() * WIDTH) as u64) + ties + rest
    }

    fn mass_of_ties(self, logits: &[f32], exps: &[f32], first: usize) -> u64 {
        let ties = logits.iter().zip(exps).zip(first..);
        let kept = ties.filter(|((l, _), place)| **l == self.logit && self.keeps(**l, *place));
        kept.map(|((_, e), _)| weight(*e)).sum()
    }
}

/// A prefix by rank.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Prefix {
    /// Its last token.
    pub cut: Cut,
    /// How many tokens it holds.
    pub n: usize,
    /// Their mass; 0 when no weights were given.
    pub mass: u64,
}
