//! The order by deviation: how far a token's surprise is from the entropy; and the prefix of it that holds a share.
//!
//! d = |H - s| in nats, with s the negative log probability, in f64. Tokens of equal d are ordered by rank.
//!
//! A pass adds up the masses of sixteenths of a nat of d; where the prefix ends within one of these, its tokens alone are
//! looked at, halved until few are left. Nothing is sorted but those few.

use super::Candidates;
use crate::kernel::weight;
use crate::math::ceil_share;
use crate::rank;

/// A token in the order: the bits of d, which order as d does, then its rank.
type Key = (u64, u64);

/// Slots a nat; the last slot has all that is further off.
const PER_NAT: f64 = 16.0;
const SLOTS: usize = 256;

/// As few keys as this are sorted at once.
const SORTED_AT_ONCE: usize = 32;

/// What a prefix still has to hold.
#[derive(Clone, Copy)]
struct Wanted {
    mass: u64,
    n: usize,
}

impl Wanted {
    /// What is wanted beyond so much.
    fn beyond(self, mass: u64, n: usize) -> Wanted {
        Wanted { mass: self.mass.saturating_sub(mass), n: self.n.saturating_sub(n) }
    }

    fn is_met(self) -> bool {
        self.mass == 0 && self.n == 0
    }
}

impl Candidates<'_> {
    /// Keeps the shortest prefix by deviation that holds `share` of the mass and at least `min_keep` tokens.
    pub fn keep_typical(&mut self, share: f64, min_keep: usize) {
        let Some(last) = self.typical_end(share, min_keep) else { return };
        let deviation = self.deviation();
        self.list(|c, place| (deviation(c.logit).to_bits(), rank::entry(c.logit, place)) <= last);
    }

    /// The largest deviation in that prefix, in nats; none where it is everything for want of `min_keep` tokens.
    pub fn typical_deviation(&mut self, share: f64, min_keep: usize) -> Option<f64> {
        self.typical_end(share, min_keep).map(|(bits, _)| f64::from_bits(bits))
    }

    /// d of a logit among the tokens alive.
    fn deviation(&mut self) -> impl Fn(f32) -> f64 + use<> {
        let (max, factor) = (f64::from(self.max), self.factor);
        let (entropy, log_sum) = (self.entropy(), self.log_sum());
        move |logit| ((f64::from(logit) - max) * factor - log_sum + entropy).abs()
    }

    /// The last of the prefix.
    fn typical_end(&mut self, share: f64, min_keep: usize) -> Option<Key> {
        self.settle();
        let deviation = self.deviation();
        let slot = |logit| ((deviation(logit) * PER_NAT) as usize).min(SLOTS - 1);
        let mut slots = [(0u64, 0usize); SLOTS];
        self.ensure_weights();
        for candidate in self.alive_from(0) {
            if let Some((mass, n)) = slots.get_mut(slot(candidate.logit)) {
                *mass += candidate.weight();
                *n += 1;
            }
        }
        let mut wanted = Wanted { mass: ceil_share(share, self.mass()), n: min_keep };
        let cut = slots.iter().position(|(mass, n)| {
            let rest = wanted.beyond(*mass, *n);
            let ends_here = rest.is_met();
            if !ends_here {
                wanted = rest;
            }
            ends_here
        })?;
        let mut keys = core::mem::take(&mut self.scratch.keys);
        keys.clear();
        let places =
            (0..self.logits().len()).filter_map(|place| Some((place, self.candidate(place)?)));
        keys.extend(
            places
                .filter(|(_, c)| slot(c.logit) == cut)
                .map(|(place, c)| (deviation(c.logit).to_bits(), rank::entry(c.logit, place))),
        );
        let exps = &self.scratch.exps;
        let weight = |key: &Key| exps.get(rank::place_of(key.1)).map_or(0, |e| weight(*e));
        let end = prefix_end(&mut keys, wanted, weight);
        self.scratch.keys = keys;
        end
    }
}

/// The last of the shortest prefix, in ascending order, that has what is wanted; the keys hold it.
fn prefix_end(keys: &mut [Key], mut wanted: Wanted, weight: impl Fn(&Key) -> u64) -> Option<Key> {
    let mut rest = keys;
    while rest.len() > SORTED_AT_ONCE {
        let half = rest.len() / 2;
        rest.select_nth_unstable(half);
        let (low, high) = rest.split_at_mut(half);
        let beyond = wanted.beyond(low.iter().map(&weight).sum(), half);
        if beyond.is_met() {
            rest = low;
        } else {
            (rest, wanted) = (high, beyond);
        }
    }
    rest.sort_unstable();
    rest.iter().copied().find(|key| {
        wanted = wanted.beyond(weight(key), 1);
        wanted.is_met()
    })
}
