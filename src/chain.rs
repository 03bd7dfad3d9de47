//! The chain: stages in order, run over the candidates of one row.
//!
//! A chain is made once from settings and then only read, so rows and threads can share it. Whoever wants to see what
//! happens between stages passes an [`Observer`]; the sampler's own draw passes none. An observer makes the candidates
//! settle after every stage, where a draw may settle two at once; what is kept is decided by the same exact masses, and
//! the oracle tests hold both equal.

use std::sync::Arc;

use crate::candidates::Candidates;
use crate::error::{Error, Result};
use crate::names::StageName;
use crate::options::{DEFAULT_ORDER, Order, Settings};
use crate::stage::mask::Mask;
use crate::stage::xtc::Coin;
use crate::stage::{self, Context, Kind, MinNewTokens, Stage};

/// Sees the candidates before and after every stage.
pub trait Observer {
    /// Before an active stage runs.
    fn before(&mut self, _stage: &dyn Stage, _candidates: &mut Candidates<'_>) {}

    /// After an active stage ran.
    fn after(&mut self, _stage: &dyn Stage, _candidates: &mut Candidates<'_>) {}

    /// Whether [`inactive`](Observer::inactive) is to be called: a draw need not hear of what does nothing.
    fn sees_inactive(&self) -> bool {
        false
    }

    /// In place of both for a stage whose options are at their off value.
    fn inactive(&mut self, _stage: &dyn Stage, _candidates: &mut Candidates<'_>) {}
}

/// Sees nothing.
impl Observer for () {}

/// Stages in order, validated.
#[derive(Clone, Debug)]
pub struct Chain {
    stages: Vec<Arc<dyn Stage>>,
    /// Those of them that are active.
    active: Vec<Arc<dyn Stage>>,
    greedy: bool,
    reads_word: bool,
    coin: Coin,
}

impl Chain {
    /// The chain of these settings; an order that cannot be run is an error that says why, and so are options that do not
    /// go together.
    pub fn new(settings: &Settings) -> Result<Chain> {
        MinNewTokens::check(settings)?;
        let mut order: Vec<StageName> = match &settings.order {
            Order::Default => DEFAULT_ORDER.to_vec(),
            Order::Listed(order) => order.clone(),
        };
        check_order(&order)?;
        if !order.last().is_some_and(|name| name.is_terminal()) {
            order.extend(CONTROLLED.iter().filter(|name| is_active(**name, settings)));
        }
        for name in StageName::ALL.iter().filter(|name| !order.contains(name)) {
            if is_active(*name, settings) && !replaces(*name, &order, settings) {
                return Err(Error::BadOrder { stage: *name, reason: "is active but not listed" });
            }
        }
        check_order(&order)?;
        let stages: Vec<_> =
            order.iter().filter_map(|name| stage_at(*name, &order, settings)).collect();
        let active = stages.iter().filter(|stage| stage.is_active()).cloned().collect();
        let greedy = order.last() == Some(&StageName::Greedy);
        let reads_word = !greedy && settings.temperature != 0.0;
        Ok(Chain { stages, active, greedy, reads_word, coin: Coin::new(settings.xtc_probability) })
    }

    /// The stages in order, inactive ones included, without the terminal one.
    pub fn stages(&self) -> impl Iterator<Item = &dyn Stage> {
        self.stages.iter().map(|stage| &**stage)
    }

    /// Whether the draw reads a word: not when the token is decided by temperature 0 or `greedy`.
    #[inline]
    pub fn reads_word(&self) -> bool {
        self.reads_word
    }

    /// XTC's coin; it is never asked for a word where the stage is off or its probability is 1.
    #[inline]
    pub(crate) fn coin(&self) -> Coin {
        self.coin
    }

    /// Whether the first thing done to a row is to write in it.
    #[inline]
    pub fn begins_by_writing(&self, context: &Context<'_>) -> bool {
        let first = self.active.iter().find(|stage| !is_idle(&***stage, context));
        context.mask.is_none() && first.is_some_and(|stage| stage.will_write(context))
    }

    /// Whether weights stay what they are from the first truncating stage on: it and all after it only truncate, and none
    /// removes the highest logit, as XTC does.
    pub fn weights_stay(&self) -> bool {
        let truncates = |stage: &Arc<dyn Stage>| stage.kind() == Kind::Truncates;
        let mut from = self.active.iter().skip_while(|stage| !truncates(stage));
        from.all(|stage| truncates(stage) && stage.name() != StageName::Xtc)
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
        let n_vocab = candidates.n_vocab();
        if let Some(token) = context.history.outside(n_vocab) {
            return Err(Error::BadToken { option: "history", token, n_vocab });
        }
        if context.mask.is_some() {
            step(&Mask, candidates, context, observer)?;
        }
        let stages = if observer.sees_inactive() { &self.stages } else { &self.active };
        for stage in stages {
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

/// Whether a writing stage finds nothing to write.
#[inline]
fn is_idle(stage: &dyn Stage, context: &Context<'_>) -> bool {
    stage.kind() == Kind::Writes && !stage.will_write(context)
}

#[inline]
fn step(
    stage: &dyn Stage,
    candidates: &mut Candidates<'_>,
    context: &Context<'_>,
    observer: &mut dyn Observer,
) -> Result<()> {
    observer.before(stage, candidates);
    stage.apply(candidates, context)?;
    if candidates.is_empty() {
        return Err(Error::NothingLeft { stage: Some(stage.name()) });
    }
    observer.after(stage, candidates);
    Ok(())
}

/// The terminal stages that end an order in which none is listed, when they are active.
const CONTROLLED: [StageName; 2] = [StageName::Mirostat, StageName::AdaptiveP];

fn is_active(name: StageName, settings: &Settings) -> bool {
    stage::build(name, settings).is_some_and(|stage| stage.is_active())
}

/// The stage at a place of the order: dynamic temperature takes temperature's place, unless it is listed itself.
fn stage_at(name: StageName, order: &[StageName], settings: &Settings) -> Option<Arc<dyn Stage>> {
    let dynamic = StageName::DynamicTemperature;
    if name != StageName::Temperature || !is_active(dynamic, settings) {
        return stage::build(name, settings);
    }
    if order.contains(&dynamic) {
        let off = Settings { temperature: 1.0, ..Settings::default() };
        return stage::build(name, &off);
    }
    stage::build(dynamic, settings)
}

/// Whether a stage that is not listed runs, or need not, because of the other kind of temperature.
fn replaces(name: StageName, order: &[StageName], settings: &Settings) -> bool {
    let (plain, dynamic) = (StageName::Temperature, StageName::DynamicTemperature);
    match name {
        StageName::DynamicTemperature => order.contains(&plain),
        StageName::Temperature => order.contains(&dynamic) && is_active(dynamic, settings),
        _ => false,
    }
}

/// The longest order: reports name a stage by one byte, of which they need some values themselves.
const LONGEST_ORDER: usize = 200;

fn check_order(order: &[StageName]) -> Result<()> {
    if let Some(stage) = order.get(LONGEST_ORDER) {
        return Err(Error::BadOrder {
            stage: *stage,
            reason: "comes after 200 others, which is the most",
        });
    }
    for (i, name) in order.iter().enumerate() {
        let rest = order.get(i + 1..).unwrap_or_default();
        if name.is_terminal() && !rest.is_empty() {
            return Err(Error::BadOrder {
                stage: *name,
                reason: "chooses the token and can only come last",
            });
        }
        if *name != StageName::Temperature && rest.contains(name) {
            return Err(Error::BadOrder { stage: *name, reason: "is listed twice" });
        }
    }
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

    fn apply(&self, candidates: &mut Candidates<'_>, _: &Context<'_>) -> Result<()> {
        candidates.decide();
        Ok(())
    }
}
