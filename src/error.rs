//! One error for the whole crate: what was wrong with the input, the value that was met and the limit.
//!
//! A failed call changes nothing: neither histories, nor positions, nor options.
//! Every variant has a stable [`code`](Error::code); messages may be reworded, codes are not.

mod digits;
mod message;
mod number;
mod parts;
mod quoted;

use crate::names::StageName;
pub(crate) use number::number_text;
pub(crate) use quoted::quoted;

/// The result of anything in this crate that looks at input.
pub type Result<T> = core::result::Result<T, Error>;

/// What was wrong with the input.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// An option that does not exist.
    UnknownOption {
        /// The name that was given, with dots for nesting.
        option: String,
        /// The name that was probably meant, where one is near.
        nearest: Option<String>,
        /// Every name that exists, separated by commas.
        known: String,
    },
    /// An option, row or argument of the wrong type.
    WrongType {
        /// The option or argument.
        option: String,
        /// What it was.
        found: &'static str,
        /// What is accepted.
        accepted: String,
    },
    /// A number or name outside what is accepted.
    OutOfRange {
        /// The option or argument.
        option: String,
        /// The value that was met, as text.
        found: String,
        /// What is accepted.
        accepted: String,
    },
    /// The row holds NaN or +infinity; `index` is the lowest such place.
    NotFinite {
        /// The token id, which is the place in the row.
        index: usize,
        /// The value there.
        value: f32,
    },
    /// A second row holds NaN or +infinity; `index` is the lowest such place.
    SecondNotFinite {
        /// The argument that the row is.
        what: &'static str,
        /// The token id, which is the place in the row.
        index: usize,
        /// The value there.
        value: f32,
    },
    /// A stage computed a logit outside the range of f32.
    StageOverflow {
        /// The stage.
        stage: StageName,
        /// The token whose logit left the range.
        token: u32,
    },
    /// Something that must hold at least one element holds none.
    Empty {
        /// What was empty.
        what: String,
    },
    /// A length that does not fit what it belongs to.
    WrongLength {
        /// What has the length.
        what: &'static str,
        /// The length that was met.
        found: usize,
        /// The length that is accepted.
        expected: usize,
    },
    /// A token id that the row's vocabulary does not have.
    BadToken {
        /// Where the id came from: an option's name, or the history.
        option: &'static str,
        /// The id.
        token: u32,
        /// The row's vocabulary size; ids are below it.
        n_vocab: usize,
    },
    /// A token id that no vocabulary has.
    NoSuchToken {
        /// The argument that held it.
        option: &'static str,
        /// The id.
        token: u32,
        /// The largest vocabulary's size; ids are below it.
        limit: usize,
    },
    /// No token is alive: the row held only -infinity, or masks removed the rest.
    NothingLeft {
        /// The stage that removed the last token; none when the row began empty of candidates.
        stage: Option<StageName>,
    },
    /// The guard stopped the draw: `stage` and others removed more than `limit` of the mass.
    Guarded {
        /// The guarded stage that removed the largest share of what entered it.
        stage: StageName,
        /// The share of the mass that the guarded stages removed, in [0, 1].
        masked_mass: f64,
        /// The share that they may remove, in [0, 1].
        limit: f64,
    },
    /// An order that cannot be run.
    BadOrder {
        /// The stage at fault.
        stage: StageName,
        /// Why, as the end of a sentence.
        reason: &'static str,
    },
    /// A row id that was never added or was removed.
    RowUnknown {
        /// The id.
        row: u32,
    },
    /// More than can be handled exactly.
    TooLarge {
        /// What is too large.
        what: &'static str,
        /// The size or value that was met.
        found: u64,
        /// The largest accepted.
        limit: u64,
    },
    /// There is no memory for it.
    NoMemory {
        /// What there is no memory for.
        what: &'static str,
    },
    /// The platform gave no random seed.
    NoEntropy,
    /// A state of a version that this build does not read.
    StateVersion {
        /// The version that was met.
        found: u64,
        /// The version that is accepted.
        accepted: u64,
    },
    /// A state that is not what `state()` writes.
    StateInvalid {
        /// The field's path, with dots for nesting; empty for the state itself.
        field: String,
        /// What is accepted there.
        accepted: String,
        /// What was met, where it is something.
        found: Option<String>,
    },
}

impl Error {
    /// The stable code of the error, in snake_case.
    pub fn code(&self) -> &'static str {
        match self {
            Error::UnknownOption { .. } => "unknown_option",
            Error::WrongType { .. } => "wrong_type",
            Error::OutOfRange { .. } => "out_of_range",
            Error::NotFinite { .. }
            | Error::SecondNotFinite { .. }
            | Error::StageOverflow { .. } => "not_finite",
            Error::Empty { .. } => "empty",
            Error::WrongLength { .. } => "wrong_length",
            Error::BadToken { .. } | Error::NoSuchToken { .. } => "bad_token",
            Error::NothingLeft { .. } | Error::Guarded { .. } => "nothing_left",
            Error::BadOrder { .. } => "bad_order",
            Error::RowUnknown { .. } => "row_unknown",
            Error::TooLarge { .. } | Error::NoMemory { .. } => "too_large",
            Error::NoEntropy => "internal",
            Error::StateVersion { .. } => "state_version",
            Error::StateInvalid { .. } => "state_invalid",
        }
    }
}
