//! A row's controllers and its pending draw as fields of its state.

use super::field::Field;
use crate::controllers::{Controllers, Law, Pending};
use crate::error::Result;
use crate::value::{MAX_SAFE_INTEGER, Value};

/// The field `controllers`.
pub(super) fn written(controllers: &Controllers) -> Value {
    let Controllers { unmatched, mirostat_mu, adaptive_p, .. } = controllers;
    let mirostat = mirostat_mu.map(|mu| Value::map([("mu", Value::Number(mu))]));
    let adaptive_p = adaptive_p.map(|(sum, weight)| {
        Value::map([("sum", Value::Number(sum)), ("weight", Value::Number(weight))])
    });
    Value::map([
        ("mirostat", mirostat.unwrap_or(Value::Null)),
        ("adaptiveP", adaptive_p.unwrap_or(Value::Null)),
        ("unmatchedAccepts", Value::Unsigned(*unmatched)),
    ])
}

/// The field `pending`.
pub(super) fn pending_written(controllers: &Controllers) -> Value {
    match controllers.pending {
        None => Value::Null,
        Some(Pending { token, surprise }) => Value::map([
            ("token", Value::Unsigned(u64::from(token))),
            ("surprise", Value::Number(surprise)),
        ]),
    }
}

/// Both fields of a row whose controller moves by `law`, if one is at work.
pub(super) fn read(row: &Field, law: Option<Law>) -> Result<Controllers> {
    let all = row.get("controllers")?;
    all.has_only(&["mirostat", "adaptiveP", "unmatchedAccepts"])?;
    Ok(Controllers {
        mirostat_mu: all.get("mirostat")?.some().map(|field| mu(&field)).transpose()?,
        adaptive_p: all.get("adaptiveP")?.some().map(|field| sum_and_weight(&field)).transpose()?,
        unmatched: all.get("unmatchedAccepts")?.integer(MAX_SAFE_INTEGER)?,
        pending: row.get("pending")?.some().map(|field| pending(&field, law)).transpose()?,
    })
}

fn mu(mirostat: &Field) -> Result<f64> {
    mirostat.has_only(&["mu"])?;
    mirostat.get("mu")?.number("a finite number", f64::is_finite)
}

fn sum_and_weight(adaptive_p: &Field) -> Result<(f64, f64)> {
    adaptive_p.has_only(&["sum", "weight"])?;
    let (sum, weight) = (adaptive_p.get("sum")?, adaptive_p.get("weight")?);
    // Each accepted draw weighs 1, and less with every later one.
    let weight = weight.number("a finite number at least 1", |n| n >= 1.0 && n.is_finite())?;
    let sum = sum.number("a number from 0 to the weight", |n| (0.0..=weight).contains(&n))?;
    Ok((sum, weight))
}

fn pending(field: &Field, law: Option<Law>) -> Result<Pending> {
    let Some(law) = law else {
        return Err(field.invalid("null, for neither mirostat nor adaptive_p draws"));
    };
    field.has_only(&["token", "surprise"])?;
    let token = field.get("token")?.token()?;
    // Only adaptive-p draws tokens whose probability was 0.
    let (accepted, most) = match law {
        Law::Mirostat { .. } => ("a finite number at least 0", f64::MAX),
        Law::AdaptiveP { .. } => ("a number at least 0", f64::INFINITY),
    };
    let surprise = field.get("surprise")?.number(accepted, |n| (0.0..=most).contains(&n))?;
    Ok(Pending { token, surprise })
}
