//! Merges by pair: the rank and the merged token of two neighbouring tokens.
//!
//! A table with open addressing, at most three quarters full: one multiplication and mostly one probe a look-up, which is
//! what encoding spends its time on.

/// No pair: both ids would be above every vocabulary.
const EMPTY: u64 = u64::MAX;

/// No merge: above every rank.
pub(super) const NO_RANK: u32 = u32::MAX;

/// Merges by pair.
#[derive(Clone, Debug)]
pub(super) struct Pairs {
    /// Pairs and their ranks.
    slots: Vec<(u64, u32)>,
    shift: u32,
    /// The merged tokens by rank; of a pair that was listed twice the second rank is never met.
    ids: Vec<u32>,
}

impl Pairs {
    /// The table of a list of merges in order of rank, each (left, right, merged). Of a pair listed twice the first counts.
    pub(super) fn new(merges: &[(u32, u32, u32)]) -> Pairs {
        let mut pairs =
            Pairs { slots: Vec::new(), shift: 0, ids: Vec::with_capacity(merges.len()) };
        pairs.resize(merges.len());
        for &(left, right, id) in merges {
            pairs.push(left, right, id);
        }
        pairs
    }

    /// Adds the merge of the next rank.
    pub(super) fn push(&mut self, left: u32, right: u32, id: u32) {
        if 4 * (self.ids.len() + 1) > 3 * self.slots.len() {
            self.resize(2 * self.ids.len() + 1);
        }
        self.insert(key(left, right), self.ids.len() as u32);
        self.ids.push(id);
    }

    /// The rank at which two tokens merge, or `NO_RANK`.
    #[inline]
    pub(super) fn rank(&self, left: u32, right: u32) -> u32 {
        let key = key(left, right);
        let mut place = self.home(key);
        loop {
            match self.slots.get(place) {
                Some(&(found, rank)) if found == key => return rank,
                Some(&(EMPTY, _)) => return NO_RANK,
                Some(_) => place += 1,
                None => place = 0,
            }
        }
    }

    /// The token that the merge of a rank makes.
    #[inline]
    pub(super) fn id(&self, rank: u32) -> Option<u32> {
        self.ids.get(rank as usize).copied()
    }

    /// Room for `n` merges, with what is in the table.
    fn resize(&mut self, n: usize) {
        let size = (n + n / 3 + 1).max(4).next_power_of_two();
        let old = std::mem::replace(&mut self.slots, vec![(EMPTY, NO_RANK); size]);
        self.shift = u64::BITS - size.trailing_zeros();
        for (key, rank) in old.into_iter().filter(|&(key, _)| key != EMPTY) {
            self.insert(key, rank);
        }
    }

    fn insert(&mut self, key: u64, rank: u32) {
        let mut place = self.home(key);
        loop {
            match self.slots.get_mut(place) {
                Some(slot) if slot.0 == EMPTY => {
                    *slot = (key, rank);
                    return;
                }
                Some(slot) if slot.0 == key => return,
                Some(_) => place += 1,
                None => place = 0,
            }
        }
    }

    #[inline]
    fn home(&self, key: u64) -> usize {
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize
    }
}

#[inline]
fn key(left: u32, right: u32) -> u64 {
    u64::from(left) << 32 | u64::from(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_is_found_and_no_other() {
        let merges: Vec<(u32, u32, u32)> = (0..500).map(|i| (i * 7 % 300, i, 1000 + i)).collect();
        let mut grown = Pairs::new(&[]);
        merges.iter().for_each(|&(left, right, id)| grown.push(left, right, id));
        for pairs in [Pairs::new(&merges), grown] {
            for (rank, &(left, right, id)) in (0..).zip(&merges) {
                assert_eq!(pairs.rank(left, right), rank);
                assert_eq!(pairs.id(rank), Some(id));
                assert_eq!(pairs.rank(right + 1000, left), NO_RANK);
            }
        }
        assert_eq!(Pairs::new(&[]).rank(0, 0), NO_RANK);
        assert_eq!(Pairs::new(&[]).id(NO_RANK), None);
    }

    #[test]
    fn of_a_pair_listed_twice_the_first_counts() {
        let pairs = Pairs::new(&[(1, 2, 3), (1, 2, 4), (2, 1, 5)]);
        assert_eq!(pairs.rank(1, 2), 0);
        assert_eq!((pairs.rank(2, 1), pairs.id(2)), (2, Some(5)));
    }
}
