//! The bit mask given with a call: what a grammar allows next.
//!
//! **Definition.** A token stays when bit i mod 32 of word floor(i / 32) is 1.
//!
//! **Parameters.** `mask`: u32 words, shape `(ceil(n_vocab / 32))`; spare bits are ignored; absent is off.
//!
//! **Boundary and ties.** Acts before the first stage and intersects `allowed_tokens`; a mask that leaves nothing is the
//! error `nothing_left`.
//!
//! **Draws.** None.
//!
//! **Cost.** One pass over the row.
//!
//! **Threshold.** None.
//!
//! **Reference.** The token bit mask of XGrammar and llguidance.
//!
//! ```
//! use nucleus_sampler::{Input, Options, Sampler};
//! let mut sampler = Sampler::new(Options::default())?;
//! let input = Input { mask: Some(&[0b101]), ..Input::from(&[1.0, 9.0, 2.0]) };
//! assert_eq!(sampler.distribution(input)?.token_ids, [2, 0]);
//! # Ok::<(), nucleus_sampler::Error>(())
//! ```

use super::{Context, Kind, Stage};
use crate::candidates::Candidates;
use crate::error::{Error, Result};
use crate::names::StageName;

/// Removes the tokens whose bit is 0 in the call's mask.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mask;

impl Stage for Mask {
    fn name(&self) -> StageName {
        StageName::Mask
    }

    fn kind(&self) -> Kind {
        Kind::Masks
    }

    fn is_active(&self) -> bool {
        true
    }

    fn apply(&self, candidates: &mut Candidates<'_>, context: &Context<'_>) -> Result<()> {
        let Some(mask) = context.mask else { return Ok(()) };
        let expected = candidates.n_vocab().div_ceil(32);
        if mask.len() != expected {
            return Err(Error::WrongLength { what: "mask", found: mask.len(), expected });
        }
        candidates.retain(|candidate| {
            mask.get((candidate.id / 32) as usize)
                .is_some_and(|word| word >> (candidate.id % 32) & 1 == 1)
        });
        Ok(())
    }
}
