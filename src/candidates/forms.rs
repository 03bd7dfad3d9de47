//! How the three forms of a candidate set are kept and turned into each other.

use super::{Candidate, Candidates, Form, Scratch};
use crate::kernel::{self, Factor, Target, weight};

impl Candidates<'_> {
    pub(super) fn logits(&self) -> &[f32] {
        if self.form == Form::Given { self.given } else { &self.scratch.logits }
    }

    /// (place, logit, e) of every place from `first` on, dead ones included; e is 0 when there are no weights.
    pub(super) fn places(
        &self,
        first: usize,
    ) -> impl Iterator<Item = (usize, f32, f32)> + Clone + '_ {
        let exps = if self.weighed.is_some() { self.scratch.exps.as_slice() } else { &[] };
        let exps = exps.iter().skip(first).copied().chain(core::iter::repeat(0.0));
        let logits = self.logits().iter().skip(first).copied();
        logits.zip(exps).enumerate().map(move |(i, (logit, exp))| (first + i, logit, exp))
    }

    pub(super) fn id(&self, place: usize) -> u32 {
        match self.form {
            Form::Listed => self.scratch.ids.get(place).copied().unwrap_or(u32::MAX),
            _ => place as u32,
        }
    }

    pub(super) fn place(&self, id: u32) -> Option<usize> {
        match self.form {
            Form::Listed => self.scratch.ids.binary_search(&id).ok(),
            _ => usize::try_from(id).ok().filter(|place| *place < self.given.len()),
        }
    }

    pub(super) fn weigh(&mut self) -> u64 {
        if let Some(mass) = self.weighed {
            return mass;
        }
        let factor = Factor::new(self.factor);
        let Scratch { logits, exps, block_mass, .. } = &mut *self.scratch;
        let logits = if self.form == Form::Given { self.given } else { logits };
        let mass = kernel::weigh(logits, self.max, factor, exps, block_mass);
        self.weighed = Some(mass);
        mass
    }

    /// Cuts to a prefix by rank, left pending.
    pub(super) fn keep_prefix(&mut self, target: Target) {
        self.settle();
        if target.n >= self.n_alive {
            return;
        }
        let mut selector = core::mem::take(&mut self.scratch.selector);
        let tokens = self.places(0).filter(|(_, logit, _)| *logit != f32::NEG_INFINITY);
        self.pending = selector.prefix(tokens, target);
        self.scratch.selector = selector;
        if self.weighed.is_none() {
            self.settle();
        }
    }

    /// Makes a pending cut real: lists what it keeps.
    pub(super) fn settle(&mut self) {
        if let Some(prefix) = self.pending.take() {
            self.list(|candidate, place| prefix.cut.keeps(candidate.logit, place));
        }
    }

    /// Copies the given row, so that it can be written to.
    pub(super) fn edit(&mut self) {
        self.settle();
        if self.form == Form::Given {
            self.scratch.logits.clear();
            self.scratch.logits.extend(self.given.iter().map(|logit| logit + 0.0));
            self.form = Form::Edited;
        }
    }

    /// Lists the tokens alive for which `keep` holds, in place where the set is already a copy.
    pub(super) fn list(&mut self, keep: impl Fn(Candidate, usize) -> bool) {
        self.make_room();
        let n = self.logits().len();
        let (mut kept, mut mass, mut max) = (0, 0, f32::NEG_INFINITY);
        for place in 0..n {
            let Some(candidate) = self.candidate(place).filter(|c| keep(*c, place)) else {
                continue;
            };
            self.put(kept, candidate);
            kept += 1;
            mass += weight(candidate.exp);
            max = max.max(candidate.logit);
        }
        let Scratch { logits, ids, exps, .. } = &mut *self.scratch;
        logits.truncate(kept);
        ids.truncate(kept);
        exps.truncate(kept);
        self.form = Form::Listed;
        self.n_alive = kept;
        self.weighed = self.weighed.filter(|_| max == self.max).map(|_| mass);
        self.max = max;
    }

    /// Makes the lists as long as the set can be.
    fn make_room(&mut self) {
        let n = self.logits().len();
        let Scratch { logits, ids, exps, .. } = &mut *self.scratch;
        if self.form != Form::Listed {
            ids.resize(n, 0);
            logits.resize(n, 0.0);
        }
        if exps.len() < n {
            exps.resize(n, 0.0);
        }
    }

    /// The candidate at a place, if it is alive.
    fn candidate(&self, place: usize) -> Option<Candidate> {
        let logit = self.logits().get(place).copied().filter(|l| *l != f32::NEG_INFINITY)?;
        let exp = match self.weighed {
            Some(_) => self.scratch.exps.get(place).copied().unwrap_or(0.0),
            None => 0.0,
        };
        Some(Candidate { id: self.id(place), logit: logit + 0.0, exp })
    }

    /// Writes a candidate to a place of the lists, at or before the one that it was read from.
    fn put(&mut self, place: usize, candidate: Candidate) {
        let Scratch { logits, ids, exps, .. } = &mut *self.scratch;
        if let (Some(logit), Some(id), Some(exp)) =
            (logits.get_mut(place), ids.get_mut(place), exps.get_mut(place))
        {
            (*logit, *id, *exp) = (candidate.logit, candidate.id, candidate.exp);
        }
    }

    /// Finds the maximum and the number alive anew after logits were written.
    pub(super) fn refresh(&mut self) {
        let Scratch { logits, block_max, .. } = &mut *self.scratch;
        let (mut max, mut n_alive) = (f32::NEG_INFINITY, 0);
        block_max.clear();
        for block in logits.chunks(kernel::BLOCK) {
            let highest = block.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            n_alive += block.iter().filter(|logit| **logit != f32::NEG_INFINITY).count();
            block_max.push(highest);
            max = max.max(highest);
        }
        self.max = max;
        self.n_alive = n_alive;
        self.weighed = None;
    }
}
