//! Random small models: a shape, and weights from a seed.

use nucleus_sampler::model::{Architecture, Encoding, format};
use proptest::prelude::*;

use super::file::{File, Tensor, Value};

/// The shape of a model, and what its weights are made from.
#[derive(Clone, Debug)]
pub struct Plan {
    pub architecture: Architecture,
    pub n_vocab: usize,
    pub n_layers: usize,
    pub dim: usize,
    pub ffn_dim: usize,
    pub n_kv_heads: usize,
    pub group: usize,
    pub head_dim: usize,
    pub rope_dims: usize,
    pub tied: bool,
    pub encoding: Encoding,
    pub seed: u64,
}

pub const CTX: u32 = 64;
pub const EPS: f32 = 1e-5;
pub const ROPE_BASE: f32 = 1000.0;

/// Models in single precision, of every shape that the code has a case for.
pub fn exact() -> impl Strategy<Value = Plan> {
    let shape = (1usize..4, 1usize..4, prop::sample::select(vec![2usize, 6, 8, 16, 20]));
    (architectures(), shape, 1usize..4, 3usize..40, (1usize..30, 1usize..30), any::<(bool, u64)>())
        .prop_map(
            |(architecture, (n_kv_heads, group, head_dim), n_layers, n_vocab, widths, rest)| {
                let ((dim, ffn_dim), (tied, seed)) = (widths, rest);
                let rope_dims = if seed % 3 == 0 { head_dim / 4 * 2 } else { head_dim };
                Plan {
                    architecture,
                    n_vocab,
                    n_layers,
                    // A head is as wide as the file says, whatever the stream's width is.
                    dim: dim.max(n_kv_heads * group),
                    ffn_dim,
                    n_kv_heads,
                    group,
                    head_dim,
                    rope_dims: rope_dims.max(2),
                    tied,
                    encoding: Encoding::F32,
                    seed,
                }
            },
        )
}

/// Models in every encoding.
pub fn quantised() -> impl Strategy<Value = Plan> {
    let encodings = prop::sample::select(Encoding::ALL.to_vec());
    (architectures(), encodings, 1usize..3, 1usize..3, 3usize..22, any::<(bool, u64)>()).prop_map(
        |(architecture, encoding, n_kv_heads, group, n_vocab, (tied, seed))| {
            let block = encoding.block().max(32);
            Plan {
                architecture,
                n_vocab,
                n_layers: 1 + (seed % 2) as usize,
                dim: block,
                ffn_dim: block,
                n_kv_heads,
                group,
                head_dim: block / n_kv_heads / group,
                rope_dims: block / n_kv_heads / group,
                tied,
                encoding,
                seed,
            }
        },
    )
}

fn architectures() -> impl Strategy<Value = Architecture> {
    prop::sample::select(vec![Architecture::Llama, Architecture::Qwen2, Architecture::Qwen3])
}

/// Numbers from a seed.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// In [-1, 1).
    pub fn number(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }
}

impl Plan {
    pub fn n_heads(&self) -> usize {
        self.n_kv_heads * self.group
    }

    pub fn file(&self) -> File {
        let mut file = File::default();
        let name = self.architecture.name();
        file.set("general.architecture", Value::Text(name.into()));
        let numbers = [
            ("context_length", CTX as usize),
            ("embedding_length", self.dim),
            ("block_count", self.n_layers),
            ("feed_forward_length", self.ffn_dim),
            ("attention.head_count", self.n_heads()),
            ("attention.head_count_kv", self.n_kv_heads),
            ("attention.key_length", self.head_dim),
            ("attention.value_length", self.head_dim),
            ("rope.dimension_count", self.rope_dims),
        ];
        for (key, number) in numbers {
            file.set(&format!("{name}.{key}"), Value::Integer(number as u32));
        }
        file.set(&format!("{name}.attention.layer_norm_rms_epsilon"), Value::Float(EPS));
        file.set(&format!("{name}.rope.freq_base"), Value::Float(ROPE_BASE));
        file.tensors = self.tensors();
        file
    }

