//! The ids of pieces: merged, and remembered for short pieces that come again.
//!
//! Natural text repeats itself: nearly every word of it was met before. A table with one place a hash holds pieces of at
//! most 15 bytes and 3 ids; a piece takes the place of another one. Of a piece that is a token it is remembered too whether
//! merging makes that token, which is nearly always so. What is remembered never changes an id.

use std::fmt;

use super::merge::merge;
use super::tokens::TokenKind;
use super::vocabulary::Vocabulary;

/// The longest piece that is remembered.
const LONGEST: usize = 15;
/// The most ids.
const MOST: usize = 3;

/// A piece and its ids; the key 0 is no piece.
#[derive(Clone, Copy)]
struct Slot {
    key: u128,
    n: u32,
    ids: [u32; MOST],
}

/// What merging makes of a token's own bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Merged {
    Unknown,
    Itself,
    Others,
}

/// Remembered pieces, and room for merging others.
pub(super) struct Words {
    slots: Vec<Slot>,
    shift: u32,
    /// By token id; laid out when the first piece comes.
    merged: Vec<Merged>,
    symbols: Vec<u32>,
    ranks: Vec<u32>,
}

impl fmt::Debug for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Words")
    }
}

impl Words {
    /// Room for 2^`bits` pieces, 32 bytes each; it is taken when the first piece comes.
    pub(super) fn new(bits: u32) -> Words {
        Words {
            slots: Vec::new(),
            shift: u64::BITS - bits,
            merged: Vec::new(),
            symbols: Vec::new(),
            ranks: Vec::new(),
        }
    }

    /// Appends the ids of the piece that is the first `length` bytes of a text. `whole`: a piece that is a token is it.
    #[inline]
    pub(super) fn encode(
        &mut self,
        vocabulary: &Vocabulary,
        (text, length): (&[u8], usize),
        whole: bool,
        ids: &mut Vec<u32>,
    ) {
        let key = if length <= LONGEST { key(text, length) } else { 0 };
        let place = place(key, self.shift);
        match self.slots.get(place) {
            Some(slot) if slot.key == key && key != 0 => match (slot.n, slot.ids) {
                (1, [id, ..]) => ids.push(id),
                (n, found) => ids.extend(found.into_iter().take(n as usize)),
            },
            _ => {
                let piece = text.get(..length).unwrap_or_default();
                self.merge(vocabulary, piece, whole);
                ids.extend_from_slice(&self.symbols);
                if key != 0 && self.symbols.len() <= MOST {
                    self.remember(key, place);
                }
            }
        }
    }

    /// The ids of a piece, into `symbols`.
    fn merge(&mut self, vocabulary: &Vocabulary, piece: &[u8], whole: bool) {
        self.symbols.clear();
        let token = vocabulary.id(piece, TokenKind::Normal);
        if let Some(id) = token
            && (whole || self.merged.get(id as usize) == Some(&Merged::Itself))
        {
            self.symbols.push(id);
            return;
        }
        self.symbols.extend(piece.iter().filter_map(|&byte| vocabulary.byte_id(byte)));
        merge(&vocabulary.pairs, &mut self.symbols, &mut self.ranks);
        if let Some(id) = token {
            if self.merged.is_empty() {
                self.merged = vec![Merged::Unknown; vocabulary.n_vocab()];
            }
            if let Some(merged) = self.merged.get_mut(id as usize) {
                *merged = if *self.symbols == [id] { Merged::Itself } else { Merged::Others };
            }
        }
    }

    fn remember(&mut self, key: u128, place: usize) {
        if self.slots.is_empty() {
            let none = Slot { key: 0, n: 0, ids: [0; MOST] };
            self.slots = vec![none; 1 << (u64::BITS - self.shift)];
        }
        if let Some(slot) = self.slots.get_mut(place) {
            slot.key = key;
            slot.n = self.symbols.len() as u32;
            for (to, from) in slot.ids.iter_mut().zip(&self.symbols) {
                *to = *from;
            }
        }
    }
}

/// The first `length` (1 to 15) bytes of a text, and the length above them.
#[inline]
fn key(text: &[u8], length: usize) -> u128 {
    let mask = (1u128 << (8 * length)) - 1;
    let bytes = match text.first_chunk::<16>() {
        Some(bytes) => u128::from_le_bytes(*bytes) & mask,
        None => {
            text.iter().take(length).rev().fold(0, |bytes, &byte| bytes << 8 | u128::from(byte))
        }
    };
    bytes | (length as u128) << 120
}

#[inline]
fn place(key: u128, shift: u32) -> usize {
    let folded = (key as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (key >> 64) as u64;
    ((folded ^ folded >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93) >> shift) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_tell_pieces_apart_wherever_they_stand() {
        let text = b"the theory of the thing";
        assert_eq!(key(text, 3), key(b"the", 3));
        assert_eq!(key(text, 15), key(b"the theory of t", 15));
        assert_ne!(key(b"\0", 1), key(b"\0\0", 2));
        assert_ne!(key(b"ab", 2), key(b"ba", 2));
    }
}
