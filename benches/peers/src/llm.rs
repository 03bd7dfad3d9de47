//! llm-samplers' chains. A chain consumes its logits, so that each draw begins with making them.

use llm_samplers::prelude::*;
use rand::SeedableRng;
use rand::rngs::StdRng;
use two_pass_limit::bench::Row;

use crate::Draw;
use crate::chains::{MIN_P, SEED, TEMPERATURE, TOP_K, TOP_K_TOP_P, TOP_P, TOP_P_MIN_P, TOP_P_ONLY};

pub fn draws(row: &Row) -> Vec<(&'static str, Draw<'_>)> {
    let top_p = || SampleTopP::new(TOP_P as f32, 1);
    let start = || SamplerChain::new() + SampleTemperature::new(TEMPERATURE as f32);
    let end = SampleRandDistrib::new;
    vec![
        (TOP_P_ONLY, draw(row, start() + top_p() + end())),
        (TOP_K_TOP_P, draw(row, start() + SampleTopK::new(TOP_K, 1) + top_p() + end())),
        (TOP_P_MIN_P, draw(row, start() + top_p() + SampleMinP::new(MIN_P as f32, 1) + end())),
    ]
}

fn draw(row: &Row, mut chain: SamplerChain) -> Draw<'_> {
    let generator = Box::new(StdRng::seed_from_u64(SEED));
    let mut resources = SimpleSamplerResources::new(Some(generator), None);
    Box::new(move || {
        let mut logits =
            Logits::try_from_iter(row.logits.iter().copied()).expect("no logit is NaN");
        let token =
            chain.sample_token(&mut resources, &mut logits).expect("the row can be drawn from");
        token.expect("a chain that ends in a draw draws")
    })
}
