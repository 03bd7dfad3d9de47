//! Log probabilities, raw and final, always both and always labelled.
//!
//! *Raw* is log-softmax of the given row at temperature 1, which knows no mask and no stage; *final* is over what the
//! chain kept, in the draw's weights. Both are computed in f64 as (l - l_max) r - (ln Z - 44 ln 2).

use crate::candidates::Candidates;
use crate::rank;

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
    let mut entries = Vec::with_capacity(candidates.n_alive());
    entries.extend(candidates.alive().map(|c| rank::entry(c.logit, c.id as usize)));
    let n = n.min(entries.len());
    rank::select(&mut entries, n);
    let others = entries.split_off(n);
    rank::sort(&mut entries);
    let mut items: Vec<TokenLogprob> = Vec::with_capacity(n + 1);
    for (rank, entry) in entries.iter().enumerate() {
        let logprob = candidates.logprob(rank::logit_of(*entry));
        let token = rank::place_of(*entry) as u32;
        items.push(TokenLogprob { token, logprob, rank: Some(rank as u32) });
    }
    if let Some(token) = named.filter(|id| items.iter().all(|item| item.token != *id)) {
        let found = others.iter().find(|entry| rank::place_of(**entry) == token as usize);
        let before = |found: &u64| n + others.iter().filter(|entry| *entry < found).count();
        items.push(TokenLogprob {
            token,
            logprob: found.map_or(f64::NEG_INFINITY, |e| candidates.logprob(rank::logit_of(*e))),
            rank: found.map(|found| before(found) as u32),
        });
    }
    items
}
