//! Merging one piece: the pair of lowest rank is joined, leftmost first, until no pair has a merge.
//!
//! Cost: for short pieces (nearly all) n² steps at worst over a list that fits the cache; for long ones n log n with a
//! heap over a linked list. Both give the same tokens.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::pairs::Pairs;

/// Pieces of more symbols than this go through the heap.
const SHORT: usize = 48;
/// No neighbour.
const NONE: u32 = u32::MAX;

/// Merges the symbols of one piece in place.
pub(super) fn merge(pairs: &Pairs, symbols: &mut Vec<u32>) {
    if symbols.len() <= SHORT { merge_short(pairs, symbols) } else { merge_long(pairs, symbols) }
}

fn merge_short(pairs: &Pairs, symbols: &mut Vec<u32>) {
    loop {
        let mut best: Option<(u32, usize, u32)> = None;
        let mut left = match symbols.first() {
            Some(&symbol) => symbol,
            None => return,
        };
        for (place, &right) in symbols.iter().skip(1).enumerate() {
            if let Some(merge) = pairs.get(left, right)
                && best.is_none_or(|(rank, ..)| merge.rank < rank)
            {
                best = Some((merge.rank, place, merge.id));
            }
            left = right;
        }
        let Some((_, place, id)) = best else { return };
        symbols.remove(place + 1);
        if let Some(symbol) = symbols.get_mut(place) {
            *symbol = id;
        }
    }
}

/// A symbol and its living neighbours; a symbol that was joined to its left neighbour is `NONE`.
#[derive(Clone, Copy)]
struct Link {
    symbol: u32,
    before: u32,
    after: u32,
}

/// The symbols as a linked list, and the merges that may be next, lowest rank first, then leftmost.
struct Chain<'a> {
    pairs: &'a Pairs,
    links: Vec<Link>,
    heap: BinaryHeap<Reverse<(u32, u32, u32)>>,
}

fn merge_long(pairs: &Pairs, symbols: &mut Vec<u32>) {
    let last = symbols.len() as u32 - 1;
    let link = |(place, &symbol): (usize, &u32)| {
        let place = place as u32;
        let after = if place == last { NONE } else { place + 1 };
        Link { symbol, before: place.wrapping_sub(1), after }
    };
    let links = symbols.iter().enumerate().map(link).collect();
    let mut chain = Chain { pairs, links, heap: BinaryHeap::new() };
    for place in 0..last {
        chain.offer(place);
    }
    while let Some(Reverse((_, place, id))) = chain.heap.pop() {
        // An entry is stale when one of its two symbols has changed: then the pair merges into something else.
        if chain.candidate(place).is_some_and(|(_, found)| found == id) {
            chain.join(place, id);
        }
    }
    let alive = chain.links.iter().map(|link| link.symbol).filter(|&symbol| symbol != NONE);
    symbols.clear();
    symbols.extend(alive);
}

impl Chain<'_> {
    fn link(&self, place: u32) -> Option<Link> {
        self.links.get(place as usize).copied()
    }

    /// Rank and merged id of the pair that begins at `place`.
    fn candidate(&self, place: u32) -> Option<(u32, u32)> {
        let left = self.link(place)?;
        let right = self.link(left.after)?;
        let merge = self.pairs.get(left.symbol, right.symbol)?;
        Some((merge.rank, merge.id))
    }

    fn offer(&mut self, place: u32) {
        if let Some((rank, id)) = self.candidate(place) {
            self.heap.push(Reverse((rank, place, id)));
        }
    }

    fn join(&mut self, place: u32, id: u32) {
        let Some(left) = self.link(place) else { return };
        let after = self.link(left.after).map_or(NONE, |right| right.after);
        if let Some(link) = self.links.get_mut(left.after as usize) {
            link.symbol = NONE;
        }
        if let Some(link) = self.links.get_mut(after as usize) {
            link.before = place;
        }
        if let Some(link) = self.links.get_mut(place as usize) {
            *link = Link { symbol: id, before: left.before, after };
        }
        self.offer(left.before);
        self.offer(place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Merges over eight byte symbols; the merged token of each is the next id.
    fn merges(pairs: &[(u32, u32)]) -> Vec<(u32, u32, u32)> {
        (0u32..)
            .zip(pairs)
            .map(|(rank, &(left, right))| (left % (8 + rank), right % (8 + rank), 8 + rank))
            .collect()
    }

    /// Every rank in turn, joining all its pairs from left to right.
    fn naive(merges: &[(u32, u32, u32)], symbols: &[u32]) -> Vec<u32> {
        let mut symbols = symbols.to_vec();
        for (place, &(left, right, id)) in merges.iter().enumerate() {
            if merges[..place].iter().any(|&(l, r, _)| (l, r) == (left, right)) {
                continue;
            }
            let mut joined = Vec::new();
            let mut i = 0;
            while i < symbols.len() {
                let pair = symbols[i] == left && symbols.get(i + 1) == Some(&right);
                joined.push(if pair { id } else { symbols[i] });
                i += if pair { 2 } else { 1 };
            }
            symbols = joined;
        }
        symbols
    }

    proptest! {
        #[test]
        fn short_and_long_match_the_naive_order(
            pairs in prop::collection::vec((0u32..64, 0u32..64), 0..40),
            symbols in prop::collection::vec(0u32..8, 1..120),
        ) {
            let merges = merges(&pairs);
            let table = Pairs::new(&merges);
            let expected = naive(&merges, &symbols);
            for method in [merge_short, merge_long] {
                let mut found = symbols.clone();
                method(&table, &mut found);
                prop_assert_eq!(&found, &expected);
            }
        }
    }

    #[test]
    fn equal_pairs_join_from_the_left() {
        let table = Pairs::new(&[(0, 0, 1)]);
        for (n, expected) in [(0, vec![]), (1, vec![0]), (3, vec![1, 0]), (4, vec![1, 1])] {
            let mut symbols = vec![0; n];
            merge(&table, &mut symbols);
            assert_eq!(symbols, expected);
        }
    }
}
