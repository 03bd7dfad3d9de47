//! What a row runs with: settings in force, and the chain made from them.

use crate::chain::Chain;
use crate::error::Result;
use crate::options::{Options, Settings};
use crate::preset;

/// Settings in force and the chain made from them; rows without options of their own share one.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    pub settings: Settings,
    pub chain: Chain,
}

impl Setup {
    /// The setup of a row with options of its own over the sampler's; `fresh` is the seed where none was given.
    pub(crate) fn new(sampler: &Options, row: &Options, fresh: u64) -> Result<Setup> {
        let settings = resolve(sampler, row, fresh);
        Ok(Setup { chain: Chain::new(&settings)?, settings })
    }
}

/// The settings of a row with options of its own over the sampler's.
pub(crate) fn resolve(sampler: &Options, row: &Options, fresh: u64) -> Settings {
    let mut settings = preset::resolve(&[sampler, row]);
    if sampler.seed.or(row.seed).is_none() {
        settings.seed = fresh;
    }
    settings
}

/// The stream of a row: its `stream` option; else 0 with a seed of its own; else its id.
pub(crate) fn stream(sampler: &Options, row: &Options, id: u32) -> u32 {
    row.stream.or(sampler.stream).unwrap_or(if row.seed.is_some() { 0 } else { id })
}
