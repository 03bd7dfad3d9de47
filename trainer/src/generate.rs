//! Sample texts: a prompt continued token by token.

use nucleus_sampler::tokenizer::Tokenizer;
use nucleus_sampler::{Options, Sampler};

use crate::corpus::end_of_text;
use crate::network::Network;
use crate::shape::Shape;

/// Continues a prompt by `n` tokens, nucleus 0.95 at temperature 0.8.
pub fn continued(
    network: &mut Network,
    shape: &Shape,
    params: &[f32],
    tokenizer: &Tokenizer,
    (prompt, n): (&str, usize),
    seed: u64,
) -> nucleus_sampler::Result<String> {
    let mut sampler = Sampler::new(Options {
        temperature: Some(0.8),
        top_p: Some(0.95),
        seed: Some(seed),
        ..Options::default()
    })?;
    let mut ids = tokenizer.encode(prompt.as_bytes());
    ids.insert(0, end_of_text(tokenizer));
    for _ in 0..n {
        let seen = &ids[ids.len().saturating_sub(shape.n_ctx)..];
        let logits = network.logits(params, seen);
        let id = sampler.sample(&logits[logits.len() - shape.n_vocab..])?;
        if id == end_of_text(tokenizer) {
            break;
        }
        ids.push(id);
    }
    Ok(String::from_utf8_lossy(&tokenizer.decode(&ids[1..])?).into_owned())
}