    fn tensors(&self) -> Vec<Tensor> {
        let mut numbers = Numbers(self.seed);
        let (q_dim, kv_dim) = (self.n_heads() * self.head_dim, self.n_kv_heads * self.head_dim);
        let (dim, ffn) = (self.dim, self.ffn_dim);
        let mut shapes = vec![("token_embd.weight".to_string(), self.n_vocab, dim)];
        shapes.push(("output_norm.weight".into(), 1, dim));
        if !self.tied {
            shapes.push(("output.weight".into(), self.n_vocab, dim));
        }
        for layer in 0..self.n_layers {
            let mut push = |name: &str, rows, columns| {
                shapes.push((format!("blk.{layer}.{name}"), rows, columns));
            };
            push("attn_norm.weight", 1, dim);
            push("ffn_norm.weight", 1, dim);
            push("attn_output.weight", dim, q_dim);
            push("ffn_gate.weight", ffn, dim);
            push("ffn_up.weight", ffn, dim);
            push("ffn_down.weight", dim, ffn);
            for (part, rows) in [("attn_q", q_dim), ("attn_k", kv_dim), ("attn_v", kv_dim)] {
                push(&format!("{part}.weight"), rows, dim);
                if self.architecture == Architecture::Qwen2 {
                    push(&format!("{part}.bias"), 1, rows);
                }
            }
            if self.architecture == Architecture::Qwen3 {
                push("attn_q_norm.weight", 1, self.head_dim);
                push("attn_k_norm.weight", 1, self.head_dim);
            }
        }
        let tensor = |(name, rows, columns): (String, usize, usize)| {
            let vector = rows == 1 && (name.contains("norm") || name.contains("bias"));
            let encoding = if vector { Encoding::F32 } else { self.encoding };
            let bytes = weights(&mut numbers, &name, encoding, rows, columns);
            Tensor { name, rows, columns, encoding, bytes }
        };
        shapes.into_iter().map(tensor).collect()
    }

    /// The numbers of a tensor, row by row.
    pub fn values(tensor: &Tensor) -> Vec<f32> {
        let row_bytes = tensor.encoding.row_bytes(tensor.columns);
        let mut values = vec![0.0; tensor.rows * tensor.columns];
        for (row, values) in tensor.bytes.chunks(row_bytes).zip(values.chunks_mut(tensor.columns)) {
            format::decode(tensor.encoding, row, values);
        }
        values
    }
}

/// The bytes of random weights of about 1 / sqrt(columns).
pub fn weights(
    numbers: &mut Numbers,
    name: &str,
    encoding: Encoding,
    rows: usize,
    columns: usize,
) -> Vec<u8> {
    let size = 1.5 / (columns as f32).sqrt();
    let offset = if name.contains("norm") { 1.0 } else { 0.0 };
    let n = rows * encoding.row_bytes(columns);
    let mut floats = |to_bytes: &dyn Fn(f32) -> Vec<u8>| -> Vec<u8> {
        (0..rows * columns).flat_map(|_| to_bytes(offset + size * numbers.number())).collect()
    };
    match encoding {
        Encoding::F32 => floats(&|x| x.to_le_bytes().into()),
        Encoding::BF16 => floats(&|x| x.to_le_bytes()[2..].into()),
        // Exponents 8 to 13 of half precision: up to 1/2.
        Encoding::F16 => (0..n / 2)
            .flat_map(|_| {
                let bits = numbers.bits() as u16;
                (bits & 0x83ff | (8 + (bits >> 10) % 6) << 10).to_le_bytes()
            })
            .collect(),
        _ => {
            let mut bytes: Vec<u8> = (0..n).map(|_| numbers.bits() as u8).collect();
            let (halves, block) = halves(encoding);
            for block in bytes.chunks_mut(block) {
                for &at in halves {
                    // A half-precision number of 2^-9 to 2^-5, negative or not.
                    let bits = numbers.bits() as u16;
                    let number = bits & 0x83ff | (6 + (bits >> 10) % 4) << 10;
                    block[at..at + 2].copy_from_slice(&number.to_le_bytes());
                }
            }
            bytes
        }
    }
}

/// Where a block has half-precision numbers, and its length.
pub fn halves(encoding: Encoding) -> (&'static [usize], usize) {
    match encoding {
        Encoding::Q4_0 => (&[0], 18),
        Encoding::Q4_1 => (&[0, 2], 20),
        Encoding::Q8_0 => (&[0], 34),
        Encoding::Q4_K => (&[0, 2], 144),
        Encoding::Q5_K => (&[0, 2], 176),
        Encoding::Q6_K => (&[208], 210),
        Encoding::F32 => (&[], 4),
        Encoding::F16 | Encoding::BF16 => (&[], 2),
    }
}
