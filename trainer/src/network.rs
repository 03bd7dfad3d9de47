//! The transformer on one sequence: forward, loss, backward.
//!
//! x = embedding; per layer x += attention(RMSNorm(x)) and x += SwiGLU(RMSNorm(x)); logits = RMSNorm(x) · embeddingᵀ.
//! Every matrix is (out, in), row-major, so that y = x · Wᵀ.

use crate::matrix::{View, ViewMut};
use crate::mixed::Arithmetic;
use crate::ops::attention::{Attention, n_probabilities};
use crate::ops::dropout::dropout;
use crate::ops::rope::Rotations;
use crate::ops::{cross_entropy, rms_norm, swiglu};
use crate::shape::Shape;

/// What the backward pass needs of a layer; each (n_ctx, width).
struct LayerTape {
    x: Vec<f32>,
    attn_factors: Vec<f32>,
    attn_in: Vec<f32>,
    qkv: Vec<f32>,
    probabilities: Vec<f32>,
    attn_out: Vec<f32>,
    middle: Vec<f32>,
    ffn_factors: Vec<f32>,
    ffn_in: Vec<f32>,
    gate_up: Vec<f32>,
    activation: Vec<f32>,
}

/// The network's working memory for one sequence.
pub struct Network {
    shape: Shape,
    rotations: Rotations,
    layers: Vec<LayerTape>,
    x: Vec<f32>,
    factors: Vec<f32>,
    last: Vec<f32>,
    logits: Vec<f32>,
    losses: Vec<f32>,
    branch: Vec<f32>,
    dx: Vec<f32>,
    dnorm: Vec<f32>,
    dwide: Vec<f32>,
    dgate_up: Vec<f32>,
    scratch: Vec<f32>,
    arithmetic: Arithmetic,
    /// Whether training rounds the factors of its large products to bfloat16; everything else is f32.
    mixed: bool,
}

/// Dropout in training; none in evaluation.
#[derive(Clone, Copy, Debug)]
pub struct Dropout {
    pub rate: f32,
    pub seed: u32,
}

impl Dropout {
    pub const NONE: Dropout = Dropout { rate: 0.0, seed: 0 };

    fn apply(self, x: &mut [f32], site: usize) {
        dropout(x, self.rate, self.seed ^ (site as u32).wrapping_mul(0x9e37_79b1));
    }
}

fn zeros(n: usize) -> Vec<f32> {
    vec![0.0; n]
}

impl Network {
    pub fn new(shape: &Shape, mixed: bool) -> Network {
        let n = shape.n_ctx;
        let layer = || LayerTape {
            x: zeros(n * shape.dim),
            attn_factors: zeros(n),
            attn_in: zeros(n * shape.dim),
            qkv: zeros(n * shape.qkv_dim()),
            probabilities: zeros(n_probabilities(shape, n)),
            attn_out: zeros(n * shape.q_dim()),
            middle: zeros(n * shape.dim),
            ffn_factors: zeros(n),
            ffn_in: zeros(n * shape.dim),
            gate_up: zeros(n * 2 * shape.ffn),
            activation: zeros(n * shape.ffn),
        };
        Network {
            rotations: Rotations::new(n, shape.head_dim),
            layers: (0..shape.n_layers).map(|_| layer()).collect(),
            x: zeros(n * shape.dim),
            factors: zeros(n),
            last: zeros(n * shape.dim),
            logits: zeros(n * shape.n_vocab),
            losses: zeros(n),
            branch: zeros(n * shape.dim),
            dx: zeros(n * shape.dim),
            dnorm: zeros(n * shape.dim),
            dwide: zeros(n * shape.ffn.max(shape.qkv_dim()).max(shape.q_dim())),
            dgate_up: zeros(n * 2 * shape.ffn),
            scratch: zeros(64 * n),
            arithmetic: Arithmetic::default(),
            mixed,
            shape: shape.clone(),
        }
    }

    /// The logits (n, n_vocab) of a sequence.
    pub fn logits(&mut self, params: &[f32], inputs: &[u32]) -> &[f32] {
        self.arithmetic.mixed = false;
        self.forward(params, inputs, Dropout::NONE);
        &self.logits[..inputs.len() * self.shape.n_vocab]
    }

