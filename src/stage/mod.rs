//! Stages: one module each, whose page has the stage's definition, its parameters with their off values, the rule for
//! every edge and tie, the words that it draws, its cost, its threshold's unit, the paper and an example.
//!
//! | kind | stages |
//! |---|---|
//! | masks: removes by id | [`mask`], [`allowed_tokens`], [`bad_words`], [`min_new_tokens`], [`no_repeat_ngram`], [`logit_bias`] (of -infinity) |
//! | writes logits | [`guidance`], [`logit_bias`], [`repetition_penalty`], [`frequency_penalty`], [`presence_penalty`], [`dry`], [`smoothing`] |
//! | scales: changes the temperature factor | [`temperature`], [`dynamic_temperature`] |
//! | truncates: removes by rank or probability | [`top_h`], [`top_k`], [`top_p`], [`min_p`], [`typical_p`], [`top_n_sigma`], [`top_a`], [`tail_free`], [`p_less`], [`epsilon_cutoff`], [`eta_cutoff`], [`xtc`] |
//! | is terminal: comes last, and the token is drawn | [`mirostat`] (truncates), [`adaptive_p`] (writes), [`draw`] |
//!
//! `greedy`, the fourth terminal stage, is temperature 0 at the end of a chain. [`own`] says how to add a stage of your own.
//!
//! A stage looks at the tokens alive and writes logits, removes tokens or changes the temperature factor. Its options
//! are validated before it exists, so applying one fails only for what a row or a history brings with it.

pub mod adaptive_p;
pub mod allowed_tokens;
pub mod bad_words;
pub mod draw;
pub mod dry;
pub mod dynamic_temperature;
pub mod epsilon_cutoff;
pub mod eta_cutoff;
pub mod frequency_penalty;
pub mod guidance;
pub mod logit_bias;
pub mod mask;
pub mod min_new_tokens;
pub mod min_p;
pub mod mirostat;
pub mod no_repeat_ngram;
pub mod own;
pub mod p_less;
pub mod presence_penalty;
pub mod repetition_penalty;
pub mod smoothing;
pub mod tail_free;
pub mod temperature;
pub mod top_a;
pub mod top_h;
pub mod top_k;
pub mod top_n_sigma;
pub mod top_p;
pub mod typical_p;
pub mod xtc;

use core::fmt;
use std::sync::Arc;

use crate::candidates::Candidates;
use crate::controllers::Controllers;
use crate::error::Result;
use crate::history::History;
use crate::names::StageName;
use crate::options::{Settings, Window};

pub use adaptive_p::AdaptiveP;
pub use allowed_tokens::AllowedTokens;
pub use bad_words::BadWords;
pub use dry::Dry;
pub use dynamic_temperature::DynamicTemperature;
pub use epsilon_cutoff::EpsilonCutoff;
pub use eta_cutoff::EtaCutoff;
pub use frequency_penalty::FrequencyPenalty;
pub use guidance::Guidance;
pub use logit_bias::LogitBias;
pub use min_new_tokens::MinNewTokens;
pub use min_p::MinP;
pub use mirostat::Mirostat;
pub use no_repeat_ngram::NoRepeatNgram;
pub use own::Own;
pub use p_less::PLess;
pub use presence_penalty::PresencePenalty;
pub use repetition_penalty::RepetitionPenalty;
pub use smoothing::Smoothing;
pub use tail_free::TailFree;
pub use temperature::Temperature;
pub use top_a::TopA;
pub use top_h::TopH;
pub use top_k::TopK;
pub use top_n_sigma::TopNSigma;
pub use top_p::TopP;
pub use typical_p::TypicalP;
pub use xtc::Xtc;

/// What a stage does to the candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Changes logits.
    Writes,
    /// Removes tokens by id, without regard to their probability.
    Masks,
    /// Removes tokens by rank or probability, and keeps at least `min_keep`; temperature 0, which keeps one, is of this
    /// kind.
    Truncates,
    /// Changes the temperature factor.
    Scales,
}

/// What a stage may look at beside the candidates.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The accepted tokens of the row.
    pub history: &'a History,
    /// The call's bit mask: bit i mod 32 of word i / 32, 1 is allowed; shape `(ceil(n_vocab / 32))`.
    pub mask: Option<&'a [u32]>,
    /// The second row that guidance moves away from; shape `(n_vocab)`.
    pub unconditional: Option<&'a [f32]>,
    /// Whether XTC's coin has fallen on its side at the position.
    pub coin: bool,
    /// What the row's controllers have come to.
    pub controllers: &'a Controllers,
}

/// One step of a chain.
pub trait Stage: Send + Sync {
    /// The stage's name.
    fn name(&self) -> StageName;

    /// What it does.
    fn kind(&self) -> Kind;

    /// Whether its options are away from their off value, be there anything to change or not.
    fn is_active(&self) -> bool;

    /// Whether a truncating stage keeps the highest logit whatever happens; weights then stay what they are.
    fn keeps_best(&self) -> bool {
        false
    }

    /// The stage whose threshold is `steps` times half as far from its off value, which a guard runs where too much was
    /// removed; none where there is no threshold to move.
    fn relaxed(&self, _steps: u32) -> Option<Arc<dyn Stage>> {
        None
    }

