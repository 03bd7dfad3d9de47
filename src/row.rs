//! One row: a sequence with its options, history, stream and position, and what can be asked of its next token.
//!
//! Position: the number of successful sampling calls since `reset`, greedy ones included. Previews (`distribution`,
//! `report`, `explain`, `logprobs`) consume nothing. A failed call changes nothing.

use std::sync::Arc;

use rand::Rng;

use crate::candidates::{Candidates, Scratch};
use crate::chain::Observer;
use crate::distribution::{Distribution, KeptMass};
use crate::error::{Error, Result};
use crate::explain::{Explanation, Follower};
use crate::history::History;
use crate::input::Input;
use crate::logprobs::{self, Logprobs};
use crate::options::{Options, Settings};
use crate::report::{Report, Reporter};
use crate::rng::{Purpose, Words};
use crate::sample::Sample;
use crate::setup::Setup;
use crate::stage::Context;
use crate::stage::draw::{Drawn, draw, draw_many};

/// The most draws of one `sample_many`.
pub const MAX_DRAWS: usize = 1 << 27;

/// What a row is and remembers.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// Options given to this row itself.
    pub given: Options,
    pub setup: Arc<Setup>,
    pub history: History,
    pub position: u64,
    /// The stream in force.
    pub stream: u32,
    pub words: Words,
}

impl Row {
    /// A new row at position 0.
    pub(crate) fn new(given: Options, setup: Arc<Setup>, stream: u32) -> Row {
        let history = History::new(setup.settings.penalty_last_n);
        let words = Words::new(setup.settings.seed, stream, Purpose::Draw);
        Row { given, setup, history, position: 0, stream, words }
    }

    /// Takes over new settings; history and position stay.
    pub(crate) fn set_up(&mut self, setup: Arc<Setup>, stream: u32) {
        self.history.set_window(setup.settings.penalty_last_n);
        self.words = Words::new(setup.settings.seed, stream, Purpose::Draw);
        self.stream = stream;
        self.setup = setup;
    }

    /// Forgets history and position.
    pub(crate) fn reset(&mut self) {
        self.history.clear();
        self.position = 0;
    }

    /// Runs the chain and hands the kept candidates on.
    #[inline]
    fn run<'a>(
        &self,
        input: Input<'a>,
        scratch: &'a mut Scratch,
        observer: &mut dyn Observer,
    ) -> Result<Candidates<'a>> {
        let context = Context { history: &self.history, mask: input.mask };
        let mut candidates = match self.setup.chain.begins_by_writing(&context) {
            true => Candidates::copied(input.logits, scratch)?,
            false => Candidates::new(input.logits, scratch)?,
        };
        self.setup.chain.run(&mut candidates, &context, observer)?;
        Ok(candidates)
    }

    /// Draws one token and advances by one.
    pub(crate) fn sample(&mut self, input: Input<'_>, scratch: &mut Scratch) -> Result<u32> {
        let mut candidates = self.run(input, scratch, &mut ())?;
        let drawn = self.draw(&mut candidates);
        self.position += 1;
        Ok(drawn.token)
    }

    #[inline]
    fn draw(&mut self, candidates: &mut Candidates<'_>) -> Drawn {
        let word = if self.setup.chain.reads_word() { self.words.word(self.position) } else { 0 };
        draw(candidates, word)
    }
}

/// A row of a sampler, to ask for its next token.
#[derive(Debug)]
pub struct RowSampler<'s> {
    pub(crate) row: &'s mut Row,
    pub(crate) scratch: &'s mut Scratch,
}

impl RowSampler<'_> {
    /// Draws a token and advances one position; does not touch the history.
    pub fn sample<'i>(&mut self, input: impl Into<Input<'i>>) -> Result<u32> {
        self.row.sample(input.into(), self.scratch)
    }

    /// Draws a token with a word of the caller's generator instead of the row's stream; the position stays.
    ///
    /// The draw's rule is the same: only where the word comes from differs.
    pub fn sample_with<'i>(
        &mut self,
        input: impl Into<Input<'i>>,
        generator: &mut impl Rng,
    ) -> Result<u32> {
        let mut candidates = self.row.run(input.into(), self.scratch, &mut ())?;
        let word = if self.row.setup.chain.reads_word() { generator.next_u64() } else { 0 };
        Ok(draw(&mut candidates, word).token)
    }

    /// Draws a token as [`sample`](RowSampler::sample) does, and describes the draw.
    pub fn sample_detailed<'i>(&mut self, input: impl Into<Input<'i>>) -> Result<Sample> {
        let input = input.into();
        let mut observer = KeptMass::of(&self.row.setup.chain);
        let mut candidates = self.row.run(input, self.scratch, &mut observer)?;
        let drawn = self.row.draw(&mut candidates);
        let logit = candidates.logit(drawn.token).unwrap_or(f32::NEG_INFINITY);
        let reads_word = self.row.setup.chain.reads_word();
        let mut sample = Sample {
            token: drawn.token,
            position: self.row.position,
            kept_count: candidates.n_alive(),
            kept_mass: observer.share(&mut candidates),
            entropy: candidates.entropy(),
            logprob_raw: 0.0,
            logprob_final: candidates.logprob(logit),
            target: reads_word.then(|| drawn.target as f64 / drawn.mass as f64),
        };
        let mut raw = Candidates::new(input.logits, self.scratch)?;
        let logit = raw.logit(drawn.token).unwrap_or(f32::NEG_INFINITY);
        sample.logprob_raw = raw.logprob(logit);
        self.row.position += 1;
        Ok(sample)
    }

    /// What `n` calls of [`sample`](RowSampler::sample) with this input return; advances by `n`.
    pub fn sample_many<'i>(&mut self, input: impl Into<Input<'i>>, n: usize) -> Result<Vec<u32>> {
        if n > MAX_DRAWS {
            return Err(Error::TooLarge {
                what: "the number of draws",
                found: n as u64,
                limit: MAX_DRAWS as u64,
            });
        }
        let mut candidates = self.row.run(input.into(), self.scratch, &mut ())?;
        let first = self.row.position;
        let mut tokens = Vec::new();
        tokens.try_reserve_exact(n).map_err(|_| Error::NoMemory { what: "the draws" })?;
        if self.row.setup.chain.reads_word() {
            draw_many(&mut candidates, &mut self.row.words, first, n, &mut tokens);
        } else {
            tokens.resize(n, draw(&mut candidates, 0).token);
        }
        self.row.position += n as u64;
        Ok(tokens)
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
        Ok(reporter.finish(&mut candidates))
    }

    /// Why `token` is in or out; consumes nothing.
    pub fn explain<'i>(&mut self, input: impl Into<Input<'i>>, token: u32) -> Result<Explanation> {
        let input = input.into();
        check_token(token, input.logits.len())?;
        let mut follower = Follower::new(token);
        let mut candidates = self.row.run(input, self.scratch, &mut follower)?;
        Ok(follower.finish(&mut candidates))
    }

    /// The `n` best tokens with their raw and final log probabilities, plus `token` if it is not among them.
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

    /// Records a chosen token: penalties see it from now on.
    pub fn accept(&mut self, token: u32) -> Result<()> {
        self.row.history.push_output(token)
    }

    /// Records tokens of the prompt.
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
