//! Log probabilities, raw and final, always both and always labelled.
//!
//! *Raw* is log-softmax of the given row at temperature 1, which knows no mask and no stage; *final* is over what the
//! chain kept, in the draw's weights. Both are computed in f64 as (l - l_max) r - (ln Z - 44 ln 2).

use crate::candidates::Candidates;
use crate::math::rank_key;

/// A token with its log probability and its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TokenLogprob {
    /// Token id.
    pub token: u32,
    /// Natural logarithm of the probability; -infinity for a token that cannot be drawn.
    pub logprob: f64,
    /// 0-based rank in the distribution; none for a token that is not in it.
    pub rank: Option<u32>,
}

/// The best tokens of a row before and after the chain, plus the named one if it is not among them.
#[derive(Clone, Debug, PartialEq)]
pub struct Logprobs {
    /// Log-softmax of the given row at temperature 1.
    pub raw: Vec<TokenLogprob>,
    /// Over the kept tokens, in the draw's weights.
    pub kept: Vec<TokenLogprob>,
}

/// The `n` best tokens alive, highest first, plus `named` if it is not among them.
pub(crate) fn best(
    candidates: &mut Candidates<'_>,
    n: usize,
    named: Option<u32>,
) -> Vec<TokenLogprob> {
    let mut ranked: Vec<(u32, u32, f32)> = candidates
        .alive()
        .map(|candidate| (!rank_key(candidate.logit), candidate.id, candidate.logit))
        .collect();
    let by_rank = |(key, id, _): &(u32, u32, f32)| (*key, *id);
    let n = n.min(ranked.len());
    if n > 0 && n < ranked.len() {
        ranked.select_nth_unstable_by_key(n - 1, by_rank);
    }
    let (best, others) = ranked.split_at_mut(n);
    best.sort_unstable_by_key(by_rank);
    let rank_of = |id: u32, others: &[(u32, u32, f32)]| {
        let found = others.iter().find(|(_, other, _)| *other == id).map(by_rank)?;
        Some((n + others.iter().filter(|other| by_rank(other) < found).count()) as u32)
    };
    let mut items: Vec<TokenLogprob> = Vec::with_capacity(n + 1);
    for (rank, (_, id, logit)) in best.iter().enumerate() {
        let logprob = candidates.logprob(*logit);
        items.push(TokenLogprob { token: *id, logprob, rank: Some(rank as u32) });
    }
    if let Some(token) = named.filter(|id| items.iter().all(|item| item.token != *id)) {
        let logprob = match candidates.logit(token) {
            Some(logit) => candidates.logprob(logit),
            None => f64::NEG_INFINITY,
        };
        items.push(TokenLogprob { token, logprob, rank: rank_of(token, others) });
    }
    items
}
