//! Training: merges of the most frequent pair, again and again.
//!
//! Ids: 0 to 255 are the bytes, then the merges in order of rank, then the special tokens. A merge is the pair that occurs
//! most often within the pieces of all texts, ties by the lower left id, then the lower right: nothing depends on the
//! order of texts or on chance.
//! Cost: one pass over the texts, then work only where a merge changes something: counts are kept a pair, with the
//! distinct pieces that hold it, and a heap gives the highest. Reference: Sennrich, Haddow and Birch 2016.

use std::collections::{BinaryHeap, HashMap};

use super::encode::Tokenizer;
use super::split::Split;
use super::tokens::TokenKind;
use super::vocabulary::Vocabulary;
use crate::error::{Error, Result};

/// What to train.
#[derive(Clone, Debug)]
pub struct Training {
    /// Tokens altogether: bytes, merges and special tokens.
    pub n_vocab: usize,
    /// The rule by which texts are cut.
    pub split: Split,
    /// The texts of the special tokens.
    pub special: Vec<String>,
}

/// Trains a tokenizer on texts.
pub fn train(texts: &[&[u8]], training: &Training) -> Result<Tokenizer> {
    let least = 256 + training.special.len();
    let Some(n_merges) = training.n_vocab.checked_sub(least) else {
        return Err(Error::OutOfRange {
            option: "n_vocab".into(),
            found: training.n_vocab.to_string(),
            accepted: format!("at least {least}: the bytes and the special tokens"),
        });
    };
    let merges = Counts::new(texts, training.split).merges(n_merges);
    if merges.len() < n_merges {
        return Err(Error::TooLarge {
            what: "n_vocab",
            found: training.n_vocab as u64,
            limit: (least + merges.len()) as u64,
        });
    }
    let mut tokens: Vec<Vec<u8>> = (0..=u8::MAX).map(|byte| vec![byte]).collect();
    for &(left, right) in &merges {
        let sides = [left, right].map(|id| tokens.get(id as usize).cloned().unwrap_or_default());
        tokens.push(sides.concat());
    }
    let normal = tokens.into_iter().map(|bytes| (bytes, TokenKind::Normal));
    let special = training.special.iter().map(|text| (text.clone().into(), TokenKind::Special));
    let vocabulary = Vocabulary::new(normal.chain(special).collect(), merges)?;
    Ok(Tokenizer::new(vocabulary, training.split))
}

type Pair = (u32, u32);

/// A distinct piece and how often it occurs.
struct Word {
    symbols: Vec<u32>,
    count: u64,
}

/// How often a pair occurs, and the words in which it once did.
#[derive(Default)]
struct Occurrences {
    count: u64,
    words: Vec<u32>,
}

struct Counts {
    words: Vec<Word>,
    pairs: HashMap<Pair, Occurrences>,
    /// Highest count first, then the lowest pair. A count here may be too high, never too low.
    heap: BinaryHeap<(u64, std::cmp::Reverse<Pair>)>,
}

impl Counts {
    fn new(texts: &[&[u8]], split: Split) -> Counts {
        let mut pieces: HashMap<&[u8], u64> = HashMap::new();
        for piece in texts.iter().flat_map(|text| split.pieces(text)) {
            *pieces.entry(piece).or_default() += 1;
        }
        let word = |(piece, count): (&[u8], u64)| Word {
            symbols: piece.iter().map(|&byte| u32::from(byte)).collect(),
            count,
        };
        let words = pieces.into_iter().map(word).collect();
        let mut counts = Counts { words, pairs: HashMap::new(), heap: BinaryHeap::new() };
        for (index, word) in (0u32..).zip(&counts.words) {
            for pair in neighbours(&word.symbols) {
                let entry = counts.pairs.entry(pair).or_default();
                entry.count += word.count;
                entry.words.push(index);
            }
        }
        let entries =
            counts.pairs.iter().map(|(&pair, found)| (found.count, std::cmp::Reverse(pair)));
        counts.heap = entries.collect();
        counts
    }

    /// At most `n` merges, the most frequent first; fewer when no pair is left.
    fn merges(mut self, n: usize) -> Vec<Pair> {
        let mut merges = Vec::with_capacity(n);
        while merges.len() < n
            && let Some((count, std::cmp::Reverse(pair))) = self.heap.pop()
        {
            let now = self.pairs.get(&pair).map_or(0, |found| found.count);
            if now == count && now > 0 {
                self.join(pair, 256 + merges.len() as u32);
                merges.push(pair);
            } else if now > 0 {
                self.heap.push((now, std::cmp::Reverse(pair)));
            }
        }
        merges
    }