    /// The loss of each target, in nats.
    pub fn losses(&mut self, params: &[f32], inputs: &[u32], targets: &[u32]) -> &[f32] {
        self.arithmetic.mixed = false;
        self.forward(params, inputs, Dropout::NONE);
        self.cross_entropy(targets, 1.0);
        &self.losses[..targets.len()]
    }

    /// Adds the gradient of `scale` times the summed loss to `grads`; gives the summed loss in nats.
    pub fn train(
        &mut self,
        params: &[f32],
        grads: &mut [f32],
        (inputs, targets): (&[u32], &[u32]),
        scale: f32,
        dropout: Dropout,
    ) -> f64 {
        self.arithmetic.mixed = self.mixed;
        self.forward(params, inputs, dropout);
        self.cross_entropy(targets, scale);
        self.backward(params, grads, inputs, dropout);
        self.losses[..targets.len()].iter().map(|&loss| f64::from(loss)).sum()
    }

    fn cross_entropy(&mut self, targets: &[u32], scale: f32) {
        let n = targets.len();
        let logits = &mut self.logits[..n * self.shape.n_vocab];
        cross_entropy::with_gradient(logits, targets, &mut self.losses[..n], scale);
    }

    fn forward(&mut self, params: &[f32], inputs: &[u32], dropout: Dropout) {
        let (n, dim) = (inputs.len(), self.shape.dim);
        assert!(0 < n && n <= self.shape.n_ctx, "a sequence within the context");
        for (x, &id) in self.x.chunks_exact_mut(dim).zip(inputs) {
            x.copy_from_slice(&params[id as usize * dim..][..dim]);
        }
        dropout.apply(&mut self.x[..n * dim], 0);
        for i in 0..self.shape.n_layers {
            self.attention(params, i, n, dropout);
            self.feed_forward(params, i, n, dropout);
        }
        let norm = &params[self.shape.output_norm()..][..dim];
        let last = &mut self.last[..n * dim];
        rms_norm::forward(&self.x[..n * dim], norm, last, &mut self.factors[..n]);
        self.arithmetic.set(
            ViewMut::new(&mut self.logits, n, self.shape.n_vocab),
            View::new(last, n, dim),
            View::new(params, self.shape.n_vocab, dim).t(),
        );
    }

    fn attention(&mut self, params: &[f32], i: usize, n: usize, dropout: Dropout) {
        let (shape, places, tape) = (&self.shape, self.shape.layer(i), &mut self.layers[i]);
        let (dim, width, x) = (shape.dim, shape.qkv_dim(), &mut self.x[..n * shape.dim]);
        tape.x[..n * dim].copy_from_slice(x);
        let norm = &params[places.attn_norm..][..dim];
        rms_norm::forward(x, norm, &mut tape.attn_in, &mut tape.attn_factors[..n]);
        self.arithmetic.set(
            ViewMut::new(&mut tape.qkv, n, width),
            View::new(&tape.attn_in, n, dim),
            View::new(&params[places.qkv..], width, dim).t(),
        );
        let rotated = shape.q_dim() + shape.kv_dim();
        self.rotations.apply(&mut tape.qkv[..n * width], width, rotated, false);
        Attention { shape, n }.forward(&tape.qkv, &mut tape.probabilities, &mut tape.attn_out);
        let branch = &mut self.branch[..n * dim];
        self.arithmetic.set(
            ViewMut::new(branch, n, dim),
            View::new(&tape.attn_out, n, shape.q_dim()),
            View::new(&params[places.attn_output..], dim, shape.q_dim()).t(),
        );
        dropout.apply(branch, 2 * i + 1);
        add(x, branch);
    }

    fn feed_forward(&mut self, params: &[f32], i: usize, n: usize, dropout: Dropout) {
        let (shape, places, tape) = (&self.shape, self.shape.layer(i), &mut self.layers[i]);
        let (dim, ffn, x) = (shape.dim, shape.ffn, &mut self.x[..n * shape.dim]);
        tape.middle[..n * dim].copy_from_slice(x);
        let norm = &params[places.ffn_norm..][..dim];
        rms_norm::forward(x, norm, &mut tape.ffn_in, &mut tape.ffn_factors[..n]);
        self.arithmetic.set(
            ViewMut::new(&mut tape.gate_up, n, 2 * ffn),
            View::new(&tape.ffn_in, n, dim),
            View::new(&params[places.gate_up..], 2 * ffn, dim).t(),
        );
        swiglu::forward(&tape.gate_up[..n * 2 * ffn], &mut tape.activation, ffn);
        let branch = &mut self.branch[..n * dim];
        self.arithmetic.set(
            ViewMut::new(branch, n, dim),
            View::new(&tape.activation, n, ffn),
            View::new(&params[places.down..], dim, ffn).t(),
        );
        dropout.apply(branch, 2 * i + 2);
        add(x, branch);
    }

