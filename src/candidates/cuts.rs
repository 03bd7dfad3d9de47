//! Cutting a candidate set by rank or by weight.

use super::forms::SMALL;
use super::{Candidates, Form, MAX_WEIGHT, Scratch, Weights};
use crate::kernel::{self, Factor, threshold_of_count, weight};
use crate::math;

impl Candidates<'_> {
    /// Keeps the first by rank: the lowest place that has the maximum.
    #[inline]
    pub(super) fn keep_first(&mut self) {
        let max = self.max;
        let place = match self.form {
            Form::Listed => self.scratch.logits.iter().position(|logit| *logit == max),
            _ => kernel::first_place(self.logits(), &self.scratch.maxima, max),
        };
        let id = place.map(|place| self.id(place));
        let listed = &mut self.scratch.listed;
        listed.clear();
        listed.places.extend(id);
        listed.logits.extend(id.map(|_| max + 0.0));
        self.adopt_gathered();
    }

    /// Keeps the `n` first by rank, `n` at least 1; everything when there are no more.
    pub fn keep_top(&mut self, n: usize) {
        self.settle();
        if n >= self.logits().len() {
            return;
        }
        if n == 1 {
            return self.keep_first();
        }
        if self.form != Form::Listed {
            let Scratch { edited, maxima, merged, listed, .. } = &mut *self.scratch;
            let row = self.form.dense(self.given, edited);
            let threshold = threshold_of_count(maxima, n, merged).max(f32::MIN);
            kernel::gather(row, maxima, threshold, usize::MAX, listed);
            self.adopt_gathered();
        }
        self.shorten(n);
    }

    /// Shortens a list to its `n` first by rank.
    fn shorten(&mut self, n: usize) {
        let Scratch { logits, selector, .. } = &mut *self.scratch;
        if let Some(cut) = selector.by_count(logits, n) {
            self.shorten_to(cut);
        }
    }

    /// Keeps tokens whose weight is at least ceil(share * 2^44); the first `min_keep` by rank when those would be fewer.
    pub fn keep_relative(&mut self, share: f64, min_keep: usize) {
        let least = math::ceil_share(share, MAX_WEIGHT);
        if !self.keep_relative_in_open_nucleus(least, min_keep) {
            self.keep_weighing(least, min_keep);
        }
    }

    /// Keeps tokens whose weight is at least `least`; the first `min_keep` by rank when those would be fewer.
    pub fn keep_weighing(&mut self, least: u64, min_keep: usize) {
        self.settle();
        if least > MAX_WEIGHT {
            return self.keep_top(min_keep);
        }
        let enough = match self.form {
            Form::Listed => false,
            _ => self.gather_heavy(least, min_keep),
        };
        if !enough {
            self.filter_weight(least, min_keep);
        }
    }

    /// Keeps by weight, looking at every token.
    fn filter_weight(&mut self, least: u64, min_keep: usize) {
        self.ensure_weights();
        let heavy = self.alive().filter(|candidate| candidate.weight() >= least).count();
        if heavy >= min_keep {
            self.list(|candidate, _| candidate.weight() >= least);
        } else {
            self.keep_top(min_keep);
        }
    }

    /// Keeps by weight from a dense form, looking only at tokens that may be heavy enough; false, and nothing changed,
    /// when those are many, or fewer than `min_keep` are heavy.
    fn gather_heavy(&mut self, least: u64, min_keep: usize) -> bool {
        let Some(mass) = self.list_heavy(least) else { return false };
        let exps = &self.scratch.exps;
        if min_keep > 1 && exps.iter().filter(|e| weight(**e) >= least).count() < min_keep {
            return false;
        }
        let heavy = self.keep_heavy(mass, least);
        self.adopt_weighed(heavy.mass);
        true
    }

    /// Reduces what was gathered and weighed, `mass` in all, to what weighs at least `least`: most of it.
    pub(super) fn keep_heavy(&mut self, mass: u64, least: u64) -> Heavy {
        let Scratch { listed, exps, .. } = &mut *self.scratch;
        let mut heavy = Heavy { mass, lightest: f32::NEG_INFINITY };
        let mut kept = 0;
        let mut from = 0;
        while let Some(light) = kernel::next_below(exps, from, least) {
            listed.copy_within(from..light, kept);
            exps.copy_within(from..light, kept);
            kept += light - from;
            from = light + 1;
            heavy.mass -= exps.get(light).map_or(0, |e| weight(*e));
            let logit = listed.logits.get(light).copied();
            heavy.lightest = heavy.lightest.max(logit.unwrap_or(f32::NEG_INFINITY));
        }
        let n = exps.len();
        listed.copy_within(from..n, kept);
        exps.copy_within(from..n, kept);
        kept += n - from;
        listed.truncate(kept);
        exps.truncate(kept);
        heavy
    }

    /// Gathers a dense form's tokens that may weigh at least `least`, with their e; returns their mass, or none when they
    /// are many.
    pub(super) fn list_heavy(&mut self, least: u64) -> Option<u64> {
        let threshold = lightest(least, self.max, self.factor);
        let factor = Factor::new(self.factor);
        let Scratch { edited, maxima, listed, exps, cost, .. } = &mut *self.scratch;
        let row = self.form.dense(self.given, edited);
        // A list of a small row is short whatever it holds.
        let limit = if row.len() <= SMALL { row.len() } else { row.len() / 8 };
        if !kernel::gather(row, maxima, threshold, limit, listed) {
            return None;
        }
        self.weights = Weights::Unknown;
        cost.weighed(listed.logits.len());
        Some(kernel::weigh_list(&listed.logits, self.max, factor, exps))
    }

    /// Cuts a list to a prefix that holds `target`, and at least `min_keep` tokens.
    pub(super) fn cut_list(&mut self, target: u64, min_keep: usize) {
        self.weigh(true);
        let Scratch { logits, exps, selector, .. } = &mut *self.scratch;
        let Some(prefix) = selector.list_by_mass(logits, exps, (self.max, self.factor), target)
        else {
            return;
        };
        if prefix.n < min_keep {
            return self.keep_top(min_keep);
        }
        self.shorten_to(prefix.cut);
    }
}

/// The tokens that min-p keeps.
pub(super) struct Heavy {
    pub mass: u64,
    /// The highest logit of those that were gathered and not kept.
    pub lightest: f32,
}

/// A logit that every token of weight `least` or more reaches: a little below where the weight would round up to it.
///
/// The contract's x and e are within 1e-5 of their exact values, so 1e-3 is far more than enough.
fn lightest(least: u64, max: f32, factor: f64) -> f32 {
    let x = math::ln(least.max(1) as f64 - 0.5) - 44.0 * math::LN_2 - 1e-3;
    let logit = (f64::from(max) + x / factor) as f32;
    // One step down, past the rounding to f32.
    logit.next_down().max(f32::MIN)
}
