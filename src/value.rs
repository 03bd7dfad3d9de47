//! Plain data: the tree that options and states are read from and written to.
//!
//! It is what JSON, a JavaScript object or a configuration file hold, without any of them: numbers, texts, lists and
//! maps with text keys in the order in which they were written.

/// A tree of plain data.
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
}

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
            Value::Number(number) if !number.is_finite() => number_text(*number).into(),
            Value::Number(number) => number.to_string(),
            Value::Unsigned(number) => number.to_string(),
            Value::Text(text) if text.len() <= 40 => format!("{text:?}"),
            Value::List(list) if list.is_empty() => "an empty list".into(),
            other => other.kind().into(),
        }
    }

    /// The same data with every number that JSON cannot hold written as a text.
    pub fn json_safe(self) -> Value {
        match self {
            Value::Number(number) if !number.is_finite() => Value::Text(number_text(number).into()),
            Value::List(list) => Value::List(list.into_iter().map(Value::json_safe).collect()),
            Value::Map(entries) => Value::Map(
                entries.into_iter().map(|(key, value)| (key, value.json_safe())).collect(),
            ),
            other => other,
        }
    }

    /// A map with these entries.
    pub fn map<const N: usize>(entries: [(&str, Value); N]) -> Value {
        Value::Map(entries.into_iter().map(|(key, value)| (key.into(), value)).collect())
    }
}

/// The text by which a state writes a number that JSON cannot hold.
fn number_text(number: f64) -> &'static str {
    if number.is_nan() {
        "NaN"
    } else if number > 0.0 {
        "Infinity"
    } else {
        "-Infinity"
    }
}

#[cfg(feature = "serde")]
mod with_serde {
    use core::fmt;

    use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
    use serde::ser::{Serialize, SerializeMap, Serializer};

    use super::Value;

    impl Serialize for Value {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            match self {
                Value::Null => serializer.serialize_unit(),
                Value::Bool(value) => serializer.serialize_bool(*value),
                Value::Number(value) => serializer.serialize_f64(*value),
                Value::Unsigned(value) => serializer.serialize_u64(*value),
                Value::Text(value) => serializer.serialize_str(value),
                Value::List(list) => serializer.collect_seq(list),
                Value::Map(entries) => {
                    let mut map = serializer.serialize_map(Some(entries.len()))?;
                    for (key, value) in entries {
                        map.serialize_entry(key, value)?;
                    }
                    map.end()
                }
            }
        }
    }

    impl<'de> Deserialize<'de> for Value {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
            deserializer.deserialize_any(AnyValue)
        }
    }

    struct AnyValue;

    impl<'de> Visitor<'de> for AnyValue {
        type Value = Value;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("plain data")
        }

        fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
            Ok(Value::Bool(value))
        }

        fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
            Ok(u64::try_from(value).map_or(Value::Number(value as f64), Value::Unsigned))
        }

        fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
            Ok(Value::Unsigned(value))
        }

        fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
            Ok(Value::Number(value))
        }

        fn visit_str<E>(self, value: &str) -> Result<Value, E> {
            Ok(Value::Text(value.into()))
        }

        fn visit_string<E>(self, value: String) -> Result<Value, E> {
            Ok(Value::Text(value))
        }

        fn visit_unit<E>(self) -> Result<Value, E> {
            Ok(Value::Null)
        }

        fn visit_none<E>(self) -> Result<Value, E> {
            Ok(Value::Null)
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
            let mut values = Vec::new();
            while let Some(value) = list.next_element()? {
                values.push(value);
            }
            Ok(Value::List(values))
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
            let mut entries = Vec::new();
            while let Some(entry) = map.next_entry()? {
                entries.push(entry);
            }
            Ok(Value::Map(entries))
        }
    }
}
