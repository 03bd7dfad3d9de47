//! Refining: the end of a prefix within a list, found by ever shorter lists.

use super::bracket::{Point, View};
use super::cut::{Cut, Prefix};
use super::near::Near;
use super::split::{Amount, Range, split_list};
use super::weigh::{UNIT, weight};
use crate::rank;

/// The highest logit and the factor that e was taken with.
pub(super) type Scale = (f32, f64);

/// What is known of where a prefix ends: in a list of places whose logits lie in `range` and whose mass is `within`, with
/// so much ranking above them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub above: Amount,
    pub range: Range,
    pub within: u64,
}

impl Found {
    /// All of a list, nothing above it.
    pub(super) fn all(list: &Near) -> Found {
        let ends = |(low, high): (f32, f32), l: &f32| (low.min(*l), high.max(*l));
        let (low, high) = list.logits.iter().fold((f32::INFINITY, f32::NEG_INFINITY), ends);
        let range = Range { low, high: high.next_up() };
        Found { above: Amount::default(), range, within: list.mass() }
    }

    /// Whether all logits are equal.
    fn is_tie(self) -> bool {
        self.range.low.next_up() >= self.range.high
    }

    /// The same with more above.
    fn over(self, more: Amount) -> Amount {
        Amount { n: self.above.n + more.n, mass: self.above.mass + more.mass }
    }
}

/// Lists in `next` a part of `list` in which the prefix ends; the prefix itself, as the error, where all are equal.
pub(super) fn refine(
    list: &Near,
    found: Found,
    scale: Scale,
    target: u64,
    next: &mut Near,
) -> Result<Found, Option<Prefix>> {
    if found.is_tie() {
        return Err(tie(list, found.above, target));
    }
    let view = View::of(&list.logits, &list.exps, scale);
    let under = Point { threshold: found.range.low, below: 0.0 };
    let over = Point { threshold: found.range.high, below: found.within as f64 / UNIT };
    let out = (found.above.mass + found.within).saturating_sub(target);
    let (low, high) = view.bracket(under, over, out as f64 / UNIT);
    let range = Range { low, high };
    let over = split_list(list, range, next);
    let (above, within) = (found.over(over), next.mass());
    let missed = above.mass >= target || above.mass + within < target;
    if missed || next.len() > list.len() / 4 * 3 {
        return Ok(divide(list, found, target, next));
    }
    Ok(Found { above, range, within })
}

/// As [`refine`], at a logit of the list itself: what ranks over it, what equals it, or what ranks below. However many are
/// equal and whatever their spacing, about half of the list is left (Hoare's quickselect, with equals apart).
fn divide(list: &Near, found: Found, target: u64, next: &mut Near) -> Found {
    let pivot = middle_of_sample(&list.logits);
    let equal = Range { low: pivot, high: pivot.next_up() };
    let over = split_list(list, equal, next);
    if found.above.mass + over.mass >= target {
        split_list(list, Range { low: equal.high, high: f32::INFINITY }, next);
        let range = Range { low: equal.high, high: found.range.high };
        return Found { range, within: over.mass, ..found };
    }
    let above = found.over(over);
    let within = next.mass();
    let equals = next.len();
    if above.mass + within >= target || over.n + equals == list.len() {
        return Found { above, range: equal, within };
    }
    split_list(list, Range { low: f32::MIN, high: pivot }, next);
    let above = Amount { n: above.n + equals, mass: above.mass + within };
    let range = Range { low: found.range.low, high: pivot };
    Found { above, range, within: found.within - over.mass - within }
}

/// Logits of which the middle one divides a list.
const SAMPLE: usize = 31;

/// The middle of some evenly spaced logits.
fn middle_of_sample(logits: &[f32]) -> f32 {
    let mut sample = [0; SAMPLE];
    let step = logits.len().div_ceil(SAMPLE).max(1);
    let spaced = logits.iter().skip(step / 2).step_by(step).map(|logit| rank::entry(*logit, 0));
    let n = sample.iter_mut().zip(spaced).map(|(place, entry)| *place = entry).count();
    let sample = sample.get_mut(..n).unwrap_or_default();
    // Entries as everywhere else: a second kind of sort would be 8 kB more of the module.
    sample.sort_unstable();
    sample.get(n / 2).map_or(f32::MIN, |entry| rank::logit_of(*entry))
}

/// The end of the prefix among equal logits: they weigh the same, and the lower place comes first.
fn tie(list: &Near, above: Amount, target: u64) -> Option<Prefix> {
    let (logit, e) = (*list.logits.first()?, *list.exps.first()?);
    let weight = weight(e);
    let lacking = target.saturating_sub(above.mass).max(1);
    let n = match lacking.div_ceil(weight.max(1)) {
        n if weight == 0 || n > list.len() as u64 => list.len(),
        n => n as usize,
    };
    let place = *list.places.get(n.checked_sub(1)?)? as usize;
    Some(Prefix { cut: Cut { logit, place }, n: above.n + n, mass: above.mass + n as u64 * weight })
}

/// Sorts a list and walks down to the end of the prefix.
pub(super) fn walk(
    list: &Near,
    entries: &mut Vec<u64>,
    above: Amount,
    target: u64,
) -> Option<Prefix> {
    entries.clear();
    entries.extend(list.logits.iter().enumerate().map(|(i, l)| rank::entry(*l, i)));
    rank::sort(entries);
    let Amount { mut n, mut mass } = above;
    let mut prefix = None;
    for entry in entries {
        let i = rank::place_of(*entry);
        let (Some(e), Some(place)) = (list.exps.get(i), list.places.get(i)) else { break };
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
