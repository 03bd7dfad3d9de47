//! Random options: what truncates, bends and penalises, and the orders in which it does.

use nucleus_sampler::Window;
use nucleus_sampler::{Options, Order, StageName};
use proptest::option;
use proptest::prelude::*;

use crate::oracle::Plan;

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
pub fn adaptive_p() -> impl Strategy<Value = Options> {
    let decay = prop_oneof![3 => 0.0..0.99f64, 1 => proptest::sample::select(vec![0.0, 0.99])];
    (option::weighted(0.25, shares()), option::of(decay)).prop_map(|(target, decay)| Options {
        adaptive_p_target: target,
        adaptive_p_decay: decay,
        ..Options::default()
    })
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
pub fn curves() -> impl Strategy<Value = Options> {
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
pub fn penalties() -> impl Strategy<Value = Options> {
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

/// One set of options that can be run: with one terminal stage, that of the controller where one is active.
pub fn merged(
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
