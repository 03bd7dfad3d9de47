//! A field of a state as it is read: its value with the path by which errors name it, as in `rows.2.options.topK`.

use crate::candidates::MAX_VOCAB;
use crate::error::{Error, Result, quoted};
use crate::options::{Options, PARAMETERS};
use crate::parameter::Accepts;
use crate::value::Value;

pub(super) struct Field<'v> {
    pub value: &'v Value,
    path: String,
}

impl<'v> Field<'v> {
    /// The state itself.
    pub(super) fn whole(value: &'v Value) -> Result<Field<'v>> {
        let state = Field { value, path: String::new() };
        match value {
            Value::Map(_) => Ok(state),
            _ => Err(state.invalid("an object, as `state` returns it")),
        }
    }

    /// Nothing where this is null, else this.
    pub(super) fn some(self) -> Option<Field<'v>> {
        (*self.value != Value::Null).then_some(self)
    }

    /// A number that `valid` accepts; infinite ones stand as texts.
    pub(super) fn number(&self, accepted: &str, valid: impl Fn(f64) -> bool) -> Result<f64> {
        let number = self.value.clone().json_restored().number().filter(|number| valid(*number));
        number.ok_or_else(|| self.invalid(accepted))
    }

    /// The field of this name inside; an error when there is none.
    pub(super) fn get(&self, name: &str) -> Result<Field<'v>> {
        let path = self.path_of(name);
        match self.value.get(name) {
            Some(value) => Ok(Field { value, path }),
            None => {
                Err(Error::StateInvalid { field: path, accepted: "present".into(), found: None })
            }
        }
    }

    /// The error for this field.
    pub(super) fn invalid(&self, accepted: &str) -> Error {
        let found = Some(self.value.shown());
        Error::StateInvalid { field: self.path.clone(), accepted: accepted.into(), found }
    }

    /// An error about options, or about what was made of this field, as an error of the state.
    pub(super) fn within(&self, error: Error) -> Error {
        let option = error.option().unwrap_or_default();
        let (name, accepted, found) = match &error {
            Error::StateInvalid { .. } | Error::NoMemory { .. } | Error::NoEntropy => return error,
            Error::UnknownOption { nearest, known, .. } => {
                let instead = match nearest {
                    Some(nearest) => ["did you mean ", &quoted(nearest), "?"].concat(),
                    None => ["the options are ", known].concat(),
                };
                (option, ["absent: no option has this name, ", &instead].concat(), None)
            }
            Error::WrongType { accepted, found, .. } => {
                (option, accepted.clone(), Some((*found).into()))
            }
            Error::OutOfRange { accepted, found, .. } => {
                (option, accepted.clone(), Some(found.clone()))
            }
            Error::Empty { .. } => (option, accepted_by(option), Some("an empty list".into())),
            Error::BadOrder { stage, reason } => {
                let found = ["one where ", stage.as_str(), " ", reason].concat();
                (option, "an order that can be run".into(), Some(found))
            }
            other => ("", ["valid (", &other.message(), ")"].concat(), None),
        };
        Error::StateInvalid { field: self.path_of(name), accepted, found }
    }

    /// An error where this is no map, or has a field that is not among the known ones.
    pub(super) fn has_only(&self, known: &[&str]) -> Result<()> {
        let Value::Map(entries) = self.value else { return Err(self.invalid("an object")) };
        match entries.iter().find(|(name, _)| !known.contains(&name.as_str())) {
            // No field's name is nearly as long.
            Some((name, _)) => Err(Error::StateInvalid {
                field: self.path_of(&name.chars().take(60).collect::<String>()),
                accepted: "absent: no state has it".into(),
                found: None,
            }),
            None => Ok(()),
        }
    }

    pub(super) fn integer(&self, limit: u64) -> Result<u64> {
        let integer = self.value.unsigned().filter(|integer| *integer <= limit);
        integer.ok_or_else(|| self.invalid(&["an integer from 0 to ", &limit.to_string()].concat()))
    }

    /// An integer below 2^32: a row's id, a stream.
    pub(super) fn id(&self) -> Result<u32> {
        let limit = u64::from(u32::MAX);
        self.integer(limit).map(|id| u32::try_from(id).unwrap_or(u32::MAX))
    }

    /// The fields of a list.
    pub(super) fn entries(&self, accepted: &str) -> Result<impl Iterator<Item = Field<'v>>> {
        let list = self.value.list().ok_or_else(|| self.invalid(accepted))?;
        Ok(list
            .iter()
            .enumerate()
            .map(|(i, value)| Field { value, path: self.path_of(&i.to_string()) }))
    }

    pub(super) fn token(&self) -> Result<u32> {
        self.integer(MAX_VOCAB as u64 - 1).map(|id| id as u32)
    }

    pub(super) fn tokens(&self) -> Result<Vec<u32>> {
        self.entries("a list of token ids")?.map(|field| field.token()).collect()
    }

    pub(super) fn options(&self) -> Result<Options> {
        let Value::Map(_) = self.value else { return Err(self.invalid("an object")) };
        Options::from_value(&self.value.clone().json_restored()).map_err(|error| self.within(error))
    }

    pub(super) fn seed(&self) -> Result<u64> {
        let options = Options::from_value(&Value::map([("seed", self.value.clone())]));
        let seed = options.ok().and_then(|options| options.seed);
        seed.ok_or_else(|| self.invalid(&accepted_by("seed")))
    }

    fn path_of(&self, name: &str) -> String {
        match (self.path.as_str(), name) {
            ("", name) => name.into(),
            (path, "") => path.into(),
            (path, name) => [path, ".", name].concat(),
        }
    }
}

/// What an option accepts.
fn accepted_by(option: &str) -> String {
    let accepts = PARAMETERS.iter().find(|(key, _)| *key == option).map(|(_, accepts)| accepts);
    accepts.map_or_else(|| "valid".into(), Accepts::text)
}
