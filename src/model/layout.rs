//! Which tensors a model has, and their shapes.

use std::collections::BTreeMap;

use super::config::{Architecture, Config};
use super::gguf::{TensorInfo, invalid};
use crate::error::Result;

/// What a tensor must be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    rows: usize,
    columns: usize,
    required: bool,
}

/// The tensors by name.
type Layout = BTreeMap<String, Wanted>;

/// The name of a layer's tensor.
pub(super) fn of_layer(layer: usize, name: &str) -> String {
    ["blk.", &layer.to_string(), ".", name].concat()
}

fn layout(config: &Config) -> Layout {
    let mut layout = Layout::new();
    let mut want = |name: String, rows: usize, columns: usize, required: bool| {
        layout.insert(name, Wanted { rows, columns, required });
    };
    let &Config { dim, ffn_dim, head_dim, architecture, .. } = config;
    let (q_dim, kv_dim) = (config.n_heads * head_dim, config.n_kv_heads * head_dim);
    want("token_embd.weight".into(), config.n_vocab, dim, true);
    want("output_norm.weight".into(), 1, dim, true);
    want("output.weight".into(), config.n_vocab, dim, false);
    want("rope_freqs.weight".into(), 1, config.rope_dims / 2, false);
    for layer in 0..config.n_layers {
        let name = |name: &str| of_layer(layer, name);
        want(name("attn_norm.weight"), 1, dim, true);
        want(name("ffn_norm.weight"), 1, dim, true);
        want(name("attn_output.weight"), dim, q_dim, true);
        want(name("ffn_gate.weight"), ffn_dim, dim, true);
        want(name("ffn_up.weight"), ffn_dim, dim, true);
        want(name("ffn_down.weight"), dim, ffn_dim, true);
        for (part, rows) in [("attn_q", q_dim), ("attn_k", kv_dim), ("attn_v", kv_dim)] {
            want(name(&[part, ".weight"].concat()), rows, dim, true);
            if architecture != Architecture::Qwen3 {
                let required = architecture == Architecture::Qwen2;
                want(name(&[part, ".bias"].concat()), 1, rows, required);
            }
        }
        if architecture == Architecture::Qwen3 {
            want(name("attn_q_norm.weight"), 1, head_dim, true);
            want(name("attn_k_norm.weight"), 1, head_dim, true);
        }
    }
    layout
}

/// Whether the file has the tensors of its model in their shapes, and no other.
pub(super) fn check(config: &Config, tensors: &[TensorInfo]) -> Result<()> {
    let mut layout = layout(config);
    let family = config.architecture.name();
    for tensor in tensors {
        let Some(wanted) = layout.remove(&tensor.name) else {
            let accepted = ["one of those of ", family, " with this many layers"].concat();
            return Err(invalid(&["the tensor ", &tensor.name], "unknown", &accepted));
        };
        let shape = |rows: usize, columns: usize| {
            [&rows.to_string(), " rows of ", &columns.to_string()].concat()
        };
        if (tensor.rows, tensor.columns) != (wanted.rows, wanted.columns) {
            let found = shape(tensor.rows, tensor.columns);
            let accepted = shape(wanted.rows, wanted.columns);
            return Err(invalid(&["the shape of ", &tensor.name], &found, &accepted));
        }
    }
    match layout.iter().find(|(_, wanted)| wanted.required) {
        Some((name, _)) => Err(invalid(&["the tensor ", name], "missing", "in the file")),
        None => Ok(()),
    }
}
