//! Where the end of a text occurred before: for every token that followed such a place, how long the repetition is.
//!
//! With t the text, newest token first, z_i is the length of the longest prefix that t shares with its own suffix from
//! place i on: the text's last z_i tokens stand i tokens earlier too, and t_(i - 1) followed them there.
//!
//! Invariants: z_i <= n - i, so that no repetition leaves the text that was read; an earlier place may overlap the end.
//!
//! Cost: linear in the text, however often it repeats itself; memory is kept from call to call.
//!
//! Reference: D. Gusfield, *Algorithms on strings, trees and sequences* (1997), section 1.4 (the Z algorithm).

/// The lengths of a text's repetitions, and what they are computed in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Repeats {
    /// t, newest first.
    text: Vec<u32>,
    /// z; that of place 0 means nothing.
    lengths: Vec<u32>,
    /// The longest repetition of all.
    most: u32,
    /// The longest repetition that a token followed, by token; 0 between calls.
    longest: Vec<u32>,
    /// The tokens of which that is not 0.
    followers: Vec<u32>,
}

impl Repeats {
    /// Reads a text, newest token first, and finds its repetitions.
    pub(crate) fn read(&mut self, newest_first: impl Iterator<Item = u32>) {
        let Repeats { text, lengths, most, .. } = self;
        text.clear();
        text.extend(newest_first);
        lengths.clear();
        lengths.resize(text.len(), 0);
        // The places from `start` on, up to `end`, are known to repeat the first ones.
        let (mut start, mut end) = (0, 0);
        *most = 0;
        let newest = text.first().copied();
        let mut place = 1;
        while place < text.len() {
            // Beyond them nothing is known, and most places do not even begin as the text does.
            if place >= end {
                let rest = text.get(place..).unwrap_or_default();
                let Some(gap) = rest.iter().position(|token| Some(*token) == newest) else { break };
                place += gap;
            }
            let known = lengths.get(place - start).copied().unwrap_or_default() as usize;
            let inside = known.min(end.max(place) - place);
            let length = match place + inside < end {
                true => inside,
                false => inside + common(text, place + inside, inside),
            };
            if let Some(found) = lengths.get_mut(place) {
                *found = length as u32;
            }
            *most = (length as u32).max(*most);
            if place + length > end {
                (start, end) = (place, place + length);
            }
            place += 1;
        }
    }

    /// The text that was read, newest token first.
    pub(crate) fn text(&self) -> &[u32] {
        &self.text
    }

    /// Every token that followed an earlier place, newest first, with the length of the repetition before it.
    pub(crate) fn followed(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.text.iter().copied().zip(self.lengths.iter().skip(1).copied())
    }

    /// The length of the longest repetition.
    pub(crate) fn longest(&self) -> u32 {
        self.most
    }

    /// Each token that followed a repetition of `least` tokens or more (at least 1), once, with the longest; none counts
    /// for more than `limit`. Ids are below `n_vocab`.
    pub(crate) fn by_token(
        &mut self,
        least: u32,
        limit: u32,
        n_vocab: usize,
    ) -> impl Iterator<Item = (u32, u32)> + '_ {
        let Repeats { text, lengths, longest, followers, .. } = self;
        for token in followers.drain(..) {
            if let Some(length) = longest.get_mut(token as usize) {
                *length = 0;
            }
        }
        longest.resize(n_vocab.max(longest.len()), 0);
        for (token, length) in text.iter().zip(lengths.iter().skip(1)) {
            let length = (*length).min(limit);
            if length < least.max(1) {
                continue;
            }
            if let Some(known) = longest.get_mut(*token as usize) {
                if *known == 0 {
                    followers.push(*token);
                }
                *known = length.max(*known);
            }
        }
        let longest = &*longest;
        followers
            .iter()
            .map(|token| (*token, longest.get(*token as usize).copied().unwrap_or_default()))
    }
}

/// How many tokens from `place` on are those from `from` on.
#[inline]
fn common(text: &[u32], place: usize, from: usize) -> usize {
    let later = text.get(place..).unwrap_or_default();
    let first = text.get(from..).unwrap_or_default();
    later.iter().zip(first).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The longest common prefix of the text with each of its suffixes, one comparison at a time.
    fn naive(text: &[u32]) -> Vec<u32> {
        let shared = |i: usize| (0..text.len() - i).take_while(move |k| text[*k] == text[i + *k]);
        (1..text.len()).map(|i| shared(i).count() as u32).collect()
    }

    fn texts() -> impl Iterator<Item = Vec<u32>> {
        let mut state = 7u32;
        let mut next = move |n: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) % n
        };
        (0..2000).map(move |_| {
            let (n, kinds) = (next(60), next(4) + 1);
            (0..n).map(|_| next(kinds)).collect()
        })
    }

    #[test]
    fn lengths_are_those_of_the_definition() {
        let mut repeats = Repeats::default();
        for text in texts() {
            repeats.read(text.iter().copied());
            let found: Vec<u32> = repeats.followed().map(|(_, length)| length).collect();
            assert_eq!(found, naive(&text), "{text:?}");
            assert_eq!(repeats.longest(), found.iter().copied().max().unwrap_or(0));
        }
    }

    #[test]
    fn each_token_comes_once_with_its_longest_repetition() {
        let mut repeats = Repeats::default();
        for (i, text) in texts().enumerate() {
            repeats.read(text.iter().copied());
            let (least, limit) = (i as u32 % 4, i as u32 % 7);
            let mut found: Vec<_> = repeats.by_token(least, limit, 4).collect();
            found.sort_unstable();
            let lengths = naive(&text);
            let longest = |token: u32| {
                let own = lengths.iter().zip(&text).filter(|(_, t)| **t == token);
                own.map(|(length, _)| (*length).min(limit)).max().unwrap_or(0)
            };
            let expected: Vec<_> = (0..4)
                .map(|token| (token, longest(token)))
                .filter(|(_, length)| *length >= least.max(1))
                .collect();
            assert_eq!(found, expected, "{text:?}");
        }
    }

    #[test]
    fn a_text_of_one_token_is_linear_too() {
        let mut repeats = Repeats::default();
        let n = 1 << 20;
        repeats.read(std::iter::repeat_n(3, n));
        assert_eq!(repeats.longest(), n as u32 - 1);
        assert_eq!(repeats.by_token(1, 9, 4).collect::<Vec<_>>(), [(3, 9)]);
    }
}
