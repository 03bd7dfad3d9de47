//! Bugs that users of other samplers reported in public, each tried here: `#n` are the rows of the project's survey
//! that concern the present stages, with the reference of the report.

use nucleus_sampler::{Options, Sampler, StageName};

use crate::common::{DEAD, assert_probabilities, json_text, kept, ln, logits, sampler};
use crate::four;

/// #1, huggingface/transformers#19839: top_p 0 masked everything.
#[test]
fn top_p_0_keeps_the_top_token() {
    let options = Options { top_p: Some(0.0), ..Options::default() };
    assert_eq!(kept(&options, &four()), [3]);
    assert_eq!(sampler(&options).sample(&four()).unwrap(), 3);
}

/// #2, huggingface/transformers#18976: one token too many when the sum is p exactly.
#[test]
fn top_p_adds_no_token_when_the_sum_is_p() {
    let options = Options { top_p: Some(0.8), ..Options::default() };
    assert_eq!(kept(&options, &ln(&[0.3, 0.1, 0.1, 0.5])), [3, 0]);
}

/// #3, ggml-org/llama.cpp#1953: one token too few, the one that crosses p.
#[test]
fn top_p_keeps_the_token_that_crosses_p() {
    let options = Options { top_p: Some(0.8), ..Options::default() };
    assert_eq!(kept(&options, &four()), [3, 2, 1]);
}

/// #5, ml-explore/mlx-lm#388: top_k, then top_p of a mass that was not renormalised, masked everything.
#[test]
fn top_p_after_top_k_always_keeps_something() {
    let options =
        Options { temperature: Some(0.01), top_k: Some(1), top_p: Some(0.8), ..Options::default() };
    assert_eq!(kept(&options, &four()), [3]);
    assert_eq!(kept(&Options { temperature: Some(100.0), ..options }, &[0.0; 50]), [0]);
}

/// #8, suno-ai/bark#270 and huggingface/transformers.js#1431: temperature 0 divided by zero.
#[test]
fn temperature_0_and_minus_0_are_greedy_and_below_0_is_an_error() {
    for temperature in [0.0, -0.0] {
        let options = Options { temperature: Some(temperature), ..Options::default() };
        assert_eq!(sampler(&options).sample(&four()).unwrap(), 3);
    }
    for temperature in [-f64::from_bits(1), -0.5] {
        let options = Options { temperature: Some(temperature), ..Options::default() };
        assert_eq!(Sampler::new(options).unwrap_err().code(), "out_of_range");
    }
}

/// #10, robertknight/rten#1089, and #11, JustVugg/colibri#369: NaN panicked, or was token 0 for ever.
#[test]
fn a_nan_anywhere_is_an_error_with_its_index_and_the_sampler_lives_on() {
    let mut sampler = sampler(&Options::default());
    for (row, index) in [
        ([f32::NAN, 0.0, 1.0], 0),
        ([0.0, f32::NAN, 1.0], 1),
        ([0.0, 1.0, f32::NAN], 2),
        ([0.0, f32::INFINITY, 1.0], 1),
    ] {
        let error = sampler.sample(&row).unwrap_err();
        assert_eq!((error.code(), error.index()), ("not_finite", Some(index)));
        assert!(sampler.sample(&[0.0, 1.0]).is_ok());
    }
}

/// #13, ohdearquant/lattice#398: a mask that allows nothing returned token 0.
#[test]
fn a_row_without_a_legal_token_is_an_error() {
    assert_eq!(sampler(&Options::default()).sample(&[DEAD; 3]).unwrap_err().code(), "nothing_left");
    let input = nucleus_sampler::Input::from(&[1.0, 2.0]).with_mask(Some(&[0]));
    let error = sampler(&Options::default()).sample(input).unwrap_err();
    assert_eq!((error.code(), error.stage()), ("nothing_left", Some(StageName::Mask)));
}

/// #16, sgl-project/sglang#27618, and #17, karpathy/nanochat#466: top_k 0 removed everything.
#[test]
fn top_k_0_removes_nothing() {
    let options = Options { top_k: Some(0), ..Options::default() };
    assert_eq!(kept(&options, &four()), [3, 2, 1, 0]);
}

