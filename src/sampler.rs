//! The sampler: options, and the rows that they apply to.
//!
//! Row 0 always exists; its methods are also the sampler's own. A row's options win over the sampler's where they were
//! given explicitly. A sampler is used by one thread at a time (`&mut`), and may be sent from one to another; a batch
//! may use several of its own.

#[cfg(feature = "wasm")]
mod mark;
mod on_stream;
mod own_stages;
mod row_zero;

use std::sync::Arc;

use crate::candidates::{Cost, Scratch};
use crate::error::{Error, Result};
use crate::guard::Trip;
use crate::options::{Options, Settings};
use crate::rng;
use crate::row::{Row, RowSampler};
use crate::setup::{self, Setup, stream};
use crate::stage::Own;
#[cfg(not(target_arch = "wasm32"))]
use crate::threads::Threads;
#[cfg(feature = "wasm")]
pub(crate) use mark::Mark;

/// The most rows of a sampler at once.
pub const MAX_ROWS: usize = 1 << 16;

/// Draws tokens from logits, for one row or many.
///
/// ```
/// use nucleus_sampler::{Options, Sampler};
///
/// let mut sampler = Sampler::new(Options {
///     temperature: Some(0.8),
///     top_p: Some(0.95),
///     seed: Some(42),
///     ..Options::default()
/// })?;
/// let logits = [1.5, 0.5, -1.0, f32::NEG_INFINITY];
/// let token = sampler.sample(&logits)?;
/// sampler.accept(token)?;
/// # assert!(token < 3);
/// # Ok::<(), nucleus_sampler::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sampler {
    pub(crate) given: Options,
    /// The seed in force where none was given.
    pub(crate) seed: u64,
    /// By ascending id.
    pub(crate) rows: Vec<(u32, Row)>,
    /// The id of the next row to be added; ids are never used again.
    pub(crate) next_row: u32,
    pub(crate) scratch: Scratch,
    pub(crate) row_errors: Vec<(u32, Error)>,
    /// Stages of the caller's own.
    own: Vec<Own>,
    /// How many calls on rows there were, so that trips of different rows have an order.
    pub(crate) calls: u64,
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) threads: Threads,
}

impl Sampler {
    /// A sampler with one row; without a seed it takes a fresh one from the platform.
    ///
    /// Errors: an option out of range, or an order that cannot be run.
    pub fn new(options: Options) -> Result<Sampler> {
        let seed = match options.seed {
            Some(seed) => seed,
            None => rng::fresh_seed()?,
        };
        Sampler::with_seed(options, seed)
    }

    pub(crate) fn with_seed(options: Options, seed: u64) -> Result<Sampler> {
        options.check()?;
        let mut sampler = Sampler {
            given: options,
            seed,
            rows: Vec::new(),
            next_row: 0,
            scratch: Scratch::default(),
            row_errors: Vec::new(),
            own: Vec::new(),
            calls: 0,
            #[cfg(not(target_arch = "wasm32"))]
            threads: Threads::default(),
        };
        sampler.add_row(Options::default())?;
        Ok(sampler)
    }

    /// The settings in force for rows without options of their own, the seed included.
    pub fn settings(&self) -> Settings {
        setup::resolve(&self.given, &Options::default(), self.seed)
    }

    /// Changes options. Without a row: the sampler's, for every row that was not given its own; with one: that row's.
    ///
    /// History, position and what controllers have come to stay; a pending draw does where a controller of its kind is still
    /// at work. On an error nothing has changed.
    pub fn update(&mut self, options: &Options, row: Option<u32>) -> Result<()> {
        options.check()?;
        match row {
            None => {
                let mut given = self.given.clone();
                given.merge(options);
                let setups = self.setups(&given, &self.own)?;
                // What may break off comes first: a sampler in the middle of it still has its old state.
                for ((_, row), setup) in self.rows.iter_mut().zip(&setups) {
                    row.history.set_window(setup.settings.penalty_last_n);
                }
                self.given = given;
                self.seed = options.seed.unwrap_or(self.seed);
                for ((id, row), setup) in self.rows.iter_mut().zip(setups) {
                    let stream = stream(&self.given, &row.given, *id);
                    row.set_up(setup, stream);
                }
            }
            Some(id) => {
                let mut given = self.row(id)?.row.given.clone();
                given.merge(options);
                let setup = Arc::new(Setup::new(&self.given, &given, self.seed, &self.own)?);
                let stream = stream(&self.given, &given, id);
                if let Some(row) = self.find(id) {
                    row.set_up(setup, stream);
                    row.given = given;
                }
            }
        }
        Ok(())
    }

