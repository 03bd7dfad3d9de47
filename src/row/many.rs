//! Many draws from one row: what single ones would give, with the chain run once for each side of the coin that occurs.

use super::{Row, RowSampler};
use crate::error::{Error, Result};
use crate::input::Input;
use crate::stage::draw::Draws;
use crate::stage::xtc::Coin;

/// The most draws of one `sample_many`.
pub const MAX_DRAWS: usize = 1 << 27;

/// Words read at once.
const WORDS: usize = 1024;

impl RowSampler<'_> {
    /// What `n` calls of [`sample`](RowSampler::sample) with this input return; advances by `n`, and leaves nothing
    /// pending.
    ///
    /// Errors: those of every call, more than 2^27 draws, or no memory for them.
    pub fn sample_many<'i>(&mut self, input: impl Into<Input<'i>>, n: usize) -> Result<Vec<u32>> {
        if n > MAX_DRAWS {
            return Err(Error::TooLarge {
                what: "the number of draws",
                found: n as u64,
                limit: MAX_DRAWS as u64,
            });
        }
        let input = input.into();
        let mut tokens = Vec::new();
        tokens.try_reserve_exact(n).map_err(|_| Error::NoMemory { what: "the draws" })?;
        if self.row.setup.guard.is_some() {
            self.sample_guarded(input, n, &mut tokens)?;
            self.row.controllers.pending = None;
            return Ok(tokens);
        }
        tokens.resize(n, 0);
        // The side of the first draw comes first, so that an error is the one that single draws would meet first.
        let first = input.coin.unwrap_or_else(|| self.row.coin());
        if self.draw_side(input, first, &mut tokens)? {
            self.draw_side(input, !first, &mut tokens)?;
        }
        self.row.position += n as u64;
        self.row.controllers.pending = None;
        Ok(tokens)
    }

    /// Draws one by one, for every draw may open a breaker; an error leaves the row as it was.
    fn sample_guarded(&mut self, input: Input<'_>, n: usize, tokens: &mut Vec<u32>) -> Result<()> {
        if n == 0 {
            // No draw, but the input is looked at as it is without a guard.
            return self.row.run(input, self.scratch, &mut ()).map(drop);
        }
        let Row { position, guarded, controllers, .. } = &*self.row;
        let (position, mut guarded, pending) = (*position, guarded.clone(), controllers.pending);
        for _ in 0..n {
            match self.row.sample(input, self.scratch) {
                Ok(token) => tokens.push(token),
                Err(error) => {
                    // The trip that failed is remembered, as that of a single draw is; those of draws undone are not.
                    if let Error::Guarded { .. } = error {
                        guarded.last = self.row.guarded.last.take();
                    }
                    self.row.position = position;
                    self.row.guarded = guarded;
                    self.row.controllers.pending = pending;
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// Draws every token whose coin shows this side; true where another's shows the other one.
    fn draw_side(&mut self, input: Input<'_>, side: bool, tokens: &mut [u32]) -> Result<bool> {
        let given = Input { coin: Some(side), ..input };
        let mut candidates = self.row.run(given, self.scratch, &mut ())?;
        let Row { setup, words, coins, position, .. } = &mut *self.row;
        let coin = input.coin.map_or(setup.chain.coin(), Coin::Decided);
        let reads_word = setup.chain.reads_word();
        let mut draws = Draws::new(&mut candidates, tokens.len());
        let (mut some, mut thrown) = ([0; WORDS], [0; WORDS]);
        let (mut first, mut others) = (*position, false);
        for tokens in tokens.chunks_mut(WORDS) {
            let some = some.get_mut(..tokens.len()).unwrap_or_default();
            if reads_word {
                words.fill(first, some);
            }
            if let Coin::Decided(_) = coin {
                draws.fill(some, tokens);
            } else {
                coins.fill(first, thrown.get_mut(..tokens.len()).unwrap_or_default());
                for ((token, word), thrown) in tokens.iter_mut().zip(some).zip(&thrown) {
                    match coin.falls(|| *thrown) == side {
                        true => *token = draws.token(*word),
                        false => others = true,
                    }
                }
            }
            first = first.wrapping_add(WORDS as u64);
        }
        Ok(others)
    }
}
