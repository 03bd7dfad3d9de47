//! What a row runs with: settings in force, and the chain made from them.

use crate::chain::Chain;
use crate::error::Result;
use crate::guard::Guard;
use crate::options::{Options, Settings};
use crate::preset;
use crate::stage::Own;

/// Settings in force and the chain made from them; rows without options of their own share one.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    pub settings: Settings,
    pub chain: Chain,
    /// What watches over it, where that is asked for.
    pub guard: Option<Guard>,
}

impl Setup {
    /// The setup of a row with options of its own over the sampler's; `fresh` is the seed where none was given.
    pub(crate) fn new(sampler: &Options, row: &Options, fresh: u64, own: &[Own]) -> Result<Setup> {
        let settings = resolve(sampler, row, fresh);
        let chain = Chain::new(&settings, own)?;
        Ok(Setup { guard: Guard::new(&settings, &chain), chain, settings })
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

/// The stream of a row: its own `stream` option; else its id, or 0 for a row with a seed of its own, counted from the
/// sampler's `stream` (0 when that is not given).
///
/// So rows never share a stream by a default: what is given to the sampler moves all of them by the same step.
pub(crate) fn stream(sampler: &Options, row: &Options, id: u32) -> u32 {
    let step = if row.seed.is_some() { 0 } else { id };
    row.stream.unwrap_or_else(|| sampler.stream.unwrap_or(0).wrapping_add(step))
}
