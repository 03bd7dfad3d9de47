//! Accepted tokens of a row: the prompt and the output, and how often each token stands in the penalties' window.
//!
//! The window is the last n tokens of prompt followed by output. Counts are kept up to date token by token, so that a
//! penalty costs one step a *distinct* token, however long the text.

use crate::candidates::MAX_VOCAB;
use crate::error::{Error, Result};
use crate::options::Window;
use crate::rank;

/// The longest prompt or output.
const LONGEST: usize = 1 << 26;

/// Makes room for more tokens, within what can be counted and what memory there is.
fn reserve(tokens: &mut Vec<u32>, more: usize) -> Result<()> {
    let n = tokens.len().saturating_add(more);
    if n > LONGEST || tokens.try_reserve(more).is_err() {
        return Err(Error::TooLarge {
            what: "the history",
            found: n as u64,
            limit: LONGEST as u64,
        });
    }
    Ok(())
}

/// Refuses ids that no vocabulary can have: they would fail every later call on the row.
fn check(option: &'static str, tokens: &[u32]) -> Result<()> {
    let limit = MAX_VOCAB;
    match tokens.iter().find(|id| usize::try_from(**id).unwrap_or(usize::MAX) >= limit) {
        Some(token) => Err(Error::NoSuchToken { option, token: *token, limit }),
        None => Ok(()),
    }
}

/// How often a token stands in the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// In prompt and output.
    pub all: u32,
    /// In the output alone.
    pub output: u32,
}

/// The accepted tokens of a row.
#[derive(Clone, Debug)]
pub struct History {
    prompt: Vec<u32>,
    output: Vec<u32>,
    window: Window,
    /// By ascending id.
    counts: Vec<(u32, Count)>,
    highest: Option<u32>,
}

impl History {
    /// An empty history whose counts see `window`.
    pub fn new(window: Window) -> History {
        History {
            prompt: Vec::new(),
            output: Vec::new(),
            window,
            counts: Vec::new(),
            highest: None,
        }
    }

    /// The prompt's tokens, oldest first.
    pub fn prompt(&self) -> &[u32] {
        &self.prompt
    }

    /// The output's tokens, oldest first.
    pub fn output(&self) -> &[u32] {
        &self.output
    }