    /// Whether there is anything to write in this context, of a stage that can do it to a row that nobody has looked at
    /// yet; none of any other stage.
    fn writes_raw(&self, _context: &Context<'_>) -> Option<bool> {
        None
    }

    /// Does it to the copy of such a row. False where it cannot, whatever it has written: the stage is then applied to
    /// the row as it was, and says what is wrong.
    fn write_raw(&self, _logits: &mut [f32], _context: &Context<'_>) -> bool {
        false
    }

    /// Does it.
    fn apply(&self, candidates: &mut Candidates<'_>, context: &Context<'_>) -> Result<()>;

    /// The threshold in force for these candidates in this context, in the unit that the stage's documentation states.
    fn threshold(&self, _candidates: &mut Candidates<'_>, _context: &Context<'_>) -> Option<f64> {
        None
    }
}

// By its name: a stage that could print its fields would bring the standard library's formatting into every module.
impl fmt::Debug for dyn Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name().as_str())
    }
}

/// A number moved towards its off value by halving the distance `steps` times.
pub(crate) fn halfway(value: f64, off: f64, steps: u32) -> f64 {
    // Powers of two and their products with a number are exact.
    off + (value - off) * f64::from_bits(u64::from(1023 - steps.min(1022)) << 52)
}

/// The stage of this name under these settings; none for `draw`, `greedy` and the mask.
pub(crate) fn build(name: StageName, settings: &Settings) -> Option<Arc<dyn Stage>> {
    // A window of 0 turns the penalties off, as their own off values do.
    let or_off = |penalty: f64, off: f64| match settings.penalty_last_n {
        Window(0) => off,
        _ => penalty,
    };
    Some(match name {
        StageName::Guidance => Arc::new(Guidance::new(settings.guidance_scale)),
        StageName::LogitBias => Arc::new(LogitBias::new(&settings.logit_bias)),
        StageName::AllowedTokens => Arc::new(AllowedTokens::new(&settings.allowed_tokens)),
        StageName::BadWords => Arc::new(BadWords::new(&settings.bad_words)),
        StageName::MinNewTokens => {
            Arc::new(MinNewTokens::new(settings.min_new_tokens, &settings.eos_token_ids))
        }
        StageName::RepetitionPenalty => {
            Arc::new(RepetitionPenalty::new(or_off(settings.repetition_penalty, 1.0)))
        }
        StageName::FrequencyPenalty => {
            Arc::new(FrequencyPenalty::new(or_off(settings.frequency_penalty, 0.0)))
        }
        StageName::PresencePenalty => {
            Arc::new(PresencePenalty::new(or_off(settings.presence_penalty, 0.0)))
        }
        StageName::NoRepeatNgram => Arc::new(NoRepeatNgram::new(settings.no_repeat_ngram_size)),
        StageName::Dry => Arc::new(Dry::new(settings)),
        StageName::Temperature => Arc::new(Temperature::new(settings.temperature)),
        StageName::DynamicTemperature => Arc::new(DynamicTemperature::new(
            settings.temperature,
            settings.dynamic_temperature_range,
            settings.dynamic_temperature_exponent,
        )),
        StageName::Smoothing => {
            Arc::new(Smoothing::new(settings.smoothing_factor, settings.smoothing_curve))
        }
        StageName::AdaptiveP => {
            Arc::new(AdaptiveP::new(settings.adaptive_p_target, settings.adaptive_p_decay))
        }
        _ => return truncating(name, settings),
    })
}

/// Those of them that remove tokens by rank or probability.
fn truncating(name: StageName, settings: &Settings) -> Option<Arc<dyn Stage>> {
    let min_keep = settings.min_keep as usize;
    Some(match name {
        StageName::TopH => Arc::new(TopH::new(settings.top_h, min_keep)),
        StageName::TopK => Arc::new(TopK::new(settings.top_k, min_keep)),
        StageName::TopP => Arc::new(TopP::new(settings.top_p, min_keep)),
        StageName::MinP => Arc::new(MinP::new(settings.min_p, min_keep)),
        StageName::Mirostat => {
            Arc::new(Mirostat::new(settings.mirostat_version, settings.mirostat_tau, min_keep))
        }
        StageName::Xtc => Arc::new(Xtc::new(settings)),
        StageName::TypicalP => Arc::new(TypicalP::new(settings.typical_p, min_keep)),
        StageName::TopNSigma => Arc::new(TopNSigma::new(settings.top_n_sigma, min_keep)),
        StageName::TopA => Arc::new(TopA::new(settings.top_a, min_keep)),
        StageName::TailFree => Arc::new(TailFree::new(settings.tail_free, min_keep)),
        StageName::PLess => Arc::new(PLess::new(settings.p_less, min_keep)),
        StageName::EpsilonCutoff => Arc::new(EpsilonCutoff::new(settings.epsilon_cutoff, min_keep)),
        StageName::EtaCutoff => Arc::new(EtaCutoff::new(settings.eta_cutoff, min_keep)),
        _ => return None,
    })
}
