//! Stages: one file each.
//!
//! A stage looks at the tokens alive and writes logits, removes tokens or changes the temperature factor. Its options
//! are validated before it exists, so applying one fails only for what a row or a history brings with it.

mod allowed_tokens;
pub(crate) mod draw;
mod frequency_penalty;
mod logit_bias;
pub(crate) mod mask;
mod min_p;
mod presence_penalty;
mod repetition_penalty;
mod temperature;
mod top_k;
mod top_p;

use core::fmt;
use std::sync::Arc;

use crate::candidates::Candidates;
use crate::error::Result;
use crate::history::History;
use crate::names::StageName;
use crate::options::Settings;

pub use allowed_tokens::AllowedTokens;
pub use frequency_penalty::FrequencyPenalty;
pub use logit_bias::LogitBias;
pub use min_p::MinP;
pub use presence_penalty::PresencePenalty;
pub use repetition_penalty::RepetitionPenalty;
pub use temperature::Temperature;
pub use top_k::TopK;
pub use top_p::TopP;

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
}

/// One step of a chain.
pub trait Stage: fmt::Debug + Send + Sync {
    /// The stage's name.
    fn name(&self) -> StageName;

    /// What it does.
    fn kind(&self) -> Kind;

    /// Whether its options are away from their off value, be there anything to change or not.
    fn is_active(&self) -> bool;

    /// Does it. The result is the threshold in force, in the unit that the stage's documentation states.
    fn apply(&self, candidates: &mut Candidates<'_>, context: &Context<'_>) -> Result<Option<f64>>;
}

/// The stage of this name under these settings; none for a terminal stage and for the mask.
pub(crate) fn build(name: StageName, settings: &Settings) -> Option<Arc<dyn Stage>> {
    let min_keep = settings.min_keep as usize;
    Some(match name {
        StageName::LogitBias => Arc::new(LogitBias::new(&settings.logit_bias)),
        StageName::AllowedTokens => Arc::new(AllowedTokens::new(&settings.allowed_tokens)),
        StageName::RepetitionPenalty => {
            Arc::new(RepetitionPenalty::new(settings.repetition_penalty))
        }
        StageName::FrequencyPenalty => Arc::new(FrequencyPenalty::new(settings.frequency_penalty)),
        StageName::PresencePenalty => Arc::new(PresencePenalty::new(settings.presence_penalty)),
        StageName::Temperature => Arc::new(Temperature::new(settings.temperature)),
        StageName::TopK => Arc::new(TopK::new(settings.top_k, min_keep)),
        StageName::TopP => Arc::new(TopP::new(settings.top_p, min_keep)),
        StageName::MinP => Arc::new(MinP::new(settings.min_p, min_keep)),
        StageName::Mask | StageName::Greedy | StageName::Draw => return None,
    })
}

/// ceil(share * mass) in exact arithmetic, for a share in [0, 1] and a mass below 2^63.
pub(crate) fn ceil_share(share: f64, mass: u64) -> u64 {
    let (product, shift) = exact_product(share, mass);
    match shift {
        0..=127 => {
            let floor = product >> shift;
            (floor + u128::from(floor << shift != product)) as u64
        }
        _ => u64::from(product > 0),
    }
}

/// share * mass = product / 2^shift.
fn exact_product(share: f64, mass: u64) -> (u128, u32) {
    let bits = share.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as u32;
    let fraction = bits & 0x000f_ffff_ffff_ffff;
    let (mantissa, exponent) =
        if exponent == 0 { (fraction, 1) } else { (fraction | 1 << 52, exponent) };
    // share = mantissa * 2^(exponent - 1075), and share <= 1 means exponent <= 1023.
    (u128::from(mantissa) * u128::from(mass), 1075 - exponent.min(1023))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ceil_share_is_exact_at_whole_numbers_and_one_step_off_them() {
        let up = |x: f64| f64::from_bits(x.to_bits() + 1);
        let down = |x: f64| f64::from_bits(x.to_bits() - 1);
        let z = 100u64 << 44;
        assert_eq!(ceil_share(0.5, z), 50 << 44);
        assert_eq!(ceil_share(up(0.5), z), (50 << 44) + 1);
        assert_eq!(ceil_share(down(0.5), z), 50 << 44);
        assert_eq!(ceil_share(1.0, z), z);
        assert_eq!(ceil_share(down(1.0), u64::MAX >> 1), (u64::MAX >> 1) - 1023);
        assert_eq!(ceil_share(0.0, z), 0);
        assert_eq!(ceil_share(f64::MIN_POSITIVE, 1), 1);
        assert_eq!(ceil_share(f64::from_bits(1), u64::MAX >> 1), 1);
        // The f64 0.55 lies above 55/100.
        assert_eq!(ceil_share(0.55, z), (55 << 44) + 1);
    }
}
