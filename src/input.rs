//! What comes into one call: a row of logits or a batch of them, and what goes with it.

/// The logits of one call, with what comes along with them.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// Raw logits, shape `(n_vocab)`; -infinity cannot be drawn.
    pub logits: &'a [f32],
    /// Allowed tokens as bits, shape `(ceil(n_vocab / 32))`: bit i mod 32 of word i / 32; none allows all.
    pub mask: Option<&'a [u32]>,
    /// The logits without the prompt, which guidance moves away from; shape `(n_vocab)`.
    pub unconditional: Option<&'a [f32]>,
    /// The side on which XTC's coin is taken to fall; none: that of the position's word.
    pub coin: Option<bool>,
}

impl<'a> Input<'a> {
    /// The same with a mask, or without.
    pub fn with_mask(self, mask: Option<&'a [u32]>) -> Input<'a> {
        Input { mask, ..self }
    }
}

/// The logits of several rows, one after the other, with what comes along with them.
///
/// ```
/// use nucleus_sampler::{BatchInput, Options, Rows, Sampler};
/// let mut sampler = Sampler::new(Options::default())?;
/// let masks = [Some(&[0b01][..]), None];
/// let batch = BatchInput { masks: &masks, ..BatchInput::from(&[1.0, 2.0, 3.0, 4.0]) };
/// assert_eq!(sampler.sample_batch(batch, Rows::First(2))?[0], 0);
/// # Ok::<(), nucleus_sampler::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct BatchInput<'a> {
    /// Raw logits, shape `(rows, n_vocab)`, row-major.
    pub logits: &'a [f32],
    /// Each row's mask, in the order of the rows; or empty, which allows all.
    pub masks: &'a [Option<&'a [u32]>],
    /// The second rows, which guidance moves away from; shape `(rows, n_vocab)`, row-major.
    pub unconditional: Option<&'a [f32]>,
}

impl<'a> BatchInput<'a> {
    /// What the row at a place is drawn from, where rows have `n_vocab` logits.
    pub(crate) fn at(&self, place: usize, n_vocab: usize) -> Input<'a> {
        let row = |rows: &'a [f32]| {
            let from = rows.get(place * n_vocab..).unwrap_or_default();
            from.get(..n_vocab).unwrap_or_default()
        };
        Input {
            logits: row(self.logits),
            mask: self.masks.get(place).copied().flatten(),
            unconditional: self.unconditional.map(row),
            coin: None,
        }
    }
}

macro_rules! from_logits {
    ($input:ident { $($field:ident: $value:expr),+ }) => {
        impl<'a> From<&'a [f32]> for $input<'a> {
            fn from(logits: &'a [f32]) -> $input<'a> {
                $input { logits, $($field: $value),+ }
            }
        }

        impl<'a> From<&'a Vec<f32>> for $input<'a> {
            fn from(logits: &'a Vec<f32>) -> $input<'a> {
                $input::from(logits.as_slice())
            }
        }

        impl<'a, const N: usize> From<&'a [f32; N]> for $input<'a> {
            fn from(logits: &'a [f32; N]) -> $input<'a> {
                $input::from(logits.as_slice())
            }
        }
    };
}

from_logits!(Input { mask: None, unconditional: None, coin: None });
from_logits!(BatchInput { masks: &[], unconditional: None });
