//! Random rows, and everything that can be asked of them.
//!
//! A row is made from a few numbers and its own generator, so that a failing one shrinks to a short row quickly.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use crate::chains::{adaptive_p, curves, merged, orders, penalties, truncations};
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

/// A mask that allows a share of the tokens; its spare bits are random.
fn masks(seed: u64, share: f64, n_vocab: usize) -> Vec<u32> {
    let mut mix = Mix(seed);
    let mut word = || (0..32).fold(0, |word, bit| word | u32::from(mix.unit() < share) << bit);
    (0..n_vocab.div_ceil(32)).map(|_| word()).collect()
}

/// What controllers may have come to.
fn learned() -> impl Strategy<Value = Learned> {
    let mu = prop_oneof![6 => -2.0..20.0f64, 1 => proptest::sample::select(vec![-1e9, 1e300])];
    let probabilities = (0.0..=1.0f64, 1.0..=100.0f64).prop_map(|(p, weight)| (p * weight, weight));
    (option::of(mu), option::of(probabilities))
        .prop_map(|(mu, probabilities)| Learned { mu, probabilities })
}
