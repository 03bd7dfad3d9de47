//! The nucleus: the shortest prefix by rank that holds a share of the mass, with as little work as its shape allows.
//!
//! Where the weights look evenly spread, a sample says about where the cut is, and one pass takes the mass of all and that
//! above the cut together. Where they do not, the mass is taken first, and then the tokens that rank highest are listed
//! until they hold the share. When min-p follows, its few survivors are gathered first, and a lower bound of the whole
//! mass (they, and the maxima of the others) mostly shows that the nucleus ends beyond them, without an exponential for
//! every token.
//!
//! All of that steers the work. What is kept is decided by exact masses.

use super::forms::SMALL;
use super::{Candidates, Cutting, Form, Scratch, Weights};
use crate::kernel::{self, Aim, Factor, Prefix, Unweighed, Weighed, enough_below};
use crate::math::ceil_share;

/// The first threshold is reached by at least this many tokens.
const FIRST_GATHERED: usize = 32;

/// From so many on they are gathered at once, instead of step by step.
const MANY: usize = 700;

/// From this evenness on no token is so heavy that a sample could not tell the mass of all.
const EVEN: f32 = 0.2;
/// From this evenness on the nucleus of p = 0.95 holds an eighth of the row or more, as gaussian and real rows at rising
/// temperatures have it: too many to list.
const MIXED: f32 = 0.04;

