//! Splitting: the exact amount that ranks over a range of logits, and the places within it.

use super::cost::Cost;
use super::lanes::{F32s, Lanes, U64s, WIDTH};
use super::near::Near;
use super::scan::Maxima;
use super::weigh::BlockMasses;
use super::{BLOCK, GROUP};

/// How many places and how much mass.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Amount {
    pub n: usize,
    pub mass: u64,
}

/// Logits from `low` up to but not including `high`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range {
    pub low: f32,
    pub high: f32,
}

/// Splits a row: lists in `near` what lies in the range, puts the mass over the range of every block into `over`, and
/// returns how much is over the range in all.
///
/// Groups whose maximum is below the range are not looked at.
pub(crate) fn split_row(
    logits: &[f32],
    exps: &[f32],
    maxima: &Maxima,
    range: Range,
    over: &mut BlockMasses,
    near: &mut Near,
    cost: &mut Cost,
) -> Amount {
    near.clear();
    over.clear();
    let low = F32s::splat(range.low);
    let mut all = Amount::default();
    let maxima = maxima.chunks(BLOCK / GROUP);
    let blocks = logits.chunks(BLOCK).zip(exps.chunks(BLOCK)).zip(maxima).enumerate();
    over.extend(blocks.map(|(i, ((logits, exps), maxima))| {
        let mut split = Split::new(range);
        let groups = logits.chunks(GROUP).zip(exps.chunks(GROUP)).zip(maxima).enumerate();
        for (j, ((logits, exps), maxima)) in groups {
            if F32s::load(maxima).at_least(low) != 0 {
                cost.groups += 1;
                split.take(logits, exps, near, |k| (i * BLOCK + j * GROUP + k) as u32);
            }
        }
        let amount = split.finish();
        all.n += amount.n;
        all.mass += amount.mass;
        amount.mass
    }));
    all
}

/// Splits a list in the same way.
pub(crate) fn split_list(list: &Near, range: Range, near: &mut Near) -> Amount {
    near.clear();
    let mut split = Split::new(range);
    let place = |i: usize| list.places.get(i).copied().unwrap_or_default();
    split.take(&list.logits, &list.exps, near, place);
    split.finish()
}

struct Split {
    low: F32s,
    high: F32s,
    sum: U64s,
    vectors: u64,
    amount: Amount,
}

impl Split {
    fn new(range: Range) -> Split {
        Split {
            low: F32s::splat(range.low),
            high: F32s::splat(range.high),
            sum: U64s::zero(),
            vectors: 0,
            amount: Amount::default(),
        }
    }

    #[inline(always)]
    fn take(
        &mut self,
        logits: &[f32],
        exps: &[f32],
        near: &mut Near,
        place: impl Fn(usize) -> u32,
    ) {
        let (chunks, rest) = logits.as_chunks::<WIDTH>();
        let (exp_chunks, exp_rest) = exps.as_chunks::<WIDTH>();
        for (i, (logits, exps)) in chunks.iter().zip(exp_chunks).enumerate() {
            self.vector(logits, exps, near, |lane| place(i * WIDTH + lane));
        }
        if !rest.is_empty() {
            let (mut logits, mut exps) = ([f32::NEG_INFINITY; WIDTH], [0.0; WIDTH]);
            for ((l, e), (logit, exp)) in
                logits.iter_mut().zip(&mut exps).zip(rest.iter().zip(exp_rest))
            {
                (*l, *e) = (*logit, *exp);
            }
            self.vector(&logits, &exps, near, |lane| place(chunks.len() * WIDTH + lane));
        }
    }

    #[inline(always)]
    fn vector(
        &mut self,
        logits: &[f32; WIDTH],
        exps: &[f32; WIDTH],
        near: &mut Near,
        place: impl Fn(usize) -> u32,
    ) {
        let lanes = F32s::load(logits);
        self.sum = self.sum.add_shifted(F32s::load(exps).where_at_least(lanes, self.high));
        self.vectors += 1;
        let over = lanes.at_least(self.high);
        self.amount.n += over.count_ones() as usize;
        let mut within = lanes.at_least(self.low) & !over;
        while within != 0 {
            let lane = within.trailing_zeros() as usize;
            within &= within - 1;
            if let (Some(logit), Some(e)) = (logits.get(lane), exps.get(lane)) {
                near.push(place(lane), *logit, *e);
            }
        }
    }

    fn finish(self) -> Amount {
        let mass = self.sum.total(self.vectors * WIDTH as u64);
        Amount { n: self.amount.n, mass }
    }
}
