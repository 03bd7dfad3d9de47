//! What each error says: one sentence that names what was met and what is accepted.

use core::fmt;

use super::{Error, number_text};

impl core::error::Error for Error {}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::UnknownOption { option, nearest: Some(nearest), .. } => {
                write!(f, "unknown option {option:?}: did you mean {nearest:?}?")
            }
            Error::UnknownOption { option, nearest: None, known } => {
                write!(f, "unknown option {option:?}: the options are {known}")
            }
            Error::WrongType { option, found, accepted } => {
                write!(f, "{option} must be {accepted}, not {found}")
            }
            Error::OutOfRange { option, found, accepted } => {
                write!(f, "{option} must be {accepted}, not {found}")
            }
            Error::NotFinite { index, value } => write!(
                f,
                "the logit at index {index} is {}: logits must be finite or -Infinity",
                number_text(f64::from(*value))
            ),
            Error::StageOverflow { stage, token } => {
                write!(
                    f,
                    "{stage} takes the logit of token {token} out of the range of 32-bit floats"
                )
            }
            Error::Empty { what } => write!(f, "{what} must not be empty"),
            Error::WrongLength { what, found, expected } => {
                write!(f, "{what} has length {found}, expected {expected}")
            }
            Error::BadToken { .. } | Error::NoSuchToken { .. } => self.write_token(f),
            other => other.write_rest(f),
        }
    }
}

impl Error {
    /// The errors about a token id.
    fn write_token(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::BadToken { option: "token", token, n_vocab } => {
                write!(f, "token must be a token id below {n_vocab}, not {token}")
            }
            Error::BadToken { option, token, n_vocab } => {
                let what = if *option == "history" { "the history" } else { option };
                write!(f, "{what} holds token {token}, but the row has token ids below {n_vocab}")
            }
            Error::NoSuchToken { token, limit, .. } => {
                write!(f, "no vocabulary has token {token}: token ids are below {limit}")?;
                match *token {
                    u32::MAX => f.write_str(", and this one marks a failed row of a batch"),
                    _ => Ok(()),
                }
            }
            _ => f.write_str(self.code()),
        }
    }

    /// The errors that are not about the value of one option or logit.
    fn write_rest(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NothingLeft { stage: Some(stage) } => {
                write!(f, "no token is left after {stage}")
            }
            Error::NothingLeft { stage: None } => {
                write!(f, "no token can be drawn: every logit is -Infinity")
            }
            Error::BadOrder { stage, reason } => write!(f, "order: {stage} {reason}"),
            Error::RowUnknown { row } => write!(f, "there is no row {row}"),
            Error::TooLarge { what, found, limit } => {
                write!(f, "{what} is {found}, at most {limit} is accepted")
            }
            Error::NoMemory { what } => write!(f, "there is no memory for {what}"),
            Error::NoEntropy => f.write_str("the platform gave no random seed: give one as `seed`"),
            Error::StateVersion { found, accepted } => {
                write!(f, "the state has version {found}, this build reads version {accepted}")
            }
            Error::StateInvalid { field, accepted, found } => {
                let of = if field.is_empty() { "" } else { "'s " };
                write!(f, "the state{of}{field} must be {accepted}")?;
                found.as_ref().map_or(Ok(()), |found| write!(f, ", not {found}"))
            }
            _ => f.write_str(self.code()),
        }
    }
}
