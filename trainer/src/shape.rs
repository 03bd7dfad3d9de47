//! The network's shape, and where each tensor lies in the one slice of all parameters.

/// RMSNorm's eps.
pub const NORM_EPS: f32 = 1e-5;
/// RoPE's base.
pub const ROPE_BASE: f64 = 10_000.0;

/// Sizes of a decoder-only transformer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    pub n_vocab: usize,
    pub n_ctx: usize,
    pub dim: usize,
    pub n_layers: usize,
    pub n_heads: usize,
    pub n_kv_heads: usize,
    pub head_dim: usize,
    /// The feed-forward width.
    pub ffn: usize,
}

/// How a tensor is initialised, trained and stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Input and, transposed, output.
    Embedding,
    /// A matrix that reads the residual stream.
    Matrix,
    /// A matrix that writes to it: begins at 0.
    Output,
    /// A norm's weights.
    Norm,
}

/// One tensor (rows, columns), row-major, named as in GGUF.
#[derive(Clone, Debug)]
pub struct Tensor {
    pub name: String,
    pub kind: Kind,
    pub rows: usize,
    pub columns: usize,
    pub begin: usize,
}

impl Tensor {
    pub fn range(&self) -> std::ops::Range<usize> {
        self.begin..self.begin + self.rows * self.columns
    }
}

/// The places of a layer's tensors; those that one product computes together lie together.
pub struct LayerPlaces {
    pub attn_norm: usize,
    /// Queries, keys, values: (qkv_dim, dim).
    pub qkv: usize,
    /// (dim, q_dim).
    pub attn_output: usize,
    pub ffn_norm: usize,
    /// Gate, up: (2 ffn, dim).
    pub gate_up: usize,
    /// (dim, ffn).
    pub down: usize,
    end: usize,
}

impl Shape {
    pub fn q_dim(&self) -> usize {
        self.n_heads * self.head_dim
    }

    pub fn kv_dim(&self) -> usize {
        self.n_kv_heads * self.head_dim
    }

    pub fn qkv_dim(&self) -> usize {
        self.q_dim() + 2 * self.kv_dim()
    }

    /// What is wrong with the shape, if anything.
    pub fn problem(&self) -> Option<String> {
        let sizes = [self.n_vocab, self.n_ctx, self.n_layers, self.n_heads, self.n_kv_heads];
        if sizes.contains(&0) {
            return Some("every size must be at least 1".into());
        }
        if self.n_heads % self.n_kv_heads != 0 {
            return Some(format!(
                "{} heads cannot share {} key and value heads",
                self.n_heads, self.n_kv_heads
            ));
        }
        // Quantisation takes 32 numbers of a row at a time.
        [("dim", self.dim), ("n_heads * head_dim", self.q_dim()), ("ffn", self.ffn)]
            .iter()
            .find(|(_, size)| *size == 0 || size % 32 != 0)
            .map(|(name, size)| format!("{name} must be a multiple of 32, not {size}"))
    }

    pub fn layer(&self, i: usize) -> LayerPlaces {
        let mut next = self.n_vocab * self.dim;
        if i > 0 {
            next = self.layer(i - 1).end;
        }
        let mut take = |n: usize| {
            next += n;
            next - n
        };
        LayerPlaces {
            attn_norm: take(self.dim),
            qkv: take(self.qkv_dim() * self.dim),
            attn_output: take(self.dim * self.q_dim()),
            ffn_norm: take(self.dim),
            gate_up: take(2 * self.ffn * self.dim),
            down: take(self.dim * self.ffn),
            end: take(0),
        }
    }

    /// Where the last norm lies.
    pub fn output_norm(&self) -> usize {
        self.layer(self.n_layers - 1).end
    }

    pub fn n_parameters(&self) -> usize {
        self.output_norm() + self.dim
    }

    /// All tensors in order of place; together they are all parameters.
    pub fn tensors(&self) -> Vec<Tensor> {
        let mut tensors = Vec::new();
        let mut begin = 0;
        let mut push = |name: String, kind, rows, columns| {
            tensors.push(Tensor { name, kind, rows, columns, begin });
            begin += rows * columns;
        };
        let dim = self.dim;
        push("token_embd.weight".into(), Kind::Embedding, self.n_vocab, dim);
        for i in 0..self.n_layers {
            let name = |part: &str| format!("blk.{i}.{part}.weight");
            push(name("attn_norm"), Kind::Norm, 1, dim);
            push(name("attn_q"), Kind::Matrix, self.q_dim(), dim);
            push(name("attn_k"), Kind::Matrix, self.kv_dim(), dim);
            push(name("attn_v"), Kind::Matrix, self.kv_dim(), dim);
            push(name("attn_output"), Kind::Output, dim, self.q_dim());
            push(name("ffn_norm"), Kind::Norm, 1, dim);
            push(name("ffn_gate"), Kind::Matrix, self.ffn, dim);
            push(name("ffn_up"), Kind::Matrix, self.ffn, dim);
            push(name("ffn_down"), Kind::Output, dim, self.ffn);
        }
        push("output_norm.weight".into(), Kind::Norm, 1, dim);
        tensors
    }
}

/// The smallest shape that a file can have, for the tests of what uses one.
#[cfg(test)]
pub fn smallest(n_vocab: usize) -> Shape {
    Shape {
        n_vocab,
        n_ctx: 16,
        dim: 32,
        n_layers: 1,
        n_heads: 1,
        n_kv_heads: 1,
        head_dim: 32,
        ffn: 32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn three_layers() -> Shape {
        Shape {
            n_vocab: 100,
            n_ctx: 8,
            dim: 64,
            n_layers: 3,
            n_heads: 4,
            n_kv_heads: 2,
            head_dim: 16,
            ffn: 96,
        }
    }

    #[test]
    fn tensors_are_where_the_layers_say_and_cover_everything() {
        let shape = three_layers();
        let tensors = shape.tensors();
        let place = |name: &str| tensors.iter().find(|t| t.name == name).unwrap().begin;
        let layer = shape.layer(2);
        assert_eq!(layer.attn_norm, place("blk.2.attn_norm.weight"));
        assert_eq!(layer.qkv, place("blk.2.attn_q.weight"));
        assert_eq!(layer.attn_output, place("blk.2.attn_output.weight"));
        assert_eq!(layer.ffn_norm, place("blk.2.ffn_norm.weight"));
        assert_eq!(layer.gate_up, place("blk.2.ffn_gate.weight"));
        assert_eq!(layer.down, place("blk.2.ffn_down.weight"));
        assert_eq!(shape.output_norm(), place("output_norm.weight"));
        let mut next = 0;
        for tensor in &tensors {
            assert_eq!(tensor.begin, next);
            next = tensor.range().end;
        }
        assert_eq!(next, shape.n_parameters());
        assert_eq!(shape.problem(), None);
    }

    #[test]
    fn shapes_that_cannot_be_say_why() {
        let good = three_layers();
        for bad in [
            Shape { n_layers: 0, ..good.clone() },
            Shape { n_kv_heads: 3, ..good.clone() },
            Shape { ffn: 100, ..good.clone() },
        ] {
            assert!(bad.problem().is_some());
        }
    }
}
