//! One row: a sequence with its options, history, stream and position, and what can be asked of its next token.
//!
//! Position: the number of successful sampling calls since `reset`, greedy ones included. Previews (`distribution`,
//! `report`, `explain`, `logprobs`) consume nothing. A failed call changes nothing.

mod ask;
mod guarded;
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
use guarded::Guarded;
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
    pub guarded: Guarded,
}

impl Row {
    /// A new row at position 0.
    pub(crate) fn new(given: Options, setup: Arc<Setup>, stream: u32) -> Row {
        let history = History::new(setup.settings.penalty_last_n);
        let words = Words::new(setup.settings.seed, stream, Purpose::Draw);
        let coins = Words::new(setup.settings.seed, stream, Purpose::Coin);
        Row {
            given,
            setup,
            history,
            position: 0,
            stream,
            words,
            coins,
            controllers: Controllers::default(),
            guarded: Guarded::default(),
        }
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
        self.guarded.forget_call();
        self.setup = setup;
    }

    /// Forgets history, position and what controllers have come to.
    pub(crate) fn reset(&mut self) {
        self.history.clear();
        self.position = 0;
        self.controllers = Controllers::default();
        self.guarded = Guarded::default();
    }

    /// Whether the coin falls at the row's position.
    #[inline]
    fn coin(&mut self) -> bool {
        let Row { setup, coins, position, .. } = self;
        setup.chain.coin().falls(|| coins.word(*position))
    }

    /// Runs the chain, or the one that the guard chooses, and hands the kept candidates on.
    #[inline]
    fn run<'a>(
        &mut self,
        input: Input<'a>,
        scratch: &'a mut Scratch,
        observer: &mut dyn Observer,
    ) -> Result<Candidates<'a>> {
        let coin = input.coin.unwrap_or_else(|| self.coin());
        let input = Input { coin: Some(coin), ..input };
        if self.setup.guard.is_some() {
            self.choose(input, scratch)?;
        }
        self.run_chosen(input, scratch, observer)
    }

    /// Runs the chain of the course that was chosen.
    #[inline]
    fn run_chosen<'a>(
        &self,
        input: Input<'a>,
        scratch: &'a mut Scratch,
        observer: &mut dyn Observer,
    ) -> Result<Candidates<'a>> {
        let chain = self.chain();
        let context = Context {
            history: &self.history,
            mask: input.mask,
            unconditional: input.unconditional,
            coin: input.coin.unwrap_or_default(),
            controllers: &self.controllers,
        };
        let (mut candidates, begun) = chain.open(input.logits, scratch, &context, observer)?;
        chain.run_rest(&mut candidates, begun, &context, observer)?;
        Ok(candidates)
    }

    /// Draws one token and advances by one.
    pub(crate) fn sample(&mut self, input: Input<'_>, scratch: &mut Scratch) -> Result<u32> {
        let mut candidates = self.run_to_draw(input, scratch, &mut ())?;
        let drawn = self.draw(&mut candidates);
        self.advance(1);
        Ok(drawn.token)
    }

    #[inline]
    fn draw(&mut self, candidates: &mut Candidates<'_>) -> Drawn {
        let word = if self.chain().reads_word() { self.words.word(self.position) } else { 0 };
        self.draw_with(candidates, word)
    }

    /// Draws with this word; a controller that is at work remembers the token, and none that was drawn before.
    #[inline]
    fn draw_with(&mut self, candidates: &mut Candidates<'_>, word: u64) -> Drawn {
        let drawn = draw(candidates, word);
        let token = drawn.token;
        let remembered = |_| Pending { token, surprise: candidates.surprise(token) };
        self.controllers.pending = self.chain().law().map(remembered);
        drawn
    }

    /// Records a chosen token.
    pub(crate) fn accept(&mut self, token: u32) -> Result<()> {
        self.history.push_output(token)?;
        self.controllers.accept(token, self.setup.chain.law());
        Ok(())
    }
}
