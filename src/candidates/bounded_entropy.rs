//! The longest prefix by rank whose entropy stays within a share of the whole entropy.
//!
//! The entropy of a set is ln M + U / M, with M its mass in units of 2^44 and U the sum of w u over its tokens, where
//! u = (max - l) r is the distance from the best in whole units of 2^-32 nats. M and U are integers, so the entropy of a
//! set does not depend on the order of summation. u does not fall with rank, so every further token raises the entropy of
//! a prefix: by ln(1 + w / M) at least.
//!
//! A pass adds up M and U of sixteenths of a nat of u; where the prefix ends within one of these, its tokens alone are
//! looked at, halved until few are left, and walked.

use super::Candidates;
use crate::kernel::weight;
use crate::math;
use crate::rank;

/// A slot has so many of the units of u: a sixteenth of a nat. A token that weighs something lies within 32 nats.
const SLOT_BITS: u32 = 28;
const SLOTS: usize = 512;

/// As few tokens as this are walked at once.
const WALKED_AT_ONCE: usize = 32;

/// Two entropies this near each other may come out in the wrong order: they are off by 1e-14 at most.
const MARGIN: f64 = 1e-9;

/// 2^44 and 2^32.
const UNIT: f64 = (1u64 << 44) as f64;
const UNITS_A_NAT: f64 = (1u64 << 32) as f64;

/// M and U of a set.
#[derive(Clone, Copy, Default)]
struct Sums {
    mass: u64,
    surprise: u128,
}

impl Sums {
    fn of(weight: u64, units: u64) -> Sums {
        Sums { mass: weight, surprise: u128::from(weight) * u128::from(units) }
    }

    fn and(self, other: Sums) -> Sums {
        Sums { mass: self.mass + other.mass, surprise: self.surprise + other.surprise }
    }

    /// The entropy in nats of a set that weighs something.
    fn entropy(self) -> f64 {
        let mass = self.mass as f64;
        math::ln(mass / UNIT) + self.surprise as f64 / mass / UNITS_A_NAT
    }
}

/// The tokens of a slot together.
#[derive(Clone, Copy, Default)]
struct Slot {
    sums: Sums,
    n: usize,
}

impl Candidates<'_> {
    /// Keeps the longest prefix by rank, of tokens that weigh something, of which every part has an entropy of at most
    /// `share` times that of all; at least `min_keep` tokens.
    pub fn keep_entropy(&mut self, share: f64, min_keep: usize) {
        let n = self.entropy_prefix(share);
        self.keep_top(n.max(min_keep));
    }

    /// The entropy in nats that the prefix may have: `share` of that of all.
    pub fn entropy_limit(&mut self, share: f64) -> f64 {
        self.settle();
        limit(&self.slots(), share)
    }

    /// How many tokens the prefix has.
    fn entropy_prefix(&mut self, share: f64) -> usize {
        self.settle();
        let slots = self.slots();
        let limit = limit(&slots, share);
        let (before, first) = surely_within(&slots, limit);
        let last = surely_beyond(&slots, limit);
        let mut entries = core::mem::take(&mut self.scratch.entries);
        entries.clear();
        let places =
            (0..self.logits().len()).filter_map(|place| Some((place, self.candidate(place)?)));
        let undecided = places.filter(|(_, c)| {
            c.weight() > 0 && (first..=last).contains(&slot_of(self.units(c.logit)))
        });
        entries.extend(undecided.map(|(place, c)| rank::entry(c.logit, place)));
        let sums = |entry: &u64| {
            let e = self.scratch.exps.get(rank::place_of(*entry)).copied().unwrap_or(0.0);
            Sums::of(weight(e), self.units(rank::logit_of(*entry)))
        };
        let n = before.n + walk(&mut entries, before.sums, limit, sums);
        self.scratch.entries = entries;
        n
    }

    /// u of a logit.
    fn units(&self, logit: f32) -> u64 {
        let distance = f64::from(self.max) - f64::from(logit);
        (distance * self.factor * UNITS_A_NAT).round_ties_even() as u64
    }

    /// The tokens that weigh something, by slots.
    fn slots(&mut self) -> [Slot; SLOTS] {
        self.ensure_weights();
        let mut slots = [Slot::default(); SLOTS];
        for candidate in self.alive_from(0).filter(|c| c.weight() > 0) {
            let units = self.units(candidate.logit);
            if let Some(slot) = slots.get_mut(slot_of(units)) {
                slot.sums = slot.sums.and(Sums::of(candidate.weight(), units));
                slot.n += 1;
            }
        }
        slots
    }
}

fn slot_of(units: u64) -> usize {
    ((units >> SLOT_BITS) as usize).min(SLOTS - 1)
}

/// The entropy that a prefix may have.
fn limit(slots: &[Slot], share: f64) -> f64 {
    share * slots.iter().fold(Sums::default(), |sums, slot| sums.and(slot.sums)).entropy()
}

/// What the slots hold that certainly belong to the prefix, and the first of the others.
fn surely_within(slots: &[Slot], limit: f64) -> (Slot, usize) {
    let mut before = Slot::default();
    for (i, slot) in slots.iter().enumerate().filter(|(_, slot)| slot.n > 0) {
        let sums = before.sums.and(slot.sums);
        if sums.entropy() > limit - MARGIN {
            return (before, i);
        }
        before = Slot { sums, n: before.n + slot.n };
    }
    (before, slots.len())
}

/// The first slot with whose last token the entropy is certainly beyond the limit.
fn surely_beyond(slots: &[Slot], limit: f64) -> usize {
    let mut sums = Sums::default();
    let beyond = |slot: &Slot| {
        sums = sums.and(slot.sums);
        slot.n > 0 && sums.entropy() > limit + MARGIN
    };
    slots.iter().position(beyond).unwrap_or(slots.len())
}

/// How many of the entries belong to the prefix, after what has these sums.
fn walk(entries: &mut [u64], before: Sums, limit: f64, sums: impl Fn(&u64) -> Sums) -> usize {
    let (mut rest, mut before, mut n) = (entries, before, 0);
    while rest.len() > WALKED_AT_ONCE {
        let half = rest.len() / 2;
        rest.select_nth_unstable(half);
        let with_half = rest.iter().take(half).map(&sums).fold(before, Sums::and);
        let entropy = with_half.entropy();
        if (entropy - limit).abs() <= MARGIN {
            break;
        }
        let (low, high) = rest.split_at_mut(half);
        if entropy > limit {
            rest = low;
        } else {
            (rest, before, n) = (high, with_half, n + half);
        }
    }
    rest.sort_unstable();
    let within = |entry: &&u64| {
        before = before.and(sums(entry));
        before.entropy() <= limit
    };
    n + rest.iter().take_while(within).count()
}
