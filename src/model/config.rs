//! What a model's file says of its shape.

use super::gguf::{Header, Metadata, TensorInfo, invalid};
use crate::error::{Error, Result};

/// The families of models that are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Architecture {
    /// Llama and what is built like it.
    Llama,
    /// Qwen 2: biases on queries, keys and values.
    Qwen2,
    /// Qwen 3: a norm on each head's query and key.
    Qwen3,
}

/// Which columns of a head turn together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pairing {
    /// 2 i and 2 i + 1.
    Adjacent,
    /// i and i + n_dims / 2.
    Halves,
}

impl Architecture {
    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Architecture::Llama => "llama",
            Architecture::Qwen2 => "qwen2",
            Architecture::Qwen3 => "qwen3",
        }
    }

    pub(super) fn pairing(self) -> Pairing {
        match self {
            Architecture::Llama => Pairing::Adjacent,
            Architecture::Qwen2 | Architecture::Qwen3 => Pairing::Halves,
        }
    }
}

/// The shape of a model.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Config {
    /// The family.
    pub architecture: Architecture,
    /// Tokens.
    pub n_vocab: usize,
    /// The most positions of a sequence.
    pub n_ctx: usize,
    /// Layers.
    pub n_layers: usize,
    /// The width of the residual stream.
    pub dim: usize,
    /// The width inside the feed-forward part.
    pub ffn_dim: usize,
    /// Query heads.
    pub n_heads: usize,
    /// Key and value heads; a divisor of `n_heads`.
    pub n_kv_heads: usize,
    /// Columns of a head.
    pub head_dim: usize,
    /// What RMSNorm adds to the mean square.
    pub norm_eps: f32,
    /// RoPE's base.
    pub rope_base: f64,
    /// Columns of a head that RoPE turns.
    pub rope_dims: usize,
    /// What RoPE's positions are divided by.
    pub rope_scale: f64,
}

/// The most of each.
const MAX_LAYERS: u64 = 1 << 10;
const MAX_WIDTH: u64 = 1 << 17;
const MAX_HEADS: u64 = 1 << 10;
const MAX_HEAD_DIM: u64 = 1 << 10;
/// Angles stay exact, see [`sin_cos`](crate::math::sin_cos).
const MAX_CTX: u64 = 1 << 20;
const MAX_VOCAB: u64 = 1 << 19;

/// The keys of an architecture.
struct Keys<'a> {
    metadata: &'a Metadata,
    prefix: &'static str,
}

impl Keys<'_> {
    fn key(&self, name: &str) -> String {
        [self.prefix, ".", name].concat()
    }

    /// A number from 1 to `most`, or what it is where the file does not say.
    fn count(&self, name: &str, most: u64, default: Option<usize>) -> Result<usize> {
        let key = self.key(name);
        let accepted = ["from 1 to ", &most.to_string()].concat();
        match (self.metadata.integer(&key)?, default) {
            (Some(found), _) if (1..=most).contains(&found) => Ok(found as usize),
            (Some(found), _) => Err(invalid(&[&key], &found.to_string(), &accepted)),
            (None, Some(default)) => Ok(default),
            (None, None) => Err(invalid(&[&key], "missing", &accepted)),
        }
    }

    /// A positive number.
    fn positive(&self, name: &str, default: Option<f64>) -> Result<f64> {
        let key = self.key(name);
        match self.metadata.number(&key)?.or(default) {
            Some(found) if (1e-12..=1e12).contains(&found) => Ok(found),
            Some(found) => {
                let found = crate::error::number_text(found);
                Err(invalid(&[&key], &found, "from 1e-12 to 1e12"))
            }
            None => Err(invalid(&[&key], "missing", "from 1e-12 to 1e12")),
        }
    }

    /// What positions are divided by.
    fn rope_scale(&self) -> Result<f64> {
        let key = self.key("rope.scaling.type");
        match self.metadata.text(&key)? {
            None | Some("none") => self.positive("rope.scale_linear", Some(1.0)),
            Some("linear") => self.positive("rope.scaling.factor", Some(1.0)),
            Some(found) => Err(invalid(&[&key], found, "none or linear")),
        }
    }
}

