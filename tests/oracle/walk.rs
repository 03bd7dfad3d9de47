//! A chain over a row: writes, masks, temperatures and cuts, with the set sorted anew at every cut.

use nucleus_sampler::StageName;
// The contract's own functions, which tests/functions.rs holds against a hundred bits.
use nucleus_sampler::math::{exp, ln};

use super::Plan;
use super::rules::{Choice, Rule};

/// A token alive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Token {
    pub id: u32,
    pub logit: f32,
}

/// What a chain leaves.
#[derive(Clone, Debug)]
pub struct Kept {
    /// By rank.
    pub ranked: Vec<Token>,
    /// The temperature factor that the draw uses.
    pub factor: f64,
    /// How far, as a share of the mass, the nearest cut lies from the edge of a token.
    pub slack: f64,
    /// How many were alive after each stage that was active, in order.
    pub after: Vec<(StageName, usize)>,
    /// The probability of every token before adaptive-p wrote.
    pub before: Option<Vec<(u32, f64)>>,
}

/// Why a call fails: the error's code, its stage, and its index or token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Failure {
    pub code: &'static str,
    pub stage: Option<StageName>,
    pub index: Option<usize>,
}

/// How many of the ranked tokens a cut keeps, and how far it lies from the edge of a token.
#[derive(Clone, Copy, Debug)]
pub struct Cut {
    pub n: usize,
    pub slack: f64,
}

/// How probability is measured.
pub trait Measure {
    /// The shortest prefix of `ranked` that holds the share `p` of the mass.
    fn reach(ranked: &[Token], factor: f64, p: f64) -> Cut;

    /// The tokens of `ranked` with at least `m` times the best one's probability.
    fn at_least(ranked: &[Token], factor: f64, m: f64) -> Cut;

    /// The tokens of `ranked` whose surprise is at most `mu` bits.
    fn unsurprising(ranked: &[Token], factor: f64, mu: f64) -> Cut;

    /// The tokens of `ranked` that mirostat 1 keeps.
    fn zipf(ranked: &[Token], factor: f64, mu: f64) -> Cut;

    /// The probability of every token of `ranked`.
    fn probabilities(ranked: &[Token], factor: f64) -> Vec<f64>;
    /// The tokens of `ranked` with at least the probability `share`.
    fn at_share(ranked: &[Token], factor: f64, share: f64) -> Cut;

    /// ln of the sum of e^(l - l_max) over `ranked`.
    fn log_sum(ranked: &[Token]) -> f64;
    /// What a rule of another kind chooses.
    fn choose(rule: Rule, ranked: &[Token], factor: f64) -> Choice;

    /// The entropy of the tokens in nats.
    fn entropy(ranked: &[Token], factor: f64) -> f64;
}

/// Runs the stages of `plan` over `row`.
pub fn run<M: Measure>(plan: &Plan, row: &[f32]) -> Result<Kept, Failure> {
    let mut walk = Walk::enter(plan, row)?;
    if let Some(mask) = &plan.mask {
        if mask.len() != row.len().div_ceil(32) {
            return Err(Failure { code: "wrong_length", stage: None, index: None });
        }
        walk.alive.retain(|t| mask[t.id as usize / 32] >> (t.id % 32) & 1 == 1);
        walk.leave(StageName::Mask)?;
    }
    for stage in plan.order() {
        if walk.step::<M>(stage)? {
            walk.leave(stage)?;
        }
    }
    Ok(Kept {
        ranked: by_rank(&walk.alive),
        factor: walk.factor,
        slack: walk.slack,
        after: walk.after,
        before: walk.before,
    })
}

/// Highest logit first, ties by lower id.
pub fn by_rank(tokens: &[Token]) -> Vec<Token> {
    let mut ranked = tokens.to_vec();
    ranked.sort_by(|a, b| b.logit.partial_cmp(&a.logit).unwrap().then(a.id.cmp(&b.id)));
    ranked
}

/// The tokens of a row that can be drawn, by rank.
pub fn alive(row: &[f32]) -> Vec<Token> {
    let tokens = row.iter().enumerate().map(|(id, l)| Token { id: id as u32, logit: l + 0.0 });
    by_rank(&tokens.filter(|t| t.logit > f32::NEG_INFINITY).collect::<Vec<_>>())
}

pub(super) struct Walk<'a> {
    pub(super) plan: &'a Plan,
    pub(super) n_vocab: usize,
    /// By ascending id.
    pub(super) alive: Vec<Token>,
    pub(super) factor: f64,
    /// Temperature 0 has chosen.
    pub(super) decided: bool,
    pub(super) slack: f64,
    after: Vec<(StageName, usize)>,
    pub(super) before: Option<Vec<(u32, f64)>>,
}

