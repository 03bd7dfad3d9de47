//! Asks the crate and the exact oracle the same, and fails where they differ in a single bit.

use nucleus_sampler::candidates::{Candidates, Scratch};
use nucleus_sampler::chain::Chain;
use nucleus_sampler::history::History;
use nucleus_sampler::stage::Context;
use nucleus_sampler::value::Value;
use nucleus_sampler::{Distribution, Error, Input, Sampler, StageName};

use super::{
    Exact, Failure, Kept, Learned, Measure, Plan, draw, mass, run, surprise, weights, word,
};

impl Plan {
    /// The crate's sampler for this plan, at position 0.
    pub fn sampler(&self) -> Sampler {
        let sampler = self.untaught();
        if self.learned == Learned::default() { sampler } else { taught(&sampler, self.learned) }
    }

    fn untaught(&self) -> Sampler {
        let mut sampler = Sampler::new(self.options.clone()).unwrap();
        sampler.prompt(&self.prompt).unwrap();
        for token in &self.output {
            sampler.accept(*token).unwrap();
        }
        sampler
    }

    /// The row with what comes along with it.
    pub fn input<'a>(&'a self, row: &'a [f32]) -> Input<'a> {
        let (mask, unconditional) = (self.mask.as_deref(), self.unconditional.as_deref());
        Input { logits: row, mask, unconditional, coin: self.coin }
    }
}

/// The sampler as if its controllers had come to this.
fn taught(sampler: &Sampler, learned: Learned) -> Sampler {
    let mut state = sampler.state().unwrap();
    let numbers = |fields: [(&str, f64); 2], n: usize| {
        let fields = fields.into_iter().take(n);
        Value::Map(fields.map(|(name, number)| (name.into(), Value::Number(number))).collect())
    };
    let mu = learned.mu.map(|mu| numbers([("mu", mu), ("", 0.0)], 1));
    let probabilities = learned.probabilities;
    let probabilities =
        probabilities.map(|(sum, weight)| numbers([("sum", sum), ("weight", weight)], 2));
    let Value::List(rows) = field(&mut state, "rows") else { panic!("rows are a list") };
    let controllers = field(&mut rows[0], "controllers");
    *field(controllers, "mirostat") = mu.unwrap_or(Value::Null);
    *field(controllers, "adaptiveP") = probabilities.unwrap_or(Value::Null);
    Sampler::from_state(&state).unwrap()
}

fn field<'v>(map: &'v mut Value, name: &str) -> &'v mut Value {
    let Value::Map(entries) = map else { panic!("no map holds {name}") };
    &mut entries.iter_mut().find(|(other, _)| other == name).unwrap().1
}

impl From<&Error> for Failure {
    fn from(error: &Error) -> Failure {
        Failure { code: error.code(), stage: error.stage(), index: error.index() }
    }
}

/// Kept set, weights, mass, report and `n_draws` draws are those of the oracle; so is an error. Returns what is kept.
pub fn assert_agrees(plan: &Plan, row: &[f32], n_draws: u64) -> Option<Kept> {
    let mut sampler = plan.sampler();
    let found = sampler.distribution(plan.input(row));
    match run::<Exact>(plan, row) {
        Err(expected) => {
            assert_eq!(Failure::from(&found.unwrap_err()), expected, "{plan:?}");
            let error = sampler.sample(plan.input(row)).unwrap_err();
            assert_eq!(Failure::from(&error), expected, "{plan:?}");
            None
        }
        Ok(kept) => {
            assert_distribution(plan, &kept, &found.unwrap());
            assert_weights(plan, &kept, row);
            assert_report(plan, &kept, row);
            assert_draws(plan, &kept, row, n_draws);
            Some(kept)
        }
    }
}

