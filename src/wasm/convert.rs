//! Between JavaScript values and the crate's own: options and states as plain data, results as objects.

use js_sys::{Array, BigInt, Float32Array, Float64Array, Object, Reflect, Uint8Array, Uint32Array};
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
    match value {
        Value::Null | Value::Foreign(_) => JsValue::NULL,
        Value::Bool(flag) => (*flag).into(),
        Value::Number(number) => (*number).into(),
        Value::Unsigned(number) => (*number as f64).into(),
        Value::Text(text) | Value::BigInt(text) => text.as_str().into(),
        Value::List(list) => list.iter().map(plain).collect::<Array>().into(),
        Value::Map(entries) => {
            let object = Fields::default();
            entries
                .iter()
                .fold(object, |object, (key, value)| object.with(key, plain(value)))
                .into()
        }
    }
}

/// An object that gets its properties one by one.
#[derive(Default)]
pub(super) struct Fields(Object);

impl Fields {
    /// An object that is there already.
    pub(super) fn of(object: Object) -> Fields {
        Fields(object)
    }

    /// The object with one more property.
    #[inline(never)]
    pub(super) fn with(self, name: &str, value: JsValue) -> Fields {
        // Setting a property of a fresh object cannot fail.
        let _ = Reflect::set(&self.0, &name.into(), &value);
        self
    }

    /// The object with one more property, where there is a value for it.
    pub(super) fn with_some(self, name: &str, value: Option<JsValue>) -> Fields {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }
}

impl From<Fields> for JsValue {
    fn from(fields: Fields) -> JsValue {
        fields.0.into()
    }
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
    Fields::default()
        .with("tokenIds", Uint32Array::from(distribution.token_ids.as_slice()).into())
        .with("logits", Float32Array::from(distribution.logits.as_slice()).into())
        .with("probs", Float64Array::from(distribution.probs.as_slice()).into())
        .with("cumulative", Float64Array::from(distribution.cumulative.as_slice()).into())
        .with("keptCount", count(distribution.kept_count))
        .with("keptMass", distribution.kept_mass.into())
        .with("entropy", distribution.entropy.into())
        .with("cutoff", count(distribution.kept_count))
        .into()
}

pub(super) fn report(report: &Report) -> JsValue {
    let stages: Array = report.stages.iter().map(stage_report).collect();
    let mut object = Fields::default()
        .with("stages", stages.into())
        .with("keptCount", count(report.kept_count))
        .with("keptMass", report.kept_mass.into())
        .with("entropy", report.entropy.into());
    if let Some(tokens) = &report.tokens {
        object = object
            .with("removedBy", Uint8Array::from(tokens.removed_by.as_slice()).into())
            .with("rank", Uint32Array::from(tokens.rank.as_slice()).into());
    }
    object.into()
}

fn stage_report(stage: &StageReport) -> JsValue {
    Fields::default()
        .with("name", stage.name.as_str().into())
        .with("active", stage.active.into())
        .with("keptBefore", count(stage.kept_before))
        .with("keptAfter", count(stage.kept_after))
        .with("massRemoved", stage.mass_removed.into())
        .with("entropyBefore", stage.entropy_before.into())
        .with("entropyAfter", stage.entropy_after.into())
        .with("threshold", optional(stage.threshold))
        .into()
}

pub(super) fn explanation(found: &Explanation) -> JsValue {
    Fields::default()
        .with("token", found.token.into())
        .with("kept", found.kept.into())
        .with("stage", found.stage.map_or(JsValue::NULL, |stage| stage.as_str().into()))
        .with("logit", f64::from(found.logit).into())
        .with("rank", optional(found.rank.map(f64::from)))
        .with("weight", JsValue::from(found.weight as f64))
        .with("prob", found.prob.into())
        .with("massBefore", found.mass_before.into())
        .with("threshold", optional(found.threshold))
        .with("keptBefore", count(found.kept_before))
        .with("keptAfter", count(found.kept_after))
        .into()
}

pub(super) fn logprobs(logprobs: &Logprobs) -> JsValue {
    let list = |items: &[TokenLogprob]| -> JsValue {
        items.iter().map(token_logprob).collect::<Array>().into()
    };
    Fields::default().with("raw", list(&logprobs.raw)).with("final", list(&logprobs.kept)).into()
}

fn token_logprob(item: &TokenLogprob) -> JsValue {
    Fields::default()
        .with("token", item.token.into())
        .with("logprob", item.logprob.into())
        .with("rank", optional(item.rank.map(f64::from)))
        .into()
}

pub(super) fn sample(sample: &Sample) -> JsValue {
    let logprob = Fields::default()
        .with("raw", sample.logprob_raw.into())
        .with("final", sample.logprob_final.into())
        .into();
    Fields::default()
        .with("token", sample.token.into())
        .with("position", JsValue::from(sample.position as f64))
        .with("keptCount", count(sample.kept_count))
        .with("keptMass", sample.kept_mass.into())
        .with("entropy", sample.entropy.into())
        .with("logprob", logprob)
        .with("target", optional(sample.target))
        .with("trip", JsValue::NULL)
        .into()
}

pub(super) fn row_errors(errors: &[(u32, Error)]) -> JsValue {
    let item = |(row, error): &(u32, Error)| {
        Fields::default()
            .with("row", (*row).into())
            .with("code", error.code().into())
            .with("message", error.message().into())
            .0
    };
    errors.iter().map(item).collect::<Array>().into()
}
