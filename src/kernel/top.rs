//! What the maxima alone can tell: the first place of the highest logit, and a threshold that at least k places reach.

use super::GROUP;
use super::lanes::{F32s, Lanes, WIDTH};
use super::scan::Maxima;

/// The lowest place of a row that has this logit, which is the row's highest.
pub(crate) fn first_place(row: &[f32], maxima: &Maxima, max: f32) -> Option<usize> {
    let least = F32s::splat(max);
    let group = maxima.iter().position(|group| F32s::load(group).at_least(least) != 0)?;
    let (chunks, rest) = row.get(group * GROUP..)?.as_chunks::<WIDTH>();
    for (i, chunk) in chunks.iter().enumerate() {
        let found = F32s::load(chunk).at_least(least);
        if found != 0 {
            return Some(group * GROUP + i * WIDTH + found.trailing_zeros() as usize);
        }
    }
    rest.iter().position(|logit| *logit == max).map(|place| row.len() - rest.len() + place)
}

/// Lists of maxima are merged down to about this many for each place that is asked for.
const VALUES_A_PLACE: usize = 6;
/// Thresholds tried.
const TRIES: usize = 24;

/// A logit that at least `k` > 0 places reach, and few more; -infinity when the maxima cannot tell one.
///
/// Each maximum stands for a place of its own, also when maxima of several groups are merged lane by lane: as many places
/// as maxima reach a threshold at least. Few more do, for places that are not the highest of their kind seldom rank above
/// many that are.
pub(crate) fn threshold_of_count(maxima: &Maxima, k: usize, merged: &mut Maxima) -> f32 {
    let step = (maxima.len() * WIDTH / (VALUES_A_PLACE * k).max(256)).max(1);
    merged.clear();
    merged.extend(maxima.chunks(step).map(|groups| {
        let none = F32s::splat(f32::NEG_INFINITY);
        let max = groups.iter().fold(none, |max, group| max.higher(F32s::load(group)));
        let mut lanes = [0.0; WIDTH];
        max.store(&mut lanes);
        lanes
    }));
    let alive = reaching(merged, f32::MIN);
    if alive < k {
        return f32::NEG_INFINITY;
    }
    let (low, high) = ends(merged);
    search(merged, k, (low, alive), high)
}

/// A threshold between `low`, which `low.1` >= k maxima reach, and `high`.
fn search(merged: &Maxima, k: usize, low: (f32, usize), high: f32) -> f32 {
    let ((mut low, mut n_low), (mut high, mut n_high)) = (low, (high, 0));
    for i in 0..TRIES {
        if n_low <= k + k / 4 {
            break;
        }
        let aim = k as f64 + k as f64 / 8.0;
        let share = match (n_low as f64 - aim) / (n_low - n_high) as f64 {
            share if i % 3 < 2 => share.clamp(0.05, 0.95),
            _ => 0.5,
        };
        let (from, to) = (f64::from(low), f64::from(high));
        let middle = (from + share * (to - from)) as f32;
        if middle <= low || middle >= high {
            break;
        }
        let n = reaching(merged, middle);
        if n >= k {
            (low, n_low) = (middle, n);
        } else {
            (high, n_high) = (middle, n);
        }
    }
    low
}

/// How many maxima reach a threshold.
fn reaching(maxima: &Maxima, threshold: f32) -> usize {
    let least = F32s::splat(threshold);
    let n: u32 = maxima.iter().map(|group| F32s::load(group).at_least(least).count_ones()).sum();
    n as usize
}

/// A logit not above the lowest maximum alive, and the highest.
fn ends(maxima: &Maxima) -> (f32, f32) {
    let (zero, none) = (F32s::splat(0.0), F32s::splat(f32::NEG_INFINITY));
    let (mut lowest, mut highest) = (none, none);
    for group in maxima {
        let lanes = F32s::load(group);
        // The lowest is the highest of the negatives. The dead become +infinity there, and are taken for 0.
        let negative = zero.sub(lanes);
        let alive = negative.where_below(negative, F32s::splat(f32::INFINITY));
        lowest = lowest.higher(alive);
        highest = highest.higher(lanes);
    }
    let fold = |lanes: F32s| lanes.to_array().into_iter().fold(f32::NEG_INFINITY, f32::max);
    (-fold(lowest), fold(highest))
}

#[cfg(test)]
mod tests {
    use super::super::scan::scan;
    use super::*;

    fn row(n: usize) -> (Vec<f32>, Maxima) {
        let row: Vec<f32> =
            (0..n as u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 8) as f32 - 5000.0).collect();
        let mut maxima = Maxima::new();
        scan(&row, &mut maxima).unwrap();
        (row, maxima)
    }

    #[test]
    fn at_least_k_places_reach_the_threshold() {
        for n in [1usize, 64, 100, 700, 5000, 50_000] {
            let (row, maxima) = row(n);
            for k in [1, 2, 5, 40, 100, 500, n] {
                let threshold = threshold_of_count(&maxima, k, &mut Maxima::new());
                let reached = row.iter().filter(|logit| **logit >= threshold).count();
                assert!(reached >= k.min(n), "{n} {k}: {reached} reach {threshold}");
            }
        }
    }

    #[test]
    fn few_more_than_k_places_reach_the_threshold() {
        let (row, maxima) = row(50_000);
        for k in [2, 40, 100, 500] {
            let threshold = threshold_of_count(&maxima, k, &mut Maxima::new());
            let reached = row.iter().filter(|logit| **logit >= threshold).count();
            assert!(reached <= k + k / 2 + 8, "{k}: {reached} reach {threshold}");
        }
    }

    #[test]
    fn dead_places_ties_and_extremes_do_not_break_the_threshold() {
        for row in [
            vec![f32::NEG_INFINITY; 500].into_iter().chain([1.0, 1.0]).collect::<Vec<f32>>(),
            vec![2.5; 700],
            [f32::MAX, f32::MIN, 0.0].repeat(100),
            (0..600).map(|i| if i % 2 == 0 { f32::NEG_INFINITY } else { -(i as f32) }).collect(),
        ] {
            let mut maxima = Maxima::new();
            scan(&row, &mut maxima).unwrap();
            for k in [1, 2, 3, 40, 400] {
                let threshold = threshold_of_count(&maxima, k, &mut Maxima::new());
                let reached = row.iter().filter(|logit| **logit >= threshold).count();
                assert!(reached >= k.min(row.len()), "{k}: {reached} reach {threshold}");
            }
        }
    }

    #[test]
    fn the_first_place_of_the_highest_logit() {
        for n in [1, 64, 65, 300, 1000] {
            for place in [0, n / 2, n - 1] {
                let mut row = vec![-1.0; n];
                row[place] = 3.0;
                *row.last_mut().unwrap() = 3.0;
                let mut maxima = Maxima::new();
                scan(&row, &mut maxima).unwrap();
                assert_eq!(first_place(&row, &maxima, 3.0), Some(place));
            }
        }
    }
}
