//! Causal grouped-query attention: a head's output is softmax(q · k / sqrt(head_dim)) v over the positions up to its own;
//! `n_heads / n_kv_heads` query heads share each key and value head.
//!
//! Queries go in blocks, and a block sees only the keys up to its end, so that half of the square is never computed.

use super::exp::exp;
use crate::matrix::{View, ViewMut};
use crate::shape::Shape;

/// Query rows in a block.
const BLOCK: usize = 64;

/// The attention of one layer.
pub struct Attention<'a> {
    pub shape: &'a Shape,
    /// Positions.
    pub n: usize,
}

/// A block of queries of one head.
struct Block {
    head: usize,
    first: usize,
    rows: usize,
    /// Keys that the block sees.
    keys: usize,
    /// Where its probabilities begin.
    place: usize,
}

/// Space for the probabilities of `n` positions.
pub fn n_probabilities(shape: &Shape, n: usize) -> usize {
    Attention { shape, n }.blocks().iter().map(|block| block.rows * block.keys).sum()
}

impl Attention<'_> {
    fn blocks(&self) -> Vec<Block> {
        let mut place = 0;
        let mut blocks = Vec::new();
        for head in 0..self.shape.n_heads {
            for first in (0..self.n).step_by(BLOCK) {
                let rows = BLOCK.min(self.n - first);
                let keys = first + rows;
                blocks.push(Block { head, first, rows, keys, place });
                place += rows * keys;
            }
        }
        blocks
    }

    /// Where the block's queries, keys and values begin in (n, qkv_dim).
    fn places(&self, block: &Block) -> (usize, usize, usize) {
        let shape = self.shape;
        let kv = block.head * shape.n_kv_heads / shape.n_heads * shape.head_dim;
        let query = block.first * shape.qkv_dim() + block.head * shape.head_dim;
        (query, shape.q_dim() + kv, shape.q_dim() + shape.kv_dim() + kv)
    }

    fn scale(&self) -> f32 {
        1.0 / (self.shape.head_dim as f32).sqrt()
    }

    /// Writes the probabilities and the output. `qkv`: (n, qkv_dim); `out`: (n, q_dim).
    pub fn forward(&self, qkv: &[f32], probabilities: &mut [f32], out: &mut [f32]) {
        let (dim, step, out_step) = (self.shape.head_dim, self.shape.qkv_dim(), self.shape.q_dim());
        for block in self.blocks() {
            let (query, key, value) = self.places(&block);
            let p = &mut probabilities[block.place..block.place + block.rows * block.keys];
            ViewMut::new(p, block.rows, block.keys).set(
                View::part(&qkv[query..], block.rows, dim, step),
                View::part(&qkv[key..], block.keys, dim, step).t(),
            );
            for (row, p) in p.chunks_exact_mut(block.keys).enumerate() {
                softmax(p, block.first + row + 1, self.scale());
            }
            let place = block.first * out_step + block.head * dim;
            ViewMut::part(&mut out[place..], block.rows, dim, out_step).set(
                View::new(p, block.rows, block.keys),
                View::part(&qkv[value..], block.keys, dim, step),
            );
        }
    }

    /// Writes `dqkv` from `dout`. `scratch` holds at least 64 rows of n.
    pub fn backward(
        &self,
        dout: &[f32],
        qkv: &[f32],
        probabilities: &[f32],
        dqkv: &mut [f32],
        scratch: &mut [f32],
    ) {
        let (dim, step, out_step) = (self.shape.head_dim, self.shape.qkv_dim(), self.shape.q_dim());
        dqkv[..self.n * step].fill(0.0);
        for block in self.blocks() {
            let (query, key, value) = self.places(&block);
            let (rows, keys) = (block.rows, block.keys);
            let p = &probabilities[block.place..block.place + rows * keys];
            let dout =
                View::part(&dout[block.first * out_step + block.head * dim..], rows, dim, out_step);
            let ds = &mut scratch[..rows * keys];
            ViewMut::part(&mut dqkv[value..], keys, dim, step)
                .add(View::new(p, rows, keys).t(), dout);
            ViewMut::new(ds, rows, keys).set(dout, View::part(&qkv[value..], keys, dim, step).t());
            for (ds, p) in ds.chunks_exact_mut(keys).zip(p.chunks_exact(keys)) {
                softmax_backward(ds, p, self.scale());
            }
            let ds = View::new(ds, rows, keys);
            ViewMut::part(&mut dqkv[query..], rows, dim, step)
                .set(ds, View::part(&qkv[key..], keys, dim, step));
            ViewMut::part(&mut dqkv[key..], keys, dim, step)
                .add(ds.t(), View::part(&qkv[query..], rows, dim, step));
        }
    }
}

