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

    /// The candidates of a row whose copy [`Scratch::written`] has prepared.
    pub(crate) fn edited(
        given: &'a [f32],
        scratch: &'a mut Scratch,
        max: f32,
    ) -> Result<Candidates<'a>> {
        Candidates::scanned(given, scratch, Ok(max), Form::Edited)
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

impl Scratch {
    /// Makes room for a copy of a row before anything else of it is stored: in this order memory is filled without holes.
    pub(crate) fn reserve_copy(&mut self, n: usize) {
        self.edited.clear();
        self.edited.reserve(n.min(MAX_VOCAB));
    }

    /// Copies a row and has `write` write in it before anything is known of it, so that what is written costs itself
    /// alone; the highest logit then. None where `write` says that it cannot, or anything else is wrong.
    pub(crate) fn written(
        &mut self,
        given: &[f32],
        write: impl FnOnce(&mut [f32]) -> bool,
    ) -> Option<f32> {
        check_size(given).ok()?;
        kernel::copy(given, &mut self.edited);
        let max = write(&mut self.edited).then(|| kernel::scan(&self.edited, &mut self.maxima));
        max?.ok().filter(|max| *max > f32::NEG_INFINITY)
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