fn architecture(metadata: &Metadata) -> Result<Architecture> {
    let key = "general.architecture";
    let accepted = "llama, qwen2 or qwen3";
    match metadata.text(key)? {
        Some("llama") => Ok(Architecture::Llama),
        Some("qwen2") => Ok(Architecture::Qwen2),
        Some("qwen3") => Ok(Architecture::Qwen3),
        Some(found) => Err(invalid(&[key], found, accepted)),
        None => Err(invalid(&[key], "missing", accepted)),
    }
}

impl Config {
    /// Reads the shape from a header; every number is in its range, and they fit each other.
    pub fn new(header: &Header) -> Result<Config> {
        let architecture = architecture(&header.metadata)?;
        let keys = Keys { metadata: &header.metadata, prefix: architecture.name() };
        let dim = keys.count("embedding_length", MAX_WIDTH, None)?;
        let n_heads = keys.count("attention.head_count", MAX_HEADS, None)?;
        let head_dim = keys.count("attention.key_length", MAX_HEAD_DIM, Some(dim / n_heads))?;
        let config = Config {
            architecture,
            n_vocab: n_vocab(&header.tensors)?,
            n_ctx: keys.count("context_length", MAX_CTX, None)?,
            n_layers: keys.count("block_count", MAX_LAYERS, None)?,
            dim,
            ffn_dim: keys.count("feed_forward_length", MAX_WIDTH, None)?,
            n_heads,
            n_kv_heads: keys.count("attention.head_count_kv", MAX_HEADS, Some(n_heads))?,
            head_dim,
            norm_eps: keys.positive("attention.layer_norm_rms_epsilon", None)? as f32,
            rope_base: keys.positive("rope.freq_base", Some(10_000.0))?,
            rope_dims: keys.count("rope.dimension_count", MAX_HEAD_DIM, Some(head_dim))?,
            rope_scale: keys.rope_scale()?,
        };
        config.fits(&keys)?;
        Ok(config)
    }

    /// Whether the numbers fit each other.
    fn fits(&self, keys: &Keys<'_>) -> Result<()> {
        let wrong = |name: &str, found: usize, accepted: &str| {
            Err(invalid(&[&keys.key(name)], &found.to_string(), accepted))
        };
        let value_dim = keys.count("attention.value_length", MAX_HEAD_DIM, Some(self.head_dim))?;
        if value_dim != self.head_dim {
            return wrong("attention.value_length", value_dim, "attention.key_length");
        }
        if !self.n_heads.is_multiple_of(self.n_kv_heads) {
            return wrong("attention.head_count_kv", self.n_kv_heads, "a divisor of head_count");
        }
        if self.head_dim == 0 || !self.head_dim.is_multiple_of(2) {
            return wrong("attention.key_length", self.head_dim, "even and at least 2");
        }
        if self.rope_dims > self.head_dim || !self.rope_dims.is_multiple_of(2) {
            let accepted = "even and at most the length of a head";
            return wrong("rope.dimension_count", self.rope_dims, accepted);
        }
        Ok(())
    }
}

/// The embedding has a row for each token.
fn n_vocab(tensors: &[TensorInfo]) -> Result<usize> {
    match tensors.iter().find(|tensor| tensor.name == "token_embd.weight") {
        Some(tensor) if tensor.rows as u64 > MAX_VOCAB => Err(Error::TooLarge {
            what: "the vocabulary size",
            found: tensor.rows as u64,
            limit: MAX_VOCAB,
        }),
        Some(tensor) => Ok(tensor.rows),
        None => Err(invalid(&["the tensor token_embd.weight"], "missing", "in the file")),
    }
}