/// Scores to probabilities: the first `alive` of a row, the rest 0.
fn softmax(row: &mut [f32], alive: usize, scale: f32) {
    let (seen, rest) = row.split_at_mut(alive);
    rest.fill(0.0);
    let max = seen.iter().fold(f32::MIN, |max, &x| if x > max { x } else { max });
    let mut sums = [0.0f32; 16];
    for part in seen.chunks_mut(16) {
        for (sum, x) in sums.iter_mut().zip(part) {
            *x = exp((*x - max) * scale);
            *sum += *x;
        }
    }
    let factor = 1.0 / sums.iter().sum::<f32>();
    seen.iter_mut().for_each(|x| *x *= factor);
}

/// Gradients of probabilities to gradients of unscaled scores.
fn softmax_backward(ds: &mut [f32], p: &[f32], scale: f32) {
    let mut sums = [0.0f32; 16];
    for (ds, p) in ds.chunks(16).zip(p.chunks(16)) {
        for ((sum, ds), p) in sums.iter_mut().zip(ds).zip(p) {
            *sum += ds * p;
        }
    }
    let mean: f32 = sums.iter().sum();
    for (ds, p) in ds.iter_mut().zip(p) {
        *ds = p * (*ds - mean) * scale;
    }
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::*;

    fn shape() -> Shape {
        Shape {
            n_vocab: 8,
            n_ctx: 70,
            dim: 16,
            n_layers: 1,
            n_heads: 4,
            n_kv_heads: 2,
            head_dim: 4,
            ffn: 8,
        }
    }

    fn run(shape: &Shape, n: usize, qkv: &[f32]) -> (Vec<f32>, Vec<f32>) {
        let mut p = vec![0.0; n_probabilities(shape, n)];
        let mut out = vec![0.0; n * shape.q_dim()];
        Attention { shape, n }.forward(qkv, &mut p, &mut out);
        (p, out)
    }

    #[test]
    fn matches_the_definition() {
        let (shape, n) = (shape(), 70);
        let qkv = check::numbers(n * shape.qkv_dim(), 1);
        let (_, out) = run(&shape, n, &qkv);
        let at = |pos: usize, column: usize| f64::from(qkv[pos * shape.qkv_dim() + column]);
        for (pos, head) in [(0, 0), (1, 3), (63, 2), (64, 1), (69, 3)] {
            let kv = head / 2 * 4;
            let score = |t: usize| {
                (0..4).map(|i| at(pos, head * 4 + i) * at(t, 16 + kv + i)).sum::<f64>() / 2.0
            };
            let total: f64 = (0..=pos).map(|t| score(t).exp()).sum();
            for i in 0..4 {
                let expected: f64 =
                    (0..=pos).map(|t| score(t).exp() / total * at(t, 24 + kv + i)).sum();
                let found = f64::from(out[pos * 16 + head * 4 + i]);
                assert!((found - expected).abs() < 1e-5, "{found} {expected}");
            }
        }
    }

    #[test]
    fn gradients() {
        let (shape, n) = (shape(), 67);
        let qkv = check::numbers(n * shape.qkv_dim(), 1);
        let dout = check::numbers(n * shape.q_dim(), 2);
        let (p, _) = run(&shape, n, &qkv);
        let (mut dqkv, mut scratch) = (vec![1.0; qkv.len()], vec![0.0; BLOCK * n]);
        Attention { shape: &shape, n }.backward(&dout, &qkv, &p, &mut dqkv, &mut scratch);
        check::gradient(&qkv, &dqkv, |qkv| check::dot(&run(&shape, n, qkv).1, &dout));
    }
}
