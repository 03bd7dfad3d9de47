//! The exponential pass: exact masses of blocks, and e = exp(x) of every place where it is asked for.
//!
//! w = e 2^44 rounded to nearest, ties to even. 256 + e lies in [256, 257], where doubles are 2^-44 apart: the addition
//! rounds exactly as the contract asks and leaves w in the low bits. Masses are integers, so lanes and blocks cannot
//! change them.

use super::BLOCK;
use super::cost::Cost;
use super::exp::{Factor, Scaling};
use super::lanes::{F32s, Lanes, SHIFT, U64s, WIDTH};
use super::scan::Maxima;

/// The weight, an integer in [0, 2^44], of e = exp(x) in [0, 1].
#[inline(always)]
pub(crate) fn weight(e: f32) -> u64 {
    (f64::from(e) + SHIFT).to_bits() - SHIFT.to_bits()
}

/// The mass of each block of places.
pub(crate) type BlockMasses = Vec<u64>;

/// Fills `masses` with the mass of each block, and `exps` where given with e of each place; returns the whole mass.
pub(crate) fn weigh(
    row: &[f32],
    max: f32,
    factor: Factor,
    masses: &mut BlockMasses,
    exps: Option<&mut Vec<f32>>,
) -> u64 {
    masses.clear();
    let scaling = &factor.below(max);
    let exps = exps.map(|exps| {
        exps.resize(row.len(), 0.0);
        exps.as_mut_slice()
    });
    match (factor.is_short(), exps) {
        (true, None) => weigh_blocks::<true>(row, scaling, masses),
        (false, None) => weigh_blocks::<false>(row, scaling, masses),
        (true, Some(exps)) => store_blocks::<true>(row, scaling, masses, exps),
        (false, Some(exps)) => store_blocks::<false>(row, scaling, masses, exps),
    }
    masses.iter().sum()
}

fn weigh_blocks<const SHORT: bool>(row: &[f32], scaling: &Scaling, masses: &mut BlockMasses) {
    masses.extend(row.chunks(BLOCK).map(|block| {
        let (pairs, rest) = block.as_chunks::<{ 2 * WIDTH }>();
        let mut sum = U64s::zero();
        for pair in pairs {
            if let ([low, high], []) = pair.as_chunks::<WIDTH>() {
                sum = scaling.add_exps::<SHORT>(sum, F32s::load(low));
                sum = scaling.add_exps::<SHORT>(sum, F32s::load(high));
            }
        }
        let n = (pairs.len() * 2 * WIDTH) as u64;
        let mut spare = [0.0; 2 * WIDTH];
        sum.total(n) + weigh_rest(rest, scaling, &mut spare)
    }));
}

fn store_blocks<const SHORT: bool>(
    row: &[f32],
    scaling: &Scaling,
    masses: &mut BlockMasses,
    exps: &mut [f32],
) {
    masses.extend(row.chunks(BLOCK).zip(exps.chunks_mut(BLOCK)).map(|(block, exps)| {
        let (chunks, rest) = block.as_chunks::<WIDTH>();
        let (stored, stored_rest) = exps.as_chunks_mut::<WIDTH>();
        let mut sum = U64s::zero();
        for (chunk, stored) in chunks.iter().zip(stored) {
            sum = scaling.store_exps::<SHORT>(sum, F32s::load(chunk), stored);
        }
        sum.total((chunks.len() * WIDTH) as u64) + weigh_rest(rest, scaling, stored_rest)
    }));
}

/// Weighs fewer places than a pair of vectors has, and stores their e. Once for every factor: a second product of 0
/// changes no bit.
fn weigh_rest(rest: &[f32], scaling: &Scaling, exps: &mut [f32]) -> u64 {
    let mut mass = 0;
    for (logits, exps) in rest.chunks(WIDTH).zip(exps.chunks_mut(WIDTH)) {
        let mut filled = [f32::NEG_INFINITY; WIDTH];
        for (lane, logit) in filled.iter_mut().zip(logits) {
            *lane = *logit;
        }
        let e = scaling.exps::<false>(F32s::load(&filled)).to_array();
        for ((stored, e), _) in exps.iter_mut().zip(e).zip(logits) {
            *stored = e;
            mass += weight(e);
        }
    }
    mass
}

