//! Between JavaScript values and the crate's own: options and states as plain data, results as objects.

use js_sys::{Array, BigInt, Float32Array, Float64Array, Object, Reflect, Uint8Array, Uint32Array};
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::{JsCast, JsValue};

use super::error::Result;
use crate::distribution::Distribution;
use crate::error::Error;
use crate::explain::Explanation;
use crate::logprobs::{Logprobs, TokenLogprob};
use crate::options::Options;
use crate::report::{Report, StageReport};
use crate::sample::Sample;
use crate::value::Value;

/// Reads plain data. What is none (a function, a symbol) stays what it is: its option says what it accepts instead.
pub(super) fn value(from: JsValue, name: &str) -> Result<Value> {
    if let Some(number) = from.as_f64() {
        Ok(Value::Number(number))
    } else if let Some(text) = from.as_string() {
        Ok(Value::Text(text))
    } else if let Some(list) = from.dyn_ref::<Array>() {
        list.iter().map(|entry| value(entry, name)).collect::<Result<_>>().map(Value::List)
    } else if let Some(object) = from.dyn_ref::<Object>().filter(|_| !from.is_function()) {
        entries(object, name).map(Value::Map)
    } else {
        Ok(leaf(&from))
    }
}

fn entries(object: &Object, name: &str) -> Result<Vec<(String, Value)>> {
    let unreadable = |_| {
        let (option, accepted) = (name.into(), "an object that can be read".into());
        Error::WrongType { option, found: "one that throws", accepted }
    };
    let mut entries = Vec::new();
    for key in Object::keys(object) {
        let inner = Reflect::get(object, &key).map_err(unreadable)?;
        let key = key.as_string().unwrap_or_default();
        if !inner.is_undefined() {
            let value = value(inner, &key)?;
            entries.push((key, value));
        }
    }
    Ok(entries)
}

/// What is no number, text, list or object.
fn leaf(from: &JsValue) -> Value {
    if let Some(flag) = from.as_bool() {
        Value::Bool(flag)
    } else if from.is_null() {
        Value::Null
    } else if from.is_bigint() {
        let digits = from.unchecked_ref::<BigInt>().to_string(10);
        Value::BigInt(digits.map(String::from).unwrap_or_default())
    } else if from.is_undefined() {
        Value::Foreign("undefined")
    } else {
        Value::Foreign(if from.is_function() { "a function" } else { "a symbol" })
    }
}

/// Reads options.
pub(super) fn options(from: JsValue) -> Result<Options> {
    if from.is_undefined() {
        return Ok(Options::default());
    }
    Ok(Options::from_value(&value(from, "options")?)?)
}

/// Writes plain data: maps as objects, nothing as null.
pub(super) fn plain(value: &Value) -> JsValue {
    value.serialize(&Serializer::json_compatible()).unwrap_or(JsValue::NULL)
}

/// An object with these properties.
pub(super) fn object<const N: usize>(properties: [(&str, JsValue); N]) -> JsValue {
    let object = Object::new();
    for (name, value) in properties {
        // Setting a property of a fresh object cannot fail.
        let _ = Reflect::set(&object, &name.into(), &value);
    }
    object.into()
}

/// A count as a JavaScript number.
fn count(n: usize) -> JsValue {
    JsValue::from(n as f64)
}

/// A number, or null.
fn optional(number: Option<f64>) -> JsValue {
    number.map_or(JsValue::NULL, JsValue::from)
}

pub(super) fn distribution(distribution: &Distribution) -> JsValue {
    object([
        ("tokenIds", Uint32Array::from(distribution.token_ids.as_slice()).into()),
        ("logits", Float32Array::from(distribution.logits.as_slice()).into()),
        ("probs", Float64Array::from(distribution.probs.as_slice()).into()),
        ("cumulative", Float64Array::from(distribution.cumulative.as_slice()).into()),
        ("keptCount", count(distribution.kept_count)),
        ("keptMass", distribution.kept_mass.into()),
        ("entropy", distribution.entropy.into()),
        ("cutoff", count(distribution.kept_count)),
    ])
}

pub(super) fn report(report: &Report) -> JsValue {
    let stages: Array = report.stages.iter().map(stage_report).collect();
    let object = object([
        ("stages", stages.into()),
        ("keptCount", count(report.kept_count)),
        ("keptMass", report.kept_mass.into()),
        ("entropy", report.entropy.into()),
        ("unmatchedAccepts", JsValue::from(report.unmatched_accepts as f64)),
    ]);
    if let Some(tokens) = &report.tokens {
        // Setting a property of a fresh object cannot fail.
        let _ = Reflect::set(
            &object,
            &"removedBy".into(),
            &Uint8Array::from(tokens.removed_by.as_slice()).into(),
        );
        let _ = Reflect::set(
            &object,
            &"rank".into(),
            &Uint32Array::from(tokens.rank.as_slice()).into(),
        );
    }
    object
}

fn stage_report(stage: &StageReport) -> JsValue {
    object([
        ("name", stage.name.as_str().into()),
        ("active", stage.active.into()),
        ("keptBefore", count(stage.kept_before)),
        ("keptAfter", count(stage.kept_after)),
        ("massRemoved", stage.mass_removed.into()),
        ("entropyBefore", stage.entropy_before.into()),
        ("entropyAfter", stage.entropy_after.into()),
        ("threshold", optional(stage.threshold)),
    ])
}

pub(super) fn explanation(found: &Explanation) -> JsValue {
    object([
        ("token", found.token.into()),
        ("kept", found.kept.into()),
        ("stage", found.stage.map_or(JsValue::NULL, |stage| stage.as_str().into())),
        ("logit", f64::from(found.logit).into()),
        ("rank", optional(found.rank.map(f64::from))),
        ("weight", JsValue::from(found.weight as f64)),
        ("prob", found.prob.into()),
        ("massBefore", found.mass_before.into()),
        ("threshold", optional(found.threshold)),
        ("keptBefore", count(found.kept_before)),
        ("keptAfter", count(found.kept_after)),
    ])
}

pub(super) fn logprobs(logprobs: &Logprobs) -> JsValue {
    let list = |items: &[TokenLogprob]| -> JsValue {
        items.iter().map(token_logprob).collect::<Array>().into()
    };
    object([("raw", list(&logprobs.raw)), ("final", list(&logprobs.kept))])
}

fn token_logprob(item: &TokenLogprob) -> JsValue {
    object([
        ("token", item.token.into()),
        ("logprob", item.logprob.into()),
        ("rank", optional(item.rank.map(f64::from))),
    ])
}

pub(super) fn sample(sample: &Sample) -> JsValue {
    let logprob =
        object([("raw", sample.logprob_raw.into()), ("final", sample.logprob_final.into())]);
    object([
        ("token", sample.token.into()),
        ("position", JsValue::from(sample.position as f64)),
        ("keptCount", count(sample.kept_count)),
        ("keptMass", sample.kept_mass.into()),
        ("entropy", sample.entropy.into()),
        ("logprob", logprob),
        ("target", optional(sample.target)),
        ("trip", JsValue::NULL),
    ])
}

pub(super) fn row_errors(errors: &[(u32, Error)]) -> JsValue {
    let item = |(row, error): &(u32, Error)| {
        object([
            ("row", (*row).into()),
            ("code", error.code().into()),
            ("message", error.to_string().into()),
        ])
    };
    errors.iter().map(item).collect::<Array>().into()
}
