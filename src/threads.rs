//! Rows drawn on several threads, natively.
//!
//! The rows stand in a queue, by ascending id. Every thread, the caller's among them, takes the next row whenever it is
//! done with one, so that a costly row holds nobody up. Which thread draws a row cannot matter: a row is all that its
//! draw reads and changes, and masses are exact.
//!
//! Cost: each thread beyond the caller's is started by the call and ends with it. Memory for drawing is kept for every
//! thread from call to call.

// Threads that live on between calls would need rows and logits that outlive a call: owned and sent back and forth, or
// unsafe code. Beside the milliseconds that 64 rows take, starting a thread is little.

use std::slice::IterMut;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Builder};

use crate::candidates::Scratch;
use crate::error::{Error, Result};
use crate::input::BatchInput;
use crate::row::Row;

/// What several threads need, kept from batch to batch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Threads {
    /// One for each thread beyond the caller's.
    scratches: Vec<Scratch>,
    /// Empty between batches.
    turns: Vec<Turn>,
}

/// A row of the batch.
#[derive(Clone, Debug)]
struct Turn {
    id: u32,
    /// Where it is in the batch.
    place: usize,
    drawn: Result<u32>,
}

impl Turn {
    /// The turn of a row that nobody has found yet.
    fn new(place: usize, id: u32) -> Turn {
        Turn { id, place, drawn: Err(Error::RowUnknown { row: id }) }
    }
}

/// What the places of a batch are drawn from: the batch, and how many logits a row has.
pub(crate) type Inputs<'a> = (BatchInput<'a>, usize);

/// The turns that no thread has taken, with the rows from the first of them on; both by ascending id.
struct Queue<'q> {
    turns: IterMut<'q, Turn>,
    rows: &'q mut [(u32, Row)],
}

impl<'q> Iterator for Queue<'q> {
    type Item = (&'q mut Turn, &'q mut Row);

    fn next(&mut self) -> Option<Self::Item> {
        let turn = self.turns.next()?;
        let rows = core::mem::take(&mut self.rows);
        let at = rows.binary_search_by_key(&turn.id, |(id, _)| *id).ok()?;
        let ((_, row), after) = rows.get_mut(at..)?.split_first_mut()?;
        self.rows = after;
        Some((turn, row))
    }
}

/// Draws row after row until none is left.
fn take_turns(queue: &Mutex<Queue<'_>>, (batch, n_vocab): Inputs<'_>, scratch: &mut Scratch) {
    loop {
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
        let Some((turn, row)) = next else { return };
        turn.drawn = row.sample(batch.at(turn.place, n_vocab), scratch);
    }
}

impl Threads {
    /// Draws a token for each of `ids` (distinct, of rows that are there), on up to `n_threads` threads, and gives ids and
    /// tokens in the order of `ids`. `rows` are by ascending id; the caller's thread uses `scratch`.
    pub(crate) fn draw(
        &mut self,
        n_threads: usize,
        (rows, scratch): (&mut [(u32, Row)], &mut Scratch),
        ids: Vec<u32>,
        inputs: Inputs<'_>,
    ) -> impl Iterator<Item = (u32, Result<u32>)> + '_ {
        let Threads { scratches, turns } = self;
        turns.clear();
        turns.extend(ids.into_iter().enumerate().map(|(place, id)| Turn::new(place, id)));
        turns.sort_unstable_by_key(|turn| turn.id);
        let n_others = n_threads.min(turns.len()).saturating_sub(1);
        if scratches.len() < n_others {
            scratches.resize_with(n_others, Scratch::default);
        }
        let queue = Mutex::new(Queue { turns: turns.iter_mut(), rows });
        thread::scope(|scope| {
            for scratch in scratches.iter_mut().take(n_others) {
                let work = || take_turns(&queue, inputs, scratch);
                if Builder::new().spawn_scoped(scope, work).is_err() {
                    break;
                }
            }
            take_turns(&queue, inputs, scratch);
        });
        turns.sort_unstable_by_key(|turn| turn.place);
        turns.drain(..).map(|turn| (turn.id, turn.drawn))
    }
}