    fn backward(&mut self, params: &[f32], grads: &mut [f32], inputs: &[u32], dropout: Dropout) {
        let (n, dim, n_vocab) = (inputs.len(), self.shape.dim, self.shape.n_vocab);
        let dlogits = View::new(&self.logits, n, n_vocab);
        self.arithmetic.add(
            ViewMut::new(grads, n_vocab, dim),
            dlogits.t(),
            View::new(&self.last, n, dim),
        );
        self.arithmetic.set(
            ViewMut::new(&mut self.dnorm, n, dim),
            dlogits,
            View::new(params, n_vocab, dim),
        );
        let place = self.shape.output_norm();
        let (dx, dnorm) = (&mut self.dx[..n * dim], &self.dnorm[..n * dim]);
        dx.fill(0.0);
        let (norm, dweight) = (&params[place..][..dim], &mut grads[place..][..dim]);
        rms_norm::backward(dnorm, &self.x[..n * dim], norm, &self.factors, dx, dweight);
        for i in (0..self.shape.n_layers).rev() {
            self.feed_forward_backward(params, grads, i, n, dropout);
            self.attention_backward(params, grads, i, n, dropout);
        }
        dropout.apply(&mut self.dx[..n * dim], 0);
        for (dx, &id) in self.dx.chunks_exact(dim).zip(inputs) {
            add(&mut grads[id as usize * dim..][..dim], dx);
        }
    }

    fn feed_forward_backward(
        &mut self,
        params: &[f32],
        grads: &mut [f32],
        i: usize,
        n: usize,
        dropout: Dropout,
    ) {
        let (shape, places, tape) = (&self.shape, self.shape.layer(i), &self.layers[i]);
        let (dim, ffn, dx) = (shape.dim, shape.ffn, &mut self.dx[..n * shape.dim]);
        let branch = &mut self.branch[..n * dim];
        branch.copy_from_slice(dx);
        dropout.apply(branch, 2 * i + 2);
        let dout = View::new(branch, n, dim);
        self.arithmetic.add(
            ViewMut::new(&mut grads[places.down..], dim, ffn),
            dout.t(),
            View::new(&tape.activation, n, ffn),
        );
        self.arithmetic.set(
            ViewMut::new(&mut self.dwide, n, ffn),
            dout,
            View::new(&params[places.down..], dim, ffn),
        );
        let dgate_up = &mut self.dgate_up[..n * 2 * ffn];
        swiglu::backward(&self.dwide, &tape.gate_up, dgate_up, ffn);
        let dgate_up = View::new(dgate_up, n, 2 * ffn);
        self.arithmetic.add(
            ViewMut::new(&mut grads[places.gate_up..], 2 * ffn, dim),
            dgate_up.t(),
            View::new(&tape.ffn_in, n, dim),
        );
        let dnorm = &mut self.dnorm[..n * dim];
        self.arithmetic.set(
            ViewMut::new(dnorm, n, dim),
            dgate_up,
            View::new(&params[places.gate_up..], 2 * ffn, dim),
        );
        let (norm, dweight) =
            (&params[places.ffn_norm..][..dim], &mut grads[places.ffn_norm..][..dim]);
        rms_norm::backward(dnorm, &tape.middle, norm, &tape.ffn_factors, dx, dweight);
    }

