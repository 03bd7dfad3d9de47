//! What each error says: one sentence that names what was met and what is accepted.
//!
//! Sentences are put together from texts, not by the standard library's formatting, which would take much room in the
//! WebAssembly module.

use core::fmt;

use super::{Error, number_text, quoted};

impl core::error::Error for Error {}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

impl Error {
    /// The sentence.
    pub(crate) fn message(&self) -> String {
        match self {
            Error::UnknownOption { option, nearest: Some(nearest), .. } => {
                let (option, nearest) = (quoted(option), quoted(nearest));
                ["unknown option ", &option, ": did you mean ", &nearest, "?"].concat()
            }
            Error::UnknownOption { option, nearest: None, known } => {
                ["unknown option ", &quoted(option), ": the options are ", known].concat()
            }
            Error::WrongType { option, found, accepted } => {
                [option, " must be ", accepted, ", not ", found].concat()
            }
            Error::OutOfRange { option, found, accepted } => {
                [option, " must be ", accepted, ", not ", found].concat()
            }
            Error::SecondNotFinite { what, index, value } => {
                let row = Error::NotFinite { index: *index, value: *value };
                [what, ": ", &row.message()].concat()
            }
            Error::NotFinite { index, value } => {
                let (index, value) = (index.to_string(), number_text(f64::from(*value)));
                let limit = "logits must be finite or -Infinity";
                ["the logit at index ", &index, " is ", &value, ": ", limit].concat()
            }
            Error::StageOverflow { stage, token } => {
                let (stage, token) = (stage.as_str(), token.to_string());
                [stage, " takes the logit of token ", &token, " out of the range of 32-bit floats"]
                    .concat()
            }
            Error::Empty { what } => [what, " must not be empty"].concat(),
            Error::WrongLength { what, found, expected } => {
                let (found, expected) = (found.to_string(), expected.to_string());
                [what, " has length ", &found, ", expected ", &expected].concat()
            }
            Error::BadToken { .. } | Error::NoSuchToken { .. } => self.token_message(),
            other => other.other_message(),
        }
    }

    /// The errors about a token id.
    fn token_message(&self) -> String {
        match self {
            Error::BadToken { option, token, n_vocab } => {
                let (token, limit) = (token.to_string(), n_vocab.to_string());
                let what = match *option {
                    "token" => {
                        return ["token must be a token id below ", &limit, ", not ", &token]
                            .concat();
                    }
                    "history" => "the history",
                    option => option,
                };
                let row = ", but the row has token ids below ";
                [what, " holds token ", &token, row, &limit].concat()
            }
            Error::NoSuchToken { token, limit, .. } => {
                let why = match *token {
                    u32::MAX => ", and this one marks a failed row of a batch",
                    _ => "",
                };
                let (token, limit) = (token.to_string(), limit.to_string());
                ["no vocabulary has token ", &token, ": token ids are below ", &limit, why].concat()
            }
            _ => self.code().into(),
        }
    }

    /// The errors that are not about the value of one option or logit.
    fn other_message(&self) -> String {
        match self {
            Error::NothingLeft { stage: Some(stage) } => {
                ["no token is left after ", stage.as_str()].concat()
            }
            Error::Guarded { stage, masked_mass, limit } => {
                guarded_message(stage.as_str(), &number_text(*masked_mass), &number_text(*limit))
            }
            Error::NothingLeft { stage: None } => {
                "no token can be drawn: every logit is -Infinity".into()
            }
            Error::BadOrder { stage, reason } => ["order: ", stage.as_str(), " ", reason].concat(),
            Error::RowUnknown { row } => ["there is no row ", &row.to_string()].concat(),
            Error::TooLarge { what, found, limit } => {
                let (found, limit) = (found.to_string(), limit.to_string());
                [what, " is ", &found, ", at most ", &limit, " is accepted"].concat()
            }
            Error::NoMemory { what } => ["there is no memory for ", what].concat(),
            Error::NoEntropy => "the platform gave no random seed: give one as `seed`".into(),
            Error::StateVersion { found, accepted } => {
                let (found, accepted) = (found.to_string(), accepted.to_string());
                let reads = ", this build reads version ";
                ["the state has version ", &found, reads, &accepted].concat()
            }
            Error::StateInvalid { field, accepted, found } => {
                let of = if field.is_empty() { "" } else { "'s " };
                let (not, found) = found.as_deref().map_or(("", ""), |found| (", not ", found));
                ["the state", of, field, " must be ", accepted, not, found].concat()
            }
            _ => self.code().into(),
        }
    }
}

fn guarded_message(stage: &str, masked: &str, limit: &str) -> String {
    let most = [" of the mass was removed, most of it by ", stage].concat();
    ["the guard stopped the draw: ", masked, &most, ", and at most ", limit, " may be"].concat()
}
