//! Memory for finding a text's repetitions, lent to stages: it lives with the rest of what calls reuse.

use super::Candidates;
use crate::repeats::Repeats;

impl Candidates<'_> {
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