impl Candidates<'_> {
    /// Keeps the shortest prefix by rank that holds `share` of the mass, and at least `min_keep` tokens.
    pub fn keep_share(&mut self, share: f64, min_keep: usize) {
        self.settle();
        self.cutting = Cutting::Open { share, min_keep };
    }

    /// Finds the end of an open nucleus.
    pub(super) fn resolve(&mut self) {
        let Cutting::Open { share, min_keep } = self.cutting else { return };
        self.cutting = Cutting::Done;
        if self.form == Form::Listed {
            let target = ceil_share(share, self.weigh(true));
            return self.cut_list(target, min_keep);
        }
        let factor = Factor::new(self.factor);
        self.scratch.cost.weighed(self.scratch.maxima.len().div_ceil(8) * 8);
        let evenness = kernel::evenness(&self.scratch.maxima, self.max, factor);
        if evenness > EVEN && self.sift(Aim::Share(share), share, min_keep) {
            return;
        }
        let mass = self.weigh(false);
        let target = ceil_share(share, mass);
        let stored = matches!(self.weights, Weights::Stored(_));
        if !stored && evenness <= EVEN {
            let about = (f64::from(evenness) * self.logits().len() as f64) as usize;
            if evenness <= MIXED && self.gather_share((target, mass), about, min_keep) {
                return self.cut_list(target, min_keep);
            }
            if self.sift(Aim::Mass { target, of: mass }, share, min_keep) {
                return;
            }
        }
        self.cut_row(target, min_keep);
    }

    /// Weighs a dense form and looks for the cut in one pass; false, and only weighed, when the cut was not where it was
    /// looked for. Small rows are not worth it.
    fn sift(&mut self, aim: Aim, share: f64, min_keep: usize) -> bool {
        if self.logits().len() <= SMALL {
            return false;
        }
        let Scratch { edited, masses, listed, selector, .. } = &mut *self.scratch;
        let logits = self.form.dense(self.given, edited);
        let row = Unweighed { logits, max: self.max, factor: self.factor };
        let range = selector.sampled_range(row, aim);
        let found = selector.sift(row, range, masses, listed);
        let mass = masses.iter().sum();
        self.weights = Weights::Masses(mass);
        let Some(prefix) = selector.sifted(row, found, ceil_share(share, mass)) else {
            return false;
        };
        self.keep_prefix(prefix, min_keep);
        true
    }

    /// Leaves the cut pending, or keeps `min_keep` where that is more.
    fn keep_prefix(&mut self, prefix: Prefix, min_keep: usize) {
        if prefix.n < min_keep {
            return self.keep_top(min_keep);
        }
        self.cutting = Cutting::Pending(prefix);
    }

    /// Cuts a dense form to a prefix that holds `target`; the cut stays pending.
    fn cut_row(&mut self, target: u64, min_keep: usize) {
        let mass = self.weigh(true);
        let Scratch { edited, exps, maxima, selector, .. } = &mut *self.scratch;
        let logits = self.form.dense(self.given, edited);
        let row = Weighed { logits, exps, maxima, max: self.max, factor: self.factor, mass };
        if let Some(prefix) = selector.by_mass(row, target) {
            self.keep_prefix(prefix, min_keep);
        }
    }

    /// Lists the highest tokens of a dense form until they hold `target` of a mass and are `min_keep` at least; false when
    /// they would be many. `about` is how many they may be.
    fn gather_share(&mut self, (target, of): (u64, u64), about: usize, min_keep: usize) -> bool {
        let max = self.max;
        let factor = Factor::new(self.factor);
        let Scratch { edited, maxima, merged, listed, exps, selector, cost, .. } =
            &mut *self.scratch;
        let logits = self.form.dense(self.given, edited);
        let row = Unweighed { logits, max, factor: self.factor };
        let mut n = if about < MANY { FIRST_GATHERED } else { about + about / 4 };
        loop {
            let last = n >= logits.len() / 16;
            n = n.min(logits.len() / 16).max(min_keep);
            let mut threshold = kernel::threshold_of_count(maxima, n, merged).max(f32::MIN);
            if last {
                let end = selector.sampled_range(row, Aim::Mass { target, of }).low;
                threshold = threshold.max(end);
            }
            let mut listing =
                |lowest| kernel::gather(logits, maxima, lowest, logits.len() / 8, listed);
            // Too many may equal the threshold: what is over it may still hold enough.
            if !listing(threshold) && !listing(threshold.next_up()) {
                return false;
            }
            let held = kernel::weigh_list(&listed.logits, max, factor, exps);
            cost.weighed(listed.logits.len());
            if held >= target && listed.logits.len() >= min_keep {
                self.adopt_weighed(held);
                return true;
            }
            if last {
                return false;
            }
            n = next_count(n, held as f64 / target as f64);
        }
    }

    /// Settles an open nucleus together with min-p; false, and nothing changed, when they must be taken one by one.
    pub(super) fn keep_relative_in_open_nucleus(&mut self, least: u64, min_keep: usize) -> bool {
        let Cutting::Open { share, min_keep: 1 } = self.cutting else { return false };
        if self.form == Form::Listed || min_keep != 1 {
            return false;
        }
        let Some(gathered) = self.list_heavy(least) else { return false };
        let heavy = self.keep_heavy(gathered, least);
        let Some(lowest) = kernel::lowest(&self.scratch.listed.logits) else { return false };
        if heavy.lightest >= lowest {
            return false;
        }
        let factor = Factor::new(self.factor);
        let before_last = heavy.mass - kernel::weight_of(lowest, self.max, factor);
        // That many tokens before the last do not hold the share, even if no other token weighed more than is known.
        let ends_beyond = |others| before_last < ceil_share(share, heavy.mass + others);
        let Scratch { maxima, cost, .. } = &mut *self.scratch;
        cost.weighed(1);
        if enough_below(maxima, lowest, self.max, factor, cost, ends_beyond) {
            self.adopt_weighed(heavy.mass);
            return true;
        }
        // The nucleus may end among the heavy ones: its share of the whole mass decides.
        let target = ceil_share(share, self.weigh(false));
        self.adopt_gathered();
        if before_last >= target {
            self.cut_list(target, 1);
        }
        true
    }
}

/// How many tokens to gather next, after `n` held so much of what they should.
fn next_count(n: usize, held: f64) -> usize {
    match held {
        held if held > 0.8 => 4 * n,
        held if held > 0.6 => 16 * n,
        _ => usize::MAX,
    }
}
