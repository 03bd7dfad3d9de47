//! Ids by a token's bytes: a table with open addressing, at most half full.

use super::tokens::Tokens;

const EMPTY: u32 = u32::MAX;

/// Ids by bytes, of the tokens that were put in.
#[derive(Clone, Debug)]
pub(super) struct Index {
    slots: Vec<u32>,
}

impl Index {
    /// An empty index with room for `n` ids.
    pub(super) fn with_room(n: usize) -> Index {
        Index { slots: vec![EMPTY; (2 * n).max(2).next_power_of_two()] }
    }

    /// The id of the token with these bytes, if it was put in.
    pub(super) fn get(&self, tokens: &Tokens, bytes: &[u8]) -> Option<u32> {
        let ids = self.places(bytes).map(|place| self.slots.get(place).map_or(EMPTY, |&id| id));
        ids.take_while(|&id| id != EMPTY)
            .find(|&id| tokens.get(id).is_some_and(|(other, _)| other == bytes))
    }

    /// Puts a token in; the id that has the same bytes already, if there is one.
    pub(super) fn insert(&mut self, tokens: &Tokens, id: u32, bytes: &[u8]) -> Option<u32> {
        for place in self.places(bytes) {
            let slot = self.slots.get_mut(place)?;
            if *slot == EMPTY {
                *slot = id;
                return None;
            }
            if tokens.get(*slot).is_some_and(|(other, _)| other == bytes) {
                return Some(*slot);
            }
        }
        None
    }

    fn places(&self, bytes: &[u8]) -> impl Iterator<Item = usize> + use<> {
        let mask = self.slots.len() - 1;
        let start = hash(bytes) as usize;
        (0..=mask).map(move |step| (start + step) & mask)
    }
}

/// A hash of bytes, good in its low bits.
fn hash(bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    for (to, from) in last.iter_mut().zip(rest) {
        *to = *from;
    }
    let words = words.iter().chain([&last]).map(|word| u64::from_le_bytes(*word));
    let mixed = words.fold(bytes.len() as u64, |hash, word| {
        let product = (hash ^ word).wrapping_mul(FACTOR);
        product ^ product >> 29
    });
    mixed.wrapping_mul(FACTOR) >> 32
}

#[cfg(test)]
mod tests {
    use super::super::tokens::TokenKind;
    use super::*;

    #[test]
    fn every_token_is_found_and_no_other() {
        let mut tokens = Tokens::new();
        let texts: Vec<Vec<u8>> =
            (0..2000u32).map(|i| vec![i as u8; 1 + i as usize / 256]).collect();
        texts.iter().for_each(|text| tokens.push(text, TokenKind::Normal).unwrap());
        let mut index = Index::with_room(texts.len());
        for (id, text) in (0..).zip(&texts) {
            assert_eq!(index.insert(&tokens, id, text), None);
        }
        for (id, text) in (0..).zip(&texts) {
            assert_eq!(index.get(&tokens, text), Some(id));
            assert_eq!(index.insert(&tokens, 7, text), Some(id));
        }
        assert_eq!(index.get(&tokens, b"ab"), None);
        assert_eq!(index.get(&tokens, b""), None);
    }
}
