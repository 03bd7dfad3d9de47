//! Attention of a query over all positions up to its own: softmax(q K / sqrt(head_dim)) V.
//!
//! Positions come in tiles of [`BLOCK`]: scores, their maximum, exponentials, and a sum of values that is scaled down
//! whenever the maximum rises (the online softmax). So scores of more than a tile are never stored. A tile is a block of
//! the cache, wherever the query's batch begins: the result is the same bits in any batch.

use super::cache::{BLOCK, Cache, Wide};
use crate::lanes::{Exp, F32x4, Lanes};
use crate::math::exp_f32;

/// What has come of the tiles so far.
struct Sums {
    max: f32,
    /// The sum of exponentials, and of values times them, both over e^max.
    mass: f32,
    values: Vec<Wide>,
    exp: Exp<F32x4>,
}

/// Attention of head `h` of a query (head_dim) over the first `n` positions of a layer; `out` (head_dim).
pub(super) fn attend(
    query: &[f32],
    cache: &Cache,
    layer: usize,
    h: usize,
    n: usize,
    out: &mut [f32],
) {
    let n_wide = query.len().div_ceil(BLOCK);
    let values = vec![[0.0; BLOCK]; n_wide];
    let mut sums = Sums { max: f32::NEG_INFINITY, mass: 0.0, values, exp: Exp::new() };
    for (tile, (keys, values)) in cache.head(layer, h).enumerate() {
        let Some(n_left) = n.checked_sub(tile * BLOCK).filter(|left| *left > 0) else { break };
        let scores = scores(query, keys);
        add_tile(&mut sums, scores, n_left.min(BLOCK), values);
    }
    let scale = F32x4::splat(1.0 / sums.mass);
    for value in sums.values.as_flattened_mut().as_chunks_mut::<4>().0 {
        F32x4::load(value).mul(scale).store(value);
    }
    for (to, value) in out.iter_mut().zip(sums.values.as_flattened()) {
        *to = *value;
    }
}

/// q k for the positions of a tile; the query is scaled already.
#[inline(always)]
fn scores(query: &[f32], keys: &[Wide]) -> Wide {
    let mut sums = [F32x4::splat(0.0); 4];
    for (q, keys) in query.iter().zip(keys) {
        let q = F32x4::splat(*q);
        for (sum, keys) in sums.iter_mut().zip(keys.as_chunks::<4>().0) {
            *sum = sum.add(q.mul(F32x4::load(keys)));
        }
    }
    let mut scores = [0.0; BLOCK];
    for (to, sum) in scores.as_chunks_mut::<4>().0.iter_mut().zip(sums) {
        sum.store(to);
    }
    scores
}

/// Adds the first `n` positions of a tile.
#[inline(always)]
fn add_tile(sums: &mut Sums, mut scores: Wide, n: usize, values: &[Wide]) {
    for score in scores.iter_mut().skip(n) {
        *score = f32::NEG_INFINITY;
    }
    let highest =
        scores.iter().fold(sums.max, |max, score| if max < *score { *score } else { max });
    let fade = exp_f32((sums.max - highest).max(-64.0));
    let (floor, max) = (F32x4::splat(-64.0), F32x4::splat(highest));
    for four in scores.as_chunks_mut::<4>().0 {
        sums.exp.of(floor.higher(F32x4::load(four).sub(max))).store(four);
    }
    for weight in scores.iter_mut().skip(n) {
        *weight = 0.0;
    }
    let mass =
        scores.as_chunks::<4>().0.iter().map(F32x4::load).fold(F32x4::splat(0.0), Lanes::add);
    sums.mass = sums.mass * fade + mass.sum();
    sums.max = highest;
    for (sum, values) in sums.values.iter_mut().zip(values.as_chunks::<BLOCK>().0) {
        add_values(sum, fade, &scores, values);
    }
}

/// sum = sum * fade + the weighted values of 16 columns.
#[inline(always)]
fn add_values(sum: &mut Wide, fade: f32, weights: &Wide, values: &[Wide; BLOCK]) {
    let (sums, _) = sum.as_chunks_mut::<4>();
    let fade = F32x4::splat(fade);
    let mut totals = [fade; 4];
    for (total, sum) in totals.iter_mut().zip(sums.iter()) {
        *total = F32x4::load(sum).mul(fade);
    }
    for (weight, row) in weights.iter().zip(values) {
        let weight = F32x4::splat(*weight);
        for (total, values) in totals.iter_mut().zip(row.as_chunks::<4>().0) {
            *total = total.add(weight.mul(F32x4::load(values)));
        }
    }
    for (total, sum) in totals.into_iter().zip(sums) {
        total.store(sum);
    }
}
