//! Stages of the caller's own in a sampler's chains.

use std::sync::Arc;

use super::Sampler;
use crate::error::Result;
use crate::names::StageName;
use crate::stage::{Own, Stage, own};

impl Sampler {
    /// Puts a stage of the caller's own into the chain of every row, before `before`; `StageName::Draw` is last. Several
    /// before the same stage run in the order in which they were inserted. See [`stage::own`](crate::stage::own).
    ///
    /// Errors, and nothing has changed: a name that is not [`StageName::Own`] or not its own alone; an order, of any row,
    /// that does not list `before`.
    pub fn insert_stage(&mut self, stage: Arc<dyn Stage>, before: StageName) -> Result<()> {
        self.set_own(own::insert(&self.own, stage, before)?)
    }

    /// Takes a stage of the caller's own out of every row's chain; false when there is none of this name.
    pub fn remove_stage(&mut self, name: &str) -> bool {
        let is_other = |own: &&Own| own.stage.name().as_str() != name;
        let rest: Vec<Own> = self.own.iter().filter(is_other).cloned().collect();
        // A chain that ran with a stage more runs without it.
        rest.len() < self.own.len() && self.set_own(rest).is_ok()
    }

    fn set_own(&mut self, own: Vec<Own>) -> Result<()> {
        let setups = self.setups(&self.given, &own)?;
        self.own = own;
        for ((_, row), setup) in self.rows.iter_mut().zip(setups) {
            row.setup = setup;
        }
        Ok(())
    }
}
