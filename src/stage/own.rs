//! Stages of the caller's own, in every row's chain.
//!
//! A type that implements [`Stage`] is put into the chain with [`Sampler::insert_stage`](crate::Sampler::insert_stage),
//! before a named stage or last. It sees the candidates as the crate's own stages do: it may remove tokens, write logits
//! or change the temperature factor, and appears in reports and explanations under the name that it gives itself. What it
//! does to the promise of equal tokens everywhere is its own affair: arithmetic that differs between platforms (the
//! standard library's `exp`, for one) differs in it too; [`math`](crate::math) has functions that do not.
//!
//! States do not hold stages: insert them again into a sampler that was resumed.
//!
//! ```
//! use std::sync::Arc;
//!
//! use nucleus_sampler::candidates::Candidates;
//! use nucleus_sampler::stage::{Context, Kind, Stage};
//! use nucleus_sampler::{Options, Result, Sampler, StageName};
//!
//! /// Bans the token that was output last: nothing is said twice in a row.
//! #[derive(Debug)]
//! struct NoEcho;
//!
//! impl Stage for NoEcho {
//!     fn name(&self) -> StageName {
//!         StageName::Own("no_echo")
//!     }
//!
//!     fn kind(&self) -> Kind {
//!         Kind::Masks
//!     }
//!
//!     fn is_active(&self) -> bool {
//!         true
//!     }
//!
//!     fn apply(&self, candidates: &mut Candidates<'_>, context: &Context<'_>) -> Result<()> {
//!         candidates.remove(context.history.output().last().copied().into_iter());
//!         Ok(())
//!     }
//! }
//!
//! let mut sampler = Sampler::new(Options { top_k: Some(2), seed: Some(42), ..Options::default() })?;
//! sampler.insert_stage(Arc::new(NoEcho), StageName::Temperature)?;
//! let logits = [3.0, 2.0, 1.0];
//! assert_eq!(sampler.distribution(&logits)?.token_ids, [0, 1]);
//! sampler.accept(0)?;
//! assert_eq!(sampler.distribution(&logits)?.token_ids, [1, 2]);
//! # Ok::<(), nucleus_sampler::Error>(())
//! ```

use std::sync::Arc;

use super::Stage;
use crate::error::{Error, Result};
use crate::names::StageName;

/// A stage of the caller's own and its place.
#[derive(Clone, Debug)]
pub struct Own {
    /// The stage.
    pub stage: Arc<dyn Stage>,
    /// The stage before which it comes; `draw` is last.
    pub before: StageName,
}

impl Own {
    /// Whether it comes after all others, before the stage that chooses the token.
    pub(crate) fn is_last(&self) -> bool {
        self.before == StageName::Draw
    }
}

/// Adds a stage to those that are there; its name must be its own.
pub(crate) fn insert(own: &[Own], stage: Arc<dyn Stage>, before: StageName) -> Result<Vec<Own>> {
    let name = stage.name();
    let is_taken = own.iter().any(|other| other.stage.name() == name);
    if !matches!(name, StageName::Own(text) if StageName::parse(text).is_none()) || is_taken {
        return Err(Error::OutOfRange {
            option: "stage".into(),
            found: name.as_str().into(),
            accepted: "named StageName::Own, with a name that no other stage has".into(),
        });
    }
    let mut own = own.to_vec();
    own.push(Own { stage, before });
    Ok(own)
}
