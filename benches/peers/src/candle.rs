//! candle-transformers' `LogitsProcessor`. It has no min-p, and its top-p after top-k does not renormalise.

use candle_core::{Device, Tensor};
use candle_transformers::generation::{LogitsProcessor, Sampling};
use two_pass_limit::bench::Row;

use crate::Draw;
use crate::chains::{SEED, TEMPERATURE, TOP_K, TOP_K_TOP_P, TOP_P, TOP_P_ONLY};

pub fn draws(row: &Row) -> Vec<(&'static str, Draw<'_>)> {
    let top_p = Sampling::TopP { p: TOP_P, temperature: TEMPERATURE };
    let top_k = Sampling::TopKThenTopP { k: TOP_K, p: TOP_P, temperature: TEMPERATURE };
    [(TOP_P_ONLY, top_p), (TOP_K_TOP_P, top_k)]
        .map(|(name, sampling)| (name, draw(row, sampling)))
        .into()
}

fn draw(row: &Row, sampling: Sampling) -> Draw<'_> {
    let logits =
        Tensor::from_slice(&row.logits, row.logits.len(), &Device::Cpu).expect("a row is a tensor");
    let mut processor = LogitsProcessor::from_sampling(SEED, sampling);
    Box::new(move || processor.sample(&logits).expect("the row can be drawn from"))
}
