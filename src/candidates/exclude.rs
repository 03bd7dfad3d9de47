//! Taking away the best tokens of a candidate set, all but the last of them.

use super::{Candidate, Candidates};
use crate::math;

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
}
