//! What stages do to a candidate set, part three: take away the best tokens.

use super::{Candidate, Candidates};
use crate::math;
use crate::repeats::Repeats;

impl Candidates<'_> {
    /// Removes the tokens that weigh at least ceil(share * mass), all but the last of them by rank, where at least
    /// `min_keep` are left then; `protected` tokens (by ascending id) are none of them.
    pub fn exclude_top(&mut self, share: f64, protected: &[u32], min_keep: usize) {
        let least = math::ceil_share(share, self.mass());
        self.ensure_weights();
        let is_top = |candidate: &Candidate| {
            candidate.weight() >= least && protected.binary_search(&candidate.id).is_err()
        };
        let (mut n, mut last) = (0, (f32::INFINITY, u32::MAX));
        for candidate in self.alive().filter(is_top) {
            n += 1;
            if candidate.logit <= last.0 {
                last = (candidate.logit, candidate.id);
            }
        }
        if n < 2 || self.n_alive() - (n - 1) < min_keep {
            return;
        }
        self.settle();
        self.list(|candidate, _| !is_top(&candidate) || candidate.id == last.1);
    }

    /// Lends the memory in which a text's repetitions are found; [`return_repeats`](Candidates::return_repeats) gives it
    /// back.
    pub(crate) fn lend_repeats(&mut self) -> Repeats {
        core::mem::take(&mut self.scratch.repeats)
    }

    /// Takes lent memory back.
    pub(crate) fn return_repeats(&mut self, repeats: Repeats) {
        self.scratch.repeats = repeats;
    }
}
