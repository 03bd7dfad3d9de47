//! How a chain gets at a row.

use super::{Chain, Observer};
use crate::candidates::{Candidates, Scratch};
use crate::error::Result;
use crate::stage::Context;

impl Chain {
    /// The candidates of a row, and how many of the active stages have been at them: where the first ones only write,
    /// and nobody watches, they do so before anything is known of the row.
    #[inline]
    pub(crate) fn open<'a>(
        &self,
        row: &'a [f32],
        scratch: &'a mut Scratch,
        context: &Context<'_>,
        observer: &dyn Observer,
    ) -> Result<(Candidates<'a>, usize)> {
        let writes = || self.active.iter().map_while(|stage| stage.writes_raw(context));
        if writes().any(|any| any) {
            let outside = context.history.outside(row.len());
            if context.mask.is_none() && outside.is_none() && !observer.watches() {
                let n = writes().count();
                let mut first = self.active.iter().take(n);
                let write =
                    |logits: &mut [f32]| first.all(|stage| stage.write_raw(logits, context));
                if let Some(max) = scratch.written(row, write) {
                    return Ok((Candidates::edited(row, scratch, max)?, n));
                }
            }
            scratch.reserve_copy(row.len());
        }
        Ok((Candidates::new(row, scratch)?, 0))
    }
}
