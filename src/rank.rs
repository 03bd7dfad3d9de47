//! Rank order as integers: highest logit first, ties by lower place.
//!
//! An entry is (bitwise complement of the rank key) * 2^32 + place, so that ascending integers are descending ranks. One
//! sort and one selection serve everything that ranks.

use crate::math::{rank_key, rank_key_logit};

/// The entry of a logit at a place below 2^32.
#[inline(always)]
pub fn entry(logit: f32, place: usize) -> u64 {
    u64::from(!rank_key(logit)) << 32 | (place as u64 & 0xffff_ffff)
}

/// The logit of an entry; -0.0 has become +0.0.
#[inline(always)]
pub fn logit_of(entry: u64) -> f32 {
    rank_key_logit(!((entry >> 32) as u32))
}

/// The place of an entry.
#[inline(always)]
pub fn place_of(entry: u64) -> usize {
    (entry & 0xffff_ffff) as usize
}

/// Fewer entries than this are sorted by comparisons.
const RADIX_FROM: usize = 2048;
/// Buckets of a digit.
const BUCKETS: usize = 1 << 11;
/// How many entries have each digit.
type Counts = [u32; BUCKETS];

/// Sorts entries, ascending: highest rank first.
pub fn sort(entries: &mut Vec<u64>) {
    sort_with(entries, &mut Vec::new());
}

/// The same, with memory that is used where there are many.
#[inline(never)]
pub fn sort_with(entries: &mut Vec<u64>, sorted: &mut Vec<u64>) {
    if entries.len() < RADIX_FROM {
        entries.sort_unstable();
        return;
    }
    // Least significant digit first. Stable passes leave the order of places within equal logits as it was, so the
    // places' own digits are needed only where they do not come in ascending order.
    let in_order =
        entries.iter().zip(entries.iter().skip(1)).all(|(a, b)| place_of(*a) < place_of(*b));
    sorted.resize(entries.len(), 0);
    if !in_order {
        sort_by::<0>(entries, sorted);
    }
    sort_by::<32>(entries, sorted);
}

/// Sorts by the 32 bits from `FIRST` on.
fn sort_by<const FIRST: u32>(entries: &mut Vec<u64>, sorted: &mut Vec<u64>) {
    let mut counts = [[0; BUCKETS]; 3];
    // One walk counts all three digits: what is counted does not depend on the order.
    for entry in entries.iter() {
        for (counts, shift) in counts.iter_mut().zip(SHIFTS) {
            if let Some(count) = counts.get_mut(digit(*entry >> FIRST, shift)) {
                *count += 1;
            }
        }
    }
    for (counts, shift) in counts.iter_mut().zip(SHIFTS) {
        distribute::<FIRST>(entries, sorted, counts, shift);
    }
}

/// Where the digits of a number begin.
const SHIFTS: [u32; 3] = [0, 11, 22];

/// A digit of the number in the low half.
#[inline(always)]
fn digit(entry: u64, shift: u32) -> usize {
    (entry as u32 >> shift) as usize % BUCKETS
}

/// Brings entries into the order of one digit, by way of `sorted`; nothing is moved where all share it.
fn distribute<const FIRST: u32>(
    entries: &mut Vec<u64>,
    sorted: &mut Vec<u64>,
    counts: &mut Counts,
    shift: u32,
) {
    if counts.contains(&(entries.len() as u32)) {
        return;
    }
    let mut start = 0;
    for end in counts.iter_mut() {
        start += core::mem::replace(end, start);
    }
    let places = sorted.as_mut_slice();
    for entry in entries.iter() {
        if let Some(end) = counts.get_mut(digit(*entry >> FIRST, shift)) {
            if let Some(place) = places.get_mut(*end as usize) {
                *place = *entry;
            }
            *end += 1;
        }
    }
    core::mem::swap(entries, sorted);
}

/// Moves the `n` highest ranks to the front, in no order, and returns the last of them; none when `n` is 0 or there are
/// fewer.
#[inline(never)]
pub fn select(entries: &mut [u64], n: usize) -> Option<u64> {
    let last = n.checked_sub(1).filter(|last| *last < entries.len())?;
    Some(*entries.select_nth_unstable(last).1)
}

/// Sorts numbers, ascending, and drops repetitions; true when there were none.
pub fn sort_distinct(numbers: &mut Vec<u32>) -> bool {
    let n = numbers.len();
    let mut wide: Vec<u64> = numbers.iter().map(|number| u64::from(*number) << 32).collect();
    sort(&mut wide);
    wide.dedup();
    numbers.clear();
    numbers.extend(wide.iter().map(|number| (number >> 32) as u32));
    numbers.len() == n
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(n: usize, step: usize) -> Vec<u64> {
        (0..n).map(|i| entry(((i * step) % 101) as f32 - 50.0, (i * 7919) % n)).collect()
    }

    #[test]
    fn entries_hold_logit_and_place() {
        for logit in [f32::MIN, -1.5, -0.0, 0.0, 1e-40, 3.25, f32::MAX] {
            for place in [0, 1, 524_287] {
                let entry = entry(logit, place);
                assert_eq!(
                    (logit_of(entry).to_bits(), place_of(entry)),
                    ((logit + 0.0).to_bits(), place)
                );
            }
        }
    }

    #[test]
    fn sorting_is_the_same_below_and_above_the_radix_limit() {
        for n in [1, 2, 31, 32, 33, 100, 2047, 2048, 2049, 10_007] {
            for mut entries in [entries(n, 37), (0..n).map(|i| entry((i % 13) as f32, i)).collect()]
            {
                let mut expected = entries.clone();
                expected.sort_unstable();
                sort(&mut entries);
                assert_eq!(entries, expected, "{n}");
            }
        }
    }

    #[test]
    fn selecting_gives_the_last_of_the_first_n() {
        let mut sorted = entries(500, 37);
        sort(&mut sorted);
        for n in [1, 2, 250, 500] {
            assert_eq!(select(&mut entries(500, 37), n), Some(sorted[n - 1]));
        }
        assert_eq!(select(&mut entries(5, 37), 6), None);
        assert_eq!(select(&mut entries(5, 37), 0), None);
    }

    #[test]
    fn distinct_numbers_come_out_ascending() {
        let mut numbers = vec![5, 1, u32::MAX, 5, 0];
        assert!(!sort_distinct(&mut numbers));
        assert_eq!(numbers, [0, 1, 5, u32::MAX]);
        assert!(sort_distinct(&mut numbers));
    }
}
