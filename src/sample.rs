//! A drawn token with what describes the draw.

use crate::guard::Trip;

/// A drawn token with what describes the draw.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The token.
    pub token: u32,
    /// The position that the draw had.
    pub position: u64,
    /// How many tokens were kept.
    pub kept_count: usize,
    /// As [`Distribution::kept_mass`](crate::Distribution::kept_mass).
    pub kept_mass: f64,
    /// Entropy in nats of the kept set.
    pub entropy: f64,
    /// The token's log probability in the given row at temperature 1.
    pub logprob_raw: f64,
    /// The token's log probability among the kept.
    pub logprob_final: f64,
    /// Where the draw fell, as a share of the kept mass laid out in ascending id; none when no word was read.
    pub target: Option<f64>,
    /// What the guard did, where it tripped.
    pub trip: Option<Trip>,
}
