//! The forward pass: rows of activations, one a token, of one or several sequences, through all layers.
//!
//! A row's result depends on its own sequence alone, to the bit: matrices see rows one beside the other, attention sees
//! each row's own cache.

use super::activations::Activations;
use super::attention::attend;
use super::cache::Cache;
use super::norm::{rms_norm, rms_norm_in_place};
use super::rope::Angles;
use super::swiglu::swiglu;
use super::weights::{Layer, Weights};

/// Tokens that are next in a sequence; its cache has room for them.
pub(super) struct Next<'a> {
    pub(super) cache: &'a mut Cache,
    pub(super) tokens: &'a [u32],
}

/// Rows on their way, (n, width) each.
struct Rows {
    x: Vec<f32>,
    normed: Vec<f32>,
    q: Vec<f32>,
    k: Vec<f32>,
    v: Vec<f32>,
    attended: Vec<f32>,
    gate: Vec<f32>,
    up: Vec<f32>,
    angles: Angles,
    activations: Activations,
}

/// Adds the tokens to their sequences; returns the activations after the last layer, (n, dim).
pub(super) fn forward(weights: &Weights, next: &mut [Next<'_>]) -> Vec<f32> {
    let mut rows = begin(weights, next);
    for (i, layer) in weights.layers.iter().enumerate() {
        attention(weights, layer, i, next, &mut rows);
        feed_forward(weights, layer, &mut rows);
    }
    for next in next {
        next.cache.advance(next.tokens.len());
    }
    rows.x
}

/// The logits of rows of activations, (n, dim) to (n, n_vocab).
pub(super) fn logits(weights: &Weights, x: &[f32], logits: &mut [f32]) {
    let config = &weights.config;
    let mut normed = vec![0.0; x.len()];
    rms_norm(x, &weights.output_norm, config.norm_eps, &mut normed);
    let mut activations = Activations::default();
    activations.set(&normed, config.dim);
    weights.output().multiply(&activations, logits);
}

fn begin(weights: &Weights, next: &[Next<'_>]) -> Rows {
    let config = &weights.config;
    let n: usize = next.iter().map(|next| next.tokens.len()).sum();
    let zeros = |width: usize| vec![0.0; n * width];
    let (q_dim, kv_dim) = (config.n_heads * config.head_dim, config.n_kv_heads * config.head_dim);
    let mut x = zeros(config.dim);
    let tokens = next.iter().flat_map(|next| next.tokens);
    for (x, token) in x.chunks_exact_mut(config.dim).zip(tokens) {
        weights.embedding.row(*token as usize, x);
    }
    let positions = next.iter().flat_map(|next| (next.cache.length()..).take(next.tokens.len()));
    Rows {
        x,
        normed: zeros(config.dim),
        q: zeros(q_dim),
        k: zeros(kv_dim),
        v: zeros(kv_dim),
        attended: zeros(q_dim),
        gate: zeros(config.ffn_dim),
        up: zeros(config.ffn_dim),
        angles: weights.rope.angles(positions),
        activations: Activations::default(),
    }
}

fn attention(weights: &Weights, layer: &Layer, i: usize, next: &mut [Next<'_>], rows: &mut Rows) {
    let config = &weights.config;
    let (q_dim, kv_dim) = (config.n_heads * config.head_dim, config.n_kv_heads * config.head_dim);
    rms_norm(&rows.x, &layer.attn_norm, config.norm_eps, &mut rows.normed);
    rows.activations.set(&rows.normed, config.dim);
    layer.q.apply(&rows.activations, &mut rows.q);
    layer.k.apply(&rows.activations, &mut rows.k);
    layer.v.apply(&rows.activations, &mut rows.v);
    if let (Some(q_norm), Some(k_norm)) = (&layer.q_norm, &layer.k_norm) {
        rms_norm_in_place(&mut rows.q, q_norm, config.norm_eps);
        rms_norm_in_place(&mut rows.k, k_norm, config.norm_eps);
    }
    weights.rope.turn(&mut rows.q, q_dim, &rows.angles);
    weights.rope.turn(&mut rows.k, kv_dim, &rows.angles);
    let scale = 1.0 / (config.head_dim as f32).sqrt();
    rows.q.iter_mut().for_each(|q| *q *= scale);

    let keys_values = rows.k.chunks_exact(kv_dim).zip(rows.v.chunks_exact(kv_dim));
    let queries = rows.q.chunks_exact(q_dim).zip(rows.attended.chunks_exact_mut(q_dim));
    let (mut keys_values, mut queries) = (keys_values, queries);
    for next in next {
        let (begin, n) = (next.cache.length(), next.tokens.len());
        for (pos, (keys, values)) in (begin..).zip(keys_values.by_ref().take(n)) {
            next.cache.store(i, pos, keys, values);
        }
        for (pos, (query, out)) in (begin..).zip(queries.by_ref().take(n)) {
            let heads = query.chunks_exact(config.head_dim);
            let group = config.n_heads / config.n_kv_heads;
            for (h, (query, out)) in heads.zip(out.chunks_exact_mut(config.head_dim)).enumerate() {
                attend(query, next.cache, i, h / group, pos + 1, out);
            }
        }
    }

    rows.activations.set(&rows.attended, q_dim);
    layer.attn_output.multiply(&rows.activations, &mut rows.normed);
    add(&mut rows.x, &rows.normed);
}

fn feed_forward(weights: &Weights, layer: &Layer, rows: &mut Rows) {
    let config = &weights.config;
    rms_norm(&rows.x, &layer.ffn_norm, config.norm_eps, &mut rows.normed);
    rows.activations.set(&rows.normed, config.dim);
    layer.gate.multiply(&rows.activations, &mut rows.gate);
    layer.up.multiply(&rows.activations, &mut rows.up);
    swiglu(&mut rows.gate, &rows.up);
    rows.activations.set(&rows.gate, config.ffn_dim);
    layer.down.multiply(&rows.activations, &mut rows.normed);
    add(&mut rows.x, &rows.normed);
}

fn add(x: &mut [f32], branch: &[f32]) {
    for (x, branch) in x.iter_mut().zip(branch) {
        *x += branch;
    }
}
