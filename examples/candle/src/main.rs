//! The sampler beside candle: a model's logits are a candle tensor, and nucleus-sampler draws the next token from them,
//! where candle's own `LogitsProcessor` would.
//!
//! The model is the smallest that has contexts: a table of bigrams, one row of logits for each token, in bfloat16 as
//! large models have theirs. Run it with `cargo run --release --manifest-path examples/candle/Cargo.toml`.

use candle_core::{DType, Device, Tensor};
use half::bf16;
use nucleus_sampler::half::WideRow;
use nucleus_sampler::{Options, Sampler};

const WORDS: [&str; 8] = ["the", "cat", "dog", "sees", "likes", "a", "bird", "."];
/// How often one word follows another, row by row: shape (8, 8).
const FOLLOWS: [[f32; 8]; 8] = [
    [0., 6., 5., 0., 0., 0., 3., 0.],
    [0., 0., 0., 5., 4., 0., 0., 3.],
    [0., 0., 0., 4., 5., 0., 0., 3.],
    [6., 0., 0., 0., 0., 5., 0., 0.],
    [5., 0., 0., 0., 0., 6., 0., 0.],
    [0., 4., 4., 0., 0., 0., 6., 0.],
    [0., 0., 0., 4., 3., 0., 0., 5.],
    [9., 0., 0., 0., 0., 4., 0., 0.],
];

/// The logits of every next word: ln of how often it follows; shape (8, 8).
fn model() -> candle_core::Result<Tensor> {
    let follows = FOLLOWS.concat();
    Tensor::from_vec(follows, (8, 8), &Device::Cpu)?.log()?.to_dtype(DType::BF16)
}

/// `n` words after the first, drawn from the model.
fn text(sampler: &mut Sampler, n: usize) -> Result<Vec<u32>, Box<dyn std::error::Error>> {
    let model = model()?;
    let (mut wide, mut token, mut text) = (WideRow::default(), 0, vec![0]);
    for _ in 0..n {
        // A model's step: from the latest token to a row of logits.
        let logits: Vec<bf16> = model.get(token as usize)?.to_vec1()?;
        token = sampler.sample(wide.half_bf16(&logits))?;
        sampler.accept(token)?;
        text.push(token);
    }
    Ok(text)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut sampler = Sampler::new(Options {
        temperature: Some(0.9),
        top_p: Some(0.95),
        presence_penalty: Some(0.1),
        seed: Some(42),
        ..Options::default()
    })?;
    let words: Vec<&str> =
        text(&mut sampler, 30)?.iter().map(|token| WORDS[*token as usize]).collect();
    println!("{}", words.join(" "));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_writes_the_same_text_and_only_words_that_follow() {
        let options = Options { seed: Some(7), top_k: Some(3), ..Options::default() };
        let write = || text(&mut Sampler::new(options.clone()).unwrap(), 200).unwrap();
        let first = write();
        assert_eq!(first, write());
        for pair in first.windows(2) {
            assert!(FOLLOWS[pair[0] as usize][pair[1] as usize] > 0.0, "{pair:?}");
        }
    }
}
