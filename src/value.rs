//! Plain data: the tree that options and states are read from and written to.
//!
//! It is what JSON, a JavaScript object or a configuration file hold, without any of them: numbers, texts, lists and
//! maps with text keys in the order in which they were written.

#[cfg(feature = "serde")]
mod with_serde;

use crate::error::{number_text, quoted};

/// A tree of plain data, and what may stand in it where a program and not a file wrote it.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Nothing: JSON's null.
    Null,
    /// True or false.
    Bool(bool),
    /// A number that is no unsigned integer, or was not given as one.
    Number(f64),
    /// An integer in [0, 2^64).
    Unsigned(u64),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Value>),
    /// A map, in the order in which it was written.
    Map(Vec<(String, Value)>),
    /// JavaScript's integer of any size, in digits. Only seeds accept it; JSON has none.
    BigInt(String),
    /// What is no plain data, by its kind: a function, a symbol. Nothing accepts it; JSON has none.
    Foreign(&'static str),
}

/// Texts and digits longer than this are not shown in errors.
const MOST_SHOWN: usize = 40;

/// Integers up to here are exact in an f64: 2^53 - 1.
pub const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

impl Value {
    /// What it is, for an error message.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) | Value::Unsigned(_) => "a number",
            Value::Text(_) => "a string",
            Value::List(_) => "a list",
            Value::Map(_) => "an object",
            Value::BigInt(_) => "a bigint",
            Value::Foreign(kind) => kind,
        }
    }

    /// The number, when it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Value::Number(number) => Some(*number),
            Value::Unsigned(number) => Some(*number as f64),
            _ => None,
        }
    }

    /// The integer, when it is a number without a fraction in [0, 2^53), or was given as an integer in [0, 2^64).
    pub fn unsigned(&self) -> Option<u64> {
        match self {
            Value::Unsigned(number) => Some(*number),
            Value::Number(number)
                if number.trunc() == *number
                    && (0.0..=MAX_SAFE_INTEGER as f64).contains(number) =>
            {
                Some(*number as u64)
            }
            _ => None,
        }
    }

    /// The text, when it is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The list, when it is one.
    pub fn list(&self) -> Option<&[Value]> {
        match self {
            Value::List(list) => Some(list),
            _ => None,
        }
    }

    /// The value of `key`, when this is a map that has it.
    pub fn get(&self, key: &str) -> Option<&Value> {
        match self {
            Value::Map(entries) => {
                entries.iter().find(|(name, _)| name == key).map(|(_, value)| value)
            }
            _ => None,
        }
    }

    /// How it reads in an error message: numbers and short texts as they are, the rest by its kind.
    pub fn shown(&self) -> String {
        match self {
            Value::Number(number) => number_text(*number),
            Value::Unsigned(number) => number.to_string(),
            Value::Text(text) if text.len() <= MOST_SHOWN => quoted(text),
            Value::BigInt(digits) if digits.len() <= MOST_SHOWN => digits.clone(),
            Value::BigInt(digits) => {
                let n_digits = digits.strip_prefix('-').unwrap_or(digits).len();
                ["a bigint of ", &n_digits.to_string(), " digits"].concat()
            }
            Value::List(list) if list.is_empty() => "an empty list".into(),
            other => other.kind().into(),
        }
    }

    /// The same data with every number that JSON cannot hold written as a text.
    pub fn json_safe(self) -> Value {
        match self {
            Value::Number(number) if !number.is_finite() => Value::Text(number_text(number)),
            Value::List(list) => Value::List(list.into_iter().map(Value::json_safe).collect()),
            Value::Map(entries) => Value::Map(
                entries.into_iter().map(|(key, value)| (key, value.json_safe())).collect(),
            ),
            other => other,
        }
    }

    /// The data that [`json_safe`](Value::json_safe) was given: texts that stand for numbers are numbers again.
    pub fn json_restored(self) -> Value {
        match self {
            Value::Text(text) => match text.as_str() {
                "NaN" => Value::Number(f64::NAN),
                "Infinity" => Value::Number(f64::INFINITY),
                "-Infinity" => Value::Number(f64::NEG_INFINITY),
                _ => Value::Text(text),
            },
            Value::List(list) => Value::List(list.into_iter().map(Value::json_restored).collect()),
            Value::Map(entries) => Value::Map(
                entries.into_iter().map(|(key, value)| (key, value.json_restored())).collect(),
            ),
            other => other,
        }
    }

    /// A map with these entries.
    pub fn map<const N: usize>(entries: [(&str, Value); N]) -> Value {
        Value::Map(entries.into_iter().map(|(key, value)| (key.into(), value)).collect())
    }
}
