//! The state of a sampler: everything needed to resume exactly, as plain data.
//!
//! It survives JSON unchanged: integers past 2^53 - 1 and numbers that are not finite are texts, biases are pairs.
//!
//! | field | meaning |
//! |---|---|
//! | `version` | 1 |
//! | `options` | what the sampler was given |
//! | `seed` | the seed in force where none was given |
//! | `nextRow` | the id of the next row to be added |
//! | `rows` | per row: `id`, `options` (its own), `prompt`, `output`, `stream`, `position` |

use crate::error::{Error, Result};
use crate::options::Options;
use crate::sampler::Sampler;
use crate::setup::stream;
use crate::value::{MAX_SAFE_INTEGER, Value};

/// The version that this build writes and reads.
pub const VERSION: u64 = 1;

impl Sampler {
    /// Everything needed to resume; an error when a position is past 2^53 - 1.
    pub fn state(&self) -> Result<Value> {
        let mut rows = Vec::with_capacity(self.rows.len());
        for (id, row) in &self.rows {
            if row.position > MAX_SAFE_INTEGER {
                return Err(Error::TooLarge {
                    what: "the position",
                    found: row.position,
                    limit: MAX_SAFE_INTEGER,
                });
            }
            rows.push(Value::map([
                ("id", Value::Unsigned(u64::from(*id))),
                ("options", row.given.to_value()),
                ("prompt", tokens(row.history.prompt())),
                ("output", tokens(row.history.output())),
                ("stream", Value::Unsigned(u64::from(row.stream))),
                ("position", Value::Unsigned(row.position)),
            ]));
        }
        Ok(Value::map([
            ("version", Value::Unsigned(VERSION)),
            ("options", self.given.to_value()),
            ("seed", seed_value(self.seed)),
            ("nextRow", Value::Unsigned(u64::from(self.next_row))),
            ("rows", Value::List(rows)),
        ])
        .json_safe())
    }

    /// The sampler of a state: what it draws next is what the one that wrote it would have drawn.
    ///
    /// Errors: a version that this build does not read; a field that is missing or not what `state` writes.
    pub fn from_state(state: &Value) -> Result<Sampler> {
        let version = integer(state, "version", "version", u64::MAX)?;
        if version != VERSION {
            return Err(Error::StateVersion { found: version, accepted: VERSION });
        }
        known_fields(state, "", &["version", "options", "seed", "nextRow", "rows"])?;
        let given = options(state, "options")?;
        let seed = seed(state)?;
        let mut sampler =
            Sampler::with_seed(given, seed).map_err(|error| within("options", error))?;
        let rows = field(state, "rows", "rows")?.list().ok_or_else(|| invalid("rows", "a list"))?;
        sampler.rows.clear();
        for (i, row) in rows.iter().enumerate() {
            sampler.restore_row(row, &format!("rows.{i}"))?;
        }
        if sampler.place(0).is_none() {
            return Err(invalid("rows", "a list that has row 0"));
        }
        let next_row = integer(state, "nextRow", "nextRow", u64::from(u32::MAX))? as u32;
        if sampler.rows.last().is_some_and(|(last, _)| *last >= next_row) {
            return Err(invalid("nextRow", "above every row's id"));
        }
        sampler.next_row = next_row;
        Ok(sampler)
    }

    fn restore_row(&mut self, row: &Value, path: &str) -> Result<()> {
        let at = |name: &str| format!("{path}.{name}");
        known_fields(row, path, &["id", "options", "prompt", "output", "stream", "position"])?;
        let id = integer(row, "id", &at("id"), u64::from(u32::MAX))? as u32;
        if self.rows.last().is_some_and(|(last, _)| *last >= id) {
            return Err(invalid(&at("id"), "above the ids of the rows before it"));
        }
        let given = options(row, "options").map_err(|error| within(path, error))?;
        if integer(row, "stream", &at("stream"), u64::from(u32::MAX))? as u32
            != stream(&self.given, &given, id)
        {
            return Err(invalid(&at("stream"), "the stream that the options give"));
        }
        self.next_row = id;
        self.add_row(given).map_err(|error| within(path, error))?;
        if let Some(restored) = self.find(id) {
            restored.history.extend_prompt(&token_list(row, "prompt", &at("prompt"))?)?;
            for token in token_list(row, "output", &at("output"))? {
                restored.history.push_output(token)?;
            }
            restored.position = integer(row, "position", &at("position"), MAX_SAFE_INTEGER)?;
        }
        Ok(())
    }
}

fn tokens(tokens: &[u32]) -> Value {
    Value::List(tokens.iter().map(|token| Value::Unsigned(u64::from(*token))).collect())
}

fn seed_value(seed: u64) -> Value {
    Options { seed: Some(seed), ..Options::default() }
        .to_value()
        .get("seed")
        .cloned()
        .unwrap_or(Value::Null)
}

fn seed(state: &Value) -> Result<u64> {
    let value = field(state, "seed", "seed")?.clone();
    let options = Options::from_value(&Value::map([("seed", value)]));
    options.ok().and_then(|options| options.seed).ok_or_else(|| invalid("seed", "a seed"))
}

fn invalid(field: &str, accepted: &str) -> Error {
    Error::StateInvalid { field: field.into(), accepted: accepted.into() }
}

/// An error of options inside a state.
fn within(path: &str, error: Error) -> Error {
    match error {
        Error::StateInvalid { .. } | Error::StateVersion { .. } => error,
        other => invalid(path, &format!("valid options ({other})")),
    }
}

fn field<'v>(value: &'v Value, name: &str, path: &str) -> Result<&'v Value> {
    value.get(name).ok_or_else(|| invalid(path, "present"))
}

fn known_fields(value: &Value, path: &str, known: &[&str]) -> Result<()> {
    let Value::Map(entries) = value else {
        return Err(invalid(if path.is_empty() { "value" } else { path }, "an object"));
    };
    match entries.iter().find(|(name, _)| !known.contains(&name.as_str())) {
        Some((name, _)) => Err(invalid(name, "absent: this build does not know it")),
        None => Ok(()),
    }
}

fn integer(value: &Value, name: &str, path: &str, limit: u64) -> Result<u64> {
    let integer = field(value, name, path)?.unsigned().filter(|integer| *integer <= limit);
    integer.ok_or_else(|| invalid(path, "an integer in range"))
}

fn options(value: &Value, name: &str) -> Result<Options> {
    Options::from_value(field(value, name, name)?).map_err(|error| within(name, error))
}

fn token_list(value: &Value, name: &str, path: &str) -> Result<Vec<u32>> {
    let wrong = || invalid(path, "a list of token ids");
    let list = field(value, name, path)?.list().ok_or_else(wrong)?;
    list.iter()
        .map(|token| token.unsigned().and_then(|token| u32::try_from(token).ok()).ok_or_else(wrong))
        .collect()
}
