//! A stage that was switched off.

use std::sync::Arc;

use crate::candidates::Candidates;
use crate::error::Result;
use crate::names::StageName;
use crate::stage::{Context, Kind, Stage};

/// Does nothing; it is seen under the stage's name.
#[derive(Debug)]
pub(super) struct Off(pub(super) Arc<dyn Stage>);

impl Stage for Off {
    fn name(&self) -> StageName {
        self.0.name()
    }

    fn kind(&self) -> Kind {
        self.0.kind()
    }

    fn is_active(&self) -> bool {
        false
    }

    fn apply(&self, _: &mut Candidates<'_>, _: &Context<'_>) -> Result<()> {
        Ok(())
    }
}
