//! Options as plain data: read by their keys, and written under them, nested where a key has a dot.

use super::{Options, PARAMETERS};
use crate::error::{Error, Result};
use crate::names::nearest::nearest;
use crate::parameter::{Accepts, Parameter};
use crate::value::Value;

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
        options.set_all("", entries)?;
        Ok(options)
    }

    /// Reads the options of a group, whose name and a dot are `prefix`.
    fn set_all(&mut self, prefix: &str, entries: &[(String, Value)]) -> Result<()> {
        for (name, value) in entries {
            let key = [prefix, name].concat();
            match value {
                _ if name.contains('.') => return Err(unknown(&key)),
                Value::Map(inner) if is_group(&key) => {
                    self.set_all(&[&key, "."].concat(), inner)?
                }
                _ if is_group(&key) => {
                    return Err(Error::WrongType {
                        option: key,
                        found: value.kind(),
                        accepted: "an object".into(),
                    });
                }
                _ => self.set(&key, value)?,
            }
        }
        Ok(())
    }
}

// What is done for each option, once for each type of option: written into the macro, it would be compiled for every one.

#[inline(never)]
pub(super) fn check_given<T: Parameter>(
    key: &str,
    accepts: &Accepts,
    given: &Option<T>,
) -> Result<()> {
    given.as_ref().map_or(Ok(()), |value| value.check(key, accepts))
}

#[inline(never)]
pub(super) fn put_over<T: Clone>(value: &mut Option<T>, over: &Option<T>) {
    if over.is_some() {
        value.clone_from(over);
    }
}

#[inline(never)]
pub(super) fn read_into<T: Parameter>(
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
pub(super) fn nest_given<T: Parameter>(
    entries: &mut Vec<(String, Value)>,
    key: &str,
    given: &Option<T>,
) {
    if let Some(value) = given {
        nest(entries, key, value.write());
    }
}

/// Whether options are nested under this name, itself with a dot where it is nested.
fn is_group(name: &str) -> bool {
    PARAMETERS
        .iter()
        .any(|(key, _)| key.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')))
}

/// Adds an entry, inside its groups when the key has dots.
pub(super) fn nest(entries: &mut Vec<(String, Value)>, key: &str, value: Value) {
    let Some((group, name)) = key.split_once('.') else {
        entries.push((key.into(), value));
        return;
    };
    if !entries.iter().any(|(existing, _)| existing == group) {
        entries.push((group.into(), Value::Map(Vec::new())));
    }
    if let Some((_, Value::Map(inner))) = entries.iter_mut().find(|(existing, _)| existing == group)
    {
        nest(inner, name, value);
    }
}

/// The error for a name that no option has, with the nearest that one has, or else all of them.
pub(super) fn unknown(key: &str) -> Error {
    // No name is nearly as long.
    let option: String = key.chars().take(60).collect();
    let keys = || PARAMETERS.iter().map(|(key, _)| *key);
    let nearest = nearest(&option, &mut keys()).map(Into::into);
    Error::UnknownOption { option, nearest, known: keys().collect::<Vec<_>>().join(", ") }
}
