//! What an error is about, part by part: the option, the place, the row, the stage, and what is accepted.

use super::Error;
use crate::names::StageName;

impl Error {
    /// The offending option or argument, where there is one.
    pub fn option(&self) -> Option<&str> {
        match self {
            Error::UnknownOption { option, .. }
            | Error::WrongType { option, .. }
            | Error::OutOfRange { option, .. } => Some(option),
            Error::BadToken { option, .. } | Error::NoSuchToken { option, .. } => Some(option),
            Error::BadOrder { .. } => Some("order"),
            Error::Empty { what } => Some(what),
            Error::WrongLength { what, .. } | Error::SecondNotFinite { what, .. } => Some(what),
            Error::StateInvalid { field, .. } if !field.is_empty() => Some(field),
            _ => None,
        }
    }

    /// The offending place: an index into the row, or the token id.
    pub fn index(&self) -> Option<usize> {
        match self {
            Error::NotFinite { index, .. } | Error::SecondNotFinite { index, .. } => Some(*index),
            Error::StageOverflow { token, .. }
            | Error::BadToken { token, .. }
            | Error::NoSuchToken { token, .. } => usize::try_from(*token).ok(),
            _ => None,
        }
    }

    /// The row id at fault, where the error is about a row.
    pub fn row(&self) -> Option<u32> {
        match self {
            Error::RowUnknown { row } => Some(*row),
            _ => None,
        }
    }

    /// The stage at fault, where there is one.
    pub fn stage(&self) -> Option<StageName> {
        match self {
            Error::StageOverflow { stage, .. }
            | Error::Guarded { stage, .. }
            | Error::BadOrder { stage, .. } => Some(*stage),
            Error::NothingLeft { stage } => *stage,
            _ => None,
        }
    }

    /// What is accepted instead, where that can be said briefly.
    pub fn accepted(&self) -> Option<String> {
        match self {
            Error::WrongType { accepted, .. }
            | Error::OutOfRange { accepted, .. }
            | Error::StateInvalid { accepted, .. } => Some(accepted.clone()),
            Error::UnknownOption { nearest: Some(nearest), .. } => Some(nearest.clone()),
            Error::UnknownOption { known, .. } => Some(["one of ", known].concat()),
            Error::NotFinite { .. } | Error::SecondNotFinite { .. } => {
                Some("finite numbers and -Infinity".into())
            }
            Error::WrongLength { expected, .. } => Some(expected.to_string()),
            Error::BadToken { n_vocab: limit, .. } | Error::NoSuchToken { limit, .. } => {
                Some(["token ids below ", &limit.to_string()].concat())
            }
            Error::TooLarge { limit, .. } => Some(["at most ", &limit.to_string()].concat()),
            Error::StateVersion { accepted, .. } => Some(accepted.to_string()),
            _ => None,
        }
    }
}