/// #19, sgl-project/sglang#40099: more log probabilities asked for than there are tokens.
#[test]
fn more_log_probabilities_than_tokens_are_all_of_them() {
    let found = sampler(&Options::default()).logprobs(&[0.0; 5], 100, None).unwrap();
    assert_eq!((found.raw.len(), found.kept.len()), (5, 5));
}

/// #21, huggingface/transformers#2302, NVIDIA-NeMo/Speech#8194, panbanda/higgs#32: repeats of negative logits became
/// likelier.
#[test]
fn a_repetition_penalty_never_rewards() {
    let options = Options { repetition_penalty: Some(2.0), ..Options::default() };
    let mut sampler = sampler(&options);
    sampler.prompt(&[0, 1]).unwrap();
    assert_eq!(logits(&mut sampler, &[-1.0, 1.0]), [(0, -2.0), (1, 0.5)]);
}

/// #23, osaurus-ai/vmlx-swift#295: presence and frequency counted the prompt.
#[test]
fn presence_and_frequency_do_not_count_the_prompt() {
    let options =
        Options { presence_penalty: Some(1.0), frequency_penalty: Some(1.0), ..Options::default() };
    let mut sampler = sampler(&options);
    sampler.prompt(&[1]).unwrap();
    assert_eq!(logits(&mut sampler, &[0.5, 0.5]), [(0, 0.5), (1, 0.5)]);
}

/// #24, oobabooga/textgen#4433 and 3627: a shift of all logits changes what repetition does; not what the others do.
#[test]
fn additive_penalties_do_not_mind_a_shift_of_all_logits() {
    let options = Options {
        presence_penalty: Some(0.5),
        frequency_penalty: Some(0.25),
        ..Options::default()
    };
    let probs = |options: &Options, shift: f32| {
        let mut sampler = sampler(options);
        sampler.accept(1).unwrap();
        sampler.distribution(&[shift, 1.0 + shift, 2.0 + shift]).unwrap().probs
    };
    assert_eq!(probs(&options, 0.0), probs(&options, 10.0));
    let repetition = Options { repetition_penalty: Some(1.5), ..Options::default() };
    assert_ne!(probs(&repetition, 0.0), probs(&repetition, 10.0));
}

/// #30, pytorch/pytorch#192812 and cloveranon/Clover-Edition#168: a token of probability 0 was drawn.
#[test]
fn a_token_of_probability_0_is_never_drawn_from_a_large_vocabulary() {
    for (hot, cold) in [(0u32, DEAD), (151_935, -60.0), (77_777, f32::MIN)] {
        let mut row = vec![cold; 151_936];
        row[hot as usize] = 0.0;
        let tokens = sampler(&Options::default()).sample_many(&row, 20_000).unwrap();
        assert!(tokens.iter().all(|token| *token == hot));
    }
}

/// #32, NVIDIA/Megatron-LM#7182: a running sum in half precision stopped growing at 131,072 tokens.
#[test]
fn the_sum_over_a_near_uniform_vocabulary_loses_nothing() {
    let row: Vec<f32> = (0..131_072).map(|i| (i % 7) as f32 * 1e-6).collect();
    let found = sampler(&Options::default()).distribution(&row).unwrap();
    assert_eq!(found.cumulative.last(), Some(&1.0));
    assert!((found.cumulative[65_535] - 0.5).abs() < 1e-5);
    for (p, n) in [(0.25, 32_768), (0.5, 65_536), (0.75, 98_304)] {
        let flat = kept(&Options { top_p: Some(p), ..Options::default() }, &vec![0.5; 131_072]);
        assert_eq!(flat.len(), n);
    }
}

