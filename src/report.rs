//! The report: what each stage saw, removed and kept.

use crate::candidates::Candidates;
use crate::chain::Observer;
use crate::controllers::Controllers;
use crate::distribution::{KeptMass, Snapshot};
use crate::guard::Trip;
use crate::names::StageName;
use crate::rank;
use crate::stage::{Context, Kind, Stage};

/// What one stage did.
#[derive(Clone, Debug, PartialEq)]
pub struct StageReport {
    /// The stage.
    pub name: StageName,
    /// Whether its options are away from their off value.
    pub active: bool,
    /// Tokens that entered.
    pub kept_before: usize,
    /// Tokens that left.
    pub kept_after: usize,
    /// The share of the mass that entered which it removed, in its own weights; in [0, 1].
    pub mass_removed: f64,
    /// Entropy in nats of what entered.
    pub entropy_before: f64,
    /// Entropy in nats of what left.
    pub entropy_after: f64,
    /// The threshold in force, in the unit that the stage documents.
    pub threshold: Option<f64>,
}

/// What a chain did to a row.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// One entry a stage in order, inactive ones included.
    pub stages: Vec<StageReport>,
    /// Tokens kept in the end.
    pub kept_count: usize,
    /// As [`Distribution::kept_mass`](crate::Distribution::kept_mass).
    pub kept_mass: f64,
    /// Entropy in nats of the final set.
    pub entropy: f64,
    /// How many accepted tokens were not the pending draw while mirostat or adaptive-p was at work: see
    /// [`controllers`](crate::controllers).
    pub unmatched_accepts: u64,
    /// What the guard did, where it tripped: the stages are then those of the chain that it chose.
    pub trip: Option<Trip>,
    /// Every token's fate, when asked for.
    pub tokens: Option<TokenFates>,
}

/// What became of every token of the vocabulary; both lists have shape `(n_vocab)`.
#[derive(Clone, Debug, PartialEq)]
pub struct TokenFates {
    /// The index into `stages` of the stage that removed the token; 255 kept, 254 for -infinity in the given row.
    pub removed_by: Vec<u8>,
    /// The 0-based rank among those alive before truncation; `u32::MAX` for the others.
    pub rank: Vec<u32>,
}

/// [`TokenFates::removed_by`] of a token that is kept.
pub const KEPT: u8 = 255;
/// [`TokenFates::removed_by`] of a token that was -infinity in the given row.
pub const NEVER_ALIVE: u8 = 254;

/// Collects a report while the chain runs.
#[derive(Debug)]
pub(crate) struct Reporter {
    stages: Vec<StageReport>,
    entered: Option<Snapshot>,
    kept_mass: KeptMass,
    tokens: Option<TokenFates>,
    ranked: bool,
    /// Entropy of the set as it is, while nothing has changed it.
    entropy: Option<f64>,
}

impl Reporter {
    /// A reporter for the candidates of a row; `tokens` asks for every token's fate.
    pub(crate) fn new(candidates: &mut Candidates<'_>, tokens: bool) -> Reporter {
        Reporter {
            stages: Vec::new(),
            entered: None,
            kept_mass: KeptMass::default(),
            tokens: tokens.then(|| TokenFates::new(candidates)),
            ranked: false,
            entropy: None,
        }
    }

    /// The report, once the chain has run.
    pub(crate) fn finish(
        mut self,
        candidates: &mut Candidates<'_>,
        controllers: &Controllers,
        trip: Option<Trip>,
    ) -> Report {
        self.rank(candidates);
        let entropy = self.entropy(candidates);
        Report {
            kept_count: candidates.n_alive(),
            kept_mass: self.kept_mass.share(candidates),
            entropy,
            unmatched_accepts: controllers.unmatched_accepts(),
            trip,
            stages: self.stages,
            tokens: self.tokens,
        }
    }

    fn entropy(&mut self, candidates: &mut Candidates<'_>) -> f64 {
        *self.entropy.get_or_insert_with(|| candidates.entropy())
    }

    /// Ranks what is alive, once: at the first truncating stage or at the end.
    fn rank(&mut self, candidates: &mut Candidates<'_>) {
        if let Some(tokens) = self.tokens.as_mut().filter(|_| !self.ranked) {
            tokens.rank(candidates);
            self.ranked = true;
        }
    }
}

impl Observer for Reporter {
    fn before(
        &mut self,
        stage: &dyn Stage,
        candidates: &mut Candidates<'_>,
        context: &Context<'_>,
    ) {
        self.kept_mass.before(stage, candidates, context);
        let threshold = stage.threshold(candidates, context);
        let entropy_before = self.entropy(candidates);
        let n = candidates.n_alive();
        if matches!(stage.kind(), Kind::Truncates) {
            self.rank(candidates);
        }
        self.entered = Some(Snapshot::new(candidates));
        self.stages.push(StageReport {
            name: stage.name(),
            active: true,
            kept_before: n,
            kept_after: n,
            mass_removed: 0.0,
            entropy_before,
            entropy_after: entropy_before,
            threshold,
        });
    }

    fn after(&mut self, _: &dyn Stage, candidates: &mut Candidates<'_>) {
        self.entropy = None;
        let entropy_after = self.entropy(candidates);
        let index = self.stages.len().saturating_sub(1) as u8;
        let (Some(stage), Some(entered)) = (self.stages.last_mut(), self.entered.take()) else {
            return;
        };
        stage.kept_after = candidates.n_alive();
        stage.entropy_after = entropy_after;
        if stage.kept_after < stage.kept_before {
            stage.mass_removed = 1.0 - entered.share(candidates);
            if let Some(tokens) = &mut self.tokens {
                tokens.remove(&entered, candidates, index);
            }
        }
    }

    fn sees_inactive(&self) -> bool {
        true
    }

    fn inactive(&mut self, stage: &dyn Stage, candidates: &mut Candidates<'_>) {
        let entropy = self.entropy(candidates);
        let n = candidates.n_alive();
        self.stages.push(StageReport {
            name: stage.name(),
            active: false,
            kept_before: n,
            kept_after: n,
            mass_removed: 0.0,
            entropy_before: entropy,
            entropy_after: entropy,
            threshold: None,
        });
    }
}

impl TokenFates {
    fn new(candidates: &mut Candidates<'_>) -> TokenFates {
        let n_vocab = candidates.n_vocab();
        let mut fates =
            TokenFates { removed_by: vec![NEVER_ALIVE; n_vocab], rank: vec![u32::MAX; n_vocab] };
        for candidate in candidates.alive() {
            fates.fate(candidate.id, KEPT);
        }
        fates
    }

    fn fate(&mut self, id: u32, fate: u8) {
        if let Some(place) = self.removed_by.get_mut(id as usize) {
            *place = fate;
        }
    }

    fn remove(&mut self, entered: &Snapshot, candidates: &mut Candidates<'_>, index: u8) {
        for (id, _) in &entered.tokens {
            self.fate(*id, index);
        }
        for candidate in candidates.alive() {
            self.fate(candidate.id, KEPT);
        }
    }

    fn rank(&mut self, candidates: &mut Candidates<'_>) {
        let mut ranked = Vec::with_capacity(candidates.n_alive());
        ranked.extend(candidates.alive().map(|c| rank::entry(c.logit, c.id as usize)));
        rank::sort(&mut ranked);
        for (rank, entry) in ranked.into_iter().enumerate() {
            if let Some(place) = self.rank.get_mut(rank::place_of(entry)) {
                *place = rank as u32;
            }
        }
    }
}
