//! Candidates by rank, and what is summed over them by id.

use super::{Candidates, Cutting, Form};
use crate::kernel::{self, Cut, Factor};
use crate::rank;

/// The tokens alive by rank, highest first; the lists have one length.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Ranked {
    /// Token ids.
    pub ids: Vec<u32>,
    /// Current logits.
    pub logits: Vec<f32>,
    /// e of each, as [`weight`](crate::candidates::weight) takes it.
    pub exps: Vec<f32>,
    /// The mass of all.
    pub mass: u64,
}

/// The entries of the logits alive that are to be kept, by place.
fn entries_of(logits: &[f32], entries: &mut Vec<u64>, keep: impl Fn(f32, usize) -> bool) {
    entries.resize(logits.len(), 0);
    let mut n = 0;
    // Every entry is written, and stays where it counts: no branch to guess.
    for (place, logit) in logits.iter().enumerate() {
        if let Some(entry) = entries.get_mut(n) {
            *entry = rank::entry(*logit, place);
        }
        n += usize::from((*logit != f32::NEG_INFINITY) & keep(*logit, place));
    }
    entries.truncate(n);
}

impl Candidates<'_> {
    /// The tokens alive by rank.
    ///
    /// e is taken anew in the order of rank, which costs less than fetching it from all over the row.
    pub(crate) fn ranked(&mut self) -> Ranked {
        self.resolve();
        let mut entries = core::mem::take(&mut self.scratch.entries);
        match self.pending() {
            Some(cut) => {
                entries_of(self.logits(), &mut entries, |logit, place| cut.keeps(logit, place));
            }
            None => entries_of(self.logits(), &mut entries, |_, _| true),
        }
        rank::sort_with(&mut entries, &mut self.scratch.spare);
        let place = |entry: &u64| rank::place_of(*entry) as u32;
        let mut ranked = Ranked {
            ids: entries.iter().map(place).collect(),
            logits: entries.iter().map(|entry| rank::logit_of(*entry)).collect(),
            ..Ranked::default()
        };
        if self.form == Form::Listed {
            for place in &mut ranked.ids {
                *place = self.id(*place as usize);
            }
        }
        self.scratch.entries = entries;
        let factor = Factor::new(self.factor);
        self.scratch.cost.weighed(ranked.logits.len());
        ranked.mass = kernel::weigh_list(&ranked.logits, self.max, factor, &mut ranked.exps);
        ranked
    }

    /// The cut that is pending.
    pub(super) fn pending(&self) -> Option<Cut> {
        match self.cutting {
            Cutting::Pending(prefix) => Some(prefix.cut),
            _ => None,
        }
    }

    /// The sum of w (l - max) in 8 lanes by token id mod 8, in the contract's order of addition, in units of 2^44.
    pub(super) fn entropy_sum(&mut self) -> f64 {
        self.ensure_weights();
        let max = self.max;
        if self.form == Form::Listed {
            return kernel::entropy_sums(self.alive().map(|c| (c.id, c.logit, c.exp)), max);
        }
        kernel::entropy_of_row(self.logits(), &self.scratch.exps, self.pending(), max)
    }
}
