//! Where rows stand before a call that moves them step by step: for who has to go back there when the call broke off.
//!
//! Most calls commit last, so that a sampler in the middle of one still has its old state. These do not: a batch moves
//! its rows one after the other, draws under a guard move one by one, and what describes a draw is made after it.

use super::Sampler;
use crate::controllers::Pending;
use crate::guard::Breaker;

/// Rows as they stand.
#[derive(Clone, Debug)]
pub(crate) struct Mark {
    next_row: u32,
    rows: Vec<RowMark>,
}

/// What a draw moves in a row.
#[derive(Clone, Debug)]
struct RowMark {
    id: u32,
    position: u64,
    pending: Option<Pending>,
    breaker: Breaker,
}

impl Sampler {
    /// Where these rows stand; one that is not there will not be there when the sampler goes back.
    pub(crate) fn mark(&self, ids: impl Iterator<Item = u32>) -> Mark {
        let standing = |id: u32| {
            let (_, row) = self.rows.get(self.place(id)?)?;
            let (pending, breaker) = (row.controllers.pending, row.guarded.breaker.clone());
            Some(RowMark { id, position: row.position, pending, breaker })
        };
        Mark { next_row: self.next_row, rows: ids.filter_map(standing).collect() }
    }

    /// Goes back to where the rows stood; rows that were added since are gone.
    pub(crate) fn go_back(&mut self, mark: Mark) {
        self.rows.retain(|(id, _)| *id < mark.next_row);
        self.next_row = mark.next_row;
        for RowMark { id, position, pending, breaker } in mark.rows {
            if let Some(row) = self.find(id) {
                row.position = position;
                row.controllers.pending = pending;
                row.guarded.breaker = breaker;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Options, Rows, Sampler};

    #[test]
    fn a_sampler_that_goes_back_has_its_old_state_and_draws_the_same_again() {
        let tau = Some(3.0);
        let options = Options {
            mirostat_version: Some(2),
            mirostat_tau: tau,
            seed: Some(1),
            ..Options::default()
        };
        let mut sampler = Sampler::new(options).unwrap();
        let logits: Vec<f32> = (0..64).map(|i| (i * 37 % 64) as f32 / 9.0).collect();
        sampler.sample(&logits[..16]).unwrap();
        sampler.add_row(Options::default()).unwrap();
        let (state, mark) = (sampler.state().unwrap(), sampler.mark(0..4));
        let tokens = sampler.sample_batch(&logits, Rows::First(4)).unwrap();
        assert_ne!(sampler.state().unwrap(), state);
        sampler.go_back(mark);
        assert_eq!(sampler.state().unwrap(), state);
        assert_eq!(sampler.sample_batch(&logits, Rows::First(4)).unwrap(), tokens);
    }
}
