//! Which token a target falls on, when the tokens alive are laid out in ascending id, each as long as its weight.

use super::{Candidates, Cutting, Form, Scratch, Weights};
use crate::kernel::{self, BLOCK, Factor, weight};

impl Candidates<'_> {
    /// The token in whose interval `target`, below [`mass`](Candidates::mass), falls.
    pub fn token_at(&mut self, target: u64) -> u32 {
        self.resolve();
        let place = match (self.form, self.cutting) {
            (Form::Listed, _) => {
                self.weigh(true);
                place_in(&self.scratch.exps, target)
            }
            (_, Cutting::Pending(_)) => self.place_before_cut(target),
            _ => self.place_in_row(target),
        };
        // Always found while the target is below the mass; the last token is then the nearest answer.
        self.id(place.unwrap_or(self.logits().len().saturating_sub(1)))
    }

    /// The place in a dense form whose masses are known.
    fn place_in_row(&mut self, target: u64) -> Option<usize> {
        self.weigh(false);
        let (block, below) = block_of(self.scratch.masses.iter().copied(), target)?;
        let first = block * BLOCK;
        let factor = Factor::new(self.factor);
        let Scratch { logits, exps, .. } = &mut *self.scratch;
        if let Weights::Stored(_) = self.weights {
            return place_in(exps.get(first..)?, below).map(|i| first + i);
        }
        let row = if self.form == Form::Given { self.given } else { logits };
        kernel::weigh_list(row.get(first..row.len().min(first + BLOCK))?, self.max, factor, exps);
        place_in(exps, below).map(|i| first + i)
    }

    /// The place in a dense form of which a cut is pending.
    fn place_before_cut(&mut self, target: u64) -> Option<usize> {
        let Cutting::Pending(prefix) = self.cutting else { return None };
        let cut = prefix.cut;
        let (logits, exps) = (self.logits(), self.scratch.exps.as_slice());
        let blocks = || logits.chunks(BLOCK).zip(exps.chunks(BLOCK)).enumerate();
        let masses = blocks().map(|(i, (logits, exps))| cut.mass_kept(logits, exps, i * BLOCK));
        let (block, mut below) = block_of(masses, target)?;
        let (_, (logits, exps)) = blocks().nth(block)?;
        for (i, (logit, e)) in logits.iter().zip(exps).enumerate() {
            let place = block * BLOCK + i;
            let weight = if cut.keeps(*logit, place) { weight(*e) } else { 0 };
            if below < weight {
                return Some(place);
            }
            below -= weight;
        }
        None
    }
}

/// The block in which the target falls, and what is left of the target there.
fn block_of(masses: impl Iterator<Item = u64>, target: u64) -> Option<(usize, u64)> {
    let mut below = target;
    for (block, mass) in masses.enumerate() {
        if below < mass {
            return Some((block, below));
        }
        below -= mass;
    }
    None
}

/// The index of the weight in which the target falls.
fn place_in(exps: &[f32], target: u64) -> Option<usize> {
    let mut below = target;
    exps.iter().position(|e| {
        let weight = weight(*e);
        let found = below < weight;
        below = below.wrapping_sub(weight);
        found
    })
}
