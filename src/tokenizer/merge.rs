//! Merging one piece: the pair of lowest rank is joined, leftmost first, until no pair has a merge.
//!
//! Cost: for short pieces (nearly all) two look-ups a merge and a scan of the ranks, which fit the cache; for long ones
//! n log n with a heap over a linked list. Both give the same tokens.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::pairs::{NO_RANK, Pairs};

/// Pieces of more symbols than this go through the heap.
const SHORT: usize = 128;
/// No neighbour.
const NONE: u32 = u32::MAX;

/// Merges the symbols of one piece in place. `ranks` is room for work.
pub(super) fn merge(pairs: &Pairs, symbols: &mut Vec<u32>, ranks: &mut Vec<u32>) {
    match symbols.len() {
        0 | 1 => {}
        2..=SHORT => merge_short(pairs, symbols, ranks),
        _ => merge_long(pairs, symbols),
    }
}

/// `ranks` holds, by place, the rank at which the symbol there merges with the next.
fn merge_short(pairs: &Pairs, symbols: &mut Vec<u32>, ranks: &mut Vec<u32>) {
    ranks.clear();
    ranks.extend(symbols.iter().zip(symbols.iter().skip(1)).map(|(&l, &r)| pairs.rank(l, r)));
    while let Some(rank) = ranks.iter().copied().min()
        && let Some(id) = pairs.id(rank)
        && let Some(place) = ranks.iter().position(|&other| other == rank)
    {
        symbols.remove(place + 1);
        ranks.remove(place);
        if let Some(symbol) = symbols.get_mut(place) {
            *symbol = id;
        }
        let after = symbols.get(place + 1).map(|&right| pairs.rank(id, right));
        if let (Some(rank), Some(after)) = (ranks.get_mut(place), after) {
            *rank = after;
        }
        let before = place.checked_sub(1).and_then(|before| symbols.get(before).copied());
        if let Some(left) = before
            && let Some(rank) = ranks.get_mut(place - 1)
        {
            *rank = pairs.rank(left, id);
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

/// The symbols as a linked list, and the ranks and places of merges that may be next, lowest rank first, then leftmost.
struct Chain<'a> {
    pairs: &'a Pairs,
    links: Vec<Link>,
    heap: BinaryHeap<Reverse<(u32, u32)>>,
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
    while let Some(Reverse((rank, place))) = chain.heap.pop() {
        // An entry is stale when one of its two symbols has changed: then the pair merges at another rank, or not.
        if chain.rank(place) == rank
            && let Some(id) = pairs.id(rank)
        {
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

    /// The rank of the pair that begins at `place`.
    fn rank(&self, place: u32) -> u32 {
        match self.link(place).and_then(|left| Some((left, self.link(left.after)?))) {
            Some((left, right)) => self.pairs.rank(left.symbol, right.symbol),
            None => NO_RANK,
        }
    }

    fn offer(&mut self, place: u32) {
        let rank = self.rank(place);
        if rank != NO_RANK {
            self.heap.push(Reverse((rank, place)));
        }
    }

    fn join(&mut self, place: u32, id: u32) {
        let Some(left) = self.link(place) else { return };
        let after = self.link(left.after).map_or(NONE, |right| right.after);
        if let Some(link) = self.links.get_mut(left.after as usize) {
            *link = Link { symbol: NONE, before: NONE, after: NONE };
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
            let (mut short, mut long) = (symbols.clone(), symbols);
            merge_short(&table, &mut short, &mut Vec::new());
            merge_long(&table, &mut long);
            prop_assert_eq!(&short, &expected);
            prop_assert_eq!(&long, &expected);
        }
    }

    #[test]
    fn equal_pairs_join_from_the_left() {
        let table = Pairs::new(&[(0, 0, 1)]);
        let long = [(2 * SHORT + 1, [vec![1; SHORT], vec![0]].concat())];
        let short = [(0, vec![]), (1, vec![0]), (3, vec![1, 0]), (4, vec![1, 1])];
        for (n, expected) in short.into_iter().chain(long) {
            let mut symbols = vec![0; n];
            merge(&table, &mut symbols, &mut Vec::new());
            assert_eq!(symbols, expected);
        }
    }
}
