//! The bends of the curve of weights by rank, and the prefix that holds a share of them.
//!
//! The bend at a rank i that has neighbours on both sides is |w_(i-1) - 2 w_i + w_(i+1)|, an integer. The weights fall by
//! 2^44 in all, so the bends sum to 2^45 at most. Where no token weighs anything the curve is straight: only tokens of
//! weight above 0 are ranked.

use super::{Candidates, Scratch};
use crate::kernel::weight;
use crate::math::floor_share;
use crate::rank;

impl Candidates<'_> {
    /// Keeps the best token and, down to the first that is not kept, each up to whose rank the bends sum to at most `share`
    /// of all; the last token, which has no bend, has all before it. At least `min_keep` tokens.
    pub fn keep_bends(&mut self, share: f64, min_keep: usize) {
        let n = self.prefix_of_bends(share);
        self.keep_top(n.max(min_keep));
    }

    /// How many tokens the prefix has.
    fn prefix_of_bends(&mut self, share: f64) -> usize {
        let n = self.n_alive();
        self.rank_weights();
        let weights = &self.scratch.entries;
        let at = |i: usize| weights.get(i).copied().unwrap_or(0);
        // The first rank without weight has the last bend.
        let bends = (1..n.saturating_sub(1).min(weights.len() + 1))
            .map(|i| (at(i - 1) + at(i + 1)).abs_diff(2 * at(i)));
        let limit = floor_share(share, bends.clone().sum());
        let mut sum = 0;
        let beyond = bends.map(|bend| {
            sum += bend;
            sum > limit
        });
        beyond.enumerate().find(|(_, beyond)| *beyond).map_or(n, |(before, _)| before + 1)
    }

    /// Fills the entries with the weights above 0 in the order of rank.
    fn rank_weights(&mut self) {
        self.settle();
        self.ensure_weights();
        let mut entries = core::mem::take(&mut self.scratch.entries);
        entries.clear();
        let places =
            (0..self.logits().len()).filter_map(|place| Some((place, self.candidate(place)?)));
        let weighing = places.filter(|(_, candidate)| candidate.weight() > 0);
        entries.extend(weighing.map(|(place, candidate)| rank::entry(candidate.logit, place)));
        let Scratch { exps, spare, .. } = &mut *self.scratch;
        rank::sort_with(&mut entries, spare);
        for entry in &mut entries {
            *entry = exps.get(rank::place_of(*entry)).map_or(0, |e| weight(*e));
        }
        self.scratch.entries = entries;
    }
}
