//! What characters are made of, what composes, and the order of combining marks.

use std::sync::OnceLock;

use super::{pairs, singletons};
use crate::tokenizer::leb128::{read, read_signed};
use crate::tokenizer::pairs::Pairs;

/// What a character is made of.
#[derive(Clone, Copy)]
pub(super) struct Parts {
    first: u32,
    /// 0 where the first part is all.
    second: u32,
}

/// Canonical mappings, by ascending code point as the lists have them.
pub(super) struct Tables {
    /// Characters that are two.
    pairs: Vec<(u32, Parts)>,
    /// Characters that are another one.
    singletons: Vec<(u32, Parts)>,
    /// By parts, of those that compose.
    composites: Pairs,
    /// Runs of combining marks: first, last, rank.
    ranks: Vec<(u32, u32, u8)>,
    /// Whether every character of a block of 64 code points stays as it is, but for a mark after it.
    inert: Vec<bool>,
}

static TABLES: OnceLock<Tables> = OnceLock::new();

/// Code points a block, as a power of two.
const BLOCK: usize = 6;

const HANGUL: u32 = 0xac00;
const HANGUL_END: u32 = 0xd7a4;
const LEADS: (u32, u32) = (0x1100, 19);
const VOWELS: (u32, u32) = (0x1161, 21);
/// The first of them would be no tail.
const TAILS: (u32, u32) = (0x11a7, 28);

impl Tables {
    /// The tables, laid out at the first use.
    pub(super) fn get() -> &'static Tables {
        TABLES.get_or_init(Tables::new)
    }

    fn new() -> Tables {
        let mut tables = Tables {
            pairs: Vec::with_capacity(1100),
            singletons: Vec::with_capacity(1100),
            composites: Pairs::new(&[]),
            ranks: Vec::new(),
            inert: vec![true; 0x11_0000 >> BLOCK],
        };
        tables.read_pairs();
        tables.read_singletons();
        tables.read_ranks();
        for (start, n) in [VOWELS, TAILS] {
            (start..start + n).for_each(|code| tables.touch(code));
        }
        tables
    }

    /// Marks the block of a character as one in which something may change by itself.
    fn touch(&mut self, code: u32) {
        if let Some(inert) = self.inert.get_mut(code as usize >> BLOCK) {
            *inert = false;
        }
    }

    fn read_pairs(&mut self) {
        let mut bytes = pairs::PAIRS.iter().copied().peekable();
        let mut code = 0;
        while bytes.peek().is_some() {
            code += read(&mut bytes);
            let first = code.wrapping_add_signed(read_signed(&mut bytes));
            let second = read(&mut bytes);
            self.pairs.push((code, Parts { first, second: second >> 1 }));
            if second & 1 == 1 {
                self.composites.push(first, second >> 1, code);
                self.touch(second >> 1);
            } else {
                self.touch(code);
            }
        }
    }

    fn read_singletons(&mut self) {
        let mut bytes = singletons::SINGLETONS.iter().copied().peekable();
        let mut code = 0;
        while bytes.peek().is_some() {
            code += read(&mut bytes);
            let first = code.wrapping_add_signed(read_signed(&mut bytes));
            self.singletons.push((code, Parts { first, second: 0 }));
            self.touch(code);
        }
    }

    fn read_ranks(&mut self) {
        let mut bytes = singletons::RANKS.iter().copied().peekable();
        let mut end = 0;
        while bytes.peek().is_some() {
            let first = end + read(&mut bytes);
            end = first + read(&mut bytes);
            let rank = read(&mut bytes) as u8;
            self.ranks.push((first, end - 1, rank));
            (first..end).for_each(|mark| self.touch(mark));
        }
    }

    pub(super) fn is_inert(&self, code: u32) -> bool {
        self.inert.get(code as usize >> BLOCK).is_none_or(|&inert| inert)
    }

    /// The rank of a mark; 0 for a character that never moves.
    pub(super) fn rank(&self, code: u32) -> u8 {
        let at = self.ranks.partition_point(|&(_, last, _)| last < code);
        self.ranks.get(at).map_or(0, |&(first, _, rank)| if first <= code { rank } else { 0 })
    }

    fn parts(&self, code: u32) -> Option<Parts> {
        if (HANGUL..HANGUL_END).contains(&code) {
            let place = code - HANGUL;
            return Some(match place % TAILS.1 {
                0 => Parts {
                    first: LEADS.0 + place / (VOWELS.1 * TAILS.1),
                    second: VOWELS.0 + place / TAILS.1 % VOWELS.1,
                },
                tail => Parts { first: code - tail, second: TAILS.0 + tail },
            });
        }
        [&self.pairs, &self.singletons].into_iter().find_map(|list| {
            let at = list.binary_search_by_key(&code, |&(code, _)| code).ok()?;
            list.get(at).map(|&(_, parts)| parts)
        })
    }

    pub(super) fn composite(&self, first: u32, second: u32) -> Option<u32> {
        let within = |code: u32, (start, n): (u32, u32)| code.checked_sub(start).filter(|&i| i < n);
        if let (Some(lead), Some(vowel)) = (within(first, LEADS), within(second, VOWELS)) {
            return Some(HANGUL + (lead * VOWELS.1 + vowel) * TAILS.1);
        }
        if let Some(tail) = within(second, TAILS)
            && tail > 0
            && (HANGUL..HANGUL_END).contains(&first)
            && (first - HANGUL).is_multiple_of(TAILS.1)
        {
            return Some(first + tail);
        }
        self.composites.id(self.composites.rank(first, second))
    }

    /// Appends a character's parts, to the last.
    pub(super) fn decompose(&self, code: u32, parts: &mut Vec<(u8, u32)>) {
        match self.parts(code) {
            Some(found) => {
                self.decompose(found.first, parts);
                if found.second != 0 {
                    self.decompose(found.second, parts);
                }
            }
            None => parts.push((self.rank(code), code)),
        }
    }
}
