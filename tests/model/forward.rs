//! Cached decoding against the naive transformer, which computes every sequence from its beginning.

use nucleus_sampler::model::{Encoding, Model};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::naive::Naive;
use super::plan::{Numbers, Plan, exact, quantised};

/// The place of the highest number; of several the first.
fn best<T: PartialOrd + Copy>(row: &[T]) -> usize {
    (0..row.len()).fold(0, |best, i| if row[i] > row[best] { i } else { best })
}

pub fn tokens(plan: &Plan, n: usize) -> Vec<u32> {
    let mut numbers = Numbers(plan.seed ^ 77);
    (0..n).map(|_| (numbers.bits() % plan.n_vocab as u64) as u32).collect()
}

/// Compares every position's logits; the same best token wherever that is no matter of rounding.
fn compare(plan: &Plan, n: usize, tolerance: f64) -> Result<(), TestCaseError> {
    let file = plan.file();
    let model = Model::load(&file.bytes()).unwrap();
    let tokens = tokens(plan, n);
    let expected = Naive::new(plan, &file).logits(&tokens);
    let mut session = model.session();
    for (t, (&token, expected)) in tokens.iter().zip(&expected).enumerate() {
        let found: Vec<f64> = session.step(token).unwrap().into_iter().map(f64::from).collect();
        let size = expected.iter().fold(1.0, |max: f64, logit| max.max(logit.abs()));
        for (token, (found, expected)) in found.iter().zip(expected).enumerate() {
            let off = (found - expected).abs() / size;
            prop_assert!(off <= tolerance, "position {t}, token {token}: {found}, {expected}");
        }
        let (a, b) = (best(&found), best(expected));
        prop_assert!(a == b || expected[b] - expected[a] <= 2.0 * tolerance * size, "{t}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: crate::CASES, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn cached_decoding_equals_a_full_forward_pass(plan in exact(), n in 1usize..40) {
        compare(&plan, n, 2e-5)?;
    }

    #[test]
    fn quantised_weights_are_multiplied_as_their_numbers(plan in quantised(), n in 1usize..20) {
        // Activations have 15 bits and a sign, where the encoding is of integers.
        // Random weights make scores that a softmax turns over with the least difference: a hundredth of the largest logit.
        let tolerance = if plan.encoding.block() == 1 { 2e-5 } else { 1e-2 };
        compare(&plan, n, tolerance)?;
    }
}

/// The bits of a few logits: no change of the code, no compiler and no engine may change them.
#[test]
fn value_stability() {
    use nucleus_sampler::model::Architecture;
    let mut found = Vec::new();
    for (i, encoding) in Encoding::ALL.into_iter().enumerate() {
        let architecture = [Architecture::Llama, Architecture::Qwen2, Architecture::Qwen3][i % 3];
        let block = encoding.block().max(32);
        let plan = Plan {
            architecture,
            n_vocab: 11,
            n_layers: 2,
            dim: block,
            ffn_dim: 2 * block,
            n_kv_heads: 2,
            group: 2,
            head_dim: block / 4,
            rope_dims: block / 4,
            tied: i % 2 == 0,
            encoding,
            seed: 42,
        };
        let model = Model::load(&plan.file().bytes()).unwrap();
        let logits = model.session().prefill(&tokens(&plan, 9)).unwrap();
        let hash = logits.iter().fold(0u32, |hash, logit| {
            hash.rotate_left(5).wrapping_mul(0x9e37_79b1) ^ logit.to_bits()
        });
        found.push((encoding.name(), logits[3].to_bits(), hash));
    }
    assert_eq!(found, STABLE);
}

/// Encoding, the bits of the logit of token 3, a hash of all.
const STABLE: [(&str, u32, u32); 9] = [
    ("F32", 3215331934, 2491283320),
    ("F16", 3201218214, 3338995842),
    ("BF16", 1062553576, 275587229),
    ("Q4_0", 1065516512, 3116425643),
    ("Q4_1", 1030031276, 766825947),
    ("Q8_0", 1057477585, 3093706023),
    ("Q4_K", 3235253556, 1640968829),
    ("Q5_K", 3276452190, 2379048223),
    ("Q6_K", 1111984063, 2479363475),
];
