//! Why a token is in or out, as data that a page can turn into a sentence.

use crate::candidates::Candidates;
use crate::chain::Observer;
use crate::math::rank_key;
use crate::names::StageName;
use crate::stage::{Context, Stage};

/// Why a token is in or out.
///
/// The numbers describe the moment of decision: what entered the stage that removed the token, or the final set when
/// the token is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The token.
    pub token: u32,
    /// Whether it is among the kept tokens; one of them whose probability is 0 is never drawn.
    pub kept: bool,
    /// The stage that removed it; none when kept, or when it was -infinity in the given row.
    pub stage: Option<StageName>,
    /// Its logit at that moment; -infinity when it was so in the given row.
    pub logit: f32,
    /// Its 0-based rank at that moment; none when it was never alive.
    pub rank: Option<u32>,
    /// Its weight at that moment, an integer in [0, 2^44].
    pub weight: u64,
    /// Its probability at that moment, in [0, 1].
    pub prob: f64,
    /// The share of the mass that ranks before it, in [0, 1].
    pub mass_before: f64,
    /// The stage's threshold, in the unit that the stage documents.
    pub threshold: Option<f64>,
    /// How many tokens entered that stage, or are kept.
    pub kept_before: usize,
    /// How many tokens left that stage, or are kept.
    pub kept_after: usize,
}

/// Follows one token through the chain.
#[derive(Debug)]
pub(crate) struct Follower {
    found: Explanation,
    over: bool,
}

impl Follower {
    /// Follows `token`.
    pub(crate) fn new(token: u32) -> Follower {
        let found = Explanation {
            token,
            kept: false,
            stage: None,
            logit: f32::NEG_INFINITY,
            rank: None,
            weight: 0,
            prob: 0.0,
            mass_before: 0.0,
            threshold: None,
            kept_before: 0,
            kept_after: 0,
        };
        Follower { found, over: false }
    }

    /// The explanation, once the chain has run.
    pub(crate) fn finish(mut self, candidates: &mut Candidates<'_>) -> Explanation {
        if !self.over && self.look(candidates) {
            self.found.kept = true;
            self.found.threshold = None;
            self.found.kept_after = self.found.kept_before;
        }
        self.found
    }

    /// Takes the token's numbers as they are; false when it is not alive.
    fn look(&mut self, candidates: &mut Candidates<'_>) -> bool {
        let mass = candidates.mass() as f64;
        candidates.ensure_weights();
        let token = self.found.token;
        let Some(own) = candidates.alive().find(|candidate| candidate.id == token) else {
            return false;
        };
        let key = (!rank_key(own.logit), own.id);
        let (mut rank, mut before) = (0, 0);
        for candidate in candidates.alive().filter(|c| (!rank_key(c.logit), c.id) < key) {
            rank += 1;
            before += candidate.weight();
        }
        self.found.logit = own.logit;
        self.found.rank = Some(rank);
        self.found.weight = own.weight();
        self.found.prob = own.weight() as f64 / mass;
        self.found.mass_before = before as f64 / mass;
        self.found.kept_before = candidates.n_alive();
        true
    }
}

impl Observer for Follower {
    fn before(
        &mut self,
        stage: &dyn Stage,
        candidates: &mut Candidates<'_>,
        context: &Context<'_>,
    ) {
        if !self.over {
            self.over = !self.look(candidates);
            if !self.over {
                self.found.threshold = stage.threshold(candidates, context);
            }
        }
    }

    fn after(&mut self, stage: &dyn Stage, candidates: &mut Candidates<'_>) {
        if !self.over && candidates.logit(self.found.token).is_none() {
            self.over = true;
            self.found.stage = Some(stage.name());
            self.found.kept_after = candidates.n_alive();
        }
    }
}
