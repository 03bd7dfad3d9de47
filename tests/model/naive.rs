//! The transformer in f64, whole sequences at once, with matrices as they are written in books: no cache, no blocks.

use std::collections::HashMap;

use nucleus_sampler::model::Architecture;

use super::file::File;
use super::plan::{EPS, Plan, ROPE_BASE};

type Rows = Vec<Vec<f64>>;

/// A model's weights in f64.
pub struct Naive {
    plan: Plan,
    weights: HashMap<String, Rows>,
}

impl Naive {
    pub fn new(plan: &Plan, file: &File) -> Naive {
        let rows = |tensor| -> Rows {
            let values = Plan::values(tensor);
            values
                .chunks(tensor.columns)
                .map(|row| row.iter().copied().map(f64::from).collect())
                .collect()
        };
        let weights = file.tensors.iter().map(|tensor| (tensor.name.clone(), rows(tensor)));
        Naive { plan: plan.clone(), weights: weights.collect() }
    }

    fn get(&self, name: &str) -> &Rows {
        &self.weights[name]
    }

    /// x W^T, with a bias where the model has one.
    fn apply(&self, x: &Rows, name: &str) -> Rows {
        let bias = self.weights.get(&name.replace(".weight", ".bias"));
        let row = |x: &Vec<f64>| -> Vec<f64> {
            let products = self.get(name).iter().map(|w| dot(w, x));
            match bias {
                Some(bias) => products.zip(&bias[0]).map(|(y, b)| y + b).collect(),
                None => products.collect(),
            }
        };
        x.iter().map(row).collect()
    }

    /// The logits after each token.
    pub fn logits(&self, tokens: &[u32]) -> Rows {
        let embedding = self.get("token_embd.weight");
        let mut x: Rows = tokens.iter().map(|&token| embedding[token as usize].clone()).collect();
        for layer in 0..self.plan.n_layers {
            let name = |name: &str| format!("blk.{layer}.{name}.weight");
            let n = norm(&x, &self.get(&name("attn_norm"))[0]);
            let attended = self.attention(&n, layer);
            add(&mut x, &self.apply(&attended, &name("attn_output")));
            let n = norm(&x, &self.get(&name("ffn_norm"))[0]);
            let (gate, up) = (self.apply(&n, &name("ffn_gate")), self.apply(&n, &name("ffn_up")));
            let silu = |g: f64| g / (1.0 + (-g).exp());
            let inner = gate.iter().zip(&up);
            let inner: Rows = inner
                .map(|(gate, up)| gate.iter().zip(up).map(|(g, u)| silu(*g) * u).collect())
                .collect();
            add(&mut x, &self.apply(&inner, &name("ffn_down")));
        }
        let n = norm(&x, &self.get("output_norm.weight")[0]);
        self.apply(&n, if self.plan.tied { "token_embd.weight" } else { "output.weight" })
    }

    fn attention(&self, n: &Rows, layer: usize) -> Rows {
        let name = |name: &str| format!("blk.{layer}.{name}.weight");
        let q = self.heads(&self.apply(n, &name("attn_q")), &name("attn_q_norm"), true);
        let k = self.heads(&self.apply(n, &name("attn_k")), &name("attn_k_norm"), true);
        let v = self.heads(&self.apply(n, &name("attn_v")), "", false);
        let row = |t: usize| -> Vec<f64> {
            let head = |h: usize| {
                let kv = h / self.plan.group;
                let scores: Vec<f64> = (0..=t)
                    .map(|s| dot(&q[t][h], &k[s][kv]) / (self.plan.head_dim as f64).sqrt())
                    .collect();
                let max = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let weights: Vec<f64> = scores.iter().map(|score| (score - max).exp()).collect();
                let mass: f64 = weights.iter().sum();
                let mut out = vec![0.0; self.plan.head_dim];
                for (s, weight) in weights.iter().enumerate() {
                    for (out, v) in out.iter_mut().zip(&v[s][kv]) {
                        *out += weight / mass * v;
                    }
                }
                out
            };
            (0..self.plan.n_heads()).flat_map(head).collect()
        };
        (0..n.len()).map(row).collect()
    }

    /// Rows cut into heads, normed where the model does so and turned.
    fn heads(&self, rows: &Rows, norm_name: &str, turned: bool) -> Vec<Rows> {
        let weight = self.weights.get(norm_name).map(|rows| &rows[0]);
        let head = |pos: usize, head: &[f64]| {
            let mut head = vec![head.to_vec()];
            if let Some(weight) = weight {
                head = norm(&head, weight);
            }
            if turned {
                self.turn(&mut head[0], pos);
            }
            head.remove(0)
        };
        let cut = |(pos, row): (usize, &Vec<f64>)| {
            row.chunks(self.plan.head_dim).map(|columns| head(pos, columns)).collect()
        };
        rows.iter().enumerate().map(cut).collect()
    }

    fn turn(&self, head: &mut [f64], pos: usize) {
        let n = self.plan.rope_dims;
        for i in 0..n / 2 {
            let angle = pos as f64 * f64::from(ROPE_BASE).powf(-2.0 * i as f64 / n as f64);
            let (a, b) = match self.plan.architecture {
                Architecture::Llama => (2 * i, 2 * i + 1),
                Architecture::Qwen2 | Architecture::Qwen3 => (i, i + n / 2),
            };
            let (x, y) = (head[a], head[b]);
            head[a] = x * angle.cos() - y * angle.sin();
            head[b] = x * angle.sin() + y * angle.cos();
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add(x: &mut Rows, y: &Rows) {
    for (x, y) in x.iter_mut().zip(y) {
        x.iter_mut().zip(y).for_each(|(x, y)| *x += y);
    }
}

fn norm(x: &Rows, weight: &[f64]) -> Rows {
    let row = |x: &Vec<f64>| -> Vec<f64> {
        let mean = x.iter().map(|x| x * x).sum::<f64>() / x.len() as f64;
        let scale = 1.0 / (mean + f64::from(EPS)).sqrt();
        x.iter().zip(weight).map(|(x, w)| x * scale * w).collect()
    };
    x.iter().map(row).collect()
}
