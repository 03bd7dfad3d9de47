//! Random rows, plans and histories.
//!
//! A row is made from a few numbers and its own generator, so that a failing one shrinks to a short row quickly.

use nucleus_sampler::Window;
use nucleus_sampler::{Options, Order, StageName};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use crate::common::DEAD;
use crate::oracle::{Learned, Plan};
use crate::texts::{text_options, texts};

/// What the logits of a row look like.
#[derive(Clone, Copy, Debug)]
pub enum Look {
    /// Anything in [-30, 30].
    Spread,
    /// A few values, so that ties are everywhere.
    Tied,
    /// A few high ones over a low crowd, as a model gives.
    Peaked,
    /// Any finite f32: neighbours of 0 and of the ends of the range.
    AnyFloat,
    /// Neighbouring floats around one value.
    Neighbours,
    /// All the same.
    Flat,
}

/// A generator for what a row is made of (SplitMix64).
#[derive(Clone, Debug)]
pub struct Mix(pub u64);

impl Mix {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// In [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// In [0, n).
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

fn logit(look: Look, mix: &mut Mix) -> f32 {
    let unit = mix.unit();
    match look {
        Look::Spread => (unit * 60.0 - 30.0) as f32,
        Look::Tied => [0.0, -0.0, 1.5, 1.5, -2.0, 7.25][mix.below(6)],
        Look::Peaked => (unit * unit * unit * unit * 25.0 - 5.0) as f32,
        Look::AnyFloat => loop {
            let any = f32::from_bits(mix.next() as u32);
            if any.is_finite() {
                break any;
            }
        },
        Look::Neighbours => f32::from_bits(3.7f32.to_bits() + mix.below(40) as u32),
        Look::Flat => 0.3,
    }
}

/// Rows of 1 to 3000 logits, up to all but one of them dead.
pub fn rows() -> impl Strategy<Value = Vec<f32>> {
    rows_of(1..3000)
}

/// Rows of the given length.
pub fn rows_of(n: std::ops::Range<usize>) -> impl Strategy<Value = Vec<f32>> {
    let looks =
        [Look::Spread, Look::Tied, Look::Peaked, Look::AnyFloat, Look::Neighbours, Look::Flat];
    let dead = prop_oneof![Just(0.0), Just(0.0), 0.0..1.0f64];
    (n, proptest::sample::select(looks.to_vec()), dead, any::<u64>()).prop_map(
        |(n, look, dead, seed)| {
            let mut mix = Mix(seed);
            let mut row: Vec<f32> = (0..n)
                .map(|_| if mix.unit() < dead { DEAD } else { logit(look, &mut mix) })
                .collect();
            let survivor = mix.below(n);
            row[survivor] = logit(look, &mut mix);
            row
        },
    )
}

/// Shares in [0, 1], the ends and their neighbours included.
pub fn shares() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => 0.0..=1.0f64,
        1 => proptest::sample::select(vec![0.0, 1.0, 0.5, 0.9, 0.95, 0.99, f64::MIN_POSITIVE]),
        1 => (0u64..4).prop_map(|n| f64::from_bits(1.0f64.to_bits() - n)),
        1 => (1u64..50).prop_map(|n| 1.0 / (1u64 << n) as f64),
    ]
}

/// Temperatures: usual ones, 0, and the ends of the range.
pub fn temperatures() -> impl Strategy<Value = f64> {
    prop_oneof![
        6 => 0.05..3.0f64,
        1 => Just(0.0),
        1 => Just(1.0),
        1 => proptest::sample::select(vec![1e-310, 1e-30, 1e-9, 1e9, 1e30, 1e300, f64::MAX]),
    ]
}

/// Mirostat with either version, its numbers usual ones and the ends of their ranges; mostly off.
fn mirostat() -> impl Strategy<Value = Options> {
    let tau =
        prop_oneof![4 => 0.0..8.0f64, 1 => proptest::sample::select(vec![0.0, 1e3, f64::MAX])];
    let eta = prop_oneof![3 => 0.0..=1.0f64, 1 => proptest::sample::select(vec![0.0, 1.0])];
    let version = prop_oneof![6 => Just(None), 1 => Just(Some(1u32)), 2 => Just(Some(2u32))];
    (version, option::of(tau), option::of(eta)).prop_map(|(version, tau, eta)| Options {
        mirostat_version: version,
        mirostat_tau: tau,
        mirostat_eta: eta,
        ..Options::default()
    })
}

/// Adaptive-p, mostly off.
fn adaptive_p() -> impl Strategy<Value = Options> {
    let decay = prop_oneof![3 => 0.0..0.99f64, 1 => proptest::sample::select(vec![0.0, 0.99])];
    (option::weighted(0.25, shares()), option::of(decay)).prop_map(|(target, decay)| Options {
        adaptive_p_target: target,
        adaptive_p_decay: decay,
        ..Options::default()
    })
}