    /// The latest draw that tripped a guard, with its row; since the last reset.
    pub fn last_trip(&self) -> Option<(u32, &Trip)> {
        let trips =
            self.rows.iter().filter_map(|(id, row)| Some((*id, row.guarded.last.as_ref()?)));
        let latest = trips.max_by_key(|(id, (call, _))| (*call, core::cmp::Reverse(*id)));
        latest.map(|(id, (_, trip))| (id, trip))
    }

    /// What the latest call that read logits did: deterministic counters, for tests and for the curious.
    pub fn latest_cost(&self) -> Cost {
        self.scratch.cost()
    }

    /// Adds a row with options of its own (or none) and returns its id, which is never used again.
    pub fn add_row(&mut self, options: Options) -> Result<u32> {
        options.check()?;
        let id = self.next_row;
        let too_many =
            |n: u64, limit: u64| Error::TooLarge { what: "the number of rows", found: n, limit };
        if self.rows.len() >= MAX_ROWS {
            return Err(too_many(self.rows.len() as u64 + 1, MAX_ROWS as u64));
        }
        let next_row = id.checked_add(1).ok_or(too_many(1 << 32, u64::from(u32::MAX)))?;
        let setup = self.shared_setup(&options)?;
        let stream = stream(&self.given, &options, id);
        // Ids only grow, so the list stays in order.
        self.rows.push((id, Row::new(options, setup, stream)));
        self.next_row = next_row;
        Ok(id)
    }

    /// Removes a row; row 0 stays.
    pub fn remove_row(&mut self, id: u32) -> Result<()> {
        if id == 0 {
            return Err(Error::OutOfRange {
                option: "row".into(),
                found: "0".into(),
                accepted: "a row other than 0, which stays".into(),
            });
        }
        let at = self.place(id).ok_or(Error::RowUnknown { row: id })?;
        self.rows.remove(at);
        Ok(())
    }

    /// The ids of the rows, ascending.
    pub fn row_ids(&self) -> impl Iterator<Item = u32> + '_ {
        self.rows.iter().map(|(id, _)| *id)
    }

    /// A row, to ask for its next token.
    pub fn row(&mut self, id: u32) -> Result<RowSampler<'_>> {
        let at = self.place(id);
        let Sampler { rows, scratch, calls, .. } = self;
        let found = at.and_then(|at| rows.get_mut(at));
        let (_, row) = found.ok_or(Error::RowUnknown { row: id })?;
        *calls += 1;
        row.guarded.call = *calls;
        Ok(RowSampler { row, scratch })
    }

    /// Clears histories, positions and controllers of every row; options and seed stay.
    pub fn reset(&mut self) {
        for (_, row) in &mut self.rows {
            row.reset();
        }
        self.row_errors.clear();
    }
}

/// Rows and their setups.
impl Sampler {
    /// Where a row is in the list.
    pub(crate) fn place(&self, id: u32) -> Option<usize> {
        self.rows.binary_search_by_key(&id, |(id, _)| *id).ok()
    }

    pub(crate) fn find(&mut self, id: u32) -> Option<&mut Row> {
        let at = self.place(id)?;
        self.rows.get_mut(at).map(|(_, row)| row)
    }

    /// The setup of every row under `given`; rows without options of their own share one.
    fn setups(&self, given: &Options, own: &[Own]) -> Result<Vec<Arc<Setup>>> {
        let plain = Options::default();
        let shared = Arc::new(Setup::new(given, &plain, self.seed, own)?);
        self.rows
            .iter()
            .map(|(_, row)| match row.given == plain {
                true => Ok(Arc::clone(&shared)),
                false => Setup::new(given, &row.given, self.seed, own).map(Arc::new),
            })
            .collect()
    }

    /// The setup for a new row: that of an existing one where neither has options of its own.
    fn shared_setup(&self, row: &Options) -> Result<Arc<Setup>> {
        let plain = Options::default();
        match self.rows.iter().map(|(_, row)| row).find(|row| row.given == plain) {
            Some(other) if *row == plain => Ok(Arc::clone(&other.setup)),
            _ => Setup::new(&self.given, row, self.seed, &self.own).map(Arc::new),
        }
    }
}
