//! A row's circuit breaker as a field of its state.

use super::field::Field;
use crate::error::Result;
use crate::guard::Breaker;
use crate::value::{MAX_SAFE_INTEGER, Value};

/// The field `breaker`.
pub(super) fn written(breaker: &Breaker) -> Value {
    let Breaker { recent, open_until, trips } = breaker;
    Value::map([
        ("trips", Value::Unsigned(*trips)),
        ("openUntil", Value::Unsigned((*open_until).min(MAX_SAFE_INTEGER))),
        ("recent", Value::List(recent.iter().map(|at| Value::Unsigned(*at)).collect())),
    ])
}

/// The field of a row that has come to `position`.
pub(super) fn read(row: &Field, position: u64) -> Result<Breaker> {
    let breaker = row.get("breaker")?;
    breaker.has_only(&["trips", "openUntil", "recent"])?;
    let mut recent = Vec::new();
    for entry in breaker.get("recent")?.entries("a list of positions")? {
        let at = entry.integer(MAX_SAFE_INTEGER)?;
        if at > position || recent.last().is_some_and(|before| *before > at) {
            return Err(
                entry.invalid("a position not below the one before it, nor above the row's")
            );
        }
        recent.push(at);
    }
    Ok(Breaker {
        recent,
        open_until: breaker.get("openUntil")?.integer(MAX_SAFE_INTEGER)?,
        trips: breaker.get("trips")?.integer(MAX_SAFE_INTEGER)?,
    })
}
