//! What comes into one call: a row of logits, and a mask.

/// The logits of one call, with what comes along with them.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// Raw logits, shape `(n_vocab)`; -infinity cannot be drawn.
    pub logits: &'a [f32],
    /// Allowed tokens as bits, shape `(ceil(n_vocab / 32))`: bit i mod 32 of word i / 32; none allows all.
    pub mask: Option<&'a [u32]>,
}

impl<'a> From<&'a [f32]> for Input<'a> {
    fn from(logits: &'a [f32]) -> Input<'a> {
        Input { logits, mask: None }
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
