//! Which token a target falls on, when the tokens alive are laid out in ascending id, each as long as its weight.

use super::{Candidates, Cutting, Form, Scratch, Weights};
use crate::kernel::{self, BLOCK, Factor, weight};

impl Candidates<'_> {
    /// The only token of a list that holds one: it has the highest logit, so its weight is 2^44.
    pub(crate) fn only(&self) -> Option<u32> {
        match (self.form, self.scratch.ids.as_slice()) {
            (Form::Listed, [id]) => Some(*id),
            _ => None,
        }
    }

    /// Shows every token that has a weight, with it, in ascending order of id; others may be shown with weight 0.
    pub(crate) fn each_weight(&mut self, mut see: impl FnMut(u32, u64)) {
        self.ensure_weights();
        let n = self.logits().len();
        let exps = self.scratch.exps.get(..n).unwrap_or_default();
        match (self.form, self.cutting) {
            (Form::Listed, _) => {
                self.scratch.ids.iter().zip(exps).for_each(|(id, e)| see(*id, weight(*e)));
            }
            (_, Cutting::Pending(prefix)) => {
                for (place, (logit, e)) in self.logits().iter().zip(exps).enumerate() {
                    if prefix.cut.keeps(*logit, place) {
                        see(place as u32, weight(*e));
                    }
                }
            }
            // What is dead has e = 0.
            _ => exps.iter().enumerate().for_each(|(place, e)| see(place as u32, weight(*e))),
        }
    }

    /// The token in whose interval `target`, below [`mass`](Candidates::mass), falls.
    pub fn token_at(&mut self, target: u64) -> u32 {
        self.resolve();
        let place = match (self.form, self.cutting) {
            (Form::Listed, _) => {
                self.weigh(true);
                kernel::place_in(&self.scratch.exps, target)
            }
            (_, Cutting::Pending(_)) => self.place_before_cut(target),
            _ => self.place_in_row(target),
        };
        // Always found while the target is below the mass; the last token is then the nearest answer.
        self.id(place.unwrap_or(self.logits().len().saturating_sub(1)))
    }

    /// The place in a dense form.
    fn place_in_row(&mut self, target: u64) -> Option<usize> {
        self.weigh(false);
        let (block, below) = block_of(self.scratch.masses.iter().copied(), target)?;
        let first = block * BLOCK;
        let exps = self.weigh_block(first)?;
        kernel::place_in(exps, below).map(|i| first + i)
    }

    /// The place in a dense form of which a cut is pending.
    fn place_before_cut(&mut self, target: u64) -> Option<usize> {
        let Cutting::Pending(prefix) = self.cutting else { return None };
        let (block, below) = self.scratch.selector.block_at(prefix.cut, target)?;
        let first = block * BLOCK;
        let n = self.weigh_block(first)?.len();
        let start = if let Weights::Stored(_) = self.weights { first } else { 0 };
        let exps = self.scratch.exps.get(start..start + n)?;
        let logits = self.logits().get(first..first + n)?;
        kernel::place_in_prefix(logits, exps, first, prefix.cut, below)
    }

    /// e of the block of a dense form that begins at `first`: those stored, or taken anew at the front.
    fn weigh_block(&mut self, first: usize) -> Option<&[f32]> {
        let n = self.logits().len();
        let end = n.min(first + BLOCK);
        let factor = Factor::new(self.factor);
        let Scratch { edited, exps, cost, .. } = &mut *self.scratch;
        if let Weights::Stored(_) = self.weights {
            return exps.get(first..end);
        }
        let row = self.form.dense(self.given, edited);
        cost.weighed(end - first);
        kernel::weigh_list(row.get(first..end)?, self.max, factor, exps);
        Some(exps)
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