/// #33, vllm-project/vllm#50979, flashinfer-ai/flashinfer#3774, mstar-project/mstar#254,
/// vllm-project/tpu-inference#3580: with ties more than k were kept, and which one was drawn depended on the batch.
#[test]
fn of_equal_tokens_top_k_1_keeps_the_lowest_id_alone_or_in_a_batch() {
    let row = [21.375, 21.375, 0.0];
    let mut sampler = sampler(&Options { top_k: Some(1), ..Options::default() });
    assert_eq!(sampler.sample_many(&row, 100).unwrap(), [0; 100]);
    for n in [1, 2, 7, 64] {
        let rows = nucleus_sampler::Rows::First(n);
        assert_eq!(sampler.sample_batch(&row.repeat(n), rows).unwrap(), vec![0; n]);
    }
}

/// #36, huggingface/text-generation-inference#687, huggingface/transformers#27835 and #22405: seed and temperature were
/// ignored because a flag was off.
#[test]
fn seed_and_temperature_need_no_flag() {
    let draws = |temperature, seed| {
        let options =
            Options { temperature: Some(temperature), seed: Some(seed), ..Options::default() };
        sampler(&options).sample_many(&[0.0, 1.0, 2.0], 100).unwrap()
    };
    assert_eq!(draws(1.0, 7), draws(1.0, 7));
    assert_ne!(draws(1.0, 7), draws(1.0, 8));
    assert_ne!(draws(0.2, 7), draws(5.0, 7));
}

/// #37, huggingface/text-generation-inference#2108, sgl-project/sglang#5984, dphnAI/sonar#183,
/// InternLM/lmdeploy#1985: log probabilities after top_p vanished, or broke JSON.
#[test]
fn log_probabilities_after_top_p_are_both_there_and_json_can_hold_them() {
    let mut sampler = sampler(&Options { top_p: Some(0.3), ..Options::default() });
    let found = sampler.logprobs(&four(), 5, Some(0)).unwrap();
    assert_eq!(found.raw.iter().map(|item| item.token).collect::<Vec<_>>(), [3, 2, 1, 0]);
    assert!(found.raw.iter().all(|item| item.logprob.is_finite() && item.rank.is_some()));
    let kept: Vec<_> =
        found.kept.iter().map(|item| (item.token, item.logprob, item.rank)).collect();
    assert_eq!(kept, [(3, 0.0, Some(0)), (0, f64::NEG_INFINITY, None)]);
    // State holds -infinity as a text.
    let banned = Options { logit_bias: Some(vec![(0, f64::NEG_INFINITY)]), ..Options::default() };
    let text = json_text(&self::sampler(&banned).state().unwrap());
    assert!(text.contains("[[0,\"-Infinity\"]]"), "{text}");
}

/// #39, ohdearquant/lattice#328: top_p outside [0, 1] was accepted in silence.
#[test]
fn top_p_outside_0_to_1_is_an_error_that_names_it() {
    for p in [f64::NAN, -0.1, 2.0] {
        let error = Sampler::new(Options { top_p: Some(p), ..Options::default() }).unwrap_err();
        assert_eq!((error.code(), error.option()), ("out_of_range", Some("topP")));
    }
}

/// #40, ggml-org/llama.cpp#8988 and #15223, huggingface/candle#2147, karpathy/llama2.c#246: top_p alone over a large
/// vocabulary. That it needs no full sort is measured by the benchmarks; that the cut found without one is the right
/// one is shown here.
#[test]
fn top_p_alone_over_262144_tokens_cuts_where_a_full_sort_would() {
    let row: Vec<f32> =
        (0..262_144u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 8) as f32 / 1e6).collect();
    let plan = crate::oracle::Plan {
        options: Options { top_p: Some(0.9), seed: Some(1), ..Options::default() },
        ..crate::oracle::Plan::default()
    };
    assert!(crate::oracle::assert_agrees(&plan, &row, 3).unwrap().ranked.len() > 1000);
}

/// #49, rust-random/getrandom#208: no source of randomness. A seed can always be passed in, and then none is asked.
#[test]
fn a_seed_can_always_be_passed_in() {
    let options = Options { seed: Some(0), ..Options::default() };
    assert_eq!(Sampler::new(options).unwrap().settings().seed, 0);
    assert_probabilities(
        &Options { seed: Some(u64::MAX), ..Options::default() },
        &[0.0],
        &[(0, 1.0)],
    );
}
