//! The cut: the shortest prefix by rank that holds a mass or a number of tokens, found without sorting the row.
//!
//! A [`bracket`](super::bracket) says between which two logits the prefix probably ends; one exact pass sums what is over
//! them and lists what is between; the search goes on in that list until it is short enough to be sorted. A wrong bracket
//! costs another pass, never the result. Rank is by logit, highest first, ties by lower place; lists are in ascending
//! order of place, so ties need no care until the very end.
//!
//! Cost: less than half a pass of exponentials where every place matters, and next to nothing where few do.

use super::BLOCK;
use super::bracket::{View, bracket, bracket_of};
use super::cost::Cost;
use super::cut::{Cut, Prefix};
use super::exp::Factor;
use super::near::Near;
use super::refine::{Found, Scale, refine, walk};
use super::scan::Maxima;
use super::sift::sift;
use super::split::{Range, split_row};
use super::threshold::Listed;
use super::weigh::{BlockMasses, weigh_list, weight};
use crate::rank;

/// The weighed places of a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weighed<'a> {
    pub logits: &'a [f32],
    /// e of each.
    pub exps: &'a [f32],
    pub maxima: &'a Maxima,
    /// The highest logit.
    pub max: f32,
    /// The temperature factor.
    pub factor: f64,
    /// The mass of all.
    pub mass: u64,
}

/// The places of a row whose e are not known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unweighed<'a> {
    pub logits: &'a [f32],
    /// The highest logit.
    pub max: f32,
    /// The temperature factor.
    pub factor: f64,
}

/// What a prefix is to hold.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Aim {
    /// A share in [0, 1] of a mass that is not known.
    Share(f64),
    /// So much of a mass.
    Mass { target: u64, of: u64 },
}

/// The scratch memory of a search.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selector {
    /// The mass over the first bracket, by blocks.
    over: BlockMasses,
    /// What is within the first bracket.
    near: Near,
    list: Near,
    next: Near,
    entries: Vec<u64>,
    /// Of what was done here since the counters were set back.
    pub cost: Cost,
}

/// As few places as this are sorted at once.
const SORTED_AT_ONCE: usize = 48;
/// Of a row whose e are known, one place in so many is looked at, but not fewer than these.
const LOOKED_AT: (usize, usize) = (16, 2048);

impl Selector {
    /// The shortest prefix of a row whose mass is at least `target`; all places when they hold less. Dead places are left
    /// out. None when nothing is alive.
    pub(crate) fn by_mass(&mut self, row: Weighed<'_>, target: u64) -> Option<Prefix> {
        // Even a share of nothing keeps the first.
        let target = target.max(1);
        let looked_at = (row.logits.len() / LOOKED_AT.0).max(LOOKED_AT.1);
        let Weighed { logits, exps, max, factor, mass, .. } = row;
        let view = View::of(logits, exps, (max, factor)).sampled(looked_at);
        let found = self.split(row, bracket(view, mass, target), target);
        self.search(found, (max, factor), target)
    }

    /// The same for a list without maxima; `scale` is the highest logit and the factor that e was taken with.
    pub(crate) fn list_by_mass(
        &mut self,
        logits: &[f32],
        exps: &[f32],
        scale: Scale,
        target: u64,
    ) -> Option<Prefix> {
        self.near.fill(logits, exps);
        let found = Found::all(&self.near);
        self.search(found, scale, target.max(1))
    }

    /// Splits the row where the prefix ends: at the bracket, or beyond it where that was wrong.
    fn split(&mut self, row: Weighed<'_>, range: Range, target: u64) -> Found {
        let Weighed { logits, exps, maxima, .. } = row;
        let above =
            split_row(logits, exps, maxima, range, &mut self.over, &mut self.near, &mut self.cost);
        let within = self.near.mass();
        let elsewhere = if above.mass >= target {
            Range { low: range.high, high: f32::INFINITY }
        } else if above.mass + within < target && range.low > f32::MIN {
            Range { low: f32::MIN, high: range.low }
        } else {
            return Found { above, range, within };
        };
        let above = split_row(
            logits,
            exps,
            maxima,
            elsewhere,
            &mut self.over,
            &mut self.near,
            &mut self.cost,
        );
        Found { above, ..Found::all(&self.near) }
    }

