//! Batches: one token for each of several rows.
//!
//! Logits, and second rows, have shape `(rows, n_vocab)`, row-major. Each row is atomic by itself: a row that fails holds
//! [`FAILED`] and stays where it was, the others advance; the errors of the latest batch can be read. A row's token never
//! depends on its neighbours, nor on how many threads draw.

use crate::error::{Error, Result};
use crate::input::BatchInput;
use crate::rank;
use crate::sampler::{MAX_ROWS, Sampler};

/// What a failed row holds in the place of its token.
pub const FAILED: u32 = u32::MAX;

/// The most threads of a batch.
#[cfg(not(target_arch = "wasm32"))]
pub const MAX_THREADS: usize = 1024;

/// The rows of a batch.
#[derive(Clone, Copy, Debug)]
pub enum Rows<'a> {
    /// Rows 0 to n - 1; those never added are added.
    First(usize),
    /// These rows, each once.
    Ids(&'a [u32]),
}

impl Sampler {
    /// Draws one token for each row, on the caller's thread; the batch's rows, masks and second rows are in the order of
    /// `rows`.
    ///
    /// Errors of the batch as a whole (nothing has changed): no row, an id twice or unknown, lengths that do not fit.
    pub fn sample_batch<'i>(
        &mut self,
        batch: impl Into<BatchInput<'i>>,
        rows: Rows<'_>,
    ) -> Result<Vec<u32>> {
        let batch = batch.into();
        let ids = self.batch_ids(batch, rows)?;
        let n_vocab = batch.logits.len() / ids.len();
        self.row_errors.clear();
        let mut tokens = Vec::with_capacity(ids.len());
        for (place, id) in ids.into_iter().enumerate() {
            let token = self.row(id).and_then(|mut row| row.sample(batch.at(place, n_vocab)));
            tokens.push(token.unwrap_or_else(|error| {
                self.row_errors.push((id, error));
                FAILED
            }));
        }
        Ok(tokens)
    }

    /// What [`sample_batch`](Sampler::sample_batch) with this input does, on up to `n_threads` threads (1 to 1024, the
    /// caller's counted): the same tokens, positions and [`row_errors`](Sampler::row_errors).
    ///
    /// No more threads are used than there are rows, and where the platform refuses one, those that are there do its
    /// work. Starting one takes longer than drawing a short row, so that threads pay for many rows or long ones. Not on
    /// wasm32.
    ///
    /// Errors: as `sample_batch`; a number of threads out of range. Nothing has changed then.
    ///
    /// ```
    /// use nucleus_sampler::{Options, Rows, Sampler};
    ///
    /// let mut sampler = Sampler::new(Options { top_p: Some(0.9), seed: Some(42), ..Options::default() })?;
    /// let mut alone = sampler.clone();
    /// let logits: Vec<f32> = (0..8 * 1000).map(|i| (i as f32 * 0.7).rem_euclid(13.0)).collect();
    /// let tokens = sampler.sample_batch_on(2, &logits, Rows::First(8))?;
    /// assert_eq!(tokens, alone.sample_batch(&logits, Rows::First(8))?);
    /// # Ok::<(), nucleus_sampler::Error>(())
    /// ```
    #[cfg(not(target_arch = "wasm32"))]
    pub fn sample_batch_on<'i>(
        &mut self,
        n_threads: usize,
        batch: impl Into<BatchInput<'i>>,
        rows: Rows<'_>,
    ) -> Result<Vec<u32>> {
        if !(1..=MAX_THREADS).contains(&n_threads) {
            return Err(Error::OutOfRange {
                option: "threads".into(),
                found: n_threads.to_string(),
                accepted: format!("an integer in [1, {MAX_THREADS}]"),
            });
        }
        let batch = batch.into();
        let ids = self.batch_ids(batch, rows)?;
        let inputs = (batch, batch.logits.len() / ids.len());
        let Sampler { rows, scratch, row_errors, threads, calls, .. } = self;
        // The rows' calls have the numbers that they would have one after the other.
        for id in &ids {
            *calls += 1;
            if let Ok(at) = rows.binary_search_by_key(id, |(id, _)| *id)
                && let Some((_, row)) = rows.get_mut(at)
            {
                row.guarded.call = *calls;
            }
        }
        row_errors.clear();
        let mut tokens = Vec::with_capacity(ids.len());
        for (id, token) in threads.draw(n_threads, (rows, scratch), ids, inputs) {
            tokens.push(token.unwrap_or_else(|error| {
                row_errors.push((id, error));
                FAILED
            }));
        }
        Ok(tokens)
    }

    /// The errors of the latest batch: row ids, in the batch's order, with what was wrong.
    pub fn row_errors(&self) -> &[(u32, Error)] {
        &self.row_errors
    }

    /// Checks the batch as a whole, adds the rows that are to be added, and lists the ids.
    fn batch_ids(&mut self, batch: BatchInput<'_>, rows: Rows<'_>) -> Result<Vec<u32>> {
        let ids = check_shape(batch, rows)?;
        let mut sorted = ids.clone();
        if !rank::sort_distinct(&mut sorted) {
            let twice = |(i, id): (usize, &u32)| ids.iter().skip(i + 1).any(|other| other == id);
            let id = ids.iter().enumerate().find(|entry| twice(*entry)).map_or(0, |(_, id)| *id);
            return Err(Error::OutOfRange {
                option: "rows".into(),
                found: ["row ", &id.to_string(), " twice"].concat(),
                accepted: "row ids, each at most once".into(),
            });
        }
        let may_add = matches!(rows, Rows::First(_));
        let unknown = |id: &&u32| !(self.place(**id).is_some() || may_add && **id >= self.next_row);
        if let Some(row) = sorted.iter().find(unknown) {
            return Err(Error::RowUnknown { row: *row });
        }
        while may_add && sorted.last().is_some_and(|last| *last >= self.next_row) {
            self.add_row(crate::Options::default())?;
        }
        Ok(ids)
    }
}

/// Checks that lengths fit together, and lists the ids.
fn check_shape(batch: BatchInput<'_>, rows: Rows<'_>) -> Result<Vec<u32>> {
    let BatchInput { logits, masks, unconditional } = batch;
    let n = match rows {
        Rows::First(n) => n,
        Rows::Ids(ids) => ids.len(),
    };
    if n == 0 {
        return Err(Error::Empty { what: "rows".into() });
    }
    if logits.is_empty() {
        return Err(Error::Empty { what: "logits".into() });
    }
    if !logits.len().is_multiple_of(n) {
        let expected = logits.len().div_ceil(n).saturating_mul(n);
        return Err(Error::WrongLength { what: "logits", found: logits.len(), expected });
    }
    if !masks.is_empty() && masks.len() != n {
        return Err(Error::WrongLength { what: "masks", found: masks.len(), expected: n });
    }
    if let Some(found) = unconditional.map(<[f32]>::len).filter(|found| *found != logits.len()) {
        let expected = logits.len();
        return Err(Error::WrongLength { what: "unconditional", found, expected });
    }
    if n > MAX_ROWS {
        return Err(Error::TooLarge { what: "the batch", found: n as u64, limit: MAX_ROWS as u64 });
    }
    Ok(match rows {
        Rows::First(n) => (0..u32::try_from(n).unwrap_or(u32::MAX)).collect(),
        Rows::Ids(ids) => ids.to_vec(),
    })
}
