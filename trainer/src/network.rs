//! The transformer on one sequence: its memory, and what can be asked of it. `forward` and `backward` are one file each.
//!
//! x = embedding; per layer x += attention(RMSNorm(x)) and x += SwiGLU(RMSNorm(x)); logits = RMSNorm(x) · embeddingᵀ.
//! Every matrix is (out, in), row-major, so that y = x · Wᵀ.

mod backward;
mod forward;

use crate::mixed::Arithmetic;
use crate::ops::attention::n_probabilities;
use crate::ops::cross_entropy;
use crate::ops::dropout::dropout;
use crate::ops::linear::Linear;
use crate::ops::rope::Rotations;
use crate::shape::{LayerPlaces, Shape};

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

/// The linear layers of a layer, for `n` tokens.
struct Linears {
    qkv: Linear,
    attn_output: Linear,
    gate_up: Linear,
    down: Linear,
}

impl Linears {
    fn of(shape: &Shape, places: &LayerPlaces, n: usize) -> Linears {
        let linear = |begin, outputs, inputs| Linear { n, begin, outputs, inputs };
        Linears {
            qkv: linear(places.qkv, shape.qkv_dim(), shape.dim),
            attn_output: linear(places.attn_output, shape.dim, shape.q_dim()),
            gate_up: linear(places.gate_up, 2 * shape.ffn, shape.dim),
            down: linear(places.down, shape.dim, shape.ffn),
        }
    }
}

/// From the last norm to the logits: the embedding once more.
fn output(shape: &Shape, n: usize) -> Linear {
    Linear { n, begin: 0, outputs: shape.n_vocab, inputs: shape.dim }
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
