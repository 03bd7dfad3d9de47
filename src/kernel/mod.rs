//! The hot path: passes over a row, block by block.
//!
//! A row is read in blocks of [`BLOCK`] places and, inside a block, in 8 lanes, the shape that compiles to vector code
//! on every target without a line of target-specific source. What a pass decides is decided by integers (masses) or by
//! comparisons, so the shape is free to change: `tests/oracle` recomputes every result one token at a time.

mod scan;
mod select;
mod weigh;

pub(crate) use scan::scan;
pub(crate) use select::{Prefix, Selector, Target};
pub(crate) use weigh::{entropy_sums, weigh, weight};

/// Places of a block; a block's maximum and mass are kept, so that later passes may skip it.
pub(crate) const BLOCK: usize = 256;

/// Lanes of a vector.
const LANES: usize = 8;

/// The temperature factor r as the two f32 that the contract multiplies with: rh = f32(r), rl = f32(r - rh).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Factor {
    high: f32,
    low: f32,
}

impl Factor {
    /// The two parts of r, which lies in [1e-30, 3e38].
    pub(crate) fn new(r: f64) -> Factor {
        let high = r as f32;
        Factor { high, low: (r - f64::from(high)) as f32 }
    }

    /// x of the contract: (l - l_max) r in f32, -64 where it would be less.
    #[inline(always)]
    pub(crate) fn scale(self, logit: f32, max: f32) -> f32 {
        let d = logit - max;
        let y = d * self.high;
        // Compared so that NaN fails; y is what is compared, x may lie a hair below -64.
        if y >= -64.0 { y + d * self.low } else { -64.0 }
    }
}
