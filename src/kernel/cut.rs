//! A cut by rank: the last token of a prefix.

/// The last token of a prefix by rank: what ranks at or above it is inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cut {
    /// Its logit.
    pub logit: f32,
    /// Its place in the row.
    pub place: usize,
}

impl Cut {
    /// Whether the token at `place` ranks at or above the cut.
    #[inline(always)]
    pub(crate) fn keeps(self, logit: f32, place: usize) -> bool {
        logit > self.logit || (logit == self.logit && place <= self.place)
    }
}

/// A prefix by rank.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Prefix {
    /// Its last token.
    pub cut: Cut,
    /// How many tokens it holds.
    pub n: usize,
    /// Their mass; 0 when no weights were given.
    pub mass: u64,
}