fn assert_distribution(plan: &Plan, kept: &Kept, found: &Distribution) {
    let ids: Vec<u32> = kept.ranked.iter().map(|t| t.id).collect();
    assert_eq!(found.token_ids, ids, "{plan:?}");
    assert_eq!(found.kept_count, ids.len(), "{plan:?}");
    let weights = weights(&kept.ranked, kept.factor);
    let whole = mass(&weights) as f64;
    let probs: Vec<f64> = weights.iter().map(|w| *w as f64 / whole).collect();
    assert_eq!(found.probs, probs, "{plan:?}");
    let mut sum = 0;
    let sums = weights.iter().map(|w| {
        sum += w;
        sum as f64 / whole
    });
    assert_eq!(found.cumulative, sums.collect::<Vec<_>>(), "{plan:?}");
    let limit = f64::from(f32::MAX);
    let scaled = |l: f32| (f64::from(l) * kept.factor).clamp(-limit, limit) as f32;
    let logits: Vec<f32> = kept.ranked.iter().map(|t| scaled(t.logit)).collect();
    assert_eq!(found.logits, logits, "{plan:?}");
}

fn assert_weights(plan: &Plan, kept: &Kept, row: &[f32]) {
    let settings = plan.sampler().settings();
    let mut history = History::new(settings.penalty_last_n);
    history.extend_prompt(&plan.prompt).unwrap();
    plan.output.iter().for_each(|token| history.push_output(*token).unwrap());
    let mut scratch = Scratch::default();
    let mut candidates = Candidates::new(row, &mut scratch).unwrap();
    let mut sampler = plan.sampler();
    let controllers = sampler.row(0).unwrap().controllers().clone();
    let context = Context {
        history: &history,
        mask: plan.mask.as_deref(),
        unconditional: plan.unconditional.as_deref(),
        coin: plan.coin_falls(),
        controllers: &controllers,
    };
    Chain::new(&settings, &[]).unwrap().run(&mut candidates, &context, &mut ()).unwrap();
    let expected = weights(&kept.ranked, kept.factor);
    assert_eq!(u128::from(candidates.mass()), mass(&expected), "{plan:?}");
    candidates.ensure_weights();
    let found: Vec<(u32, f32, u64)> =
        candidates.alive().map(|c| (c.id, c.logit, c.weight())).collect();
    let mut expected: Vec<(u32, f32, u64)> =
        kept.ranked.iter().zip(expected).map(|(t, w)| (t.id, t.logit, w)).collect();
    expected.sort_by_key(|(id, ..)| *id);
    assert_eq!(found, expected, "{plan:?}");
}

fn assert_report(plan: &Plan, kept: &Kept, row: &[f32]) {
    let report = plan.sampler().report(plan.input(row), false).unwrap();
    let active = report.stages.iter().filter(|stage| stage.active);
    let after: Vec<(StageName, usize)> =
        active.map(|stage| (stage.name, stage.kept_after)).collect();
    assert_eq!(after, kept.after, "{plan:?}");
    assert_eq!(report.kept_count, kept.ranked.len(), "{plan:?}");
}

fn assert_draws(plan: &Plan, kept: &Kept, row: &[f32], n_draws: u64) {
    let mut sampler = plan.sampler();
    let (seed, stream) = (sampler.settings().seed, plan.options.stream.unwrap_or(0));
    for position in 0..n_draws {
        let other = plan.reads_coin().then(|| run::<Exact>(&plan.at(position), row));
        let kept = match &other {
            Some(Ok(kept)) => kept,
            Some(Err(failure)) => {
                let error = sampler.sample(plan.input(row)).unwrap_err();
                return assert_eq!(Failure::from(&error), *failure, "{plan:?}");
            }
            None => kept,
        };
        let expected = if plan.reads_no_word() {
            kept.ranked[0].id
        } else {
            draw(&kept.ranked, kept.factor, word(seed, u64::from(stream), position))
        };
        let found = sampler.sample(plan.input(row)).unwrap();
        assert_eq!(found, expected, "position {position}, {plan:?}");
        let pending = sampler.row(0).unwrap().controllers().pending();
        assert_eq!(pending, pending_of(plan, kept, expected), "position {position}, {plan:?}");
    }
}

/// What a draw leaves pending: the token, and its surprise where the terminal stage measures it.
fn pending_of(plan: &Plan, kept: &Kept, token: u32) -> Option<(u32, f64)> {
    plan.controlled().filter(|_| !plan.reads_no_word())?;
    let p = match &kept.before {
        Some(before) => before.iter().find(|(id, _)| *id == token).unwrap().1,
        None => {
            let place = kept.ranked.iter().position(|t| t.id == token).unwrap();
            Exact::probabilities(&kept.ranked, kept.factor)[place]
        }
    };
    Some((token, surprise(p)))
}
