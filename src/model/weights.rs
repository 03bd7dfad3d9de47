//! The weights of a model.

use std::collections::BTreeMap;

use super::activations::Activations;
use super::config::Config;
use super::gguf::{TensorInfo, invalid};
use super::layout::of_layer;
use super::matrix::{self, Matrix};
use super::rope::Rope;
use crate::error::Result;

/// A matrix, and what is added to its products.
pub(super) struct Linear {
    weight: Matrix,
    bias: Option<Vec<f32>>,
}

/// The weights of a layer.
pub(super) struct Layer {
    pub(super) attn_norm: Vec<f32>,
    pub(super) q: Linear,
    pub(super) k: Linear,
    pub(super) v: Linear,
    pub(super) q_norm: Option<Vec<f32>>,
    pub(super) k_norm: Option<Vec<f32>>,
    pub(super) attn_output: Matrix,
    pub(super) ffn_norm: Vec<f32>,
    pub(super) gate: Matrix,
    pub(super) up: Matrix,
    pub(super) down: Matrix,
}

/// The weights of a model.
pub(super) struct Weights {
    pub(super) config: Config,
    pub(super) rope: Rope,
    pub(super) embedding: Matrix,
    pub(super) layers: Vec<Layer>,
    pub(super) output_norm: Vec<f32>,
    /// Absent where the embedding serves as the output, too.
    output: Option<Matrix>,
}

impl core::fmt::Debug for Weights {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Weights").field("config", &self.config).finish_non_exhaustive()
    }
}

impl Linear {
    /// y = W x + b for each row of activations: `y` (n, rows).
    pub(super) fn apply(&self, x: &Activations, y: &mut [f32]) {
        self.weight.multiply(x, y);
        if let Some(bias) = &self.bias {
            for y in y.chunks_exact_mut(self.weight.rows()) {
                for (y, bias) in y.iter_mut().zip(bias) {
                    *y += bias;
                }
            }
        }
    }
}

/// Tensors that have come, by name.
#[derive(Default)]
pub(super) struct Tensors {
    matrices: BTreeMap<String, Matrix>,
    vectors: BTreeMap<String, Vec<f32>>,
}

impl Tensors {
    /// Takes the bytes of a tensor.
    pub(super) fn insert(&mut self, tensor: &TensorInfo, data: Vec<u8>) -> Result<()> {
        let name = tensor.name.clone();
        if tensor.name.contains("norm") || tensor.name.contains("bias") || name.starts_with("rope")
        {
            self.vectors.insert(name, matrix::vector(tensor, data)?);
        } else {
            self.matrices.insert(name, Matrix::new(tensor, data)?);
        }
        Ok(())
    }

    fn matrix(&mut self, name: &str) -> Result<Matrix> {
        self.matrices.remove(name).ok_or_else(|| missing(name))
    }

    fn vector(&mut self, name: &str) -> Result<Vec<f32>> {
        self.vectors.remove(name).ok_or_else(|| missing(name))
    }

    fn linear(&mut self, layer: usize, name: &str) -> Result<Linear> {
        let name = |ending: &str| of_layer(layer, &[name, ending].concat());
        Ok(Linear {
            weight: self.matrix(&name(".weight"))?,
            bias: self.vectors.remove(&name(".bias")),
        })
    }

    fn layer(&mut self, layer: usize) -> Result<Layer> {
        let name = |name: &str| of_layer(layer, name);
        Ok(Layer {
            attn_norm: self.vector(&name("attn_norm.weight"))?,
            q: self.linear(layer, "attn_q")?,
            k: self.linear(layer, "attn_k")?,
            v: self.linear(layer, "attn_v")?,
            q_norm: self.vectors.remove(&name("attn_q_norm.weight")),
            k_norm: self.vectors.remove(&name("attn_k_norm.weight")),
            attn_output: self.matrix(&name("attn_output.weight"))?,
            ffn_norm: self.vector(&name("ffn_norm.weight"))?,
            gate: self.matrix(&name("ffn_gate.weight"))?,
            up: self.matrix(&name("ffn_up.weight"))?,
            down: self.matrix(&name("ffn_down.weight"))?,
        })
    }

    /// The weights, when all tensors have come.
    pub(super) fn assemble(mut self, config: Config) -> Result<Weights> {
        let factors = self.vectors.remove("rope_freqs.weight");
        Ok(Weights {
            rope: Rope::new(&config, factors.as_deref()),
            embedding: self.matrix("token_embd.weight")?,
            layers: (0..config.n_layers).map(|layer| self.layer(layer)).collect::<Result<_>>()?,
            output_norm: self.vector("output_norm.weight")?,
            output: self.matrices.remove("output.weight"),
            config,
        })
    }
}

fn missing(name: &str) -> crate::error::Error {
    invalid(&["the tensor ", name], "missing", "in the file")
}

impl Weights {
    /// What makes logits of the last activations.
    pub(super) fn output(&self) -> &Matrix {
        self.output.as_ref().unwrap_or(&self.embedding)
    }
}
