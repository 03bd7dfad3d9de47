//! Merges by pair: the rank and the merged token of two neighbouring tokens.
//!
//! A table with open addressing, at most half full: one multiplication and mostly one probe a look-up, which is what
//! encoding spends its time on.

/// What a pair merges into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Merge {
    /// The place in the list of merges: the lowest is joined first.
    pub rank: u32,
    /// The id of the merged token.
    pub id: u32,
}

/// No pair: both ids would be above every vocabulary.
const EMPTY: u64 = u64::MAX;

/// Merges by pair.
#[derive(Clone, Debug)]
pub(super) struct Pairs {
    slots: Vec<(u64, Merge)>,
    shift: u32,
}

impl Pairs {
    /// The table of a list of merges in order of rank, each (left, right, merged). Of a pair listed twice the first counts.
    pub(super) fn new(merges: &[(u32, u32, u32)]) -> Pairs {
        let bits = (2 * merges.len()).max(2).next_power_of_two().trailing_zeros();
        let slots = vec![(EMPTY, Merge { rank: 0, id: 0 }); 1 << bits];
        let mut pairs = Pairs { slots, shift: u64::BITS - bits };
        for (rank, &(left, right, id)) in merges.iter().enumerate() {
            pairs.insert(key(left, right), Merge { rank: rank as u32, id });
        }
        pairs
    }

    /// What the pair merges into.
    #[inline]
    pub(super) fn get(&self, left: u32, right: u32) -> Option<Merge> {
        let key = key(left, right);
        self.probe(key).find_map(|place| match self.slots.get(place) {
            Some(&(found, merge)) if found == key => Some(Some(merge)),
            Some(&(EMPTY, _)) | None => Some(None),
            Some(_) => None,
        })?
    }

    fn insert(&mut self, key: u64, merge: Merge) {
        for place in self.probe(key) {
            match self.slots.get_mut(place) {
                Some(slot) if slot.0 == EMPTY => {
                    *slot = (key, merge);
                    return;
                }
                Some(slot) if slot.0 != key => {}
                _ => return,
            }
        }
    }

    /// Every place, from the key's own on.
    fn probe(&self, key: u64) -> impl Iterator<Item = usize> + use<> {
        let mask = self.slots.len() - 1;
        let start = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize;
        (0..=mask).map(move |step| (start + step) & mask)
    }
}

fn key(left: u32, right: u32) -> u64 {
    u64::from(left) << 32 | u64::from(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_is_found_and_no_other() {
        let merges: Vec<(u32, u32, u32)> = (0..500).map(|i| (i * 7 % 300, i, 1000 + i)).collect();
        let pairs = Pairs::new(&merges);
        for (rank, &(left, right, id)) in merges.iter().enumerate() {
            assert_eq!(pairs.get(left, right), Some(Merge { rank: rank as u32, id }));
            assert_eq!(pairs.get(right + 1000, left), None);
        }
        assert_eq!(Pairs::new(&[]).get(0, 0), None);
    }

    #[test]
    fn of_a_pair_listed_twice_the_first_counts() {
        let pairs = Pairs::new(&[(1, 2, 3), (1, 2, 4)]);
        assert_eq!(pairs.get(1, 2), Some(Merge { rank: 0, id: 3 }));
    }
}
