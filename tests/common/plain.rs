//! Plain data of the crate from JSON, and as JSON.
#![allow(dead_code, reason = "each test uses a part")]

use nucleus_sampler::value::Value as Plain;
use serde_json::Value;

/// Plain data from JSON.
pub fn from_json(json: &Value) -> Plain {
    match json {
        Value::Null => Plain::Null,
        Value::Bool(value) => Plain::Bool(*value),
        Value::Number(number) => match number.as_u64() {
            Some(integer) => Plain::Unsigned(integer),
            None => Plain::Number(number.as_f64().unwrap()),
        },
        Value::String(text) => Plain::Text(text.clone()),
        Value::Array(list) => Plain::List(list.iter().map(from_json).collect()),
        Value::Object(entries) => {
            Plain::Map(entries.iter().map(|(key, value)| (key.clone(), from_json(value))).collect())
        }
    }
}

/// Plain data as JSON.
pub fn to_json(plain: &Plain) -> Value {
    match plain {
        Plain::Null => Value::Null,
        Plain::Bool(value) => (*value).into(),
        Plain::Number(value) => {
            assert!(value.is_finite(), "JSON has no {value}");
            (*value).into()
        }
        Plain::Unsigned(value) => (*value).into(),
        Plain::Text(text) => text.as_str().into(),
        Plain::List(list) => list.iter().map(to_json).collect(),
        Plain::Map(entries) => {
            entries.iter().map(|(key, value)| (key.clone(), to_json(value))).collect()
        }
        Plain::BigInt(_) | Plain::Foreign(_) => panic!("JSON has no {plain:?}"),
    }
}