    fn attention_backward(
        &mut self,
        params: &[f32],
        grads: &mut [f32],
        i: usize,
        n: usize,
        dropout: Dropout,
    ) {
        let (shape, places, tape) = (&self.shape, self.shape.layer(i), &self.layers[i]);
        let (dim, q_dim, width) = (shape.dim, shape.q_dim(), shape.qkv_dim());
        let (dx, branch) = (&mut self.dx[..n * dim], &mut self.branch[..n * dim]);
        branch.copy_from_slice(dx);
        dropout.apply(branch, 2 * i + 1);
        let dout = View::new(branch, n, dim);
        self.arithmetic.add(
            ViewMut::new(&mut grads[places.attn_output..], dim, q_dim),
            dout.t(),
            View::new(&tape.attn_out, n, q_dim),
        );
        let dattn = &mut self.dgate_up[..n * q_dim];
        self.arithmetic.set(
            ViewMut::new(dattn, n, q_dim),
            dout,
            View::new(&params[places.attn_output..], dim, q_dim),
        );
        let dqkv = &mut self.dwide[..n * width];
        Attention { shape, n }.backward(
            dattn,
            &tape.qkv,
            &tape.probabilities,
            dqkv,
            &mut self.scratch,
        );
        self.rotations.apply(dqkv, width, q_dim + shape.kv_dim(), true);
        let dqkv = View::new(dqkv, n, width);
        self.arithmetic.add(
            ViewMut::new(&mut grads[places.qkv..], width, dim),
            dqkv.t(),
            View::new(&tape.attn_in, n, dim),
        );
        let dnorm = &mut self.dnorm[..n * dim];
        self.arithmetic.set(
            ViewMut::new(dnorm, n, dim),
            dqkv,
            View::new(&params[places.qkv..], width, dim),
        );
        let (norm, dweight) =
            (&params[places.attn_norm..][..dim], &mut grads[places.attn_norm..][..dim]);
        rms_norm::backward(dnorm, &tape.x, norm, &tape.attn_factors, dx, dweight);
    }
}

fn add(to: &mut [f32], from: &[f32]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += from;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::check;

    fn shape() -> Shape {
        Shape {
            n_vocab: 11,
            n_ctx: 9,
            dim: 32,
            n_layers: 2,
            n_heads: 4,
            n_kv_heads: 2,
            head_dim: 8,
            ffn: 32,
        }
    }

    #[test]
    fn gradients_of_all_parameters_with_dropout() {
        let shape = shape();
        let params: Vec<f32> =
            check::numbers(shape.n_parameters(), 1).iter().map(|x| 0.3 * x).collect();
        let inputs = [1, 2, 3, 10, 0, 5, 5];
        let targets = [2, 3, 10, 0, 5, 5, 7];
        for rate in [0.0, 0.2] {
            let dropout = Dropout { rate, seed: 5 };
            let mut network = Network::new(&shape, false);
            let mut grads = zeros(params.len());
            network.train(&params, &mut grads, (&inputs, &targets), 0.5, dropout);
            let mut unused = zeros(params.len());
            check::gradient(&params, &grads, |params| {
                0.5 * network.train(params, &mut unused, (&inputs, &targets), 0.5, dropout)
            });
        }
    }

    #[test]
    fn mixed_gradients_point_where_exact_ones_do() {
        let shape = shape();
        let params: Vec<f32> =
            check::numbers(shape.n_parameters(), 1).iter().map(|x| 0.3 * x).collect();
        let grads = [false, true].map(|mixed| {
            let mut grads = zeros(params.len());
            let sequence = (&[1, 2, 3, 10, 0][..], &[2, 3, 10, 0, 5][..]);
            Network::new(&shape, mixed).train(&params, &mut grads, sequence, 1.0, Dropout::NONE);
            grads
        });
        let [exact, mixed] = &grads;
        assert_ne!(exact, mixed);
        let lengths = check::dot(exact, exact).sqrt() * check::dot(mixed, mixed).sqrt();
        assert!(check::dot(exact, mixed) / lengths > 0.999);
    }

    #[test]
    fn a_prefix_has_the_logits_that_it_has_alone() {
        let shape = shape();
        let params = check::numbers(shape.n_parameters(), 1);
        let mut network = Network::new(&shape, false);
        let whole = network.logits(&params, &[1, 2, 3, 4, 5]).to_vec();
        let prefix = network.logits(&params, &[1, 2, 3]);
        for (a, b) in whole.iter().zip(prefix) {
            assert!((a - b).abs() < 1e-3 * a.abs().max(1.0), "{a} {b}");
        }
    }
}
