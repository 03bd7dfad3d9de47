//! A matrix of weights, packed in place.

use super::activations::Activations;
use super::format::{Encoding, PANEL};
use super::gguf::TensorInfo;
use crate::error::{Error, Result};

/// Weights, (rows, columns).
pub(super) struct Matrix {
    encoding: Encoding,
    rows: usize,
    columns: usize,
    data: Vec<u8>,
}

/// The bytes of a tensor with its rows made up to whole panels.
pub(super) fn padded_bytes(tensor: &TensorInfo) -> u64 {
    let row_bytes = tensor.encoding.row_bytes(tensor.columns) as u64;
    (tensor.rows as u64).next_multiple_of(PANEL as u64) * row_bytes
}

impl Matrix {
    /// The matrix of a tensor whose bytes are `data`; with room for [`padded_bytes`], it stays where it is.
    pub(super) fn new(tensor: &TensorInfo, mut data: Vec<u8>) -> Result<Matrix> {
        let &TensorInfo { encoding, rows, columns, .. } = tensor;
        // Rows that are not there are rows of zeros.
        data.resize(rows.next_multiple_of(PANEL) * encoding.row_bytes(columns), 0);
        (encoding.operations().pack)(&mut data, columns).map_err(|error| named(error, tensor))?;
        Ok(Matrix { encoding, rows, columns, data })
    }

    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// The numbers of a row: `values` (columns).
    pub(super) fn row(&self, row: usize, values: &mut [f32]) {
        (self.encoding.operations().row)(&self.data, self.columns, row, values);
    }

    /// y = W x for each row of activations: `y` (n, rows).
    pub(super) fn multiply(&self, x: &Activations, y: &mut [f32]) {
        (self.encoding.operations().multiply)(&self.data, self.rows, x, y);
    }
}

/// The numbers of a tensor that is a vector.
pub(super) fn vector(tensor: &TensorInfo, mut data: Vec<u8>) -> Result<Vec<f32>> {
    let operations = tensor.encoding.operations();
    let mut values = vec![0.0; tensor.columns];
    (operations.decode)(&data, &mut values);
    data.resize(PANEL * tensor.encoding.row_bytes(tensor.columns), 0);
    (operations.pack)(&mut data, tensor.columns).map_err(|error| named(error, tensor))?;
    Ok(values)
}

/// The error about a number, which then says in which tensor.
fn named(error: Error, tensor: &TensorInfo) -> Error {
    match error {
        Error::OutOfRange { option, found, accepted } => {
            let option = [&option, " in the tensor ", &tensor.name].concat();
            Error::OutOfRange { option, found, accepted }
        }
        other => other,
    }
}
