//! Controllers: what terminal stages learn from the tokens that were drawn and accepted.
//!
//! `sample` leaves the drawn token *pending* with its surprise, -log2 of its probability in the distribution that the
//! terminal stage says; the next `sample` replaces it. `accept` of that very token moves the controller and clears it;
//! accepting another one, or without a pending draw, leaves it as it is and is counted.

/// The state of a row's controllers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Controllers {
    /// The latest draw, until it is accepted.
    pub(crate) pending: Option<Pending>,
    /// Accepted tokens that were not the pending one, while a controller was active.
    pub(crate) unmatched: u64,
    /// Mirostat's mu, in bits; none before the first accepted draw.
    pub(crate) mirostat_mu: Option<f64>,
    /// Adaptive-p's weighted sum of probabilities, and the sum of the weights; none before the first accepted draw.
    pub(crate) adaptive_p: Option<(f64, f64)>,
}

/// A drawn token that was not accepted yet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pending {
    pub token: u32,
    /// In bits.
    pub surprise: f64,
}
