//! The three penalties in one walk over the history, where they come one after the other as the default order has them.
//!
//! **Definition.** What [`repetition_penalty`](crate::stage::repetition_penalty), [`frequency_penalty`](crate::stage::frequency_penalty)
//! and [`presence_penalty`](crate::stage::presence_penalty) do in this order, each result rounded to f32: a token's logit depends
//! on no other's, so one walk gives what three would, errors included.
//!
//! **Cost.** A copy of the row, and one step a distinct token, without a branch that its logit decides.

use crate::candidates::{Candidates, write_raw};
use crate::error::Result;
use crate::history::Count;
use crate::names::StageName;
use crate::options::Settings;
use crate::stage::{Context, Kind, Stage};

/// In the order in which they are taken together.
const ORDER: [StageName; 3] =
    [StageName::RepetitionPenalty, StageName::FrequencyPenalty, StageName::PresencePenalty];

/// Some or all of the penalties; those left out are at their off value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Penalties {
    repetition: f64,
    frequency: f64,
    presence: f64,
    /// The first of them.
    first: StageName,
}

impl Penalties {
    /// Those of the settings.
    pub(crate) fn new(settings: &Settings) -> Penalties {
        Penalties {
            repetition: settings.repetition_penalty,
            frequency: settings.frequency_penalty,
            presence: settings.presence_penalty,
            first: StageName::RepetitionPenalty,
        }
    }

    /// How many of the stages that come next can be taken together, from the first on.
    pub(crate) fn run(names: impl Iterator<Item = StageName>) -> usize {
        let mut next = 0;
        let in_order = |name: &StageName| {
            let found = ORDER.iter().skip(next).position(|penalty| penalty == name);
            next += found.map_or(0, |skipped| skipped + 1);
            found.is_some()
        };
        names.take_while(in_order).count()
    }

    /// Only the stages of these names.
    pub(crate) fn only(self, names: &[StageName]) -> Penalties {
        let or_off = |name, penalty, off| if names.contains(&name) { penalty } else { off };
        let [repetition, frequency, presence] = ORDER;
        Penalties {
            repetition: or_off(repetition, self.repetition, 1.0),
            frequency: or_off(frequency, self.frequency, 0.0),
            presence: or_off(presence, self.presence, 0.0),
            first: names.first().copied().unwrap_or(self.first),
        }
    }

    /// The logit after each of the three.
    #[inline(always)]
    fn steps(&self, logit: f32, count: Count) -> [f32; 3] {
        let repeated = self.repeated(f64::from(logit)) as f32;
        let output = f64::from(count.output);
        let counted = (f64::from(repeated) - output * self.frequency) as f32;
        // 1 for every token that was output, without a branch.
        let present = f64::from(count.output.min(1));
        [repeated, counted, (f64::from(counted) - present * self.presence) as f32]
    }

    /// The logit after all of them.
    #[inline(always)]
    fn last(&self, logit: f32, count: Count) -> f32 {
        let [_, _, last] = self.steps(logit, count);
        last
    }

    /// l / r where l > 0, else l r: both are computed, for the sign of a logit is no branch that a processor can guess.
    #[inline(always)]
    fn repeated(&self, logit: f64) -> f64 {
        let divided = (logit / self.repetition).to_bits();
        let multiplied = (logit * self.repetition).to_bits();
        let negative = ((logit.to_bits() as i64) >> 63) as u64;
        f64::from_bits((multiplied & negative) | (divided & !negative))
    }
}

impl Stage for Penalties {
    fn name(&self) -> StageName {
        self.first
    }

    fn kind(&self) -> Kind {
        Kind::Writes
    }

    fn is_active(&self) -> bool {
        true
    }

    fn writes_raw(&self, context: &Context<'_>) -> Option<bool> {
        Some(context.history.counts().next().is_some())
    }

    fn write_raw(&self, logits: &mut [f32], context: &Context<'_>) -> bool {
        write_raw(logits, context.history.counts(), |logit, count| self.last(logit, count))
    }

    fn apply(&self, candidates: &mut Candidates<'_>, context: &Context<'_>) -> Result<()> {
        candidates.begin_writing(self.first)?;
        let blame = |logit, count| {
            let steps = self.steps(logit, count).into_iter().zip(ORDER).enumerate();
            let mut left = steps.filter(|(_, (logit, _))| !logit.is_finite());
            left.next().map_or((0, self.first), |(step, (_, stage))| (step, stage))
        };
        let last = |logit, count| self.last(logit, count);
        candidates.write_steps(context.history.counts(), last, blame)
    }
}
