//! The golden file `tests/golden/same.json` as types: rows, chains, and what every implementation must answer.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::rows::Synthetic;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Golden {
    pub made_by: String,
    pub rows: Vec<Row>,
    pub chains: Vec<Chain>,
    /// What the places of a case are.
    pub columns: Vec<String>,
    pub cases: Vec<Case>,
    pub batches: Vec<Batch>,
}

/// A row of logits, and what chains take from it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    pub name: String,
    pub n: usize,
    /// Absent for a recorded row, which is the file of its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub synthetic: Option<Synthetic>,
    pub prompt: Vec<u32>,
    pub output: Vec<u32>,
    pub bias: Value,
    pub allowed: Vec<u32>,
    /// Seed and share of a mask.
    pub mask: [u32; 2],
}

impl Row {
    /// Sequences of which the text has begun some: their last tokens are allowed ones.
    pub fn words(&self) -> Vec<Vec<u32>> {
        let (allowed, n) = (&self.allowed, self.output.len());
        vec![
            vec![allowed[0]],
            vec![self.output[n - 1], allowed[1]],
            vec![self.output[n - 2], self.output[n - 1], allowed[2]],
            vec![allowed[3], allowed[4]],
        ]
    }

    /// The row's logits; `recorded` gives the bytes of a recorded one.
    pub fn logits(&self, recorded: &dyn Fn(&str) -> Vec<u8>) -> Vec<f32> {
        match &self.synthetic {
            Some(made) => (0..self.n as u32).map(|i| made.logit(i)).collect(),
            None => {
                let bytes = recorded(&self.name);
                bytes.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)).collect()
            }
        }
    }
}

/// Options as the JavaScript face spells them, and which of the row's lists they go with.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Chain {
    pub options: Value,
    pub uses: Vec<Use>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Use {
    History,
    Bias,
    Allowed,
    Mask,
    /// The second row of guidance.
    Second,
    /// Bad words, some of which the text has begun.
    Words,
    /// Tokens that end a text.
    Ends,
}

/// One call, as a flat list in the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Flat", into = "Flat")]
pub struct Case {
    pub row: usize,
    pub chain: usize,
    /// Digits.
    pub seed: String,
    pub stream: Option<u32>,
    pub position: u64,
    pub answer: Answer,
}

/// What a call answers: the code of its error, or what it keeps and draws.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    Failed(String),
    Kept(Kept),
}

/// What is kept and drawn; numbers by their bits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kept {
    pub count: usize,
    pub mass: f64,
    pub entropy: f64,
    /// Of ids, logits, probabilities and cumulative shares by rank.
    pub digest: u32,
    pub tokens: Vec<u32>,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Flat {
    Kept(usize, usize, String, Option<u32>, u64, usize, String, String, u32, Vec<u32>),
    Failed(usize, usize, String, Option<u32>, u64, String),
}

fn hex(x: f64) -> String {
    format!("{:016x}", x.to_bits())
}

fn from_hex(text: &str) -> f64 {
    f64::from_bits(u64::from_str_radix(text, 16).unwrap())
}

impl From<Flat> for Case {
    fn from(flat: Flat) -> Case {
        match flat {
            Flat::Kept(
                row,
                chain,
                seed,
                stream,
                position,
                count,
                mass,
                entropy,
                digest,
                tokens,
            ) => {
                let (mass, entropy) = (from_hex(&mass), from_hex(&entropy));
                let answer = Answer::Kept(Kept { count, mass, entropy, digest, tokens });
                Case { row, chain, seed, stream, position, answer }
            }
            Flat::Failed(row, chain, seed, stream, position, code) => {
                Case { row, chain, seed, stream, position, answer: Answer::Failed(code) }
            }
        }
    }
}

impl From<Case> for Flat {
    fn from(Case { row, chain, seed, stream, position, answer }: Case) -> Flat {
        match answer {
            Answer::Kept(Kept { count, mass, entropy, digest, tokens }) => {
                let (mass, entropy) = (hex(mass), hex(entropy));
                Flat::Kept(row, chain, seed, stream, position, count, mass, entropy, digest, tokens)
            }
            Answer::Failed(code) => Flat::Failed(row, chain, seed, stream, position, code),
        }
    }
}

/// Calls of a sampler with several rows; row i gets the logits `rows[i mod n]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Batch {
    pub options: Value,
    /// Options of rows 1, 2, ... that are added before the first call.
    pub added: Vec<Value>,
    pub rows: Vec<usize>,
    pub calls: Vec<Call>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// A number of rows, or the ids of rows.
    pub rows: Ids,
    /// Seed and share of a mask for each place of the call; absent where no place has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub masks: Option<Vec<Option<[u32; 2]>>>,
    pub tokens: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Ids {
    First(usize),
    Listed(Vec<u32>),
}

impl Ids {
    /// The ids of the rows.
    pub fn list(&self) -> Vec<u32> {
        match self {
            Ids::First(n) => (0..*n as u32).collect(),
            Ids::Listed(ids) => ids.clone(),
        }
    }
}
