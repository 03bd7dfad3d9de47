//! The chain: stages in order, run over the candidates of one row.
//!
//! A chain is made once from settings and then only read, so rows and threads can share it. Whoever wants to see what
//! happens between stages passes an [`Observer`]; the sampler's own draw passes none. An observer makes the candidates
//! settle after every stage, where a draw may settle two at once; what is kept is decided by the same exact masses, and
//! the oracle tests hold both equal.

mod active;
mod off;
mod opening;
mod order;
mod penalties;

use std::sync::Arc;

use off::Off;
use penalties::Penalties;

use crate::candidates::Candidates;
use crate::controllers::Law;
use crate::error::{Error, Result};
use crate::names::StageName;
use crate::options::Settings;
use crate::stage::mask::Mask;
use crate::stage::xtc::Coin;
use crate::stage::{Context, Kind, MinNewTokens, Own, Stage};

/// Sees the candidates before and after every stage.
pub trait Observer {
    /// Before an active stage runs.
    fn before(
        &mut self,
        _stage: &dyn Stage,
        _candidates: &mut Candidates<'_>,
        _context: &Context<'_>,
    ) {
    }

    /// After an active stage ran.
    fn after(&mut self, _stage: &dyn Stage, _candidates: &mut Candidates<'_>) {}

    /// Whether it looks at what stages do.
    fn watches(&self) -> bool {
        true
    }

    /// Whether [`inactive`](Observer::inactive) is to be called: a draw need not hear of what does nothing.
    fn sees_inactive(&self) -> bool {
        false
    }

    /// In place of both for a stage whose options are at their off value.
    fn inactive(&mut self, _stage: &dyn Stage, _candidates: &mut Candidates<'_>) {}
}

/// Sees nothing.
impl Observer for () {
    fn watches(&self) -> bool {
        false
    }
}

/// Stages in order, validated.
#[derive(Clone, Debug)]
pub struct Chain {
    stages: Vec<Arc<dyn Stage>>,
    /// Those of them that are active, penalties in a row as one.
    active: Vec<Arc<dyn Stage>>,
    penalties: Penalties,
    greedy: bool,
    reads_word: bool,
    law: Option<Law>,
    coin: Coin,
}

impl Chain {
    /// The chain of these settings, with stages of the caller's own; an order that cannot be run is an error that says
    /// why, and so are options that do not go together.
    pub fn new(settings: &Settings, own: &[Own]) -> Result<Chain> {
        MinNewTokens::check(settings)?;
        let stages = order::stages(settings, own)?;
        let penalties = Penalties::new(settings);
        let active = active::stages(&stages, penalties);
        let greedy = order::is_greedy(settings);
        let reads_word = !greedy && settings.temperature != 0.0;
        let law = Law::of(settings).filter(|_| reads_word);
        let coin = Coin::new(settings.xtc_probability);
        Ok(Chain { stages, active, penalties, greedy, reads_word, law, coin })
    }

    /// The same chain with other stages in their places: none for what `replace` leaves as it is.
    fn with(&self, replace: impl Fn(&Arc<dyn Stage>) -> Option<Arc<dyn Stage>>) -> Chain {
        let replaced = |stage: &Arc<dyn Stage>| replace(stage).unwrap_or_else(|| Arc::clone(stage));
        let stages: Vec<_> = self.stages.iter().map(replaced).collect();
        let active = active::stages(&stages, self.penalties);
        Chain { stages, active, ..self.clone() }
    }

    /// The chain whose guarded thresholds are `steps` times half as far from their off values.
    pub(crate) fn relaxed(&self, steps: u32) -> Chain {
        self.with(|stage| stage.relaxed(steps))
    }

    /// The chain in which the stages that `out` says are switched off.
    pub(crate) fn without(&self, out: impl Fn(&dyn Stage) -> bool) -> Chain {
        self.with(|stage| out(&**stage).then(|| Arc::new(Off(Arc::clone(stage))) as Arc<dyn Stage>))
    }

    /// The chain that takes the best of what its masks and writing stages leave; what adaptive_p writes is no ranking.
    pub(crate) fn greedy_over_masks(&self) -> Chain {
        let bends = |stage: &dyn Stage| {
            stage.kind() == Kind::Truncates || stage.name() == StageName::AdaptiveP
        };
        Chain { greedy: true, reads_word: false, law: None, ..self.without(bends) }
    }

    /// The stages in order, inactive ones included, without `draw` and `greedy`.
    pub fn stages(&self) -> impl Iterator<Item = &dyn Stage> {
        self.stages.iter().map(|stage| &**stage)
    }

    /// Whether the draw reads a word: not when the token is decided by temperature 0 or `greedy`.
    #[inline]
    pub fn reads_word(&self) -> bool {
        self.reads_word
    }

    /// How the controller moves that is at work, if one is.
    #[inline]
    pub(crate) fn law(&self) -> Option<Law> {
        self.law
    }

    /// XTC's coin; it is never asked for a word where the stage is off or its probability is 1.
    #[inline]
    pub(crate) fn coin(&self) -> Coin {
        self.coin
    }

    /// Whether weights stay what they are from the first truncating stage on: it and all after it only truncate, and
    /// keep the highest logit.
    pub fn weights_stay(&self) -> bool {
        let mut rest = self.active.iter().skip_while(|stage| stage.kind() != Kind::Truncates);
        rest.all(|stage| stage.kind() == Kind::Truncates && stage.keeps_best())
    }

    /// Runs every active stage over the candidates.
    ///
    /// Errors: a history id outside the vocabulary, what a stage finds wrong, or `NothingLeft` after the stage that
    /// removed the last token.
    #[inline]
    pub fn run(
        &self,
        candidates: &mut Candidates<'_>,
        context: &Context<'_>,
        observer: &mut dyn Observer,
    ) -> Result<()> {
        self.run_rest(candidates, 0, context, observer)
    }

    /// Runs the rest of them, where the first `begun` have been at the candidates.
    #[inline]
    pub(crate) fn run_rest(
        &self,
        candidates: &mut Candidates<'_>,
        begun: usize,
        context: &Context<'_>,
        observer: &mut dyn Observer,
    ) -> Result<()> {
        let n_vocab = candidates.n_vocab();
        if let Some(token) = context.history.outside(n_vocab) {
            return Err(Error::BadToken { option: "history", token, n_vocab });
        }
        if context.mask.is_some() {
            step(&Mask, candidates, context, observer)?;
        }
        let stages = if observer.sees_inactive() { &self.stages } else { &self.active };
        for stage in stages.iter().skip(begun) {
            if stage.is_active() {
                step(&**stage, candidates, context, observer)?;
            } else {
                observer.inactive(&**stage, candidates);
            }
        }
        if self.greedy {
            step(&Greedy, candidates, context, observer)?;
        }
        Ok(())
    }
}

#[inline]
fn step(
    stage: &dyn Stage,
    candidates: &mut Candidates<'_>,
    context: &Context<'_>,
    observer: &mut dyn Observer,
) -> Result<()> {
    observer.before(stage, candidates, context);
    stage.apply(candidates, context)?;
    if candidates.is_empty() {
        return Err(Error::NothingLeft { stage: Some(stage.name()) });
    }
    observer.after(stage, candidates);
    Ok(())
}

/// The terminal stage `greedy`: temperature 0 at the end of the chain.
#[derive(Clone, Copy, Debug)]
struct Greedy;

impl Stage for Greedy {
    fn name(&self) -> StageName {
        StageName::Greedy
    }

    fn kind(&self) -> Kind {
        Kind::Truncates
    }

    fn is_active(&self) -> bool {
        true
    }

    fn keeps_best(&self) -> bool {
        true
    }

    fn apply(&self, candidates: &mut Candidates<'_>, _: &Context<'_>) -> Result<()> {
        candidates.decide();
        Ok(())
    }
}
