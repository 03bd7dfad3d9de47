//! The cut: the shortest prefix by rank that holds a mass or a number of tokens, found without sorting the row.
//!
//! A weighted quickselect in vectors. A few places, evenly spaced, are sorted to guess two thresholds between which the
//! prefix ends; one pass takes the exact mass and count at or above each; the places between them are gathered, and the
//! search goes on there. A wrong guess costs another pass, never the result. Rank is by logit, highest first, ties by
//! lower place; places are scanned in ascending order, so ties need no care until the very end.
//!
//! Cost: about one and a half passes over what is given.

use super::cut::{Cut, Prefix};
use super::lanes::{F32s, Lanes, U64s, WIDTH};
use super::weigh::weight;
use crate::rank;

/// Places whose logit is in some range, with their e.
#[derive(Clone, Debug, Default)]
struct Near {
    places: Vec<u32>,
    logits: Vec<f32>,
    exps: Vec<f32>,
}

/// How many places and how much mass.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Amount {
    n: usize,
    mass: u64,
}

/// The scratch memory of a search.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selector {
    near: Near,
    next: Near,
    entries: Vec<u64>,
}

/// As few places as this are sorted at once.
const SORTED_AT_ONCE: usize = 48;

impl Selector {
    /// The shortest prefix whose mass is at least `target`; all places when they hold less. Dead places are left out.
    ///
    /// `exps` are e of each logit, shape `(n)` both; none when nothing is alive.
    pub(crate) fn by_mass(&mut self, logits: &[f32], exps: &[f32], target: u64) -> Option<Prefix> {
        // Even a share of nothing keeps the first.
        let target = target.max(1);
        let mut above = Amount::default();
        let (mut near, mut next) =
            (core::mem::take(&mut self.near), core::mem::take(&mut self.next));
        let range = self.narrow(logits, exps, target, &mut above);
        near.gather(logits, exps, None, range);
        while near.logits.len() > SORTED_AT_ONCE {
            let range = self.narrow(&near.logits, &near.exps, target, &mut above);
            next.gather(&near.logits, &near.exps, Some(&near.places), range);
            let slow = next.logits.len() > near.logits.len() / 8 * 7;
            core::mem::swap(&mut near, &mut next);
            // Ties, or an adversary: sorting what is left is then the sure way.
            if slow {
                break;
            }
        }
        let prefix = self.walk(&near, above, target);
        (self.near, self.next) = (near, next);
        prefix
    }

    /// A range of logits in which the prefix ends: at least .0 and below .1. `above` grows by what is over it.
    fn narrow(
        &mut self,
        logits: &[f32],
        exps: &[f32],
        target: u64,
        above: &mut Amount,
    ) -> (f32, f32) {
        let (low, high) = self.guess(logits, exps, target - above.mass.min(target));
        let over_high = amount_at_least(logits, exps, high);
        if above.mass + over_high.mass >= target {
            return (high, f32::INFINITY);
        }
        above.n += over_high.n;
        above.mass += over_high.mass;
        let between = amount_at_least(logits, exps, low);
        let between = Amount { n: between.n - over_high.n, mass: between.mass - over_high.mass };
        if above.mass + between.mass >= target {
            return (low, high);
        }
        above.n += between.n;
        above.mass += between.mass;
        (f32::MIN, low)
    }

    /// Two thresholds between which the prefix probably ends, from a sample of places.
    fn guess(&mut self, logits: &[f32], exps: &[f32], target: u64) -> (f32, f32) {
        let size = if logits.len() < 4096 { 24 } else { 192 };
        let step = logits.len().div_ceil(size).max(1);
        self.entries.clear();
        let places = logits.iter().enumerate().skip(step / 2).step_by(step);
        self.entries.extend(places.map(|(place, logit)| rank::entry(*logit, place)));
        rank::sort(&mut self.entries);
        let weight_at =
            |entry: &u64| weight(exps.get(rank::place_of(*entry)).copied().unwrap_or(0.0)) as f64;
        let scale = step as f64;
        // Three standard deviations of what a sample of this size may be off by.
        let whole: f64 = self.entries.iter().map(weight_at).sum::<f64>() * scale;
        let squares: f64 = self.entries.iter().map(weight_at).map(|w| w * w).sum();
        let slack = (3.0 * scale * squares.sqrt()).min(0.25 * whole);
        let target = target as f64;
        let mut sum = 0.0;
        let (mut low, mut high) = (f32::MIN, f32::INFINITY);
        for entry in &self.entries {
            let logit = rank::logit_of(*entry);
            if sum < target - slack {
                high = logit;
            }
            sum += weight_at(entry) * scale;
            if sum > target + slack {
                low = logit;
                break;
            }
        }
        (low.max(f32::MIN), high.max(low))
    }

