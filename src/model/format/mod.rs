//! How weights are stored, and what multiplies them.
//!
//! A quantised format cuts a row into blocks of 32 or 256 columns; within each 32 columns, a *part*, weight = scale *
//! code + offset, codes being small integers. Loaded, four rows are interleaved word by word into a *panel*, in place
//! and with not a byte more: one vector then holds codes of four rows, a sum runs in each lane, and no sum is ever
//! taken across lanes. Activations are integers too, see `activations`, so that sums within a part
//! are exact whatever their order; parts are added in f32 in the order of columns, which makes every result the same
//! bits everywhere. Numbers stored as floats are multiplied as such, row by row (`dense`).
//!
//! `encoding` (names, numbers, sizes) · `codes` (codes as words, and back), `dot` (sums within a part), `k_scales` · one
//! file a format · `panels` (what all of them share) · `dense`.

mod codes;
mod dense;
mod dot;
mod encoding;
mod k_scales;
mod panels;
mod q4_0;
mod q4_1;
mod q4_k;
mod q5_k;
mod q6_k;
mod q8_0;

pub use encoding::Encoding;

use super::activations::Activations;
use crate::error::Result;

/// Rows of a panel: the lanes of a vector.
pub(super) const PANEL: usize = 4;

/// What a format can do. Matrices are (rows, columns); in `data` their rows, a multiple of four, lie one after the
/// other, packed or not.
pub(super) struct Operations {
    /// Brings a matrix from the file's order into that of the other operations; a scale that is not finite is an error.
    pub(super) pack: fn(data: &mut [u8], columns: usize) -> Result<()>,
    /// The numbers of a row of a packed matrix.
    pub(super) row: fn(data: &[u8], columns: usize, row: usize, values: &mut [f32]),
    /// y = W x for each of n rows of activations: `y` (n, rows).
    pub(super) multiply: fn(data: &[u8], rows: usize, x: &Activations, y: &mut [f32]),
    /// The numbers of a row as the file has it.
    pub(super) decode: fn(row: &[u8], values: &mut [f32]),
}

impl Encoding {
    /// What the format can do.
    pub(super) fn operations(self) -> Operations {
        match self {
            Encoding::F32 => dense::operations::<dense::F32, 16>(),
            Encoding::F16 => dense::operations::<dense::F16, 8>(),
            Encoding::BF16 => dense::operations::<dense::BF16, 8>(),
            Encoding::Q4_0 => panels::operations::<q4_0::Q4_0, 1, 4>(),
            Encoding::Q4_1 => panels::operations::<q4_1::Q4_1, 2, 4>(),
            Encoding::Q8_0 => panels::operations::<q8_0::Q8_0, 1, 8>(),
            Encoding::Q4_K => panels::operations::<q4_k::Q4K, 2, 35>(),
            Encoding::Q5_K => panels::operations::<q5_k::Q5K, 2, 43>(),
            Encoding::Q6_K => panels::operations::<q6_k::Q6K, 1, 52>(),
        }
    }
}

/// The numbers of a row as a file has it; `row` is [`Encoding::row_bytes`] long, `values` as long as the row.
///
/// A row of another length is read as far as both go.
pub fn decode(encoding: Encoding, row: &[u8], values: &mut [f32]) {
    (encoding.operations().decode)(row, values);
}
