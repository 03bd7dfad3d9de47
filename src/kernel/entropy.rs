//! Sums for the entropy: w (l - max) in 8 lanes by token id mod 8, in the contract's order of addition.
//!
//! They are in units of 2^44: (256 + e) - 256 in f64 is the rounded weight there, and scaling by a power of 2 changes no
//! rounding.

use super::cut::Cut;
use super::lanes::{F32s, F64s, Lanes, WIDTH};
use super::weigh::weight;

/// The sum over tokens given as (token id, logit, e) in ascending order of id; a weight of 0 adds nothing.
pub(crate) fn entropy_sums(tokens: impl Iterator<Item = (u32, f32, f32)>, max: f32) -> f64 {
    let mut lanes = [0.0f64; WIDTH];
    for (id, logit, e) in tokens {
        if let Some(lane) = lanes.get_mut(id as usize % WIDTH)
            && weight(e) > 0
        {
            *lane += rounded(e) * (f64::from(logit) - f64::from(max));
        }
    }
    add_lanes(lanes)
}

/// The sum over a row whose places are ids, or over what a cut keeps of it.
pub(crate) fn entropy_of_row(logits: &[f32], exps: &[f32], cut: Option<Cut>, max: f32) -> f64 {
    let mut sums = F64s::zero();
    let keeps = |logit: f32, place: usize| cut.is_none_or(|cut| cut.keeps(logit, place));
    let cut_logit = cut.map_or(f32::NEG_INFINITY, |cut| cut.logit);
    let (least, over) = (F32s::splat(cut_logit), F32s::splat(cut_logit.next_up()));
    // The dead weigh nothing; 0 times minus infinity would be NaN.
    let lowest = F32s::splat(f32::MIN);
    let (chunks, rest) = logits.as_chunks::<WIDTH>();
    let (exp_chunks, exp_rest) = exps.as_chunks::<WIDTH>();
    for (i, (chunk, exps)) in chunks.iter().zip(exp_chunks).enumerate() {
        let lanes = F32s::load(chunk);
        let mut kept = F32s::load(exps).where_at_least(lanes, over);
        if lanes.at_least(least) != lanes.at_least(over) {
            let mut one_by_one = *exps;
            for (j, (e, logit)) in one_by_one.iter_mut().zip(chunk).enumerate() {
                *e = if keeps(*logit, i * WIDTH + j) { *e } else { 0.0 };
            }
            kept = F32s::load(&one_by_one);
        }
        sums = sums.add_weighted(kept, lanes.higher(lowest), max);
    }
    let mut lanes = sums.to_array();
    let first = chunks.len() * WIDTH;
    for ((lane, (logit, e)), place) in lanes.iter_mut().zip(rest.iter().zip(exp_rest)).zip(first..)
    {
        if weight(*e) > 0 && keeps(*logit, place) {
            *lane += rounded(*e) * (f64::from(*logit) - f64::from(max));
        }
    }
    add_lanes(lanes)
}

/// The weight in units of 2^44.
fn rounded(e: f32) -> f64 {
    const SHIFT: f64 = super::lanes::SHIFT;
    (f64::from(e) + SHIFT) - SHIFT
}

/// ((0+4)+(2+6))+((1+5)+(3+7)).
pub(crate) fn add_lanes(lanes: [f64; WIDTH]) -> f64 {
    let [a, b, c, d, e, f, g, h] = lanes;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_in_vectors_gives_the_bits_of_its_tokens_one_by_one() {
        for n in [1usize, 7, 8, 9, 100, 1003] {
            let logits: Vec<f32> = (0..n)
                .map(
                    |i| if i % 11 == 3 { f32::NEG_INFINITY } else { ((i * 37) % 13) as f32 * -2.5 },
                )
                .collect();
            let exps: Vec<f32> =
                logits.iter().map(|l| crate::math::exp_f32(l.max(-64.0))).collect();
            let middle = Cut { logit: -10.0, place: n / 2 };
            for cut in [None, Some(middle), Some(Cut { logit: 0.0, place: 0 })] {
                let keeps = |logit, place| cut.is_none_or(|cut| cut.keeps(logit, place));
                let tokens = (0..n).filter(|i| logits[*i] > f32::NEG_INFINITY);
                let kept = tokens.filter(|i| keeps(logits[*i], *i));
                let expected = entropy_sums(kept.map(|i| (i as u32, logits[i], exps[i])), 0.0);
                let found = entropy_of_row(&logits, &exps, cut, 0.0);
                assert_eq!((found + 0.0).to_bits(), (expected + 0.0).to_bits(), "{n} {cut:?}");
            }
        }
    }
}
