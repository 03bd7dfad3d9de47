//! One row: a sequence with its options, history, stream and position, and what can be asked of its next token.
//!
//! Position: the number of successful sampling calls since `reset`, greedy ones included. Previews (`distribution`,
//! `report`, `explain`, `logprobs`) consume nothing. A failed call changes nothing.

mod ask;
mod many;

use std::sync::Arc;

use crate::candidates::{Candidates, Scratch};
use crate::chain::Observer;
use crate::controllers::{Controllers, Law, Pending};
use crate::error::Result;
use crate::history::History;
use crate::input::Input;
use crate::options::Options;
use crate::rng::{Purpose, Words};
use crate::setup::Setup;
use crate::stage::Context;
use crate::stage::draw::{Drawn, draw};
pub use ask::RowSampler;
pub use many::MAX_DRAWS;

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
    /// The words of XTC's coin.
    pub coins: Words,
    pub controllers: Controllers,
}

impl Row {
    /// A new row at position 0.
    pub(crate) fn new(given: Options, setup: Arc<Setup>, stream: u32) -> Row {
        let history = History::new(setup.settings.penalty_last_n);
        let words = Words::new(setup.settings.seed, stream, Purpose::Draw);
        let coins = Words::new(setup.settings.seed, stream, Purpose::Coin);
        let controllers = Controllers::default();
        Row { given, setup, history, position: 0, stream, words, coins, controllers }
    }

    /// Takes over new settings; history, position and what controllers have come to stay. A pending draw stays where a
    /// controller of its kind is still at work.
    pub(crate) fn set_up(&mut self, setup: Arc<Setup>, stream: u32) {
        self.history.set_window(setup.settings.penalty_last_n);
        self.words = Words::new(setup.settings.seed, stream, Purpose::Draw);
        self.coins = Words::new(setup.settings.seed, stream, Purpose::Coin);
        self.stream = stream;
        if !Law::same_kind(self.setup.chain.law(), setup.chain.law()) {
            self.controllers.pending = None;
        }
        self.setup = setup;
    }

    /// Forgets history, position and what controllers have come to.
    pub(crate) fn reset(&mut self) {
        self.history.clear();
        self.position = 0;
        self.controllers = Controllers::default();
    }

    /// Whether the coin falls at the row's position.
    #[inline]
    fn coin(&mut self) -> bool {
        let Row { setup, coins, position, .. } = self;
        setup.chain.coin().falls(|| coins.word(*position))
    }

    /// Runs the chain and hands the kept candidates on.
    #[inline]
    fn run<'a>(
        &mut self,
        input: Input<'a>,
        scratch: &'a mut Scratch,
        observer: &mut dyn Observer,
    ) -> Result<Candidates<'a>> {
        let coin = input.coin.unwrap_or_else(|| self.coin());
        let context = Context {
            history: &self.history,
            mask: input.mask,
            unconditional: input.unconditional,
            coin,
            controllers: &self.controllers,
        };
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
        self.draw_with(candidates, word)
    }

    /// Draws with this word; a controller that is at work remembers the token.
    #[inline]
    fn draw_with(&mut self, candidates: &mut Candidates<'_>, word: u64) -> Drawn {
        let drawn = draw(candidates, word);
        if self.setup.chain.law().is_some() {
            let (token, surprise) = (drawn.token, candidates.surprise(drawn.token));
            self.controllers.pending = Some(Pending { token, surprise });
        }
        drawn
    }

    /// Records a chosen token.
    pub(crate) fn accept(&mut self, token: u32) -> Result<()> {
        self.history.push_output(token)?;
        self.controllers.accept(token, self.setup.chain.law());
        Ok(())
    }
}