/// What controllers may have come to.
fn learned() -> impl Strategy<Value = Learned> {
    let mu = prop_oneof![6 => -2.0..20.0f64, 1 => proptest::sample::select(vec![-1e9, 1e300])];
    let probabilities = (0.0..=1.0f64, 1.0..=100.0f64).prop_map(|(p, weight)| (p * weight, weight));
    (option::of(mu), option::of(probabilities))
        .prop_map(|(mu, probabilities)| Learned { mu, probabilities })
}

/// Options that truncate, and temperature: no id, no writing stage.
pub fn truncations() -> BoxedStrategy<Options> {
    let both = (usual_truncations().boxed(), further_truncations().boxed());
    both.prop_map(|(mut usual, further)| {
        usual.merge(&further);
        usual
    })
    .boxed()
}

/// Temperature, top-k, top-p and min-p.
fn usual_truncations() -> impl Strategy<Value = Options> {
    let k = prop_oneof![Just(0u32), 1..5u32, 1..3000u32, Just(u32::MAX)];
    let min_keep = prop_oneof![3 => Just(1u32), 1 => 1..20u32, 1 => Just(u32::MAX)];
    (
        option::of(temperatures()),
        option::of(k),
        option::of(shares()),
        option::of(shares()),
        option::of(min_keep),
        any::<u64>(),
        mirostat(),
    )
        .prop_map(|(temperature, top_k, top_p, min_p, min_keep, seed, mirostat)| Options {
            temperature,
            top_k,
            top_p,
            min_p,
            min_keep,
            seed: Some(seed),
            ..mirostat
        })
}

/// Options of the stages that truncate by something else than rank and mass: mostly none, now and then several.
fn further_truncations() -> impl Strategy<Value = Options> {
    let seldom = |share| option::weighted(0.12, share);
    let sigmas = prop_oneof![4 => 0.0..4.0f64, 1 => Just(f64::MAX), 1 => Just(1e-300)];
    let small = prop_oneof![2 => shares(), 3 => (0.0..9.0f64).prop_map(ten_to_minus)];
    (
        (seldom(shares()), option::weighted(0.12, sigmas), seldom(shares()), seldom(shares())),
        (seldom(shares()), option::weighted(0.12, any::<bool>())),
        (option::weighted(0.12, small.clone()), option::weighted(0.12, small)),
    )
        .prop_map(|(first, second, third)| {
            let (typical_p, top_n_sigma, top_a, top_h) = first;
            let (tail_free, p_less) = second;
            let (epsilon_cutoff, eta_cutoff) = third;
            Options {
                typical_p,
                top_n_sigma,
                top_a,
                top_h,
                tail_free,
                p_less,
                epsilon_cutoff,
                eta_cutoff,
                ..Options::default()
            }
        })
}

#[allow(clippy::disallowed_methods, reason = "any number will do")]
fn ten_to_minus(n: f64) -> f64 {
    10f64.powf(-n)
}

/// A temperature between two, and a curve over the logits.
fn curves() -> impl Strategy<Value = Options> {
    let range = prop_oneof![3 => 0.0..2.0f64, 1 => Just(f64::MAX)];
    let exponent = prop_oneof![3 => 0.0..3.0f64, 1 => Just(0.0), 1 => Just(1.0)];
    let curve = prop_oneof![2 => 1.0..3.0f64, 1 => Just(3.0), 1 => 3.0..10.0f64];
    (
        option::weighted(0.25, range),
        option::of(exponent),
        option::weighted(0.2, 0.0..1.5f64),
        option::of(curve),
    )
        .prop_map(|(range, exponent, smoothing_factor, smoothing_curve)| Options {
            dynamic_temperature_range: range,
            dynamic_temperature_exponent: exponent,
            smoothing_factor,
            smoothing_curve,
            ..Options::default()
        })
}

/// The numbers of the writing stages.
fn penalties() -> impl Strategy<Value = Options> {
    let repetition =
        prop_oneof![3 => 0.5..2.0f64, 1 => proptest::sample::select(vec![1.0, 1e-3, 1e3, 1e300])];
    let window = prop_oneof![Just(0u32), 1..60u32, Just(u32::MAX)];
    (
        option::weighted(0.4, repetition),
        option::weighted(0.4, -2.0..2.0f64),
        option::weighted(0.4, -2.0..2.0f64),
        option::weighted(0.5, window),
    )
        .prop_map(|(repetition_penalty, frequency_penalty, presence_penalty, window)| {
            Options {
                repetition_penalty,
                frequency_penalty,
                presence_penalty,
                penalty_last_n: window.map(Window),
                ..Options::default()
            }
        })
}

const LISTED: [StageName; 24] = [
    StageName::Xtc,
    StageName::Dry,
    StageName::BadWords,
    StageName::Guidance,
    StageName::NoRepeatNgram,
    StageName::MinNewTokens,
    StageName::TailFree,
    StageName::TopA,
    StageName::TypicalP,
    StageName::EtaCutoff,
    StageName::Smoothing,
    StageName::TopNSigma,
    StageName::TopH,
    StageName::PLess,
    StageName::EpsilonCutoff,
    StageName::MinP,
    StageName::PresencePenalty,
    StageName::TopP,
    StageName::AllowedTokens,
    StageName::Temperature,
    StageName::FrequencyPenalty,
    StageName::TopK,
    StageName::LogitBias,
    StageName::RepetitionPenalty,
];

