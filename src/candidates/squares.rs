//! The sum of squared weights: how likely two draws are to be the same, before it is divided by the squared mass.

use super::Candidates;
use crate::kernel::weight;

/// Bits of a weight's lower half.
const HALF: u32 = 22;

impl Candidates<'_> {
    /// The sum of w^2 over the tokens alive, exact: below 2^107.
    ///
    /// With w = a 2^22 + b every product of halves is at most 2^44, so that 2^19 of them fit into 64 bits.
    pub fn sum_of_squares(&mut self) -> u128 {
        self.settle();
        self.weigh(true);
        let n = self.logits().len();
        let (mut high, mut mixed, mut low) = (0u64, 0u64, 0u64);
        // The dead weigh nothing.
        for e in self.scratch.exps.iter().take(n) {
            let w = weight(*e);
            let (a, b) = (w >> HALF, w & ((1 << HALF) - 1));
            high += a * a;
            mixed += a * b;
            low += b * b;
        }
        (u128::from(high) << (2 * HALF)) + (u128::from(mixed) << (HALF + 1)) + u128::from(low)
    }
}
