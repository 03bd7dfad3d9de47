//! The sampler: options, and the rows that they apply to.
//!
//! Row 0 always exists; its methods are also the sampler's own. A row's options win over the sampler's where they were
//! given explicitly. A sampler is used by one thread at a time (`&mut`); rows of a batch may run on several.

use std::sync::Arc;

use crate::candidates::Scratch;
use crate::distribution::Distribution;
use crate::error::{Error, Result};
use crate::explain::Explanation;
use crate::input::Input;
use crate::logprobs::Logprobs;
use crate::options::{Options, Settings};
use crate::report::Report;
use crate::rng;
use crate::row::{Row, RowSampler};
use crate::sample::Sample;
use crate::setup::{self, Setup, stream};

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
    /// History and position stay. On an error nothing has changed.
    pub fn update(&mut self, options: &Options, row: Option<u32>) -> Result<()> {
        options.check()?;
        match row {
            None => {
                let mut given = self.given.clone();
                given.merge(options);
                let setups = self.setups(&given)?;
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
                let setup = Arc::new(Setup::new(&self.given, &given, self.seed)?);
                let stream = stream(&self.given, &given, id);
                if let Some(row) = self.find(id) {
                    row.given = given;
                    row.set_up(setup, stream);
                }
            }
        }
        Ok(())
    }

    /// Adds a row with options of its own (or none) and returns its id, which is never used again.
    pub fn add_row(&mut self, options: Options) -> Result<u32> {
        options.check()?;
        let id = self.next_row;
        let next_row = id.checked_add(1).ok_or(Error::TooLarge {
            what: "the number of rows",
            found: u64::from(id) + 1,
            limit: u64::from(u32::MAX),
        })?;
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
        let Sampler { rows, scratch, .. } = self;
        let found = at.and_then(|at| rows.get_mut(at));
        let (_, row) = found.ok_or(Error::RowUnknown { row: id })?;
        Ok(RowSampler { row, scratch })
    }

    /// Clears histories and positions of every row; options and seed stay.
    pub fn reset(&mut self) {
        for (_, row) in &mut self.rows {
            row.reset();
        }
        self.row_errors.clear();
    }

    /// An identical sampler whose rows are on other streams, `stream` further on: its draws are independent of this
    /// one's as long as the streams of both have no number in common.
    pub fn clone_on_stream(&self, stream: u32) -> Result<Sampler> {
        let mut clone = self.clone();
        for (_, row) in &mut clone.rows {
            row.given.stream = row.given.stream.map(|own| own.wrapping_add(stream));
        }
        clone.update(&Options { stream: Some(stream), ..Options::default() }, None)?;
        Ok(clone)
    }
}

/// Row 0, called by the sampler's name.
impl Sampler {
    /// Draws a token and advances one position; does not touch the history. See [`RowSampler::sample`].
    pub fn sample<'i>(&mut self, input: impl Into<Input<'i>>) -> Result<u32> {
        self.row(0)?.sample(input)
    }

    /// Draws a token and describes the draw.
    pub fn sample_detailed<'i>(&mut self, input: impl Into<Input<'i>>) -> Result<Sample> {
        self.row(0)?.sample_detailed(input)
    }

    /// What `n` calls of [`sample`](Sampler::sample) with this input return.
    pub fn sample_many<'i>(&mut self, input: impl Into<Input<'i>>, n: usize) -> Result<Vec<u32>> {
        self.row(0)?.sample_many(input, n)
    }

    /// The kept tokens, highest first; consumes nothing.
    pub fn distribution<'i>(&mut self, input: impl Into<Input<'i>>) -> Result<Distribution> {
        self.row(0)?.distribution(input)
    }

    /// What each stage saw, removed and kept; consumes nothing.
    pub fn report<'i>(&mut self, input: impl Into<Input<'i>>, tokens: bool) -> Result<Report> {
        self.row(0)?.report(input, tokens)
    }

    /// Why `token` is in or out; consumes nothing.
    pub fn explain<'i>(&mut self, input: impl Into<Input<'i>>, token: u32) -> Result<Explanation> {
        self.row(0)?.explain(input, token)
    }

    /// The `n` best tokens with raw and final log probabilities, plus `token` if it is not among them.
    pub fn logprobs<'i>(
        &mut self,
        input: impl Into<Input<'i>>,
        n: usize,
        token: Option<u32>,
    ) -> Result<Logprobs> {
        self.row(0)?.logprobs(input, n, token)
    }

    /// Records a chosen token.
    pub fn accept(&mut self, token: u32) -> Result<()> {
        self.row(0)?.accept(token)
    }

    /// Records tokens of the prompt.
    pub fn prompt(&mut self, tokens: &[u32]) -> Result<()> {
        self.row(0)?.prompt(tokens)
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
    fn setups(&self, given: &Options) -> Result<Vec<Arc<Setup>>> {
        let plain = Options::default();
        let shared = Arc::new(Setup::new(given, &plain, self.seed)?);
        self.rows
            .iter()
            .map(|(_, row)| match row.given == plain {
                true => Ok(Arc::clone(&shared)),
                false => Setup::new(given, &row.given, self.seed).map(Arc::new),
            })
            .collect()
    }

    /// The setup for a new row: that of an existing one where neither has options of its own.
    fn shared_setup(&self, row: &Options) -> Result<Arc<Setup>> {
        let plain = Options::default();
        match self.rows.iter().map(|(_, row)| row).find(|row| row.given == plain) {
            Some(other) if *row == plain => Ok(Arc::clone(&other.setup)),
            _ => Setup::new(&self.given, row, self.seed).map(Arc::new),
        }
    }
}
