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

#[cfg(test)]
mod tests {
    use super::*;

    /// Random bytes as blocks whose scales are from 2^-9 to 2^-5.
    fn tensor(encoding: Encoding, rows: usize, columns: usize) -> (TensorInfo, Vec<u8>) {
        let mut state = 7u64;
        let mut byte = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as u8
        };
        let mut data: Vec<u8> = (0..rows * encoding.row_bytes(columns)).map(|_| byte()).collect();
        let block = encoding.row_bytes(encoding.block());
        for block in data.chunks_mut(block) {
            let halves: &[usize] = match encoding {
                Encoding::F32 => &[2],
                Encoding::F16 | Encoding::BF16 | Encoding::Q4_0 | Encoding::Q8_0 => &[0],
                Encoding::Q6_K => &[208],
                _ => &[0, 2],
            };
            for &at in halves {
                block[at + 1] = block[at + 1] & 0x80 | 0x18 | block[at + 1] & 7;
            }
        }
        (TensorInfo { name: "m".into(), rows, columns, encoding, offset: 0 }, data)
    }

    #[test]
    fn products_are_those_of_the_decoded_numbers_for_any_number_of_rows() {
        for encoding in Encoding::ALL {
            let columns = if encoding.block() == 1 { 51 } else { 2 * encoding.block() };
            for (rows, n) in [(1, 1), (4, 4), (7, 6), (10, 9)] {
                let (tensor, data) = tensor(encoding, rows, columns);
                let x: Vec<f32> =
                    (0..n * columns).map(|i| ((i * 37 % 101) as f32 - 50.0) / 25.0).collect();
                let mut activations = Activations::default();
                activations.set(&x, columns);
                let mut decoded = vec![0.0; rows * columns];
                let row_bytes = encoding.row_bytes(columns);
                for (row, values) in data.chunks(row_bytes).zip(decoded.chunks_mut(columns)) {
                    (encoding.operations().decode)(row, values);
                }
                let matrix = Matrix::new(&tensor, data).unwrap();
                let mut y = vec![f32::NAN; n * rows];
                matrix.multiply(&activations, &mut y);
                for (x, y) in x.chunks(columns).zip(y.chunks(rows)) {
                    for (w, y) in decoded.chunks(columns).zip(y) {
                        let products = w.iter().zip(x).map(|(w, x)| f64::from(*w) * f64::from(*x));
                        let size: f64 = products.clone().map(f64::abs).sum();
                        let off = (f64::from(*y) - products.sum::<f64>()).abs() / size;
                        assert!(off < 3e-5, "{encoding:?} {rows} {n}: {off}");
                    }
                }
                let mut values = vec![0.0; columns];
                for (r, expected) in decoded.chunks(columns).enumerate() {
                    matrix.row(r, &mut values);
                    assert_eq!(values, expected, "{encoding:?}");
                }
            }
        }
    }
}
