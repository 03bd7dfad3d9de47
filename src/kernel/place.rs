//! Where a target falls when weights are laid out one after the other.

use super::cut::Cut;
use super::lanes::{F32s, Lanes, U64s, WIDTH};
use super::weigh::weight;

/// Weights summed at once on the way to a place.
const RUN: usize = 32;

/// The index of the weight in which `target` falls when they are laid out in order.
pub(crate) fn place_in(exps: &[f32], target: u64) -> Option<usize> {
    let mut below = target;
    for (i, run) in exps.chunks(RUN).enumerate() {
        let mass = match run.as_chunks::<WIDTH>() {
            (chunks, []) => chunks
                .iter()
                .fold(U64s::zero(), |sum, e| sum.add_shifted(F32s::load(e)))
                .total(run.len() as u64),
            _ => run.iter().map(|e| weight(*e)).sum(),
        };
        if below < mass {
            let place = run.iter().position(|e| {
                let weight = weight(*e);
                let found = below < weight;
                below = below.wrapping_sub(weight);
                found
            });
            return place.map(|place| i * RUN + place);
        }
        below -= mass;
    }
    None
}

/// The place in which `target` falls when what a cut keeps of some places, the first of them `first`, is laid out.
pub(crate) fn place_in_prefix(
    logits: &[f32],
    exps: &[f32],
    first: usize,
    cut: Cut,
    target: u64,
) -> Option<usize> {
    let over = F32s::splat(cut.logit.next_up());
    let least = F32s::splat(cut.logit);
    let mut below = target;
    for (i, (run, run_exps)) in logits.chunks(RUN).zip(exps.chunks(RUN)).enumerate() {
        let (mut sum, mut ties) = (U64s::zero(), run.len() < RUN);
        for (l, e) in run.as_chunks::<WIDTH>().0.iter().zip(run_exps.as_chunks::<WIDTH>().0) {
            let lanes = F32s::load(l);
            ties |= lanes.at_least(least) != lanes.at_least(over);
            sum = sum.add_shifted(F32s::load(e).where_at_least(lanes, over));
        }
        let mass = sum.total(RUN as u64);
        if !ties && mass <= below {
            below -= mass;
            continue;
        }
        // The token is here, or a tie or the end of the list asks for a look at each.
        for (j, (logit, e)) in run.iter().zip(run_exps).enumerate() {
            let place = first + i * RUN + j;
            let weight = if cut.keeps(*logit, place) { weight(*e) } else { 0 };
            if below < weight {
                return Some(place);
            }
            below -= weight;
        }
    }
    None
}