impl<'a> Walk<'a> {
    fn enter(plan: &'a Plan, row: &[f32]) -> Result<Walk<'a>, Failure> {
        let failed = |code, index| Err(Failure { code, stage: None, index });
        if row.is_empty() {
            return failed("empty", None);
        }
        if row.len() > 524_288 {
            return failed("too_large", None);
        }
        if let Some(index) = row.iter().position(|l| l.is_nan() || *l == f32::INFINITY) {
            return failed("not_finite", Some(index));
        }
        let mut alive = alive(row);
        alive.sort_by_key(|t| t.id);
        if alive.is_empty() {
            return failed("nothing_left", None);
        }
        let text = plan.prompt.iter().chain(&plan.output);
        if let Some(id) = text.copied().find(|id| *id as usize >= row.len()) {
            return failed("bad_token", Some(id as usize));
        }
        Ok(Walk {
            plan,
            n_vocab: row.len(),
            alive,
            factor: 1.0,
            decided: false,
            slack: f64::INFINITY,
            after: Vec::new(),
            before: None,
        })
    }

    fn leave(&mut self, stage: StageName) -> Result<(), Failure> {
        self.after.push((stage, self.alive.len()));
        if self.alive.is_empty() {
            return Err(Failure { code: "nothing_left", stage: Some(stage), index: None });
        }
        Ok(())
    }

    /// Runs one stage; false when its options are at their off value.
    fn step<M: Measure>(&mut self, stage: StageName) -> Result<bool, Failure> {
        let options = &self.plan.options;
        match stage {
            StageName::LogitBias => return self.bias(),
            StageName::AllowedTokens => {
                let Some(allowed) = &options.allowed_tokens else { return Ok(false) };
                self.in_vocabulary(allowed.iter().max())?;
                self.alive.retain(|t| allowed.contains(&t.id));
            }
            StageName::RepetitionPenalty => {
                let r = options.repetition_penalty.unwrap_or(1.0);
                let times = |l: f64| if l > 0.0 { l / r } else { l * r };
                return self.penalty(
                    stage,
                    r != 1.0,
                    |l, all, _| if all > 0 { times(l) } else { l },
                );
            }
            StageName::FrequencyPenalty => {
                let f = options.frequency_penalty.unwrap_or(0.0);
                return self.penalty(stage, f != 0.0, |l, _, output| {
                    if output > 0 { l - f64::from(output) * f } else { l }
                });
            }
            StageName::PresencePenalty => {
                let q = options.presence_penalty.unwrap_or(0.0);
                return self.penalty(
                    stage,
                    q != 0.0,
                    |l, _, output| if output > 0 { l - q } else { l },
                );
            }
            StageName::Temperature => match options.temperature.unwrap_or(1.0) {
                1.0 => return Ok(false),
                0.0 => self.decide(),
                t => self.factor = (self.factor * (1.0 / t)).clamp(1e-30, 3e38),
            },
            StageName::DynamicTemperature => return Ok(self.dynamic_temperature::<M>()),
            StageName::Smoothing => return self.smoothing(),
            StageName::TopK => {
                let k = options.top_k.unwrap_or(0) as usize;
                if k == 0 {
                    return Ok(false);
                }
                self.cut(|_, _| Cut { n: k, slack: f64::INFINITY });
            }
            StageName::TopP => {
                let p = options.top_p.unwrap_or(1.0);
                if p == 1.0 {
                    return Ok(false);
                }
                self.cut(|ranked, factor| M::reach(ranked, factor, p));
            }
            StageName::MinP => {
                let m = options.min_p.unwrap_or(0.0);
                if m == 0.0 {
                    return Ok(false);
                }
                self.cut(|ranked, factor| M::at_least(ranked, factor, m));
            }
            StageName::Mirostat => return Ok(self.mirostat::<M>()),
            StageName::AdaptiveP => return self.adaptive_p::<M>(),
            StageName::Greedy => self.decide(),
            other if self.truncate::<M>(other) => {}
            other => return self.text_step::<M>(other),
        }
        Ok(true)
    }

    /// A stage whose rule is neither a prefix by rank and mass nor a share of the best.
    fn truncate<M: Measure>(&mut self, stage: StageName) -> bool {
        let Some(rule) = Rule::of(stage, &self.plan.options) else { return false };
        let ranked = by_rank(&self.alive);
        let choice = M::choose(rule, &ranked, self.factor);
        self.slack = self.slack.min(choice.slack);
        let n = choice.n.max(self.plan.min_keep()).min(ranked.len());
        let kept: Vec<Token> = choice.order[..n].iter().map(|place| ranked[*place]).collect();
        self.keep(&kept);
        true
    }

    /// A temperature between two, by the share that the entropy has of the highest that there can be.
    fn dynamic_temperature<M: Measure>(&mut self) -> bool {
        let Some((low, high, exponent)) = self.plan.dynamic_temperature() else { return false };
        let ranked = by_rank(&self.alive);
        if self.plan.options.temperature == Some(0.0) {
            self.decide();
        } else if ranked.len() > 1 {
            let highest = ln(ranked.len() as f64);
            let relative = (M::entropy(&ranked, self.factor) / highest).min(1.0);
            let power = if exponent == 0.0 { 1.0 } else { exp(exponent * ln(relative)) };
            let temperature = low + (high - low) * power;
            self.factor = (self.factor * (1.0 / temperature)).clamp(1e-30, 3e38);
        }
        true
    }

    pub(super) fn cut(&mut self, rule: impl Fn(&[Token], f64) -> Cut) {
        let ranked = by_rank(&self.alive);
        let cut = rule(&ranked, self.factor);
        self.slack = self.slack.min(cut.slack);
        self.keep(&ranked[..cut.n.max(self.plan.min_keep()).min(ranked.len())]);
    }

    fn decide(&mut self) {
        let ranked = by_rank(&self.alive);
        self.keep(&ranked[..1]);
        self.decided = true;
    }

    fn keep(&mut self, tokens: &[Token]) {
        self.alive = tokens.to_vec();
        self.alive.sort_by_key(|t| t.id);
    }

    pub(super) fn in_vocabulary(&self, highest: Option<&u32>) -> Result<(), Failure> {
        match highest.map(|id| *id as usize).filter(|id| *id >= self.n_vocab) {
            Some(id) => Err(Failure { code: "bad_token", stage: None, index: Some(id) }),
            None => Ok(()),
        }
    }
}
