//! What comes into one call: a row of logits, and what goes with it.

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

impl<'a> From<&'a [f32]> for Input<'a> {
    fn from(logits: &'a [f32]) -> Input<'a> {
        Input { logits, mask: None, unconditional: None, coin: None }
    }
}

impl<'a> From<&'a Vec<f32>> for Input<'a> {
    fn from(logits: &'a Vec<f32>) -> Input<'a> {
        Input::from(logits.as_slice())
    }
}

impl<'a, const N: usize> From<&'a [f32; N]> for Input<'a> {
    fn from(logits: &'a [f32; N]) -> Input<'a> {
        Input::from(logits.as_slice())
    }
}
