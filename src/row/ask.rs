//! What can be asked of a row: its next token, and everything about it.

use rand::Rng;

use super::Row;
use crate::candidates::{Candidates, Scratch};
use crate::controllers::Controllers;
use crate::distribution::{Distribution, KeptMass};
use crate::error::{Error, Result};
use crate::explain::{Explanation, Follower};
use crate::guard::Breaker;
use crate::history::History;
use crate::input::Input;
use crate::logprobs::{self, Logprobs};
use crate::options::Settings;
use crate::report::{Report, Reporter};
use crate::sample::Sample;

/// A row of a sampler, to ask for its next token.
///
/// Errors of every call that takes logits, none of which changes anything: a row that is empty, has more than 524,288
/// logits, or holds NaN or +infinity; a mask or a second row of another length; a token of the history or of an option that
/// the vocabulary does not have; a stage that takes a logit out of f32's range; no token left; and a guard whose policy is
/// `error`, where it trips.
#[derive(Debug)]
pub struct RowSampler<'s> {
    pub(crate) row: &'s mut Row,
    pub(crate) scratch: &'s mut Scratch,
}

impl RowSampler<'_> {
    /// Draws a token and advances one position; does not touch the history.
    ///
    /// With mirostat or adaptive-p at work the token is left pending: see [`controllers`](crate::controllers).
    pub fn sample<'i>(&mut self, input: impl Into<Input<'i>>) -> Result<u32> {
        self.row.sample(input.into(), self.scratch)
    }

    /// Draws a token with a word of the caller's generator instead of the row's stream; the position stays.
    ///
    /// The draw's rule is the same, and so is what is pending after it: only where words come from differs. A coin, where
    /// XTC's probability is neither 0 nor 1, takes a word before the draw does.
    pub fn sample_with<'i>(
        &mut self,
        input: impl Into<Input<'i>>,
        generator: &mut impl Rng,
    ) -> Result<u32> {
        let input = input.into();
        let coin = self.row.setup.chain.coin();
        let falls = input.coin.unwrap_or_else(|| coin.falls(|| generator.next_u64()));
        let input = Input { coin: Some(falls), ..input };
        let mut candidates = self.row.run_to_draw(input, self.scratch, &mut ())?;
        let word = if self.row.chain().reads_word() { generator.next_u64() } else { 0 };
        let drawn = self.row.draw_with(&mut candidates, word);
        self.row.advance(0);
        Ok(drawn.token)
    }

    /// Draws a token as [`sample`](RowSampler::sample) does, and describes the draw.
    pub fn sample_detailed<'i>(&mut self, input: impl Into<Input<'i>>) -> Result<Sample> {
        let input = input.into();
        let mut observer = KeptMass::of(&self.row.setup.chain);
        let mut candidates = self.row.run_to_draw(input, self.scratch, &mut observer)?;
        let drawn = self.row.draw(&mut candidates);
        let logit = candidates.logit(drawn.token).unwrap_or(f32::NEG_INFINITY);
        let reads_word = self.row.chain().reads_word();
        let mut sample = Sample {
            token: drawn.token,
            position: self.row.position,
            kept_count: candidates.n_alive(),
            kept_mass: observer.share(&mut candidates),
            entropy: candidates.entropy(),
            logprob_raw: 0.0,
            logprob_final: candidates.logprob(logit),
            target: reads_word.then(|| drawn.target as f64 / drawn.mass as f64),
            trip: self.row.tripped().cloned(),
        };
        let mut raw = Candidates::new(input.logits, self.scratch)?;
        let logit = raw.logit(drawn.token).unwrap_or(f32::NEG_INFINITY);
        sample.logprob_raw = raw.logprob(logit);
        self.row.advance(1);
        Ok(sample)
    }

    /// The kept tokens, highest first; consumes nothing.
    pub fn distribution<'i>(&mut self, input: impl Into<Input<'i>>) -> Result<Distribution> {
        let mut observer = KeptMass::of(&self.row.setup.chain);
        let mut candidates = self.row.run(input.into(), self.scratch, &mut observer)?;
        let kept_mass = observer.share(&mut candidates);
        Ok(Distribution::new(&mut candidates, kept_mass))
    }

    /// What each stage saw, removed and kept; `tokens` adds every token's fate. Consumes nothing.
    pub fn report<'i>(&mut self, input: impl Into<Input<'i>>, tokens: bool) -> Result<Report> {
        let input = input.into();
        let mut candidates = Candidates::new(input.logits, self.scratch)?;
        let mut reporter = Reporter::new(&mut candidates, tokens);
        let mut candidates = self.row.run(input, self.scratch, &mut reporter)?;
        let trip = self.row.tripped().cloned();
        Ok(reporter.finish(&mut candidates, &self.row.controllers, trip))
    }

    /// Why `token` is in or out; consumes nothing.
    ///
    /// Errors: those of every call, and a token that the vocabulary does not have.
    pub fn explain<'i>(&mut self, input: impl Into<Input<'i>>, token: u32) -> Result<Explanation> {
        let input = input.into();
        check_token(token, input.logits.len())?;
        let mut follower = Follower::new(token);
        let mut candidates = self.row.run(input, self.scratch, &mut follower)?;
        Ok(follower.finish(&mut candidates))
    }

    /// The `n` best tokens with their raw and final log probabilities, plus `token` if it is not among them; consumes
    /// nothing.
    ///
    /// Errors: those of every call, and a token that the vocabulary does not have.
    pub fn logprobs<'i>(
        &mut self,
        input: impl Into<Input<'i>>,
        n: usize,
        token: Option<u32>,
    ) -> Result<Logprobs> {
        let input = input.into();
        if let Some(token) = token {
            check_token(token, input.logits.len())?;
        }
        let mut candidates = self.row.run(input, self.scratch, &mut ())?;
        let kept = logprobs::best(&mut candidates, n, token);
        let raw = logprobs::best(&mut Candidates::new(input.logits, self.scratch)?, n, token);
        Ok(Logprobs { raw, kept })
    }

    /// Records a chosen token: penalties see it from now on, and where it is the pending draw the controller learns from it.
    ///
    /// Errors: a token that no vocabulary has; more than 2^26 tokens, or no memory for them.
    pub fn accept(&mut self, token: u32) -> Result<()> {
        self.row.accept(token)
    }

    /// Adds tokens to the prompt, oldest first. Errors: as [`accept`](RowSampler::accept).
    pub fn prompt(&mut self, tokens: &[u32]) -> Result<()> {
        self.row.history.extend_prompt(tokens)
    }

    /// Successful sampling calls since the last reset.
    pub fn position(&self) -> u64 {
        self.row.position
    }

    /// The accepted tokens.
    pub fn history(&self) -> &History {
        &self.row.history
    }

    /// What the row's controllers have come to.
    pub fn controllers(&self) -> &Controllers {
        &self.row.controllers
    }

    /// The circuit breaker of the row's guard.
    pub fn breaker(&self) -> &Breaker {
        &self.row.guarded.breaker
    }

    /// The settings in force for this row, seed and stream included.
    pub fn settings(&self) -> Settings {
        Settings { stream: self.row.stream, ..self.row.setup.settings.clone() }
    }
}

#[inline]
fn check_token(token: u32, n_vocab: usize) -> Result<()> {
    if token as usize >= n_vocab && n_vocab > 0 {
        return Err(Error::BadToken { option: "token", token, n_vocab });
    }
    Ok(())
}