    /// Joins a pair wherever it occurs and brings the counts up to date.
    fn join(&mut self, pair: Pair, id: u32) {
        let mut places = self.pairs.remove(&pair).map_or_else(Vec::new, |found| found.words);
        places.sort_unstable();
        places.dedup();
        let mut made = Vec::new();
        for place in places {
            let Some(word) = self.words.get_mut(place as usize) else { continue };
            for old in neighbours(&word.symbols) {
                if let Some(found) = self.pairs.get_mut(&old) {
                    found.count = found.count.saturating_sub(word.count);
                }
            }
            join_in(&mut word.symbols, pair, id);
            for new in neighbours(&word.symbols) {
                let entry = self.pairs.entry(new).or_default();
                entry.count += word.count;
                // Pairs without the new token have this word among theirs already.
                if new.0 == id || new.1 == id {
                    entry.words.push(place);
                    made.push(new);
                }
            }
        }
        made.sort_unstable();
        made.dedup();
        for pair in made {
            let count = self.pairs.get(&pair).map_or(0, |found| found.count);
            self.heap.push((count, std::cmp::Reverse(pair)));
        }
    }
}

fn neighbours(symbols: &[u32]) -> impl Iterator<Item = Pair> {
    symbols.iter().copied().zip(symbols.iter().copied().skip(1))
}

/// Joins a pair in one word, from left to right.
fn join_in(symbols: &mut Vec<u32>, pair: Pair, id: u32) {
    let mut joined: Vec<u32> = Vec::with_capacity(symbols.len());
    // Where the last symbol ended by joining, it may not be the left side of the next pair.
    let mut open = false;
    for &symbol in symbols.iter() {
        match joined.last_mut() {
            Some(last) if open && (*last, symbol) == pair => {
                *last = id;
                open = false;
            }
            _ => {
                joined.push(symbol);
                open = true;
            }
        }
    }
    *symbols = joined;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts everything anew for every merge.
    fn naive(texts: &[&[u8]], split: Split, n: usize) -> Vec<Pair> {
        let mut words: Vec<Vec<u32>> = texts
            .iter()
            .flat_map(|text| split.pieces(text))
            .map(|piece| piece.iter().map(|&byte| u32::from(byte)).collect())
            .collect();
        let mut merges = Vec::new();
        for id in (256u32..).take(n) {
            let mut counts: HashMap<Pair, u64> = HashMap::new();
            for pair in words.iter().flat_map(|word| neighbours(word)) {
                *counts.entry(pair).or_default() += 1;
            }
            let Some((&pair, _)) =
                counts.iter().max_by_key(|&(&pair, &count)| (count, std::cmp::Reverse(pair)))
            else {
                break;
            };
            for word in &mut words {
                let mut i = 0;
                while i + 1 < word.len() {
                    if (word[i], word[i + 1]) == pair {
                        word[i] = id;
                        word.remove(i + 1);
                    }
                    i += 1;
                }
            }
            merges.push(pair);
        }
        merges
    }

    #[test]
    fn merges_match_counting_anew_for_each() {
        let mut state = 7u32;
        for alphabet in [&b"ab "[..], b"aab  c1", b"the cat's hat "] {
            let text: Vec<u8> = (0..3000)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    alphabet[(state >> 16) as usize % alphabet.len()]
                })
                .collect();
            for split in [Split::Gpt2, Split::Gpt2Digits] {
                let texts = [&text[..1000], &text[1000..]];
                assert_eq!(Counts::new(&texts, split).merges(120), naive(&texts, split, 120));
            }
        }
    }

    #[test]
    fn ties_go_to_the_lowest_pair() {
        let training = Training { n_vocab: 258, split: Split::Gpt2, special: vec![] };
        let tokenizer = train(&[b"dc.ba.dc.ba"], &training).unwrap();
        assert_eq!(tokenizer.vocabulary().merges()[0], (98, 97));
    }

    #[test]
    fn sizes_that_cannot_be_are_errors_that_name_the_limit() {
        let special = vec!["<|end|>".to_string()];
        let small = Training { n_vocab: 256, split: Split::Gpt2, special: special.clone() };
        assert_eq!(train(&[b"abc"], &small).unwrap_err().code(), "out_of_range");
        let large = Training { n_vocab: 300, split: Split::Gpt2, special };
        let error = train(&[b"abc"], &large).unwrap_err();
        assert_eq!(error.accepted().as_deref(), Some("at most 259"));
    }
}
