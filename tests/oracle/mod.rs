//! The contract, one token at a time: what the crate must agree with.
//!
//! [`run`] walks the stages of a [`Plan`] over a row and sorts everything at every stage. The one thing that it leaves
//! open is how probability is measured: [`Exact`] takes the contract's integer weights, and then kept sets, masses and
//! draws must be the crate's own; [`Real`] takes e^x in f64, which is what the mathematics says, and then they must
//! agree wherever a cut does not lie within rounding of a token's edge.
//!
//! Nothing here is shared with the crate but its names for options and stages; [`assert_agrees`] asks both the same.
#![allow(dead_code, unused_imports, reason = "each test binary uses a part")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test's oracle: what is wrong with it may end it"
)]

mod agree;
mod chacha;
mod control;
mod exact;
mod exact_rules;
mod plan;
mod real;
mod real_rules;
mod rules;
mod steps;
mod text;
mod walk;
mod writes;

pub use agree::assert_agrees;
pub use chacha::{block, word};
pub use control::{Learned, surprise, zipf_count, zipf_exponent};
pub use exact::{Exact, draw, exp, fraction, mass, share_of, weight, weights};
pub use plan::Plan;
pub use real::{Real, entropy, log_softmax, probabilities, probabilities_by_id};
pub use rules::{Choice, Rule};
pub use walk::{Cut, Failure, Kept, Measure, Token, alive, by_rank, run};
