//! What kinds of values options have, what each accepts, and how it is read from and written to plain data.

mod lists;
mod values;

use core::fmt;

use crate::error::{Result, number_text};
use crate::names::{GuardPolicy, PresetName, StageName};
use crate::value::Value;

/// What an option accepts; prints as the end of "must be ...".
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Accepts {
    /// Finite numbers from `low` (excluded when `open`) to `high`.
    Real {
        /// The lower limit.
        low: f64,
        /// The upper limit.
        high: f64,
        /// Whether `low` itself is excluded.
        open: bool,
    },
    /// Integers from `low` to `high`.
    Integer {
        /// The lowest.
        low: u64,
        /// The highest.
        high: u64,
    },
    /// Seeds: integers below 2^64.
    Seed,
    /// True or false.
    Flag,
    /// Token ids.
    Tokens,
    /// At least one token id.
    SomeTokens,
    /// Sequences of token ids, each with at least one.
    Sequences,
    /// Pairs of a token id and a finite number or -infinity.
    Bias,
    /// Stage names.
    Order,
    /// A preset's name.
    Preset,
    /// A guard's policy.
    Guard,
}

impl Accepts {
    /// Numbers in [0, 1].
    pub const UNIT: Accepts = Accepts::Real { low: 0.0, high: 1.0, open: false };
    /// Every finite number.
    pub const FINITE: Accepts = Accepts::Real { low: f64::MIN, high: f64::MAX, open: false };

    /// Finite numbers in [low, infinity).
    pub const fn at_least(low: f64) -> Accepts {
        Accepts::Real { low, high: f64::MAX, open: false }
    }

    /// Finite numbers in (low, infinity).
    pub const fn above(low: f64) -> Accepts {
        Accepts::Real { low, high: f64::MAX, open: true }
    }

    /// Integers from `low` to `high`.
    pub const fn integer(low: u64, high: u64) -> Accepts {
        Accepts::Integer { low, high }
    }
}

impl Accepts {
    /// The end of "must be ...".
    pub(crate) fn text(&self) -> String {
        match *self {
            Accepts::Real { low: f64::MIN, high: f64::MAX, .. } => "a finite number".into(),
            Accepts::Real { low, high: f64::MAX, open } => {
                let limit = if open { "above " } else { "at least " };
                ["a finite number ", limit, &number_text(low)].concat()
            }
            Accepts::Real { low, high, open } => {
                let open = if open { "(" } else { "[" };
                ["a number in ", open, &number_text(low), ", ", &number_text(high), "]"].concat()
            }
            Accepts::Integer { low, high } => {
                ["an integer from ", &low.to_string(), " to ", &high.to_string()].concat()
            }
            Accepts::Seed => "an integer from 0 to 2^64 - 1 (a number up to 2^53 - 1, a bigint, or a string of 1 to 20 digits)".into(),
            Accepts::Flag => "true or false".into(),
            Accepts::Tokens => "a list of token ids".into(),
            Accepts::Sequences => "a list of lists of token ids, each with at least one".into(),
            Accepts::SomeTokens => "a list of token ids with at least one".into(),
            Accepts::Bias => {
                "pairs of a token id and a finite number or -Infinity, each id at most once".into()
            }
            Accepts::Order => names("a list of stage names: ", StageName::listable()),
            Accepts::Guard => names("one of ", GuardPolicy::ALL.iter().map(|n| n.as_str())),
            Accepts::Preset => names("one of ", PresetName::ALL.iter().map(|n| n.as_str())),
        }
    }
}

impl fmt::Display for Accepts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

fn names<'a>(lead: &str, names: impl Iterator<Item = &'a str>) -> String {
    [lead, &names.collect::<Vec<_>>().join(", ")].concat()
}

/// A type that options can have.
pub trait Parameter: Sized {
    /// Whether the settings leave the option out while it has its default.
    const HIDDEN_BY_DEFAULT: bool = false;

    /// Reads the type; ranges are left to [`check`](Parameter::check) where they can be.
    fn read(option: &str, accepts: &Accepts, value: &Value) -> Result<Self>;

    /// Checks the range.
    fn check(&self, option: &str, accepts: &Accepts) -> Result<()>;

    /// The value as plain data.
    fn write(&self) -> Value;
}

/// The last n tokens of a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window(pub u32);

impl Window {
    /// No limit: as many tokens as there are.
    pub const ALL: Window = Window(u32::MAX);

    /// How many of `n` tokens lie before the window.
    pub fn skipped(self, n: usize) -> usize {
        n.saturating_sub(usize::try_from(self.0).unwrap_or(usize::MAX))
    }
}

/// Which stages run, and in what order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// The default order of the contract.
    Default,
    /// These stages; no other may be active. A terminal stage can only come last.
    Listed(Vec<StageName>),
}
