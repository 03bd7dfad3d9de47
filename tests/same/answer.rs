//! What the crate answers to the calls of the golden file.

#[path = "../common/plain.rs"]
mod plain;

use nucleus_sampler::value::Value as Plain;
use nucleus_sampler::{BatchInput, Distribution, Error, Input, Options, Rows, Sampler};
use serde_json::Value;

use super::golden::{Answer, Batch, Call, Case, Chain, Ids, Kept, Row, Use};
use super::rows::{digest, mask};

/// Options from their JavaScript spelling.
pub fn options(json: &Value) -> Options {
    Options::from_value(&plain::from_json(json).json_restored()).unwrap()
}

impl Chain {
    /// The chain's options over a row, with a case's seed and stream.
    pub fn options(&self, row: &Row, case: &Case) -> Options {
        let mut given = self.options.clone();
        let lists = [
            (Use::Bias, "logitBias", row.bias.clone()),
            (Use::Allowed, "allowedTokens", row.allowed.clone().into()),
            (Use::Words, "badWords", row.words().into()),
            (Use::Ends, "eosTokenIds", row.allowed[5..7].into()),
        ];
        for (_, key, list) in lists.into_iter().filter(|(which, ..)| self.uses.contains(which)) {
            given[key] = list;
        }
        given["seed"] = case.seed.clone().into();
        if let Some(stream) = case.stream {
            given["stream"] = stream.into();
        }
        options(&given)
    }

    /// The mask that goes with a call over a row.
    pub fn mask(&self, row: &Row) -> Option<Vec<u32>> {
        self.uses.contains(&Use::Mask).then(|| mask(row.mask, row.n))
    }

    /// The second row that goes with a call over these logits: the same, each at the place before its own.
    pub fn second(&self, logits: &[f32]) -> Option<Vec<f32>> {
        let mut second = logits.to_vec();
        second.rotate_left(1);
        self.uses.contains(&Use::Second).then_some(second)
    }

    fn sampler(&self, row: &Row, case: &Case) -> Sampler {
        let mut sampler = Sampler::new(self.options(row, case)).unwrap();
        if self.uses.contains(&Use::History) {
            sampler.prompt(&row.prompt).unwrap();
            row.output.iter().for_each(|token| sampler.accept(*token).unwrap());
        }
        at_position(&sampler, case.position)
    }
}

/// The sampler as if its row 0 had drawn `position` tokens.
fn at_position(sampler: &Sampler, position: u64) -> Sampler {
    let mut state = sampler.state().unwrap();
    let Plain::Map(fields) = &mut state else { panic!("a state is a map") };
    let rows = fields.iter_mut().find(|(name, _)| name == "rows").unwrap();
    let Plain::List(rows) = &mut rows.1 else { panic!("rows are a list") };
    let Plain::Map(row) = &mut rows[0] else { panic!("a row is a map") };
    row.iter_mut().find(|(name, _)| name == "position").unwrap().1 = Plain::Unsigned(position);
    Sampler::from_state(&state).unwrap()
}

/// How many tokens each case draws.
pub const N_DRAWS: usize = 8;

/// Of a large row so many are drawn one by one, and the rest at once: builds without optimisation take their time.
const LARGE: usize = 10_000;
const N_OF_LARGE: usize = 2;

/// What the crate answers to a case, drawn in every way that there is: `sample_many`, `sample` and `sample_detailed`.
pub fn answers(chain: &Chain, row: &Row, case: &Case, logits: &[f32]) -> Vec<Answer> {
    let (mask, second) = (chain.mask(row), chain.second(logits));
    let input =
        || Input { mask: mask.as_deref(), unconditional: second.as_deref(), ..Input::from(logits) };
    let start = chain.sampler(row, case);
    let n_single = if logits.len() > LARGE { N_OF_LARGE } else { N_DRAWS };
    let described = start.clone().distribution(input()).map(|found| kept(&found));
    let answer = |draw: &dyn Fn(&mut Sampler, &mut Kept) -> Result<(), Error>| {
        // Where describing fails, drawing must fail with the same error.
        let mut kept = described.clone().unwrap_or_default();
        match (draw(&mut start.clone(), &mut kept), &described) {
            (Ok(()), Ok(_)) => Answer::Kept(kept),
            (Err(error), Err(other)) if error == *other => Answer::Failed(error.code().into()),
            (drawn, described) => Answer::Failed(format!("{drawn:?} is not {described:?}")),
        }
    };
    vec![
        answer(&|sampler, kept| {
            kept.tokens = sampler.sample_many(input(), N_DRAWS)?;
            Ok(())
        }),
        answer(&|sampler, kept| {
            for _ in 0..n_single {
                kept.tokens.push(sampler.sample(input())?);
            }
            kept.tokens.extend(sampler.sample_many(input(), N_DRAWS - n_single)?);
            Ok(())
        }),
        answer(&|sampler, kept| {
            for i in 0..n_single {
                let sample = sampler.sample_detailed(input())?;
                kept.tokens.push(sample.token);
                // Later ones may have another coin.
                if i == 0 {
                    (kept.count, kept.mass, kept.entropy) =
                        (sample.kept_count, sample.kept_mass, sample.entropy);
                }
            }
            kept.tokens.extend(sampler.sample_many(input(), N_DRAWS - n_single)?);
            Ok(())
        }),
    ]
}

/// What is kept, before a token is drawn.
fn kept(distribution: &Distribution) -> Kept {
    let Distribution { token_ids, logits, probs, cumulative, kept_count, kept_mass, entropy } =
        distribution;
    let halves = |x: &f64| [x.to_bits() as u32, (x.to_bits() >> 32) as u32];
    let logits = logits.iter().map(|logit| logit.to_bits());
    let reals = probs.iter().chain(cumulative).flat_map(halves);
    let digest = digest(token_ids.iter().copied().chain(logits).chain(reals));
    let (count, mass, entropy) = (*kept_count, *kept_mass, *entropy);
    Kept { count, mass, entropy, digest, tokens: Vec::new() }
}

/// The batch's calls with what the crate draws.
pub fn batch(batch: &Batch, logits: &[Vec<f32>]) -> Batch {
    let mut sampler = Sampler::new(options(&batch.options)).unwrap();
    for added in &batch.added {
        sampler.add_row(options(added)).unwrap();
    }
    let calls = batch.calls.iter().map(|call| answered(&mut sampler, batch, call, logits));
    Batch { calls: calls.collect(), ..batch.clone() }
}

fn answered(sampler: &mut Sampler, batch: &Batch, call: &Call, logits: &[Vec<f32>]) -> Call {
    let ids = call.rows.list();
    let row_of = |id: &u32| batch.rows[*id as usize % batch.rows.len()];
    let all: Vec<f32> = ids.iter().flat_map(|id| logits[row_of(id)].iter().copied()).collect();
    let n = all.len() / ids.len();
    let words: Vec<Option<Vec<u32>>> =
        call.masks.iter().flatten().map(|given| given.map(|given| mask(given, n))).collect();
    let masks: Vec<Option<&[u32]>> = words.iter().map(Option::as_deref).collect();
    let rows = match &call.rows {
        Ids::First(n) => Rows::First(*n),
        Ids::Listed(ids) => Rows::Ids(ids),
    };
    let given = BatchInput { masks: &masks, ..BatchInput::from(&all) };
    Call { tokens: sampler.sample_batch(given, rows).unwrap(), ..call.clone() }
}
