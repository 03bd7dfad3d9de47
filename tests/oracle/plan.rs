//! What a row is asked to do: options, and what was accepted before.

use nucleus_sampler::{Options, Order, PresetName, StageName};

use super::{Learned, share_of, word};

/// The default order of the contract, of the stages that exist.
const DEFAULT: [StageName; 24] = [
    StageName::Guidance,
    StageName::LogitBias,
    StageName::AllowedTokens,
    StageName::BadWords,
    StageName::MinNewTokens,
    StageName::RepetitionPenalty,
    StageName::FrequencyPenalty,
    StageName::PresencePenalty,
    StageName::NoRepeatNgram,
    StageName::Dry,
    StageName::Temperature,
    StageName::Smoothing,
    StageName::TopH,
    StageName::TopK,
    StageName::TopP,
    StageName::MinP,
    StageName::TypicalP,
    StageName::TopNSigma,
    StageName::TopA,
    StageName::TailFree,
    StageName::PLess,
    StageName::EpsilonCutoff,
    StageName::EtaCutoff,
    StageName::Xtc,
];

/// The classic exercise.
const TEXTBOOK: [StageName; 4] =
    [StageName::Temperature, StageName::TopK, StageName::TopP, StageName::RepetitionPenalty];

/// Options, history, mask and controllers of one row.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    pub options: Options,
    pub prompt: Vec<u32>,
    pub output: Vec<u32>,
    pub mask: Option<Vec<u32>>,
    pub learned: Learned,
    pub unconditional: Option<Vec<f32>>,
    /// The side of the coin; none: that of position 0.
    pub coin: Option<bool>,
}

impl Plan {
    /// Only options.
    pub fn of(options: &Options) -> Plan {
        Plan { options: options.clone(), ..Plan::default() }
    }

    /// The stages in order, the terminal one included where it is listed or has a controller.
    pub fn order(&self) -> Vec<StageName> {
        let mut order = match (&self.options.order, self.options.preset) {
            (Some(Order::Listed(order)), _) => order.clone(),
            (None, Some(PresetName::Textbook)) => TEXTBOOK.to_vec(),
            _ => DEFAULT.to_vec(),
        };
        if !order.last().is_some_and(|name| name.is_terminal()) {
            order.extend(self.controlled());
        }
        let (plain, dynamic) = (StageName::Temperature, StageName::DynamicTemperature);
        if self.dynamic_temperature().is_some() {
            if order.contains(&dynamic) {
                order.retain(|stage| *stage != plain);
            }
            order.iter_mut().filter(|stage| **stage == plain).for_each(|stage| *stage = dynamic);
        }
        order
    }

    /// The lowest and the highest temperature, and the exponent, where the entropy chooses.
    pub fn dynamic_temperature(&self) -> Option<(f64, f64, f64)> {
        let range = self.options.dynamic_temperature_range.filter(|range| *range > 0.0)?;
        let middle = self.options.temperature.unwrap_or(1.0);
        let exponent = self.options.dynamic_temperature_exponent.unwrap_or(1.0);
        Some(((middle - range).max(0.0), (middle + range).min(f64::MAX), exponent))
    }

    /// The tokens that the penalties see, each with whether it was output.
    pub fn window(&self) -> Vec<(u32, bool)> {
        let prompt = self.prompt.iter().map(|id| (*id, false));
        let text: Vec<_> = prompt.chain(self.output.iter().map(|id| (*id, true))).collect();
        let n = self.options.penalty_last_n.map_or(u32::MAX, |window| window.0) as usize;
        text[text.len().saturating_sub(n)..].to_vec()
    }

    /// The least number of tokens that a truncating stage keeps.
    pub fn min_keep(&self) -> usize {
        self.options.min_keep.unwrap_or(1) as usize
    }

    /// The same plan at a position: with the coin that falls there.
    pub fn at(&self, position: u64) -> Plan {
        Plan { coin: Some(self.coin_at(position)), ..self.clone() }
    }

    /// Whether XTC's coin has a word.
    pub fn reads_coin(&self) -> bool {
        self.options.xtc_probability.is_some_and(|p| p > 0.0 && p < 1.0)
    }

    /// Whether the coin falls: the one that is given, or that of position 0.
    pub fn coin_falls(&self) -> bool {
        self.coin.unwrap_or_else(|| self.coin_at(0))
    }

    fn coin_at(&self, position: u64) -> bool {
        let stream = u64::from(self.options.stream.unwrap_or(0)) + (1 << 48);
        let coin = word(self.options.seed.unwrap_or(42), stream, position);
        u128::from(coin) < share_of(self.options.xtc_probability.unwrap_or(0.0), 1 << 64)
    }

    /// Whether the token is decided without a word: temperature 0 or `greedy`.
    pub fn reads_no_word(&self) -> bool {
        let order = self.order();
        let tempered = [StageName::Temperature, StageName::DynamicTemperature];
        let cold =
            self.options.temperature == Some(0.0) && tempered.iter().any(|t| order.contains(t));
        cold || order.last() == Some(&StageName::Greedy)
    }
}
