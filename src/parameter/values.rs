//! How each type of option is read, checked and written.

use super::lists::elements;
use super::{Accepts, Order, Parameter, Window};
use crate::error::{Error, Result, quoted};
use crate::names::nearest::nearest;
use crate::names::{DEFAULT_ORDER, GuardPolicy, PresetName, StageName};
use crate::value::{MAX_SAFE_INTEGER, Value};

#[cold]
pub(super) fn wrong_type(option: &str, accepts: &Accepts, value: &Value) -> Error {
    Error::WrongType { option: option.into(), found: value.kind(), accepted: accepts.text() }
}

#[cold]
pub(super) fn out_of_range(option: &str, accepts: &Accepts, found: String) -> Error {
    Error::OutOfRange { option: option.into(), found, accepted: accepts.text() }
}

impl Parameter for f64 {
    fn read(option: &str, accepts: &Accepts, value: &Value) -> Result<f64> {
        value.number().ok_or_else(|| wrong_type(option, accepts, value))
    }

    fn check(&self, option: &str, accepts: &Accepts) -> Result<()> {
        let Accepts::Real { low, high, open } = *accepts else { return Ok(()) };
        // Written so that NaN fails.
        if *self >= low && *self <= high && !(open && *self == low) {
            return Ok(());
        }
        Err(out_of_range(option, accepts, Value::Number(*self).shown()))
    }

    fn write(&self) -> Value {
        Value::Number(*self)
    }
}

/// Reads an integer below 2^32; anything else is an error that names the value.
pub(super) fn read_u32(option: &str, accepts: &Accepts, value: &Value) -> Result<u32> {
    if value.number().is_none() {
        return Err(wrong_type(option, accepts, value));
    }
    let integer = value.unsigned().and_then(|integer| u32::try_from(integer).ok());
    integer.ok_or_else(|| out_of_range(option, accepts, value.shown()))
}

fn check_integer(integer: u64, option: &str, accepts: &Accepts) -> Result<()> {
    match *accepts {
        Accepts::Integer { low, high } if integer < low || integer > high => {
            Err(out_of_range(option, accepts, integer.to_string()))
        }
        _ => Ok(()),
    }
}

impl Parameter for u32 {
    fn read(option: &str, accepts: &Accepts, value: &Value) -> Result<u32> {
        read_u32(option, accepts, value)
    }

    fn check(&self, option: &str, accepts: &Accepts) -> Result<()> {
        check_integer(u64::from(*self), option, accepts)
    }

    fn write(&self) -> Value {
        Value::Unsigned(u64::from(*self))
    }
}

impl Parameter for Window {
    const HIDDEN_BY_DEFAULT: bool = true;

    fn read(option: &str, accepts: &Accepts, value: &Value) -> Result<Window> {
        read_u32(option, accepts, value).map(Window)
    }

    fn check(&self, option: &str, accepts: &Accepts) -> Result<()> {
        check_integer(u64::from(self.0), option, accepts)
    }

    fn write(&self) -> Value {
        Value::Unsigned(u64::from(self.0))
    }
}

impl Parameter for u64 {
    fn read(option: &str, accepts: &Accepts, value: &Value) -> Result<u64> {
        let seed = match value {
            Value::Text(text)
                if (1..=20).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit()) =>
            {
                text.parse().ok()
            }
            Value::BigInt(digits) => digits.parse().ok(),
            Value::Number(_) | Value::Unsigned(_) | Value::Text(_) => value.unsigned(),
            _ => return Err(wrong_type(option, accepts, value)),
        };
        seed.ok_or_else(|| out_of_range(option, accepts, value.shown()))
    }

    fn check(&self, _option: &str, _accepts: &Accepts) -> Result<()> {
        Ok(())
    }

    fn write(&self) -> Value {
        if *self <= MAX_SAFE_INTEGER {
            Value::Unsigned(*self)
        } else {
            Value::Text(self.to_string())
        }
    }
}

/// A name that is none, with the one that was probably meant.
#[cold]
fn misspelt(value: &Value, known: &mut dyn Iterator<Item = &str>) -> String {
    let near = value.text().and_then(|text| nearest(text, known));
    let meant = near.map(|near| [" (did you mean ", &quoted(near), "?)"].concat());
    value.shown() + &meant.unwrap_or_default()
}

impl Parameter for bool {
    fn read(option: &str, accepts: &Accepts, value: &Value) -> Result<bool> {
        match value {
            Value::Bool(flag) => Ok(*flag),
            _ => Err(wrong_type(option, accepts, value)),
        }
    }

    fn check(&self, _option: &str, _accepts: &Accepts) -> Result<()> {
        Ok(())
    }

    fn write(&self) -> Value {
        Value::Bool(*self)
    }
}

impl Parameter for Order {
    const HIDDEN_BY_DEFAULT: bool = true;

    fn read(option: &str, accepts: &Accepts, value: &Value) -> Result<Order> {
        let name = |value: &Value| match value.text() {
            Some(text) => {
                StageName::parse(text).filter(|name| *name != StageName::Mask).ok_or_else(|| {
                    out_of_range(option, accepts, misspelt(value, &mut StageName::listable()))
                })
            }
            None => Err(wrong_type(option, accepts, value)),
        };
        elements(option, accepts, value)?.iter().map(name).collect::<Result<_>>().map(Order::Listed)
    }

    fn check(&self, option: &str, accepts: &Accepts) -> Result<()> {
        let Order::Listed(names) = self else { return Ok(()) };
        let listable = |name: &&StageName| !matches!(name, StageName::Mask | StageName::Own(_));
        match names.iter().find(|name| !listable(name)) {
            Some(name) => Err(out_of_range(option, accepts, name.as_str().into())),
            None => Ok(()),
        }
    }

    fn write(&self) -> Value {
        let names = match self {
            Order::Default => DEFAULT_ORDER,
            Order::Listed(names) => names,
        };
        Value::List(names.iter().map(|name| Value::Text(name.as_str().into())).collect())
    }
}

/// Reads one of a few names.
fn read_name<T>(
    option: &str,
    accepts: &Accepts,
    value: &Value,
    parse: fn(&str) -> Option<T>,
    names: &mut dyn Iterator<Item = &str>,
) -> Result<T> {
    let text = value.text().ok_or_else(|| wrong_type(option, accepts, value))?;
    parse(text).ok_or_else(|| out_of_range(option, accepts, misspelt(value, names)))
}

impl Parameter for PresetName {
    fn read(option: &str, accepts: &Accepts, value: &Value) -> Result<PresetName> {
        let names = &mut PresetName::ALL.iter().map(|name| name.as_str());
        read_name(option, accepts, value, PresetName::parse, names)
    }

    fn check(&self, _option: &str, _accepts: &Accepts) -> Result<()> {
        Ok(())
    }

    fn write(&self) -> Value {
        Value::Text(self.as_str().into())
    }
}

impl Parameter for GuardPolicy {
    fn read(option: &str, accepts: &Accepts, value: &Value) -> Result<GuardPolicy> {
        let names = &mut GuardPolicy::ALL.iter().map(|name| name.as_str());
        read_name(option, accepts, value, GuardPolicy::parse, names)
    }

    fn check(&self, _option: &str, _accepts: &Accepts) -> Result<()> {
        Ok(())
    }

    fn write(&self) -> Value {
        Value::Text(self.as_str().into())
    }
}
