//! How the three forms of a candidate set are kept, read and turned into each other.

use super::{Candidate, Candidates, Cutting, Form, Scratch, Weights};
use crate::kernel::{self, Cut, Factor, weight};

/// Of at most this many logits e is always stored: it costs next to nothing, and often saves taking it again.
pub(super) const SMALL: usize = 2048;

impl Candidates<'_> {
    #[inline]
    pub(super) fn logits(&self) -> &[f32] {
        match self.form {
            Form::Given => self.given,
            Form::Edited => &self.scratch.edited,
            Form::Listed => &self.scratch.logits,
        }
    }

    #[inline]
    pub(super) fn id(&self, place: usize) -> u32 {
        match self.form {
            Form::Listed => self.scratch.ids.get(place).copied().unwrap_or(u32::MAX),
            _ => place as u32,
        }
    }

    #[inline]
    pub(super) fn place(&self, id: u32) -> Option<usize> {
        match self.form {
            Form::Listed => self.scratch.ids.binary_search(&id).ok(),
            _ => usize::try_from(id).ok().filter(|place| *place < self.given.len()),
        }
    }

    /// The candidate at a place, if it is alive.
    #[inline]
    pub(super) fn candidate(&self, place: usize) -> Option<Candidate> {
        let logit = self.logits().get(place).copied().filter(|l| *l != f32::NEG_INFINITY)?;
        match self.cutting {
            Cutting::Pending(prefix) if !prefix.cut.keeps(logit, place) => return None,
            _ => {}
        }
        let exp = match self.weights {
            Weights::Stored(_) => self.scratch.exps.get(place).copied().unwrap_or(0.0),
            _ => 0.0,
        };
        Some(Candidate { id: self.id(place), logit: logit + 0.0, exp })
    }

    pub(super) fn alive_from(&self, first: usize) -> impl Iterator<Item = Candidate> + Clone + '_ {
        (first..self.logits().len()).filter_map(|place| self.candidate(place))
    }

    /// The mass of all places; `store` asks for e of every place too.
    pub(super) fn weigh(&mut self, store: bool) -> u64 {
        match self.weights {
            Weights::Stored(mass) => return mass,
            Weights::Masses(mass) if !store => return mass,
            _ => {}
        }
        let factor = Factor::new(self.factor);
        let listed = self.form == Form::Listed;
        let store = store || self.logits().len() <= SMALL;
        self.scratch.cost.weighed(self.logits().len());
        let Scratch { edited, logits, exps, masses, .. } = &mut *self.scratch;
        let mass = if listed {
            kernel::weigh_list(logits, self.max, factor, exps)
        } else {
            let row = self.form.dense(self.given, edited);
            kernel::weigh(row, self.max, factor, masses, store.then_some(exps))
        };
        self.weights = if store || listed { Weights::Stored(mass) } else { Weights::Masses(mass) };
        mass
    }

    /// Makes a pending or open cut real: lists what it keeps.
    #[inline]
    pub(super) fn settle(&mut self) {
        self.resolve();
        if let Cutting::Pending(prefix) = self.cutting {
            self.cutting = Cutting::Done;
            self.list(|candidate, place| prefix.cut.keeps(candidate.logit, place));
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
        self.weights = match self.weights {
            Weights::Stored(_) if max == self.max => Weights::Stored(mass),
            _ => Weights::Unknown,
        };
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

    /// Writes a candidate to a place of the lists, at or before the one that it was read from.
    #[inline]
    fn put(&mut self, place: usize, candidate: Candidate) {
        let Scratch { logits, ids, exps, .. } = &mut *self.scratch;
        if let (Some(logit), Some(id), Some(exp)) =
            (logits.get_mut(place), ids.get_mut(place), exps.get_mut(place))
        {
            (*logit, *id, *exp) = (candidate.logit, candidate.id, candidate.exp);
        }
    }

    /// Takes what was gathered and weighed as the new list; `mass` is that of all.
    pub(super) fn adopt_weighed(&mut self, mass: u64) {
        self.adopt_gathered();
        self.weights = Weights::Stored(mass);
    }

    /// Takes what was gathered from a dense form as the new list; it must hold the maximum.
    #[inline]
    pub(super) fn adopt_gathered(&mut self) {
        let Scratch { logits, ids, listed, .. } = &mut *self.scratch;
        core::mem::swap(logits, &mut listed.logits);
        core::mem::swap(ids, &mut listed.places);
        self.form = Form::Listed;
        self.weights = Weights::Unknown;
        self.cutting = Cutting::Done;
    }

    /// Shortens a list to what ranks at or above a cut.
    pub(super) fn shorten_to(&mut self, cut: Cut) {
        let Scratch { logits, ids, exps, .. } = &mut *self.scratch;
        let stored = matches!(self.weights, Weights::Stored(_));
        let (mut kept, mut mass) = (0, 0);
        for place in 0..logits.len().min(ids.len()) {
            let (Some(logit), Some(id)) = (logits.get(place).copied(), ids.get(place).copied())
            else {
                break;
            };
            if !cut.keeps(logit, place) {
                continue;
            }
            if let (Some(l), Some(i)) = (logits.get_mut(kept), ids.get_mut(kept)) {
                (*l, *i) = (logit, id);
            }
            if stored && let Some(exp) = exps.get(place).copied() {
                mass += weight(exp);
                if let Some(e) = exps.get_mut(kept) {
                    *e = exp;
                }
            }
            kept += 1;
        }
        logits.truncate(kept);
        ids.truncate(kept);
        exps.truncate(kept);
        // A prefix keeps the maximum, so weights stay what they are.
        self.weights = if stored { Weights::Stored(mass) } else { Weights::Unknown };
    }
}
