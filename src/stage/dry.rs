//! DRY, don't repeat yourself: lowers the logits of tokens that would go on repeating the text, the more the longer the
//! repetition.
//!
//! **Definition.** In the window (the last `dry_last_n` tokens of prompt followed by output), the match length m of a
//! token is the length of the longest end of the window that also stands earlier in it, followed by that token. Where
//! m >= `dry_allowed_length`: l' = l - multiplier * min(base^(m - allowed length), f32::MAX), at least -f32::MAX; computed
//! in f64, rounded once. The power is taken by squaring, from the exponent's lowest bit on.
//!
//! **Parameters.** `dry_multiplier`: finite f64 of at least 0; default and off value 0. `dry_base`: f64 of at least 1,
//! default 1.75. `dry_allowed_length`: an integer, default 2; 0 does as 1 but for the exponent, for a match has at least
//! one token. `dry_last_n`: the window; default all, 0 is off. `dry_breakers`: sequences of token ids, default none.
//!
//! **Boundary and ties.** The earlier place may overlap the end: after 7 7 7, the match length of 7 is 2. No match goes
//! across a breaker: only the tokens after the last breaker that lies in the window as a whole count, and a text that ends
//! in a breaker repeats nothing. A token that is a breaker by itself is never penalised. Breakers with ids outside the
//! vocabulary never occur, and are no error. The power and the result are held inside f32's range, so that nothing
//! overflows and no token dies.
//!
//! **Draws.** None.
//!
//! **Cost.** One pass over the window, linear however often it repeats itself, and one look at every breaker for each token
//! of the longest match; a copy of the row where something is penalised.
//!
//! **Threshold.** None.
//!
//! **Reference.** P. E. Weidmann, *DRY: a modern repetition penalty that reliably prevents looping*
//! (oobabooga/text-generation-webui pull request 5677, 2024); breakers of several tokens as in llama.cpp.
//!
//! ```
//! use nucleus_sampler::{Options, Sampler};
//! let options = Options { dry_multiplier: Some(1.0), dry_base: Some(2.0), ..Options::default() };
//! let mut sampler = Sampler::new(options)?;
//! sampler.prompt(&[4, 0, 1, 2, 3, 0, 1, 2])?;
//! // 0 1 2 came before, and 3 followed: 1 * 2^(3 - 2).
//! assert_eq!(sampler.distribution(&[0.0, 0.0, 0.0, 5.0, 0.0])?.logits, [3.0, 0.0, 0.0, 0.0, 0.0]);
//! # Ok::<(), nucleus_sampler::Error>(())
//! ```

// text-generation-webui counts at most 50 tokens of a match and knows breakers of one token only; llama.cpp clamps the
// exponent to where the power reaches f32's end. Both agree with this where neither limit is met. Of breakers that overlap,
// llama.cpp looks at the one that begins last, which may end before another; here the end decides.

use super::{Context, Kind, Stage};
use crate::candidates::Candidates;
use crate::error::Result;
use crate::names::StageName;
use crate::options::{Settings, Window};

/// Lowers the logits of tokens that would go on repeating the text.
#[derive(Clone, Debug)]
pub struct Dry {
    multiplier: f64,
    base: f64,
    allowed_length: u32,
    last_n: Window,
    breakers: Vec<Vec<u32>>,
}

impl Dry {
    /// The settings' DRY.
    pub(crate) fn new(settings: &Settings) -> Dry {
        Dry {
            multiplier: settings.dry_multiplier,
            base: settings.dry_base,
            allowed_length: settings.dry_allowed_length,
            last_n: settings.dry_last_n,
            breakers: settings.dry_breakers.clone(),
        }
    }

    /// How many tokens stand after the last breaker of a text, newest token first; `most` where they are that many.
    fn after_breaker(&self, text: &[u32], most: u32) -> u32 {
        let ends_before = |place: usize| {
            let older = text.get(place..).unwrap_or_default();
            let is_there = |breaker: &Vec<u32>| {
                breaker.len() <= older.len()
                    && breaker.iter().rev().eq(older.iter().take(breaker.len()))
            };
            self.breakers.iter().any(is_there)
        };
        (0..most).find(|place| ends_before(*place as usize)).unwrap_or(most)
    }

    /// What a match of this length costs.
    fn penalty(&self, length: u32) -> f64 {
        let power = power(self.base, length.saturating_sub(self.allowed_length));
        self.multiplier * power.min(f64::from(f32::MAX))
    }

    fn is_breaker(&self, token: u32) -> bool {
        self.breakers.iter().any(|breaker| *breaker == [token])
    }
}

/// base^exponent by squaring, from the lowest bit on.
fn power(base: f64, exponent: u32) -> f64 {
    let (mut power, mut square, mut left) = (1.0, base, exponent);
    while left > 0 {
        if left & 1 == 1 {
            power *= square;
        }
        square *= square;
        left >>= 1;
    }
    power
}

impl Stage for Dry {
    fn name(&self) -> StageName {
        StageName::Dry
    }

    fn kind(&self) -> Kind {
        Kind::Writes
    }

    fn is_active(&self) -> bool {
        self.multiplier > 0.0 && self.last_n != Window(0)
    }

    /// Few texts repeat themselves: where one does, the row is copied then.
    fn apply(&self, candidates: &mut Candidates<'_>, context: &Context<'_>) -> Result<()> {
        candidates.begin_writing(self.name())?;
        let n_vocab = candidates.n_vocab();
        let window = usize::try_from(self.last_n.0).unwrap_or(usize::MAX);
        let mut repeats = candidates.lend_repeats();
        repeats.read(context.history.newest_first().take(window));
        let least = self.allowed_length.max(1);
        let longest = repeats.longest();
        let limit = if longest < least { 0 } else { self.after_breaker(repeats.text(), longest) };
        let written = if limit < least {
            Ok(())
        } else {
            let matches = repeats.by_token(least, limit, n_vocab);
            let penalised = matches.filter(|(token, _)| !self.is_breaker(*token));
            candidates.write(self.name(), penalised, |logit, length| {
                (logit - self.penalty(length)).max(f64::from(f32::MIN))
            })
        };
        candidates.return_repeats(repeats);
        written
    }
}