/// No order; or every stage in a random one, sometimes with a second temperature, sometimes with a terminal stage.
pub fn orders() -> impl Strategy<Value = Option<Order>> {
    let shuffled = (
        Just(LISTED.to_vec()).prop_shuffle(),
        option::weighted(0.3, 0..LISTED.len()),
        option::weighted(0.1, 0..LISTED.len()),
        option::of(prop_oneof![9 => Just(StageName::Draw), 1 => Just(StageName::Greedy)]),
    )
        .prop_map(|(mut order, twice, dynamic, last)| {
            if let Some(place) = twice {
                order.insert(place, StageName::Temperature);
            }
            if let Some(place) = dynamic {
                order.insert(place, StageName::DynamicTemperature);
            }
            order.extend(last);
            Order::Listed(order)
        });
    option::weighted(0.6, shuffled)
}

/// A row with anything that can be asked of it; ids lie inside the vocabulary.
pub fn plans() -> impl Strategy<Value = (Plan, Vec<f32>)> {
    plans_over(rows())
}

/// Anything that can be asked of the given rows.
pub fn plans_over(
    rows: impl Strategy<Value = Vec<f32>>,
) -> impl Strategy<Value = (Plan, Vec<f32>)> {
    let bias =
        vec((any::<u32>(), prop_oneof![4 => -8.0..8.0f64, 1 => Just(f64::NEG_INFINITY)]), 1..6);
    let stream = option::weighted(0.3, any::<u32>());
    (
        rows,
        // Boxed, for a plan of every stage is built by calls too deep for a thread's stack.
        (
            truncations(),
            penalties().boxed(),
            curves().boxed(),
            adaptive_p().boxed(),
            text_options().boxed(),
            orders().boxed(),
            stream,
        ),
        texts().boxed(),
        (option::weighted(0.3, bias), option::weighted(0.2, vec(any::<u32>(), 1..400))),
        (
            option::weighted(0.3, (any::<u64>(), 0.2..1.0f64)),
            learned(),
            option::weighted(0.9, any::<u64>()),
        ),
    )
        .prop_map(|(row, options, (prompt, output), ids, (mask, learned, second))| {
            let inside = |id: u32| id % row.len() as u32;
            let all = |ids: Vec<u32>| ids.into_iter().map(inside).collect::<Vec<_>>();
            let mut options = merged(options);
            let (bias, allowed) = ids;
            options.logit_bias = bias.map(|pairs| {
                let mut pairs: Vec<_> = pairs.into_iter().map(|(id, b)| (inside(id), b)).collect();
                pairs.sort_by_key(|(id, _)| *id);
                pairs.dedup_by_key(|(id, _)| *id);
                pairs
            });
            options.allowed_tokens = allowed.map(&all);
            let mask = mask.map(|(seed, share)| masks(seed, share, row.len()));
            let unconditional = second.map(|seed| second_row(&row, seed));
            let (prompt, output) = (all(prompt), all(output));
            let plan = Plan { options, prompt, output, mask, learned, unconditional, coin: None };
            (plan, row)
        })
}

/// The same logits at other places, some of them changed or dead.
fn second_row(row: &[f32], seed: u64) -> Vec<f32> {
    let mut mix = Mix(seed);
    let other = |mix: &mut Mix| match mix.below(8) {
        0 => DEAD,
        1 => (mix.unit() * 20.0 - 10.0) as f32,
        _ => row[mix.below(row.len())],
    };
    (0..row.len()).map(|_| other(&mut mix)).collect()
}

/// One set of options that can be run: with one terminal stage, that of the controller where one is active.
fn merged(
    (base, penalties, curves, adaptive_p, text, order, stream): (
        Options,
        Options,
        Options,
        Options,
        Options,
        Option<Order>,
        Option<u32>,
    ),
) -> Options {
    let mut options = base;
    options.merge(&penalties);
    options.merge(&curves);
    options.merge(&text);
    if options.mirostat_version.is_none() {
        options.merge(&adaptive_p);
    }
    (options.order, options.stream) = (order, stream);
    let controlled = Plan::of(&options).controlled();
    if let (Some(Order::Listed(order)), Some(controlled)) = (&mut options.order, controlled)
        && let Some(last) = order.last_mut()
        && last.is_terminal()
    {
        *last = controlled;
    }
    options
}

/// A mask that allows a share of the tokens; its spare bits are random.
fn masks(seed: u64, share: f64, n_vocab: usize) -> Vec<u32> {
    let mut mix = Mix(seed);
    let mut word = || (0..32).fold(0, |word, bit| word | u32::from(mix.unit() < share) << bit);
    (0..n_vocab.div_ceil(32)).map(|_| word()).collect()
}
