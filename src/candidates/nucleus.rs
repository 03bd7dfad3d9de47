//! The nucleus: the shortest prefix by rank that holds a share of the mass, with as little work as its shape allows.
//!
//! Where the weights look spread, e of every place is stored and the cut is searched among all. Where they do not, only
//! the mass is taken, and the tokens that rank highest are gathered at falling thresholds until they hold the share:
//! the mass that is left tends to fall geometrically with the threshold, which says how far to go. When min-p follows,
//! its few survivors are gathered first, and a lower bound of the whole mass (they, and the maxima of the others) mostly
//! shows that the nucleus ends beyond them, without an exponential for every token.
//!
//! All of that steers the work. What is kept is decided by exact masses.

use super::{Candidates, Cutting, Form, Scratch, Weights};
use crate::kernel::{self, Factor, heavy_of_maxima, weight};
use crate::math::{self, ceil_share};

/// Rows of at most this many logits are always weighed whole.
const SMALL: usize = 2048;
/// The first threshold is reached by at least this many tokens.
const FIRST_GATHERED: usize = 32;
/// Thresholds tried before every place is weighed.
const MOST_GATHERED: usize = 8;

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
        let whole =
            self.logits().len() <= SMALL || kernel::is_flat(&self.scratch.maxima, self.max, factor);
        let mass = self.weigh(whole);
        let target = ceil_share(share, mass);
        if matches!(self.weights, Weights::Stored(_)) || !self.gather_share(target, mass, min_keep)
        {
            return self.cut_row(target, min_keep);
        }
        self.cut_list(target, min_keep);
    }

    /// Cuts a dense form to a prefix that holds `target`, left pending where it is long.
    fn cut_row(&mut self, target: u64, min_keep: usize) {
        self.weigh(true);
        let Scratch { logits, exps, selector, .. } = &mut *self.scratch;
        let row = if self.form == Form::Given { self.given } else { logits };
        let Some(prefix) = selector.by_mass(row, exps, target) else { return };
        if prefix.n < min_keep {
            return self.keep_top(min_keep);
        }
        self.cutting = Cutting::Pending(prefix);
        if prefix.n <= self.logits().len() / 8 {
            self.settle();
        }
    }

    /// Lists the highest tokens of a dense form until they hold `target` of `mass` and are `min_keep` at least; false when
    /// they would be many.
    fn gather_share(&mut self, target: u64, mass: u64, min_keep: usize) -> bool {
        let factor = Factor::new(self.factor);
        let Scratch { logits, maxima, listed, exps, entries, .. } = &mut *self.scratch;
        let row = if self.form == Form::Given { self.given } else { logits };
        let mut threshold =
            kernel::threshold_of_count(maxima, FIRST_GATHERED, entries).max(f32::MIN);
        let mut above = (self.max, 1.0);
        for _ in 0..MOST_GATHERED {
            if !kernel::gather(row, maxima, threshold, row.len() / 8, listed) {
                return false;
            }
            let held = kernel::weigh_list(&listed.logits, self.max, factor, exps);
            if held >= target && listed.logits.len() >= min_keep {
                self.adopt_gathered();
                return true;
            }
            let here = (threshold, mass.saturating_sub(held) as f64 / mass as f64);
            let wanted = mass.saturating_sub(target) as f64 / mass as f64;
            threshold = next_threshold(above, here, wanted, self.factor);
            above = here;
        }
        false
    }

    /// Settles an open nucleus together with min-p; false, and nothing changed, when they must be taken one by one.
    pub(super) fn keep_relative_in_open_nucleus(&mut self, least: u64, min_keep: usize) -> bool {
        let Cutting::Open { share, min_keep: 1 } = self.cutting else { return false };
        if self.form == Form::Listed || min_keep != 1 || !self.list_heavy(least) {
            return false;
        }
        let Some(heavy) = self.keep_heavy(least) else { return false };
        let factor = Factor::new(self.factor);
        let others = heavy_of_maxima(&self.scratch.maxima, heavy.lowest, self.max, factor);
        let before_last = heavy.mass - heavy.last;
        if before_last < ceil_share(share, heavy.mass + others) {
            self.adopt_gathered();
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

    /// Reduces what was gathered to the heavy ones; none when they are no prefix by rank.
    fn keep_heavy(&mut self, least: u64) -> Option<Heavy> {
        let Scratch { listed, exps, .. } = &mut *self.scratch;
        let mut heavy = Heavy { mass: 0, last: 0, lowest: f32::INFINITY };
        let mut light = f32::NEG_INFINITY;
        let mut kept = 0;
        for i in 0..listed.logits.len() {
            let (Some(logit), Some(place)) =
                (listed.logits.get(i).copied(), listed.places.get(i).copied())
            else {
                break;
            };
            let w = weight(exps.get(i).copied().unwrap_or(0.0));
            if w < least {
                light = light.max(logit);
                continue;
            }
            heavy.mass += w;
            if logit <= heavy.lowest {
                (heavy.lowest, heavy.last) = (logit, w);
            }
            if let (Some(l), Some(p)) = (listed.logits.get_mut(kept), listed.places.get_mut(kept)) {
                (*l, *p) = (logit, place);
            }
            kept += 1;
        }
        listed.logits.truncate(kept);
        listed.places.truncate(kept);
        (light < heavy.lowest).then_some(heavy)
    }
}

/// The tokens that min-p keeps.
struct Heavy {
    mass: u64,
    /// The weight of the last by rank.
    last: u64,
    /// The lowest logit.
    lowest: f32,
}

/// Where the mass that is left, which is `here.1` at threshold `here.0` and was `above.1` at `above.0`, should be a little
/// less than `wanted` if it goes on falling geometrically.
fn next_threshold(above: (f32, f64), here: (f32, f64), wanted: f64, factor: f64) -> f32 {
    let fallen = math::ln(above.1.max(1e-12)) - math::ln(here.1.max(1e-12));
    let slope = fallen / (f64::from(above.0) - f64::from(here.0)).max(1e-6);
    let lacking = math::ln(here.1.max(1e-12)) - math::ln((wanted * 0.9).max(1e-12));
    let step = (lacking / slope.max(1e-6)).clamp(0.1 / factor, 4.0 / factor);
    ((f64::from(here.0) - step) as f32).max(f32::MIN)
}
