//! What users get from a seed: chains, rows and the tokens that they draw, as literal values.
//!
//! These change with a *value change* alone, which has a heading of its own in the changelog.

use nucleus_sampler::{Options, Order, PresetName, StageName, Window};

/// A row without a pattern: ties, a dead token, negative, large and tiny values.
pub const ROW: [f32; 16] = [
    1.25,
    -0.5,
    2.75,
    0.0,
    2.75,
    f32::NEG_INFINITY,
    -3.0,
    1.0,
    3.5,
    -0.0,
    0.625,
    2.0,
    -40.0,
    1.0e-6,
    2.25,
    -1.75,
];

/// What was accepted before: prompt and output.
pub const PROMPT: [u32; 3] = [8, 2, 3];
pub const OUTPUT: [u32; 5] = [4, 8, 4, 11, 0];

/// A chain over the row, with what it keeps and the first sixteen tokens that it draws.
pub struct Case {
    pub name: &'static str,
    pub options: Options,
    pub kept_count: usize,
    pub mass: u64,
    pub tokens: [u32; 16],
}

/// Every case; the seed is 42 where the options give none.
pub fn cases() -> Vec<Case> {
    let plain = Options::default();
    let truncating =
        Options { top_k: Some(8), top_p: Some(0.9), min_p: Some(0.1), ..plain.clone() };
    let penalties = Options {
        repetition_penalty: Some(1.3),
        frequency_penalty: Some(0.4),
        presence_penalty: Some(0.2),
        ..plain.clone()
    };
    let busy = Options {
        temperature: Some(0.9),
        logit_bias: Some(vec![(6, 5.5), (8, f64::NEG_INFINITY)]),
        allowed_tokens: Some(vec![0, 2, 4, 6, 7, 8, 10, 11, 14]),
        penalty_last_n: Some(Window(4)),
        min_keep: Some(3),
        ..penalties.clone()
    };
    let case = |name, options: &Options, kept_count, mass, tokens| Case {
        name,
        options: options.clone(),
        kept_count,
        mass,
        tokens,
    };
    let reversed = Order::Listed(vec![
        StageName::MinP,
        StageName::TopP,
        StageName::TopK,
        StageName::Temperature,
        StageName::RepetitionPenalty,
    ]);
    vec![
        case(
            "nothing",
            &plain,
            15,
            49_503_130_640_384,
            [4, 4, 8, 4, 11, 2, 8, 4, 8, 10, 8, 11, 4, 8, 8, 2],
        ),
        case(
            "seed 0",
            &Options { seed: Some(0), ..plain.clone() },
            15,
            49_503_130_640_384,
            [11, 8, 4, 2, 4, 2, 0, 4, 4, 8, 8, 8, 8, 7, 8, 8],
        ),
        case(
            "the largest seed",
            &Options { seed: Some(u64::MAX), ..plain.clone() },
            15,
            49_503_130_640_384,
            [8, 4, 8, 7, 8, 8, 11, 8, 8, 8, 2, 3, 2, 0, 8, 8],
        ),
        case(
            "stream 1",
            &Options { stream: Some(1), ..plain.clone() },
            15,
            49_503_130_640_384,
            [9, 2, 8, 2, 8, 8, 11, 8, 2, 2, 4, 8, 8, 8, 8, 4],
        ),
        case(
            "the largest stream",
            &Options { stream: Some(u32::MAX), ..plain.clone() },
            15,
            49_503_130_640_384,
            [8, 14, 14, 8, 8, 2, 14, 14, 2, 14, 8, 4, 8, 14, 4, 8],
        ),
        case(
            "temperature 0.7",
            &Options { temperature: Some(0.7), ..plain.clone() },
            15,
            36_573_217_198_592,
            [4, 4, 8, 8, 8, 2, 8, 4, 8, 8, 8, 8, 4, 8, 8, 2],
        ),
        case(
            "temperature 1.3",
            &Options { temperature: Some(1.3), ..plain.clone() },
            15,
            62_055_497_588_736,
            [4, 4, 8, 4, 11, 2, 8, 4, 8, 11, 8, 11, 4, 8, 8, 2],
        ),
        case(
            "temperature 0",
            &Options { temperature: Some(0.0), ..plain.clone() },
            1,
            17_592_186_044_416,
            [8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8],
        ),
        case(
            "top_k 3",
            &Options { top_k: Some(3), ..plain.clone() },
            3,
            34_212_106_207_232,
            [4, 4, 8, 4, 8, 2, 8, 4, 4, 8, 8, 8, 4, 4, 8, 2],
        ),
        case(
            "top_p 0.8",
            &Options { top_p: Some(0.8), ..plain.clone() },
            5,
            43_177_699_442_688,
            [4, 4, 8, 4, 11, 2, 8, 4, 8, 11, 8, 11, 4, 8, 8, 2],
        ),
        case(
            "min_p 0.25",
            &Options { min_p: Some(0.25), ..plain.clone() },
            4,
            39_252_352_040_960,
            [4, 4, 8, 4, 8, 2, 8, 4, 8, 8, 8, 8, 4, 8, 8, 2],
        ),
        case(
            "all three",
            &Options { temperature: Some(0.8), ..truncating.clone() },
            5,
            37_755_955_445_760,
            [4, 4, 8, 8, 8, 2, 8, 4, 8, 8, 8, 8, 4, 8, 8, 2],
        ),
        case(
            "penalties",
            &penalties,
            15,
            76_658_392_629_248,
            [6, 4, 8, 7, 14, 2, 8, 3, 8, 14, 8, 14, 4, 8, 8, 2],
        ),
        case(
            "a busy chain",
            &busy,
            8,
            53_238_232_121_344,
            [2, 2, 6, 4, 14, 2, 6, 2, 6, 11, 6, 14, 2, 6, 6, 2],
        ),
        case(
            "the textbook",
            &Options {
                preset: Some(PresetName::Textbook),
                temperature: Some(1.1),
                top_k: Some(6),
                repetition_penalty: Some(1.5),
                ..plain.clone()
            },
            6,
            67_820_213_239_808,
            [4, 4, 8, 4, 14, 2, 8, 4, 8, 14, 8, 14, 4, 8, 8, 2],
        ),
        case(
            "another order",
            &Options {
                temperature: Some(1.4),
                repetition_penalty: Some(1.2),
                order: Some(reversed),
                ..truncating
            },
            5,
            58_238_023_237_632,
            [4, 4, 8, 4, 14, 2, 8, 4, 8, 11, 8, 14, 4, 8, 8, 2],
        ),
    ]
}
