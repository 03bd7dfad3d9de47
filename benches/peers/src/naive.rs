//! Top-p as one writes it at first: softmax, sort everything, walk.

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use two_pass_limit::bench::Row;

use crate::Draw;
use crate::chains::{MIN_P, SEED, TEMPERATURE, TOP_K, TOP_K_TOP_P, TOP_P, TOP_P_MIN_P, TOP_P_ONLY};

pub fn draws(row: &Row) -> Vec<(&'static str, Draw<'_>)> {
    let all = row.logits.len();
    [(TOP_P_ONLY, all, 0.0), (TOP_K_TOP_P, TOP_K, 0.0), (TOP_P_MIN_P, all, MIN_P)]
        .map(|(name, top_k, min_p)| {
            let mut generator = StdRng::seed_from_u64(SEED);
            let draw: Draw<'_> =
                Box::new(move || sample(&row.logits, top_k, min_p, generator.r#gen()));
            (name, draw)
        })
        .into()
}

/// `u` is uniform in [0, 1).
fn sample(logits: &[f32], top_k: usize, min_p: f64, u: f64) -> u32 {
    let max = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let weight = |l: &f32| (f64::from(l - max) / TEMPERATURE).exp();
    let mut tokens: Vec<(u32, f64)> = (0..).zip(logits.iter().map(weight)).collect();
    tokens.sort_by(|a, b| b.1.total_cmp(&a.1));
    tokens.truncate(top_k);
    let enough = TOP_P * tokens.iter().map(|token| token.1).sum::<f64>();
    let mut mass = 0.0;
    let last = tokens.iter().position(|token| {
        mass += token.1;
        mass >= enough
    });
    tokens.truncate(last.map_or(tokens.len(), |rank| rank + 1));
    tokens.retain(|token| token.1 >= min_p);
    let mut target = u * tokens.iter().map(|token| token.1).sum::<f64>();
    let drawn = tokens.iter().find(|token| {
        target -= token.1;
        target < 0.0
    });
    drawn.or(tokens.last()).map_or(0, |token| token.0)
}
