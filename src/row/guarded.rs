//! A row under a guard: which chain a call runs, and what is remembered of trips.

use std::sync::Arc;

use super::Row;
use crate::candidates::{Candidates, Scratch};
use crate::chain::{Chain, Observer};
use crate::error::{Error, Result};
use crate::guard::{Breaker, Course, Guard, Masked, Trip};
use crate::input::Input;
use crate::names::{GuardPolicy, StageName};

/// What a row remembers of its guard.
#[derive(Clone, Debug, Default)]
pub(crate) struct Guarded {
    /// That of the latest call.
    course: Course,
    /// What tripped the latest call, until it is counted.
    tripped: Option<Trip>,
    pub breaker: Breaker,
    /// The number of the sampler's call that is under way.
    pub call: u64,
    /// The latest trip, with the number of its call.
    pub last: Option<(u64, Trip)>,
}

impl Guarded {
    /// Forgets what the latest call came to, for under other settings it says nothing.
    pub(super) fn forget_call(&mut self) {
        self.course = Course::Usual;
        self.tripped = None;
    }
}

impl Row {
    /// The chain that the latest call ran.
    #[inline]
    pub(super) fn chain(&self) -> &Chain {
        let guard = self.setup.guard.as_ref();
        guard.and_then(|guard| guard.chain(self.guarded.course)).unwrap_or(&self.setup.chain)
    }

    /// What tripped the latest call.
    pub(super) fn tripped(&self) -> Option<&Trip> {
        self.guarded.tripped.as_ref()
    }

    /// Chooses the chain for an input; an error where the policy is to fail.
    pub(super) fn choose(&mut self, input: Input<'_>, scratch: &mut Scratch) -> Result<()> {
        let setup = Arc::clone(&self.setup);
        self.guarded.forget_call();
        let Some(guard) = &setup.guard else { return Ok(()) };
        if self.guarded.breaker.is_open(self.position) {
            self.guarded.course = Course::Open;
            return Ok(());
        }
        let Some((masked_mass, stage)) = self.masked(guard, input, scratch)? else { return Ok(()) };
        let steps = match guard.policy {
            GuardPolicy::Relax => self.relax(guard, input, scratch)?,
            _ => 0,
        };
        if guard.policy == GuardPolicy::Greedy {
            self.guarded.course = Course::Greedy;
        }
        let (position, policy) = (self.position, guard.policy);
        self.guarded.breaker.expect_trip();
        self.guarded.tripped = Some(Trip { position, policy, masked_mass, steps, stage });
        match guard.policy {
            GuardPolicy::Error => {
                Err(Error::Guarded { stage, masked_mass, limit: guard.max_masked_mass })
            }
            _ => Ok(()),
        }
    }

    /// The masked mass of the chosen chain, and the stage that removed most, where it is more than the guard allows.
    fn masked(
        &self,
        guard: &Guard,
        input: Input<'_>,
        scratch: &mut Scratch,
    ) -> Result<Option<(f64, StageName)>> {
        let mut masked = Masked::new();
        self.run_chosen(input, scratch, &mut masked)?;
        Ok(masked.mass().filter(|(mass, _)| *mass > guard.max_masked_mass))
    }

    /// Moves thresholds until the chain no longer trips, or cannot be moved further; how often.
    fn relax(&mut self, guard: &Guard, input: Input<'_>, scratch: &mut Scratch) -> Result<u32> {
        let mut steps = 0;
        while steps < guard.max_steps() {
            steps += 1;
            self.guarded.course = Course::Relaxed(steps);
            if self.masked(guard, input, scratch)?.is_none() {
                break;
            }
        }
        Ok(steps)
    }

    /// As [`run`](Row::run), for a draw: a trip that fails is remembered, though it changes nothing.
    #[inline]
    pub(super) fn run_to_draw<'a>(
        &mut self,
        input: Input<'a>,
        scratch: &'a mut Scratch,
        observer: &mut dyn Observer,
    ) -> Result<Candidates<'a>> {
        let result = self.run(input, scratch, observer);
        if let Err(Error::Guarded { .. }) = result {
            self.remember();
        }
        result
    }

    /// Takes the latest trip to memory.
    fn remember(&mut self) {
        let Guarded { tripped, call, last, .. } = &mut self.guarded;
        if let Some(trip) = tripped.take() {
            *last = Some((*call, trip));
        }
    }

    /// After `n` successful draws: counts what tripped, and moves the position.
    #[inline]
    pub(super) fn advance(&mut self, n: u64) {
        if self.guarded.tripped.is_some() {
            self.count_trip();
        }
        self.position += n;
    }

    fn count_trip(&mut self) {
        if let Some(guard) = &self.setup.guard {
            self.guarded.breaker.trip(self.position, guard.trips, guard.positions);
        }
        self.remember();
    }
}