    /// Goes on in what is near until the end of the prefix is found.
    fn search(&mut self, found: Found, scale: Scale, target: u64) -> Option<Prefix> {
        let Selector { near, list, next, entries, cost, .. } = self;
        if near.len() <= SORTED_AT_ONCE {
            return walk(near, entries, found.above, target);
        }
        cost.listed += near.len() as u64;
        let mut found = match refine(near, found, scale, target, list) {
            Ok(found) => found,
            Err(prefix) => return prefix,
        };
        while list.len() > SORTED_AT_ONCE {
            cost.listed += list.len() as u64;
            found = match refine(list, found, scale, target, next) {
                Ok(found) => found,
                Err(prefix) => return prefix,
            };
            core::mem::swap(list, next);
        }
        walk(list, entries, found.above, target)
    }

    /// The block on which `target` falls when what the prefix of the latest row keeps is laid out by ascending place,
    /// and what is left of the target there.
    pub(crate) fn block_at(&self, cut: Cut, target: u64) -> Option<(usize, u64)> {
        let near = self.near.places.iter().zip(&self.near.logits).zip(&self.near.exps);
        let mut near = near.map(|((place, logit), e)| (*place as usize, *logit, *e)).peekable();
        let mut below = target;
        for (block, over) in self.over.iter().enumerate() {
            let mut mass = *over;
            let end = (block + 1) * BLOCK;
            while let Some((place, logit, e)) = near.next_if(|(place, ..)| *place < end) {
                mass += if cut.keeps(logit, place) { weight(e) } else { 0 };
            }
            if below < mass {
                return Some((block, below));
            }
            below -= mass;
        }
        None
    }

    /// Where a prefix probably ends, from an even sample of places.
    pub(crate) fn sampled_range(&mut self, row: Unweighed<'_>, aim: Aim) -> Range {
        let Unweighed { logits, max, factor } = row;
        // Where a prefix is listed, reaching a little further costs little.
        let sparse = if matches!(aim, Aim::Mass { .. }) { 2 } else { 1 };
        let step = if logits.len() < LONG { 8 } else { 16 } * sparse;
        let Near { logits: sample, exps, .. } = &mut self.list;
        sample.clear();
        logits.chunks(BLOCK).step_by(step).for_each(|block| sample.extend_from_slice(block));
        weigh_list(sample, max, Factor::new(factor), exps);
        self.cost.weighed(sample.len());
        let scale = logits.len() as f64 / sample.len() as f64;
        let view = View { scale, ..View::of(sample, exps, (max, factor)) };
        match aim {
            Aim::Mass { target, of } => bracket(view, of, target),
            Aim::Share(share) => {
                let (whole, variance) = view.whole();
                let out = 1.0 - share;
                let view = View { variance: out * out * variance, ..view };
                bracket_of(view, whole, out * whole)
            }
        }
    }

    /// Weighs a row and splits it at once: fills `masses` with those of its blocks, and says what was found.
    pub(crate) fn sift(
        &mut self,
        row: Unweighed<'_>,
        range: Range,
        masses: &mut BlockMasses,
        listed: &mut Listed,
    ) -> Found {
        let Unweighed { logits, max, factor } = row;
        let factor = Factor::new(factor);
        let above = sift(logits, max, factor, range, (masses, &mut self.over), listed);
        core::mem::swap(&mut self.near.places, &mut listed.places);
        core::mem::swap(&mut self.near.logits, &mut listed.logits);
        let within = weigh_list(&self.near.logits, max, factor, &mut self.near.exps);
        self.cost.weighed(logits.len() + self.near.len());
        Found { above, range, within }
    }

    /// The shortest prefix of a sifted row whose mass is at least `target`; none when it does not end within the range.
    pub(crate) fn sifted(
        &mut self,
        row: Unweighed<'_>,
        found: Found,
        target: u64,
    ) -> Option<Prefix> {
        let target = target.max(1);
        let held = found.above.mass..found.above.mass + found.within;
        if held.contains(&(target - 1)) {
            self.search(found, (row.max, row.factor), target)
        } else {
            None
        }
    }

    /// The last of the first `n` by rank, where there are more than `n` > 0 logits.
    pub(crate) fn by_count(&mut self, logits: &[f32], n: usize) -> Option<Cut> {
        self.entries.clear();
        self.entries.extend(logits.iter().enumerate().map(|(place, l)| rank::entry(*l, place)));
        let last = rank::select(&mut self.entries, n).filter(|_| n < logits.len())?;
        Some(Cut { logit: rank::logit_of(last), place: rank::place_of(last) })
    }
}

/// From so many places on, a sixteenth tells enough; of fewer, an eighth is looked at.
const LONG: usize = 1 << 16;
