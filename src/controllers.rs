//! Controllers: what terminal stages learn from the tokens that were drawn and accepted.
//!
//! A controller is at work where `mirostat` or `adaptive_p` is active and a word is drawn: not at temperature 0, where
//! nothing is drawn that it could steer. Then
//!
//! - `sample` leaves the drawn token *pending* with its surprise, -log2 of its probability in the distribution that the
//!   stage says, in place of the one before; `sample_many` leaves nothing pending;
//! - `accept` of that very token moves the controller (`Law`) and clears it; of another one, or without a pending draw,
//!   it leaves both as they are and is counted;
//! - previews read and change nothing.
//!
//! What a controller has come to outlives a change of its numbers (tau, eta, target, decay, version): it goes on from
//! there. Before the first accepted draw it has come to nothing, and starts where its numbers then say. A pending draw
//! lives as long as a controller of its kind is at work.

use crate::math;
use crate::options::Settings;
use crate::value::MAX_SAFE_INTEGER;

/// The state of a row's controllers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Controllers {
    /// The latest draw, until it is accepted.
    pub(crate) pending: Option<Pending>,
    /// Accepted tokens that were not the pending one, while a controller was at work.
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
    /// In bits; infinite for a token whose probability is 0 where it is measured.
    pub surprise: f64,
}

/// How a controller moves when a draw is accepted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Law {
    /// mu' = mu - eta (surprise - tau), from 2 tau on.
    Mirostat { tau: f64, eta: f64 },
    /// sum' = p + decay sum and weight' = 1 + decay weight with p = 2^-surprise, from target / (1 - decay) and
    /// 1 / (1 - decay) on, as if the target had always been met.
    AdaptiveP { target: f64, decay: f64 },
}

impl Law {
    /// That of the terminal stage which is active under these settings.
    pub(crate) fn of(settings: &Settings) -> Option<Law> {
        let Settings { mirostat_tau: tau, mirostat_eta: eta, .. } = *settings;
        let Settings { adaptive_p_target: target, adaptive_p_decay: decay, .. } = *settings;
        match (settings.mirostat_version, target) {
            (0, 0.0) => None,
            (0, _) => Some(Law::AdaptiveP { target, decay }),
            _ => Some(Law::Mirostat { tau, eta }),
        }
    }

    /// Whether both are of one kind, whatever their numbers.
    pub(crate) fn same_kind(one: Option<Law>, other: Option<Law>) -> bool {
        let kind = |law: Option<Law>| law.as_ref().map(core::mem::discriminant);
        kind(one) == kind(other)
    }
}

impl Controllers {
    /// Mirostat's mu in bits: the surprise above which tokens are cut.
    pub fn mirostat_mu(&self, tau: f64) -> f64 {
        self.mirostat_mu.unwrap_or(bounded(2.0 * tau))
    }

    /// Adaptive-p's weighted sum of the probabilities of accepted draws, and the sum of the weights.
    pub fn adaptive_p(&self, target: f64, decay: f64) -> (f64, f64) {
        self.adaptive_p.unwrap_or((target / (1.0 - decay), 1.0 / (1.0 - decay)))
    }

    /// The drawn token that waits to be accepted, with its surprise in bits.
    pub fn pending(&self) -> Option<(u32, f64)> {
        self.pending.map(|Pending { token, surprise }| (token, surprise))
    }

    /// How many accepted tokens were not the pending one while a controller was at work.
    pub fn unmatched_accepts(&self) -> u64 {
        self.unmatched
    }

    /// Takes an accepted token.
    pub(crate) fn accept(&mut self, token: u32, law: Option<Law>) {
        let Some(law) = law else { return };
        let Some(Pending { surprise, .. }) = self.pending.take_if(|drawn| drawn.token == token)
        else {
            self.unmatched = (self.unmatched + 1).min(MAX_SAFE_INTEGER);
            return;
        };
        match law {
            Law::Mirostat { tau, eta } => {
                let mu = self.mirostat_mu(tau);
                self.mirostat_mu = Some(bounded(mu - eta * (surprise - tau)));
            }
            Law::AdaptiveP { target, decay } => {
                let (sum, weight) = self.adaptive_p(target, decay);
                let p = math::exp(-surprise * math::LN_2);
                self.adaptive_p = Some((p + decay * sum, 1.0 + decay * weight));
            }
        }
    }
}

/// Kept in the range of finite numbers: a tau near its end must not make mu infinite.
fn bounded(mu: f64) -> f64 {
    mu.clamp(f64::MIN, f64::MAX)
}
