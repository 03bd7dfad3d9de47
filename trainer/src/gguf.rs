//! Writing GGUF version 3: architecture `llama`, matrices as Q8_0, norms as F32.

use nucleus_sampler::tokenizer::{TokenKind, Tokenizer, alphabet};

use crate::corpus::end_of_text;
use crate::quantize::q8_0;
use crate::shape::{Kind, NORM_EPS, ROPE_BASE, Shape};

/// Tensors begin at multiples of this.
const ALIGNMENT: usize = 32;
/// GGUF's numbers for types.
const F32: u32 = 0;
const Q8_0: u32 = 8;

/// Metadata as GGUF stores it.
#[derive(Default)]
struct Metadata {
    bytes: Vec<u8>,
    count: u64,
}

impl Metadata {
    fn key(&mut self, key: &str, kind: u32) {
        self.count += 1;
        self.string(key);
        self.bytes.extend(kind.to_le_bytes());
    }

    fn string(&mut self, text: &str) {
        self.bytes.extend((text.len() as u64).to_le_bytes());
        self.bytes.extend(text.as_bytes());
    }

    fn text(&mut self, key: &str, value: &str) {
        self.key(key, 8);
        self.string(value);
    }

    fn number(&mut self, key: &str, value: usize) {
        self.key(key, 4);
        self.bytes.extend((value as u32).to_le_bytes());
    }

    fn float(&mut self, key: &str, value: f32) {
        self.key(key, 6);
        self.bytes.extend(value.to_le_bytes());
    }

    fn flag(&mut self, key: &str, value: bool) {
        self.key(key, 7);
        self.bytes.push(u8::from(value));
    }

    fn texts(&mut self, key: &str, values: &[String]) {
        self.array(key, 8, values.len());
        values.iter().for_each(|value| self.string(value));
    }

    fn integers(&mut self, key: &str, values: &[i32]) {
        self.array(key, 5, values.len());
        values.iter().for_each(|value| self.bytes.extend(value.to_le_bytes()));
    }

    fn array(&mut self, key: &str, kind: u32, length: usize) {
        self.key(key, 9);
        self.bytes.extend(kind.to_le_bytes());
        self.bytes.extend((length as u64).to_le_bytes());
    }

    fn shape(&mut self, shape: &Shape) {
        self.text("general.architecture", "llama");
        self.text("general.name", "Nucleus Tales");
        self.number("general.file_type", 7);
        self.number("general.quantization_version", 2);
        self.number("llama.vocab_size", shape.n_vocab);
        self.number("llama.context_length", shape.n_ctx);
        self.number("llama.embedding_length", shape.dim);
        self.number("llama.block_count", shape.n_layers);
        self.number("llama.feed_forward_length", shape.ffn);
        self.number("llama.attention.head_count", shape.n_heads);
        self.number("llama.attention.head_count_kv", shape.n_kv_heads);
        self.number("llama.attention.key_length", shape.head_dim);
        self.number("llama.attention.value_length", shape.head_dim);
        self.float("llama.attention.layer_norm_rms_epsilon", NORM_EPS);
        self.number("llama.rope.dimension_count", shape.head_dim);
        self.float("llama.rope.freq_base", ROPE_BASE as f32);
    }

    fn tokenizer(&mut self, tokenizer: &Tokenizer) -> nucleus_sampler::Result<()> {
        let vocabulary = tokenizer.vocabulary();
        let (mut tokens, mut kinds) = (Vec::new(), Vec::new());
        for id in 0..vocabulary.n_vocab() as u32 {
            let (bytes, kind) = vocabulary.token(id)?;
            let special = kind == TokenKind::Special;
            kinds.push(if special { 3 } else { 1 });
            tokens.push(if special {
                String::from_utf8_lossy(bytes).into_owned()
            } else {
                alphabet::to_text(bytes)
            });
        }
        let text = |id: u32| &tokens[id as usize];
        let merge = |&(left, right): &(u32, u32)| format!("{} {}", text(left), text(right));
        let merges: Vec<String> = vocabulary.merges().iter().map(merge).collect();
        self.text("tokenizer.ggml.model", "gpt2");
        self.text("tokenizer.ggml.pre", tokenizer.split().name());
        self.texts("tokenizer.ggml.tokens", &tokens);
        self.integers("tokenizer.ggml.token_type", &kinds);
        self.texts("tokenizer.ggml.merges", &merges);
        self.number("tokenizer.ggml.bos_token_id", end_of_text(tokenizer) as usize);
        self.number("tokenizer.ggml.eos_token_id", end_of_text(tokenizer) as usize);
        self.flag("tokenizer.ggml.add_bos_token", false);
        Ok(())
    }
}

/// The bytes of the file.
pub fn file(
    shape: &Shape,
    params: &[f32],
    tokenizer: &Tokenizer,
) -> nucleus_sampler::Result<Vec<u8>> {
    let mut metadata = Metadata::default();
    metadata.shape(shape);
    metadata.tokenizer(tokenizer)?;
    let tensors = shape.tensors();
    let (mut infos, mut data) = (Metadata::default(), Vec::new());
    for tensor in &tensors {
        let values = &params[tensor.range()];
        let norm = tensor.kind == Kind::Norm;
        infos.string(&tensor.name);
        // Dimensions go from the fastest to the slowest.
        let dimensions = [tensor.columns as u64, tensor.rows as u64];
        let dimensions = if norm { &dimensions[..1] } else { &dimensions[..] };
        infos.bytes.extend((dimensions.len() as u32).to_le_bytes());
        dimensions.iter().for_each(|n| infos.bytes.extend(n.to_le_bytes()));
        infos.bytes.extend(if norm { F32 } else { Q8_0 }.to_le_bytes());
        infos.bytes.extend((data.len() as u64).to_le_bytes());
        if norm {
            values.iter().for_each(|value| data.extend(value.to_le_bytes()));
        } else {
            data.extend(q8_0(values));
        }
        data.resize(data.len().next_multiple_of(ALIGNMENT), 0);
    }
    let mut file = b"GGUF".to_vec();
    file.extend(3u32.to_le_bytes());
    file.extend((tensors.len() as u64).to_le_bytes());
    file.extend(metadata.count.to_le_bytes());
    file.extend(metadata.bytes);
    file.extend(infos.bytes);
    file.resize(file.len().next_multiple_of(ALIGNMENT), 0);
    file.extend(data);
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::smallest;
    use nucleus_sampler::tokenizer::{Split, Training, train};

    #[test]
    fn begins_as_it_should_and_has_the_length_that_its_tensors_need() {
        let shape = smallest(259);
        let training = Training {
            n_vocab: 259,
            split: Split::Gpt2Digits,
            special: vec![crate::corpus::END_OF_TEXT.into()],
        };
        let tokenizer = train(&[b"the cat the hat"], &training).unwrap();
        let params = vec![0.5; shape.n_parameters()];
        let file = file(&shape, &params, &tokenizer).unwrap();
        assert_eq!(&file[..8], b"GGUF\x03\0\0\0");
        assert_eq!(file[8..16], 11u64.to_le_bytes());
        let data: usize = shape
            .tensors()
            .iter()
            .map(
                |t| if t.kind == Kind::Norm { t.columns * 4 } else { t.rows * t.columns / 32 * 34 },
            )
            .map(|n| n.next_multiple_of(32))
            .sum();
        assert!(file.len() > data && file.len().is_multiple_of(32));
        let text = String::from_utf8_lossy(&file);
        assert!(text.contains("tokenizer.ggml.merges") && text.contains("h e"));
    }
}
