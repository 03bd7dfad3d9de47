//! The guard: what happens where truncating stages leave next to nothing.
//!
//! **Definition.** A *guarded* stage is a truncating one other than `top_k`, `top_p` and temperature 0. The *masked mass*
//! of a call is the share of the mass that the guarded stages removed together: 1 - the product, over them, of the share
//! that each kept of what entered it, in its own weights. A call *trips* the guard when that is more than
//! `max_masked_mass`. What a trip leads to is the policy:
//!
//! - `error`: the call fails with the code `nothing_left`, and has changed nothing;
//! - `relax`: the chain is run again with the distance of every guarded threshold to its off value halved, up to
//!   `max_steps` times, until it no longer trips; the last result holds in any case. `n` standard deviations, whose off
//!   value is infinity, and mirostat's mu are doubled instead. No step lifts a mask, `top_k` or `top_p`;
//! - `greedy`: the best token that masks allow, after what writing stages wrote; no word is read, and a position passes.
//!
//! Where masks remove every token the error stays, whatever the policy.
//!
//! **Breaker.** Trips of successful sampling calls are counted for each row. When `trips` of them fall within `positions`
//! positions, the row's breaker opens: for as many positions its guarded stages are left out altogether. Then it closes,
//! and counting begins anew. A call that fails, under `error`, is not counted, for it changes nothing.
//!
//! **Effect on the distribution.** A draw that tripped is not a draw from the distribution that the options describe: with
//! `relax` it is one from a wider one, with `greedy` it is no draw at all, and while the breaker is open the guarded
//! options have no effect. Every such draw says so: `trip` in `sample_detailed`, the latest trip, and the row's counter.
//!
//! **Parameters.** `guard_policy`: off by default. `guard_max_masked_mass`: in [0, 1], 0.999 by default.
//! `guard_max_steps`: 1 to 32, 3 by default. `guard_breaker_trips`, `guard_breaker_positions`: 3 within 32 by default.
//!
//! **Cost.** With a guard the chain is run once more, to measure; many draws from one row are made one by one.

use crate::candidates::Candidates;
use crate::chain::{Chain, Observer};
use crate::distribution::Entered;
use crate::names::{GuardPolicy, StageName};
use crate::options::Settings;
use crate::stage::{Context, Kind, Stage};

/// A trip: what the guard did for one draw.
#[derive(Clone, Debug, PartialEq)]
pub struct Trip {
    /// The position of the draw.
    pub position: u64,
    /// The policy.
    pub policy: GuardPolicy,
    /// The share of the mass that the guarded stages removed, in [0, 1].
    pub masked_mass: f64,
    /// How often thresholds were moved; 0 but for `relax`.
    pub steps: u32,
    /// The guarded stage that removed the largest share of what entered it.
    pub stage: StageName,
}

/// Whether a guard watches over a stage.
pub(crate) fn is_guarded(stage: &dyn Stage) -> bool {
    use StageName::{DynamicTemperature, Greedy, Temperature, TopK, TopP};
    stage.kind() == Kind::Truncates
        && !matches!(stage.name(), TopK | TopP | Temperature | DynamicTemperature | Greedy)
}

/// The chains of a row with a guard: what it runs when.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    pub policy: GuardPolicy,
    pub max_masked_mass: f64,
    pub trips: usize,
    pub positions: u64,
    /// By how often thresholds were moved, from once on.
    relaxed: Vec<Chain>,
    greedy: Chain,
    /// Without guarded stages.
    open: Chain,
}

/// Which chain a call runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Course {
    /// That of the options.
    #[default]
    Usual,
    /// Its thresholds moved so many times, at least once.
    Relaxed(u32),
    /// The best token that masks allow.
    Greedy,
    /// Guarded stages left out: the breaker is open.
    Open,
}

impl Guard {
    /// The guard of these settings over this chain; none when it is off.
    pub(crate) fn new(settings: &Settings, chain: &Chain) -> Option<Guard> {
        if settings.guard_policy == GuardPolicy::Off {
            return None;
        }
        let steps = match settings.guard_policy {
            GuardPolicy::Relax => settings.guard_max_steps,
            _ => 0,
        };
        Some(Guard {
            policy: settings.guard_policy,
            max_masked_mass: settings.guard_max_masked_mass,
            trips: settings.guard_breaker_trips as usize,
            positions: u64::from(settings.guard_breaker_positions),
            relaxed: (1..=steps).map(|steps| chain.relaxed(steps)).collect(),
            greedy: chain.greedy_over_masks(),
            open: chain.without(is_guarded),
        })
    }

    /// The chain of a course, but for the usual one.
    pub(crate) fn chain(&self, course: Course) -> Option<&Chain> {
        match course {
            Course::Usual => None,
            Course::Relaxed(steps) => self.relaxed.get((steps as usize).saturating_sub(1)),
            Course::Greedy => Some(&self.greedy),
            Course::Open => Some(&self.open),
        }
    }

    /// How often thresholds can be moved.
    pub(crate) fn max_steps(&self) -> u32 {
        self.relaxed.len() as u32
    }
}

/// Measures the masked mass while a chain runs.
#[derive(Debug)]
pub(crate) struct Masked {
    kept: f64,
    entered: Option<Entered>,
    /// The guarded stage that kept the least, with its share.
    harshest: Option<(StageName, f64)>,
}

impl Masked {
    /// Nothing is masked yet.
    pub(crate) fn new() -> Masked {
        Masked { kept: 1.0, entered: None, harshest: None }
    }

    /// The masked mass, with the stage that removed most of it; none where no guarded stage ran.
    pub(crate) fn mass(&self) -> Option<(f64, StageName)> {
        self.harshest.map(|(stage, _)| (1.0 - self.kept, stage))
    }
}

impl Observer for Masked {
    fn before(&mut self, stage: &dyn Stage, candidates: &mut Candidates<'_>, _: &Context<'_>) {
        self.entered = is_guarded(stage).then(|| Entered::new(stage.keeps_best(), candidates));
    }

    fn after(&mut self, stage: &dyn Stage, candidates: &mut Candidates<'_>) {
        let Some(entered) = self.entered.take() else { return };
        let share = entered.share(candidates);
        self.kept *= share;
        if self.harshest.is_none_or(|(_, least)| share < least) {
            self.harshest = Some((stage.name(), share));
        }
    }
}

/// A row's circuit breaker.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Breaker {
    /// The positions of trips that still count, ascending.
    pub(crate) recent: Vec<u64>,
    /// The first position at which it is closed again.
    pub(crate) open_until: u64,
    /// Trips since the last reset.
    pub(crate) trips: u64,
}

impl Breaker {
    /// Trips of successful sampling calls since the last reset.
    pub fn trips(&self) -> u64 {
        self.trips
    }

    /// The first position at which it is closed again; 0 when it never was open.
    pub fn open_until(&self) -> u64 {
        self.open_until
    }

    /// Whether guarded stages are left out at a position.
    pub fn is_open(&self, position: u64) -> bool {
        position < self.open_until
    }

    /// Makes room for a trip, so that counting it cannot break off.
    pub(crate) fn expect_trip(&mut self) {
        self.recent.reserve(1);
    }

    /// Counts a trip at a position.
    pub(crate) fn trip(&mut self, position: u64, trips: usize, positions: u64) {
        self.trips += 1;
        self.recent.retain(|earlier| position - earlier < positions);
        self.recent.push(position);
        if self.recent.len() >= trips {
            self.recent.clear();
            self.open_until = position.saturating_add(1).saturating_add(positions);
        }
    }
}