    /// Prompt followed by output, newest token first.
    pub fn newest_first(&self) -> impl Iterator<Item = u32> + '_ {
        self.output.iter().rev().chain(self.prompt.iter().rev()).copied()
    }

    /// Whether prompt followed by output ends in these tokens.
    pub fn ends_with(&self, tokens: &[u32]) -> bool {
        let mut newest = self.newest_first();
        tokens.iter().rev().all(|token| newest.next() == Some(*token))
    }

    /// The distinct tokens of the window, by ascending id, with their counts.
    pub fn counts(&self) -> impl Iterator<Item = (u32, Count)> + '_ {
        self.counts.iter().copied()
    }

    /// The first token, in the order of the text, whose id is not below `n_vocab`.
    #[inline]
    pub fn outside(&self, n_vocab: usize) -> Option<u32> {
        let is_outside = |id: &u32| usize::try_from(*id).unwrap_or(usize::MAX) >= n_vocab;
        self.highest.as_ref().filter(|id| is_outside(id))?;
        self.prompt.iter().chain(&self.output).copied().find(is_outside)
    }

    /// Adds tokens to the prompt; an error, and nothing added, where no vocabulary has one or there is no memory for them.
    pub fn extend_prompt(&mut self, tokens: &[u32]) -> Result<()> {
        check("tokens", tokens)?;
        reserve(&mut self.prompt, tokens.len())?;
        // The text itself comes last, where nothing can break off any more.
        if self.output.is_empty() && self.window == Window::ALL && tokens.len() < self.counts.len()
        {
            self.highest = self.highest.max(tokens.iter().copied().max());
            for token in tokens {
                self.count(*token, false);
            }
        } else {
            self.recount(tokens);
        }
        self.prompt.extend_from_slice(tokens);
        Ok(())
    }

    /// Adds one token to the output; an error, and nothing added, where no vocabulary has it or there is no memory for it.
    pub fn push_output(&mut self, token: u32) -> Result<()> {
        check("token", &[token])?;
        reserve(&mut self.output, 1)?;
        self.counts.reserve(1);
        // From here on nothing can break off.
        self.output.push(token);
        self.highest = self.highest.max(Some(token));
        self.count(token, true);
        let n = self.prompt.len() + self.output.len();
        let left = self.window.skipped(n);
        if left > 0 {
            self.forget(left - 1);
        }
        Ok(())
    }

    /// Changes the window.
    pub fn set_window(&mut self, window: Window) {
        if self.window != window {
            self.window = window;
            self.recount(&[]);
        }
    }

    /// Forgets every token.
    pub fn clear(&mut self) {
        *self = History::new(self.window);
    }

    /// Takes the token at `place` of prompt and output out of the counts.
    fn forget(&mut self, place: usize) {
        let in_output = place.checked_sub(self.prompt.len());
        let token = match in_output {
            Some(place) => self.output.get(place),
            None => self.prompt.get(place),
        };
        let Some(token) = token else { return };
        let Ok(at) = self.counts.binary_search_by_key(token, |(id, _)| *id) else { return };
        if let Some((_, count)) = self.counts.get_mut(at) {
            count.all -= 1;
            count.output -= u32::from(in_output.is_some());
            if count.all == 0 {
                self.counts.remove(at);
            }
        }
    }

    /// Counts a token once more.
    fn count(&mut self, token: u32, is_output: bool) {
        let at = match self.counts.binary_search_by_key(&token, |(id, _)| *id) {
            Ok(at) => at,
            Err(at) => {
                self.counts.insert(at, (token, Count::default()));
                at
            }
        };
        if let Some((_, count)) = self.counts.get_mut(at) {
            count.all += 1;
            count.output += u32::from(is_output);
        }
    }

    /// Counts anew, for another window or for a prompt that is about to have `more` tokens.
    fn recount(&mut self, more: &[u32]) {
        self.counts.clear();
        let prompt = || self.prompt.iter().chain(more);
        let n_prompt = self.prompt.len() + more.len();
        self.highest = prompt().chain(&self.output).copied().max();
        let skipped = self.window.skipped(n_prompt + self.output.len());
        let in_prompt = prompt().skip(skipped).map(|token| (*token, false));
        let in_output = self.output.iter().skip(skipped.saturating_sub(n_prompt));
        let text: Vec<(u32, bool)> =
            in_prompt.chain(in_output.map(|token| (*token, true))).collect();
        // Sorted first, so that each token is counted at the end of the list.
        let mut order: Vec<u64> = text
            .iter()
            .enumerate()
            .map(|(i, (token, _))| u64::from(*token) << 32 | i as u64)
            .collect();
        rank::sort(&mut order);
        for entry in order {
            if let Some((token, is_output)) = text.get(rank::place_of(entry)) {
                self.count(*token, *is_output);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(history: &History) -> Vec<(u32, u32, u32)> {
        history.counts().map(|(id, count)| (id, count.all, count.output)).collect()
    }

    #[test]
    fn counts_tell_prompt_and_output_apart() {
        let mut history = History::new(Window::ALL);
        history.extend_prompt(&[5, 3, 5]).unwrap();
        history.push_output(3).unwrap();
        assert_eq!(counts(&history), [(3, 2, 1), (5, 2, 0)]);
    }

    #[test]
    fn counts_follow_the_window_as_if_counted_anew() {
        let tokens = [1, 2, 1, 3, 1, 2, 2, 3, 9, 1, 1, 2];
        for n in 0..14 {
            let mut history = History::new(Window(n));
            history.extend_prompt(&tokens[..4]).unwrap();
            for (end, token) in tokens.iter().enumerate().skip(4) {
                history.push_output(*token).unwrap();
                let mut anew = history.clone();
                anew.recount(&[]);
                assert_eq!(counts(&history), counts(&anew), "window {n}, {end} tokens");
            }
        }
    }

    #[test]
    fn a_window_of_0_counts_nothing() {
        let mut history = History::new(Window(0));
        history.extend_prompt(&[1, 2]).unwrap();
        history.push_output(1).unwrap();
        assert_eq!(counts(&history), []);
    }

    #[test]
    fn ids_that_no_vocabulary_has_are_refused_and_leave_no_trace() {
        let mut history = History::new(Window::ALL);
        history.extend_prompt(&[524_287]).unwrap();
        history.push_output(524_287).unwrap();
        for token in [524_288, 4_000_000_000, u32::MAX] {
            let refused = [history.extend_prompt(&[1, token]), history.push_output(token)];
            for (error, option) in refused.map(Result::unwrap_err).iter().zip(["tokens", "token"]) {
                assert_eq!((error.code(), error.option()), ("bad_token", Some(option)));
                assert_eq!(error.index(), Some(token as usize));
            }
        }
        assert_eq!((history.prompt(), history.output()), (&[524_287][..], &[524_287][..]));
        assert_eq!(history.outside(524_288), None);
    }

    #[test]
    fn outside_names_the_first_token_of_the_text_beyond_the_vocabulary() {
        let mut history = History::new(Window(0));
        history.extend_prompt(&[1, 7]).unwrap();
        history.push_output(9).unwrap();
        assert_eq!(history.outside(10), None);
        assert_eq!(history.outside(9), Some(9));
        assert_eq!(history.outside(7), Some(7));
    }
}
