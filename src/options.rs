//! Every parameter: its name, type, unit, range, default and off value, each declared once, here.
//!
//! [`Options`] holds what was *given*: every field may be absent. [`Settings`] holds what is *in force*: defaults, a
//! preset's own defaults over them, then what was given, later layers winning. Field names are snake_case in Rust; the
//! key of each option (camelCase, nested groups with a dot) is how JavaScript and states write it.

#[macro_use]
mod declaration;
mod plain;

use crate::error::Result;
pub use crate::names::DEFAULT_ORDER;
use crate::names::{GuardPolicy, PresetName};
use crate::parameter::{Accepts, Parameter};
pub use crate::parameter::{Order, Window};
use crate::value::Value;

options! {
    /// T: logits are divided by it. At least 0; 1 is off; 0 is greedy.
    temperature: f64 = 1.0, "temperature", Accepts::at_least(0.0);
    /// The temperature's distance to either side of `temperature`, between which the entropy chooses. At least 0; 0 is off.
    dynamic_temperature_range: f64 = 0.0, "dynamicTemperature.range", Accepts::at_least(0.0);
    /// The power of the relative entropy. At least 0; 1 by default.
    dynamic_temperature_exponent: f64 = 1.0, "dynamicTemperature.exponent", Accepts::at_least(0.0);
    /// How much the logits are bent. At least 0; 0 is off.
    smoothing_factor: f64 = 0.0, "smoothing.factor", Accepts::at_least(0.0);
    /// How much of the curve is cubic: 1 (the default) is the parabola alone, 3 the cubic alone. At least 1.
    smoothing_curve: f64 = 1.0, "smoothing.curve", Accepts::at_least(1.0);
    /// The longest prefix stays whose entropy is at most this share of the whole entropy. In [0, 1]; 1 is off.
    top_h: f64 = 1.0, "topH", Accepts::UNIT;
    /// k: the best k tokens stay. 0 is off.
    top_k: u32 = 0, "topK", Accepts::integer(0, u32::MAX as u64);
    /// p: the shortest prefix whose mass reaches p stays. In [0, 1]; 1 is off; 0 keeps `min_keep` tokens.
    top_p: f64 = 1.0, "topP", Accepts::UNIT;
    /// m: tokens with at least m times the best probability stay. In [0, 1]; 0 is off.
    min_p: f64 = 0.0, "minP", Accepts::UNIT;
    /// The most typical tokens stay until they hold this mass. In [0, 1]; 1 is off; 0 keeps `min_keep` tokens.
    typical_p: f64 = 1.0, "typicalP", Accepts::UNIT;
    /// Tokens within this many standard deviations of the best logit stay. At least 0; 0 is off.
    top_n_sigma: f64 = 0.0, "topNSigma", Accepts::at_least(0.0);
    /// Tokens with at least this times the square of the best probability stay. In [0, 1]; 0 is off.
    top_a: f64 = 0.0, "topA", Accepts::UNIT;
    /// The share of the curve's bends that stays. In [0, 1]; 1 is off.
    tail_free: f64 = 1.0, "tailFree", Accepts::UNIT;
    /// Whether tokens less probable than two equal draws go. False is off.
    p_less: bool = false, "pLess", Accepts::Flag;
    /// Tokens of at least this probability stay. In [0, 1]; 0 is off.
    epsilon_cutoff: f64 = 0.0, "epsilonCutoff", Accepts::UNIT;
    /// Tokens of at least min(eta, sqrt(eta) e^-entropy) stay. In [0, 1]; 0 is off.
    eta_cutoff: f64 = 0.0, "etaCutoff", Accepts::UNIT;
    /// How often the best tokens are removed. In [0, 1]; 0 is off.
    xtc_probability: f64 = 0.0, "xtc.probability", Accepts::UNIT;
    /// Tokens of at least this probability are the best ones, of which the last stays. In (0, 0.5]; 0.1 by default.
    xtc_threshold: f64 = 0.1, "xtc.threshold", Accepts::Real { low: 0.0, high: 0.5, open: true };
    /// Tokens that XTC never removes. Empty by default.
    xtc_protected_tokens: Vec<u32> = Vec::new(), "xtc.protectedTokens", Accepts::Tokens;
    /// Positive logits of tokens in the history are divided by it, negative ones multiplied. Above 0; 1 is off.
    repetition_penalty: f64 = 1.0, "repetitionPenalty", Accepts::above(0.0);
    /// Subtracted from a logit for each time that its token was output. Finite; 0 is off.
    frequency_penalty: f64 = 0.0, "frequencyPenalty", Accepts::FINITE;
    /// Subtracted once from the logit of a token that was output. Finite; 0 is off.
    presence_penalty: f64 = 0.0, "presencePenalty", Accepts::FINITE;
    /// The penalties see the last n tokens of prompt and output. 0 turns them off; the default, `u32::MAX`, is all.
    penalty_last_n: Window = Window::ALL, "penaltyLastN", Accepts::integer(0, u32::MAX as u64);
    /// n: a sequence of n tokens never comes twice. 0 is off.
    no_repeat_ngram_size: u32 = 0, "noRepeatNgramSize", Accepts::integer(0, u32::MAX as u64);
    /// The penalty of the shortest repetition. At least 0; 0 is off.
    dry_multiplier: f64 = 0.0, "dry.multiplier", Accepts::at_least(0.0);
    /// By what the penalty grows with every further repeated token. At least 1; 1.75 by default.
    dry_base: f64 = 1.75, "dry.base", Accepts::at_least(1.0);
    /// The longest repetition that goes unpunished is one token shorter. 2 by default.
    dry_allowed_length: u32 = 2, "dry.allowedLength", Accepts::integer(0, u32::MAX as u64);
    /// Repetitions are looked for in the last n tokens of prompt and output. 0 is off; the default, `u32::MAX`, is all.
    dry_last_n: Window = Window::ALL, "dry.lastN", Accepts::integer(0, u32::MAX as u64);
    /// Sequences that no repetition goes across. Empty by default.
    dry_breakers: Vec<Vec<u32>> = Vec::new(), "dry.breakers", Accepts::Sequences;
    /// Added to the logits of tokens, by id; -infinity bans. Empty is off.
    logit_bias: Vec<(u32, f64)> = Vec::new(), "logitBias", Accepts::Bias;
    /// Only these tokens may be drawn. At least one when given; empty in the settings is off.
    allowed_tokens: Vec<u32> = Vec::new(), "allowedTokens", Accepts::SomeTokens;
    /// Sequences that never appear: the last token of one is banned where the text ends in the others. Empty is off.
    bad_words: Vec<Vec<u32>> = Vec::new(), "badWords", Accepts::Sequences;
    /// The end of the text is banned until so many tokens were output. 0 is off.
    min_new_tokens: u32 = 0, "minNewTokens", Accepts::integer(0, u32::MAX as u64);
    /// The tokens that end a text; `min_new_tokens` needs at least one.
    eos_token_ids: Vec<u32> = Vec::new(), "eosTokenIds", Accepts::Tokens;
    /// How far the logits are moved away from those of the second row. Finite; 1 is off.
    guidance_scale: f64 = 1.0, "guidance.scale", Accepts::FINITE;
    /// Which mirostat: 1 or 2; 0 is off.
    mirostat_version: u32 = 0, "mirostat.version", Accepts::integer(0, 2);
    /// The surprise in bits that is aimed at. At least 0; 5 by default.
    mirostat_tau: f64 = 5.0, "mirostat.tau", Accepts::at_least(0.0);
    /// How fast the cut follows, in [0, 1]; 0.1 by default.
    mirostat_eta: f64 = 0.1, "mirostat.eta", Accepts::UNIT;
    /// The probability that drawn tokens are to have on average. In [0, 1]; 0 is off.
    adaptive_p_target: f64 = 0.0, "adaptiveP.target", Accepts::UNIT;
    /// How long drawn tokens are remembered: the weight of one is this much less with every later one. In [0, 0.99].
    adaptive_p_decay: f64 = 0.9, "adaptiveP.decay", Accepts::Real { low: 0.0, high: 0.99, open: false };
    /// Every truncating stage keeps at least this many tokens. At least 1.
    min_keep: u32 = 1, "minKeep", Accepts::integer(1, u32::MAX as u64);
    /// What happens where truncating stages leave next to nothing. Off by default.
    guard_policy: GuardPolicy = GuardPolicy::Off, "guard.policy", Accepts::Guard;
    /// The share of the mass that truncating stages, `top_k` and `top_p` aside, may remove. In [0, 1]; 0.999 by default.
    guard_max_masked_mass: f64 = 0.999, "guard.maxMaskedMass", Accepts::UNIT;
    /// How often `relax` halves the distance of thresholds to their off values. 1 to 32; 3 by default.
    guard_max_steps: u32 = 3, "guard.maxSteps", Accepts::integer(1, 32);
    /// Trips within `positions` that open the breaker. 1 to 1024; 3 by default.
    guard_breaker_trips: u32 = 3, "guard.breaker.trips", Accepts::integer(1, 1024);
    /// The positions over which trips are counted, and for which the breaker stays open. At least 1; 32 by default.
    guard_breaker_positions: u32 = 32, "guard.breaker.positions", Accepts::integer(1, u32::MAX as u64);
    /// The stages to run.
    order: Order = Order::Default, "order", Accepts::Order;
    /// The engine whose order, defaults and dialect are the base.
    preset: PresetName = PresetName::Nucleus, "preset", Accepts::Preset;
    /// The seed of the draws, any u64. Not given: fresh from the platform, and read back from the settings.
    seed: u64 = 0, "seed", Accepts::Seed;
    /// The row's stream, below 2^32. Not given: 0 for a row with a seed of its own, else the row's id. Given to the
    /// sampler, it is what those defaults are counted from.
    stream: u32 = 0, "stream", Accepts::integer(0, u32::MAX as u64);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::StageName;

    fn map(entries: &[(&str, Value)]) -> Value {
        Value::Map(entries.iter().map(|(key, value)| ((*key).into(), value.clone())).collect())
    }

    #[test]
    fn unknown_options_name_the_nearest() {
        for (given, nearest) in [("top_p", "topP"), ("Temprature", "temperature"), ("topk", "topK")]
        {
            let error = Options::from_value(&map(&[(given, Value::Number(0.5))])).unwrap_err();
            assert_eq!((error.option(), error.accepted()), (Some(given), Some(nearest.into())));
        }
    }

    #[test]
    fn given_options_survive_plain_data() {
        let options = Options {
            temperature: Some(0.7),
            top_k: Some(40),
            logit_bias: Some(vec![(3, f64::NEG_INFINITY), (1, 0.5)]),
            order: Some(Order::Listed(vec![StageName::TopK, StageName::Temperature])),
            seed: Some(u64::MAX),
            penalty_last_n: Some(Window(64)),
            ..Options::default()
        };
        assert_eq!(Options::from_value(&options.to_value()).unwrap(), options);
    }

    #[test]
    fn settings_hide_what_is_absent_by_default() {
        let Value::Map(entries) = Settings::default().to_value() else { panic!("not a map") };
        let names: Vec<&str> = entries.iter().map(|(name, _)| name.as_str()).collect();
        assert!(names.contains(&"topP") && names.contains(&"seed"));
        assert!(!names.contains(&"allowedTokens") && !names.contains(&"penaltyLastN"));
    }

    #[test]
    fn a_later_layer_wins_and_absent_values_change_nothing() {
        let mut options = Options { top_p: Some(0.5), top_k: Some(3), ..Options::default() };
        options.merge(&Options { top_p: Some(0.9), ..Options::default() });
        assert_eq!((options.top_p, options.top_k), (Some(0.9), Some(3)));
    }
}
