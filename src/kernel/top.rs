//! A threshold that at least k places reach, from the maxima alone.
//!
//! Each maximum stands for a place of its own, so the k-th highest of any set of maxima is reached by k places at least.
//! Few more reach it: places that are not the maximum of their lanes seldom rank above many that are.

use super::scan::Maxima;
use crate::rank;

/// A logit that at least `k` places reach; -infinity when the maxima cannot tell one.
pub(crate) fn threshold_of_count(maxima: &Maxima, k: usize, entries: &mut Vec<u64>) -> f32 {
    entries.clear();
    if k <= maxima.len() {
        // One entry a group is enough: its highest lane.
        let highest = |group: &[f32; 8]| {
            group.iter().copied().fold(f32::NEG_INFINITY, |a, b| if b > a { b } else { a })
        };
        entries.extend(maxima.iter().map(|group| rank::entry(highest(group), 0)));
    } else {
        entries.extend(maxima.iter().flatten().map(|max| rank::entry(*max, 0)));
    }
    rank::select(entries, k).map_or(f32::NEG_INFINITY, rank::logit_of)
}

#[cfg(test)]
mod tests {
    use super::super::scan::scan;
    use super::*;

    #[test]
    fn at_least_k_places_reach_the_threshold() {
        for n in [1usize, 64, 100, 700, 5000] {
            let row: Vec<f32> = (0..n).map(|i| ((i * 7919) % 10_007) as f32 - 5000.0).collect();
            let mut maxima = Maxima::new();
            scan(&row, &mut maxima).unwrap();
            for k in [1, 2, 5, 40, 100, 500, n] {
                let threshold = threshold_of_count(&maxima, k, &mut Vec::new());
                let reached = row.iter().filter(|logit| **logit >= threshold).count();
                assert!(reached >= k.min(n), "{n} {k}: {reached} reach {threshold}");
            }
        }
    }
}
