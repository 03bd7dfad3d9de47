//! How options that are lists are read, checked and written.

use super::values::{out_of_range, read_u32, wrong_type};
use super::{Accepts, Parameter};
use crate::error::{Error, Result, quoted};
use crate::rank;
use crate::value::Value;

/// The elements of a list; an error for anything else.
pub(super) fn elements<'v>(
    option: &str,
    accepts: &Accepts,
    value: &'v Value,
) -> Result<&'v [Value]> {
    value.list().ok_or_else(|| wrong_type(option, accepts, value))
}

impl Parameter for Vec<Vec<u32>> {
    const HIDDEN_BY_DEFAULT: bool = true;

    fn read(option: &str, accepts: &Accepts, value: &Value) -> Result<Vec<Vec<u32>>> {
        let sequence = |value: &Value| Vec::<u32>::read(option, accepts, value);
        elements(option, accepts, value)?.iter().map(sequence).collect()
    }

    fn check(&self, option: &str, _accepts: &Accepts) -> Result<()> {
        match self.iter().position(Vec::is_empty) {
            Some(place) => Err(Error::Empty { what: [option, ".", &place.to_string()].concat() }),
            None => Ok(()),
        }
    }

    fn write(&self) -> Value {
        Value::List(self.iter().map(Parameter::write).collect())
    }
}

impl Parameter for Vec<u32> {
    const HIDDEN_BY_DEFAULT: bool = true;

    fn read(option: &str, accepts: &Accepts, value: &Value) -> Result<Vec<u32>> {
        elements(option, accepts, value)?.iter().map(|id| read_u32(option, accepts, id)).collect()
    }

    fn check(&self, option: &str, accepts: &Accepts) -> Result<()> {
        if self.is_empty() && matches!(accepts, Accepts::SomeTokens) {
            return Err(Error::Empty { what: option.into() });
        }
        Ok(())
    }

    fn write(&self) -> Value {
        Value::List(self.iter().map(|id| Value::Unsigned(u64::from(*id))).collect())
    }
}

impl Parameter for Vec<(u32, f64)> {
    const HIDDEN_BY_DEFAULT: bool = true;

    fn read(option: &str, accepts: &Accepts, value: &Value) -> Result<Vec<(u32, f64)>> {
        let number = |bias: &Value| f64::read(option, accepts, bias);
        match value {
            Value::Map(entries) => entries
                .iter()
                .map(|(key, bias)| Ok((read_token_key(option, accepts, key)?, number(bias)?)))
                .collect(),
            Value::List(pairs) => pairs
                .iter()
                .map(|entry| match entry.list() {
                    Some([id, bias]) => Ok((read_u32(option, accepts, id)?, number(bias)?)),
                    _ => Err(wrong_type(option, accepts, entry)),
                })
                .collect(),
            _ => Err(wrong_type(option, accepts, value)),
        }
    }

    fn check(&self, option: &str, accepts: &Accepts) -> Result<()> {
        if let Some((id, bias)) =
            self.iter().find(|(_, bias)| !(bias.is_finite() || *bias == f64::NEG_INFINITY))
        {
            let found = [&*Value::Number(*bias).shown(), " for token ", &id.to_string()].concat();
            return Err(out_of_range(option, accepts, found));
        }
        let mut ids: Vec<u64> = self.iter().map(|(id, _)| u64::from(*id)).collect();
        rank::sort(&mut ids);
        let twice = ids.iter().zip(ids.iter().skip(1)).find(|(a, b)| a == b);
        let found = twice.map(|(id, _)| ["token ", &id.to_string(), " twice"].concat());
        found.map_or(Ok(()), |found| Err(out_of_range(option, accepts, found)))
    }

    fn write(&self) -> Value {
        let pair = |(id, bias): &(u32, f64)| {
            Value::List(vec![Value::Unsigned(u64::from(*id)), Value::Number(*bias)])
        };
        Value::List(self.iter().map(pair).collect())
    }
}

/// The token id that is the key of a map: its digits.
fn read_token_key(option: &str, accepts: &Accepts, key: &str) -> Result<u32> {
    let id = key.parse().ok().filter(|_| key.bytes().all(|b| b.is_ascii_digit()));
    id.ok_or_else(|| {
        // No id is nearly as long.
        let key: String = key.chars().take(40).collect();
        out_of_range(option, accepts, ["the key ", &quoted(&key)].concat())
    })
}