    /// Sorts what is near and walks down to the end of the prefix.
    fn walk(&mut self, near: &Near, above: Amount, target: u64) -> Option<Prefix> {
        self.entries.clear();
        self.entries.extend(near.logits.iter().enumerate().map(|(i, l)| rank::entry(*l, i)));
        rank::sort(&mut self.entries);
        let Amount { mut n, mut mass } = above;
        let mut prefix = None;
        for entry in &self.entries {
            let i = rank::place_of(*entry);
            let (Some(e), Some(place)) = (near.exps.get(i), near.places.get(i)) else { break };
            n += 1;
            mass += weight(*e);
            let cut = Cut { logit: rank::logit_of(*entry), place: *place as usize };
            prefix = Some(Prefix { cut, n, mass });
            if mass >= target {
                break;
            }
        }
        prefix
    }

    /// The last of the first `n` by rank, where there are more than `n` > 0 logits.
    pub(crate) fn by_count(&mut self, logits: &[f32], n: usize) -> Option<Cut> {
        self.entries.clear();
        self.entries.extend(logits.iter().enumerate().map(|(place, l)| rank::entry(*l, place)));
        let last = rank::select(&mut self.entries, n).filter(|_| n < logits.len())?;
        Some(Cut { logit: rank::logit_of(last), place: rank::place_of(last) })
    }
}

impl Near {
    /// Lists the places with a logit in `range`; `places` names them where they are not the indices themselves.
    fn gather(&mut self, logits: &[f32], exps: &[f32], places: Option<&[u32]>, range: (f32, f32)) {
        self.places.clear();
        self.logits.clear();
        self.exps.clear();
        let (low, high) = (F32s::splat(range.0), F32s::splat(range.1));
        for (i, (logits, exps)) in logits.chunks(WIDTH).zip(exps.chunks(WIDTH)).enumerate() {
            let mut filled = [f32::NEG_INFINITY; WIDTH];
            let lanes = match <&[f32; WIDTH]>::try_from(logits) {
                Ok(logits) => F32s::load(logits),
                Err(_) => {
                    for (lane, logit) in filled.iter_mut().zip(logits) {
                        *lane = *logit;
                    }
                    F32s::load(&filled)
                }
            };
            let mut bits = lanes.at_least(low) & !lanes.at_least(high);
            while bits != 0 {
                let lane = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let place = i * WIDTH + lane;
                if let (Some(logit), Some(e)) = (logits.get(lane), exps.get(lane)) {
                    self.places
                        .push(places.map_or(place as u32, |p| p.get(place).copied().unwrap_or(0)));
                    self.logits.push(*logit);
                    self.exps.push(*e);
                }
            }
        }
    }
}

/// How many places reach a threshold, and their exact mass.
fn amount_at_least(logits: &[f32], exps: &[f32], threshold: f32) -> Amount {
    let least = F32s::splat(threshold);
    let (chunks, rest) = logits.as_chunks::<WIDTH>();
    let (exp_chunks, exp_rest) = exps.as_chunks::<WIDTH>();
    let mut sum = U64s::zero();
    let mut n = 0;
    for (logits, exps) in chunks.iter().zip(exp_chunks) {
        let lanes = F32s::load(logits);
        n += lanes.at_least(least).count_ones() as usize;
        sum = sum.add_shifted(F32s::load(exps).where_at_least(lanes, least));
    }
    let mut mass = sum.total((chunks.len() * WIDTH) as u64);
    for (_, e) in rest.iter().zip(exp_rest).filter(|(logit, _)| **logit >= threshold) {
        n += 1;
        mass += weight(*e);
    }
    Amount { n, mass }
}
