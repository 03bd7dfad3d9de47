//! The hot path: passes over a row.
//!
//! A row is read eight lanes at a time ([`lanes`](crate::lanes)), in groups of [`GROUP`] places whose maxima are kept, so that later
//! passes may skip most of them, and in blocks of [`BLOCK`] places whose masses are kept. What a pass decides is decided
//! by integers (masses) or by comparisons, so estimates may steer the work but never the result: `tests/oracle`
//! recomputes every result one token at a time.

mod bracket;
mod cost;
mod cut;
mod entropy;
mod exp;
mod near;
mod place;
mod refine;
mod scan;
mod select;
mod sift;
mod split;
mod threshold;
mod top;
mod weigh;

use crate::lanes;
pub use cost::Cost;
pub(crate) use cut::{Cut, Prefix};
pub(crate) use entropy::{add_lanes, entropy_of_row, entropy_sums};
pub(crate) use exp::Factor;
pub(crate) use place::{place_in, place_in_prefix};
pub(crate) use scan::{Maxima, copy, highest, lowest, scan};
pub(crate) use select::{Aim, Selector, Unweighed, Weighed};
pub(crate) use threshold::{Listed, gather};
pub(crate) use top::{first_place, threshold_of_count};
pub(crate) use weigh::{
    BlockMasses, enough_below, evenness, next_below, weigh, weigh_list, weight, weight_of,
};

/// Places of a group: eight vectors, whose lane-wise maximum is kept.
pub(crate) const GROUP: usize = 64;

/// Places of a block: its mass is kept.
pub(crate) const BLOCK: usize = 256;
