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
//! | `rows` | per row: `id`, `options` (its own), `prompt`, `output`, `stream`, `position`, `controllers`, `pending`, `breaker` |
//! | `controllers` | `mirostat` (null before the first accepted draw, else its `mu`), `adaptiveP` (the same with `sum` and `weight`), `unmatchedAccepts` |
//! | `pending` | null, or the drawn `token` that waits to be accepted and its `surprise` in bits |
//! | `breaker` | the guard's: `trips`, `openUntil` (the first position at which it is closed again), `recent` (the positions of trips that still count) |

mod breaker;
mod controllers;
mod field;
#[cfg(feature = "serde")]
mod with_serde;

use crate::error::{Error, Result};
use crate::options::Options;
use crate::sampler::Sampler;
use crate::setup::stream;
use crate::value::{MAX_SAFE_INTEGER, Value};
use field::Field;

/// The fields of a row.
const ROW_FIELDS: [&str; 9] = [
    "id",
    "options",
    "prompt",
    "output",
    "stream",
    "position",
    "controllers",
    "pending",
    "breaker",
];

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
                ("controllers", controllers::written(&row.controllers)),
                ("pending", controllers::pending_written(&row.controllers)),
                ("breaker", breaker::written(&row.guarded.breaker)),
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
    /// Errors: a version that this build does not read; a field that is missing or not what `state` writes, by its path.
    pub fn from_state(state: &Value) -> Result<Sampler> {
        let state = Field::whole(state)?;
        let version = state.get("version")?;
        match version.value.unsigned() {
            Some(VERSION) => {}
            Some(found) => return Err(Error::StateVersion { found, accepted: VERSION }),
            None => return Err(version.invalid(&VERSION.to_string())),
        }
        state.has_only(&["version", "options", "seed", "nextRow", "rows"])?;
        let options = state.get("options")?;
        let seed = state.get("seed")?.seed()?;
        let mut sampler =
            Sampler::with_seed(options.options()?, seed).map_err(|error| options.within(error))?;
        let rows = state.get("rows")?;
        sampler.rows.clear();
        for row in rows.entries("a list")? {
            sampler.restore_row(&row)?;
        }
        if sampler.place(0).is_none() {
            return Err(rows.invalid("a list that has row 0"));
        }
        let next_row = state.get("nextRow")?;
        let next = next_row.id()?;
        if sampler.rows.last().is_some_and(|(last, _)| *last >= next) {
            return Err(next_row.invalid("above every row's id"));
        }
        sampler.next_row = next;
        Ok(sampler)
    }

    fn restore_row(&mut self, row: &Field) -> Result<()> {
        row.has_only(&ROW_FIELDS)?;
        let id_field = row.get("id")?;
        let id = id_field.id()?;
        if self.rows.last().is_some_and(|(last, _)| *last >= id) {
            return Err(id_field.invalid("above the ids of the rows before it"));
        }
        let options = row.get("options")?;
        let given = options.options()?;
        let (stream_field, expected) = (row.get("stream")?, stream(&self.given, &given, id));
        if stream_field.id()? != expected {
            return Err(stream_field.invalid(
                &[&*expected.to_string(), ", the stream that the options give"].concat(),
            ));
        }
        self.next_row = id;
        self.add_row(given).map_err(|error| options.within(error))?;
        if let Some(restored) = self.find(id) {
            let (prompt, output) = (row.get("prompt")?, row.get("output")?);
            let extended = restored.history.extend_prompt(&prompt.tokens()?);
            extended.map_err(|error| prompt.within(error))?;
            for token in output.tokens()? {
                restored.history.push_output(token).map_err(|error| output.within(error))?;
            }
            restored.position = row.get("position")?.integer(MAX_SAFE_INTEGER)?;
            restored.controllers = controllers::read(row, restored.setup.chain.law())?;
            restored.guarded.breaker = breaker::read(row, restored.position)?;
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