/// Fills `exps` with e of each logit; returns their mass.
pub(crate) fn weigh_list(logits: &[f32], max: f32, factor: Factor, exps: &mut Vec<f32>) -> u64 {
    exps.resize(logits.len(), 0.0);
    let scaling = &factor.below(max);
    let mut mass = 0;
    for (block, exps) in logits.chunks(BLOCK).zip(exps.chunks_mut(BLOCK)) {
        let (chunks, rest) = block.as_chunks::<WIDTH>();
        let (stored, stored_rest) = exps.as_chunks_mut::<WIDTH>();
        let mut sum = U64s::zero();
        for (chunk, stored) in chunks.iter().zip(stored) {
            sum = scaling.store_exps::<false>(sum, F32s::load(chunk), stored);
        }
        mass += sum.total((chunks.len() * WIDTH) as u64);
        mass += weigh_rest(rest, scaling, stored_rest);
    }
    mass
}

/// The weight of one logit.
pub(crate) fn weight_of(logit: f32, max: f32, factor: Factor) -> u64 {
    let [e, ..] = factor.below(max).exps::<false>(F32s::splat(logit)).to_array();
    weight(e)
}

/// The index, from `from` on, of the first weight below `least`.
pub(crate) fn next_below(exps: &[f32], from: usize, least: u64) -> Option<usize> {
    let smallest = F32s::splat(smallest_of_weight(least));
    let (chunks, _) = exps.get(from..)?.as_chunks::<WIDTH>();
    let heavy = chunks.iter().take_while(|e| F32s::load(e).at_least(smallest) == 0xff).count();
    let start = from + heavy * WIDTH;
    let mut rest = exps.iter().enumerate().skip(start);
    rest.find(|(_, e)| weight(**e) < least).map(|(place, _)| place)
}

/// The smallest e whose weight is at least `least`.
fn smallest_of_weight(least: u64) -> f32 {
    let e = ((least.max(1) as f64 - 0.5) / UNIT) as f32;
    // Half a unit rounds to even, and to f32: one step off at most.
    [e.next_down(), e].into_iter().find(|e| weight(*e) >= least).unwrap_or(e.next_up())
}

/// 2^44.
pub(super) const UNIT: f64 = (1u64 << 44) as f64;

/// How evenly the weights are spread, in [0, 1]: an estimate that decides what is tried first, never what is kept.
///
/// The measure is (sum a)^2 / (n sum a^2) over the weights a of every eighth group's maxima: 1 when they are equal, 1 / n
/// when one holds all.
pub(crate) fn evenness(maxima: &Maxima, max: f32, factor: Factor) -> f32 {
    let scaling = factor.below(max);
    let (mut sum, mut squares, mut n) = (F32s::splat(0.0), F32s::splat(0.0), 0.0);
    for group in maxima.iter().step_by(8) {
        let a = scaling.exps::<false>(F32s::load(group));
        sum = sum.add(a);
        squares = squares.add(a.mul(a));
        n += WIDTH as f32;
    }
    let add = |lanes: F32s| lanes.to_array().iter().sum::<f32>();
    let (sum, squares) = (add(sum), add(squares));
    // Nothing that was looked at weighs anything: one token that was not holds all.
    if squares > 0.0 { sum * sum / (n * squares) } else { 0.0 }
}

/// Whether the maxima below `lowest` weigh enough: a lower bound of the mass of all places below it, which is summed
/// only for as long as `enough` of it says no.
pub(crate) fn enough_below(
    maxima: &Maxima,
    lowest: f32,
    max: f32,
    factor: Factor,
    cost: &mut Cost,
    enough: impl Fn(u64) -> bool,
) -> bool {
    let scaling = factor.below(max);
    let limit = F32s::splat(lowest);
    let mut mass = 0;
    maxima.chunks(MAXIMA_AT_ONCE).any(|groups| {
        let mut sum = U64s::zero();
        for group in groups {
            let lanes = F32s::load(group);
            sum = sum.add_shifted(scaling.exps::<false>(lanes).where_below(lanes, limit));
        }
        mass += sum.total((groups.len() * WIDTH) as u64);
        cost.weighed(groups.len() * WIDTH);
        enough(mass)
    }) || enough(mass)
}

/// Groups whose maxima are weighed before the sum is looked at.
const MAXIMA_AT_ONCE: usize = 32;
