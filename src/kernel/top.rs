//! A threshold that at least k places reach, from the maxima alone.
//!
//! Each maximum stands for a place of its own, so the k-th highest of any set of maxima is reached by k places at least.
//! Few more reach it: places that are not the maximum of their lanes seldom rank above many that are.

use super::scan::Maxima;
use crate::math::{rank_key, rank_key_logit};

/// A logit that at least `k` places reach; -infinity when the maxima cannot tell one.
pub(crate) fn threshold_of_count(maxima: &Maxima, k: usize, keys: &mut Vec<u32>) -> f32 {
    keys.clear();
    if k <= maxima.len() {
        // One key a group is enough: its highest lane.
        keys.extend(maxima.iter().map(|group| {
            rank_key(
                group.iter().copied().fold(f32::NEG_INFINITY, |a, b| if b > a { b } else { a }),
            )
        }));
    } else {
        keys.extend(maxima.iter().flatten().map(|max| rank_key(*max)));
    }
    let n = keys.len();
    if k == 0 || k > n {
        return f32::NEG_INFINITY;
    }
    rank_key_logit(*keys.select_nth_unstable(n - k).1)
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
