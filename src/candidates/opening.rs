//! Candidates of a row that was just given: checked, with its maxima, all alive that is not -infinity.

use super::{Candidates, Cutting, Form, MAX_VOCAB, Scratch, Weights};
use crate::error::{Error, Result};
use crate::kernel;

impl<'a> Candidates<'a> {
    /// The candidates of a row of logits, shape `(n_vocab)`: everything that is not -infinity.
    ///
    /// Errors: empty; more than 524,288 logits; NaN or +infinity (naming the lowest place); nothing but -infinity.
    #[inline]
    pub fn new(given: &'a [f32], scratch: &'a mut Scratch) -> Result<Candidates<'a>> {
        check_size(given)?;
        let max = kernel::scan(given, &mut scratch.maxima);
        Candidates::scanned(given, scratch, max, Form::Given)
    }

    /// The same, in a copy that stages may write in at once.
    pub(crate) fn copied(given: &'a [f32], scratch: &'a mut Scratch) -> Result<Candidates<'a>> {
        check_size(given)?;
        let max = kernel::scan_copying(given, &mut scratch.edited, &mut scratch.maxima);
        Candidates::scanned(given, scratch, max, Form::Edited)
    }

    #[inline]
    fn scanned(
        given: &'a [f32],
        scratch: &'a mut Scratch,
        max: core::result::Result<f32, usize>,
        form: Form,
    ) -> Result<Candidates<'a>> {
        (scratch.cost, scratch.selector.cost, scratch.listed.opened) = Default::default();
        let max = max.map_err(|index| Error::NotFinite {
            index,
            value: given.get(index).copied().unwrap_or(f32::NAN),
        })?;
        if max == f32::NEG_INFINITY {
            return Err(Error::NothingLeft { stage: None });
        }
        Ok(Candidates {
            given,
            scratch,
            form,
            max,
            factor: 1.0,
            weights: Weights::Unknown,
            cutting: Cutting::Done,
            decided: false,
            mass_before: None,
        })
    }
}

#[inline]
fn check_size(given: &[f32]) -> Result<()> {
    if given.is_empty() {
        return Err(Error::Empty { what: "logits".into() });
    }
    if given.len() > MAX_VOCAB {
        return Err(Error::TooLarge {
            what: "the vocabulary",
            found: given.len() as u64,
            limit: MAX_VOCAB as u64,
        });
    }
    Ok(())
}
