//! Every parameter: its name, type, unit, range, default and off value, each declared once, here.
//!
//! [`Options`] holds what was *given*: every field may be absent. [`Settings`] holds what is *in force*: defaults, a
//! preset's own defaults over them, then what was given, later layers winning. Field names are snake_case in Rust; the
//! key of each option (camelCase, nested groups with a dot) is how JavaScript and states write it.

use crate::error::{Error, Result};
pub use crate::names::DEFAULT_ORDER;
use crate::names::PresetName;
use crate::names::nearest::nearest;
use crate::parameter::{Accepts, Parameter};
pub use crate::parameter::{Order, Window};
use crate::value::Value;

macro_rules! options {
    ($($(#[$doc:meta])* $field:ident: $type:ty = $default:expr, $key:literal, $accepts:expr;)+) => {
        /// The options that were given; an absent one takes the preset's or the crate's default.
        ///
        /// Ranges are checked when the options are used, never while they are set.
        ///
        /// ```
        /// use nucleus_sampler::Options;
        /// let options = Options { temperature: Some(0.8), top_p: Some(0.95), seed: Some(42), ..Options::default() };
        /// # assert!(options.check().is_ok());
        /// ```
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct Options { $($(#[$doc])* pub $field: Option<$type>,)+ }

        /// The value of every option in force.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Settings { $($(#[$doc])* pub $field: $type,)+ }

        impl Default for Settings {
            fn default() -> Settings {
                Settings { $($field: $default,)+ }
            }
        }

        /// The key of every option with what it accepts.
        pub const PARAMETERS: &[(&str, Accepts)] = &[$(($key, $accepts)),+];

        impl Options {
            /// Checks every given value against its range; the first failure in declaration order is the error.
            pub fn check(&self) -> Result<()> {
                $(check_given($key, const { &$accepts }, &self.$field)?;)+
                Ok(())
            }

            /// Takes over every value that `over` gives.
            pub fn merge(&mut self, over: &Options) {
                $(put_over(&mut self.$field, &over.$field);)+
            }

            /// Reads one option by its key; the value's range is checked.
            fn set(&mut self, key: &str, value: &Value) -> Result<()> {
                match key {
                    $($key => read_into(&mut self.$field, $key, const { &$accepts }, value),)+
                    _ => Err(unknown(key)),
                }
            }

            /// The given options as plain data, with their keys.
            pub fn to_value(&self) -> Value {
                let mut entries = Vec::new();
                $(nest_given(&mut entries, $key, &self.$field);)+
                Value::Map(entries)
            }
        }

        impl Settings {
            /// Puts the given options over these settings.
            pub(crate) fn apply(&mut self, given: &Options) {
                $(if let Some(value) = &given.$field { self.$field = value.clone(); })+
            }

            /// The settings as plain data; options that are absent by default (lists, windows) appear when in force.
            pub fn to_value(&self) -> Value {
                let default = Settings::default();
                let mut entries = Vec::new();
                $(if !<$type as Parameter>::HIDDEN_BY_DEFAULT || self.$field != default.$field {
                    nest(&mut entries, $key, self.$field.write());
                })+
                Value::Map(entries)
            }
        }
    };
}

options! {
    /// T: logits are divided by it. At least 0; 1 is off; 0 is greedy.
    temperature: f64 = 1.0, "temperature", Accepts::at_least(0.0);
    /// k: the best k tokens stay. 0 is off.
    top_k: u32 = 0, "topK", Accepts::integer(0, u32::MAX as u64);
    /// p: the shortest prefix whose mass reaches p stays. In [0, 1]; 1 is off; 0 keeps `min_keep` tokens.
    top_p: f64 = 1.0, "topP", Accepts::UNIT;
    /// m: tokens with at least m times the best probability stay. In [0, 1]; 0 is off.
    min_p: f64 = 0.0, "minP", Accepts::UNIT;
    /// Positive logits of tokens in the history are divided by it, negative ones multiplied. Above 0; 1 is off.
    repetition_penalty: f64 = 1.0, "repetitionPenalty", Accepts::above(0.0);
    /// Subtracted from a logit for each time that its token was output. Finite; 0 is off.
    frequency_penalty: f64 = 0.0, "frequencyPenalty", Accepts::FINITE;
    /// Subtracted once from the logit of a token that was output. Finite; 0 is off.
    presence_penalty: f64 = 0.0, "presencePenalty", Accepts::FINITE;
    /// The penalties see the last n tokens of prompt and output. 0 turns them off; the default, `u32::MAX`, is all.
    penalty_last_n: Window = Window::ALL, "penaltyLastN", Accepts::integer(0, u32::MAX as u64);
    /// Added to the logits of tokens, by id; -infinity bans. Empty is off.
    logit_bias: Vec<(u32, f64)> = Vec::new(), "logitBias", Accepts::Bias;
    /// Only these tokens may be drawn. At least one when given; empty in the settings is off.
    allowed_tokens: Vec<u32> = Vec::new(), "allowedTokens", Accepts::SomeTokens;
    /// Every truncating stage keeps at least this many tokens. At least 1.
    min_keep: u32 = 1, "minKeep", Accepts::integer(1, u32::MAX as u64);
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

impl Options {
    /// Reads options from plain data: unknown names, wrong types and values out of range are errors.
    pub fn from_value(value: &Value) -> Result<Options> {
        let Value::Map(entries) = value else {
            return Err(Error::WrongType {
                option: "options".into(),
                found: value.kind(),
                accepted: "an object".into(),
            });
        };
        let mut options = Options::default();
        for (name, value) in entries {
            match value {
                Value::Map(inner) if is_group(name) => {
                    for (inner_name, value) in inner {
                        options.set(&[name, ".", inner_name].concat(), value)?;
                    }
                }
                _ if is_group(name) => {
                    return Err(Error::WrongType {
                        option: name.clone(),
                        found: value.kind(),
                        accepted: "an object".into(),
                    });
                }
                _ if name.contains('.') => return Err(unknown(name)),
                _ => options.set(name, value)?,
            }
        }
        Ok(options)
    }
}

// What is done for each option, once for each type of option: written into the macro, it would be compiled for every one.

#[inline(never)]
fn check_given<T: Parameter>(key: &str, accepts: &Accepts, given: &Option<T>) -> Result<()> {
    given.as_ref().map_or(Ok(()), |value| value.check(key, accepts))
}

#[inline(never)]
fn put_over<T: Clone>(value: &mut Option<T>, over: &Option<T>) {
    if over.is_some() {
        value.clone_from(over);
    }
}

#[inline(never)]
fn read_into<T: Parameter>(
    given: &mut Option<T>,
    key: &str,
    accepts: &Accepts,
    value: &Value,
) -> Result<()> {
    let read = T::read(key, accepts, value)?;
    read.check(key, accepts)?;
    *given = Some(read);
    Ok(())
}

#[inline(never)]
fn nest_given<T: Parameter>(entries: &mut Vec<(String, Value)>, key: &str, given: &Option<T>) {
    if let Some(value) = given {
        nest(entries, key, value.write());
    }
}

/// Whether options are nested under this name.
fn is_group(name: &str) -> bool {
    PARAMETERS.iter().any(|(key, _)| key.split_once('.').is_some_and(|(group, _)| group == name))
}

/// Adds an entry, inside its group when the key has a dot.
fn nest(entries: &mut Vec<(String, Value)>, key: &str, value: Value) {
    let Some((group, name)) = key.split_once('.') else {
        entries.push((key.into(), value));
        return;
    };
    match entries.iter_mut().find(|(existing, _)| existing == group) {
        Some((_, Value::Map(inner))) => inner.push((name.into(), value)),
        _ => entries.push((group.into(), Value::Map(vec![(name.into(), value)]))),
    }
}

/// The error for a name that no option has, with the nearest that one has, or else all of them.
fn unknown(key: &str) -> Error {
    // No name is nearly as long.
    let option: String = key.chars().take(60).collect();
    let keys = || PARAMETERS.iter().map(|(key, _)| *key);
    let nearest = nearest(&option, &mut keys()).map(Into::into);
    Error::UnknownOption { option, nearest, known: keys().collect::<Vec<_>>().join(", ") }
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
