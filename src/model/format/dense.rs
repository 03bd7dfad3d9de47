//! Numbers stored as floats: F32, F16, BF16.
//!
//! A row is summed in 16 columns' worth of lanes: column c in lane c mod 16, lanes added in a fixed order; what is
//! missing of the last 16 columns counts as 0.

use super::Operations;
use crate::error::{Error, Result};
use crate::lanes::{F32x4, I32x4, Lanes};
use crate::model::activations::Activations;

/// A kind of float; four of them are N bytes.
pub(super) trait Float<const N: usize> {
    /// The largest finite number.
    const LARGEST: f32;

    fn load(bytes: &[u8; N]) -> F32x4;
}

#[derive(Debug)]
pub(super) struct F32;
#[derive(Debug)]
pub(super) struct F16;
#[derive(Debug)]
pub(super) struct BF16;

impl Float<16> for F32 {
    const LARGEST: f32 = f32::MAX;

    #[inline(always)]
    fn load(bytes: &[u8; 16]) -> F32x4 {
        I32x4::load(bytes).bits_as_f32()
    }
}

impl Float<8> for F16 {
    // What is read of infinities and NaN is larger.
    const LARGEST: f32 = 65504.0;

    #[inline(always)]
    fn load(bytes: &[u8; 8]) -> F32x4 {
        F32x4::from_f16(bytes)
    }
}

impl Float<8> for BF16 {
    const LARGEST: f32 = f32::MAX;

    #[inline(always)]
    fn load(bytes: &[u8; 8]) -> F32x4 {
        F32x4::from_bf16(bytes)
    }
}

pub(super) fn operations<F: Float<N>, const N: usize>() -> Operations {
    Operations {
        pack: check::<F, N>,
        row: row::<F, N>,
        multiply: multiply::<F, N>,
        decode: decode::<F, N>,
    }
}

/// The bytes of a row.
fn row_bytes<const N: usize>(columns: usize) -> usize {
    columns * N / 4
}

/// Nothing moves; a number that is not finite is an error.
fn check<F: Float<N>, const N: usize>(data: &mut [u8], columns: usize) -> Result<()> {
    let mut values = vec![0.0; columns];
    for row in data.chunks_exact(row_bytes::<N>(columns).max(1)) {
        decode::<F, N>(row, &mut values);
        if !values.iter().all(|value| value.abs() <= F::LARGEST) {
            return Err(Error::OutOfRange {
                option: "a number".into(),
                found: "infinite or none".into(),
                accepted: "finite".into(),
            });
        }
    }
    Ok(())
}

fn row<F: Float<N>, const N: usize>(data: &[u8], columns: usize, row: usize, values: &mut [f32]) {
    let row = data.chunks_exact(row_bytes::<N>(columns).max(1)).nth(row);
    decode::<F, N>(row.unwrap_or_default(), values);
}

fn decode<F: Float<N>, const N: usize>(row: &[u8], values: &mut [f32]) {
    for (values, bytes) in values.chunks_mut(4).zip(row.chunks(N)) {
        for (value, number) in values.iter_mut().zip(F::load(&padded(bytes, 0)).to_array()) {
            *value = number;
        }
    }
}

/// An array that begins with a slice.
fn padded<T: Copy, const N: usize>(from: &[T], padding: T) -> [T; N] {
    let mut to = [padding; N];
    for (to, from) in to.iter_mut().zip(from) {
        *to = *from;
    }
    to
}

fn multiply<F: Float<N>, const N: usize>(data: &[u8], rows: usize, x: &Activations, y: &mut [f32]) {
    let row_bytes = row_bytes::<N>(x.columns).max(1);
    for (r, row) in data.chunks_exact(row_bytes).take(rows).enumerate() {
        let vectors = x.values.chunks_exact(x.columns.max(1));
        for (x, y) in vectors.zip(y.chunks_exact_mut(rows)) {
            if let Some(y) = y.get_mut(r) {
                *y = dot::<F, N>(row, x);
            }
        }
    }
}

fn dot<F: Float<N>, const N: usize>(row: &[u8], x: &[f32]) -> f32 {
    let mut sums = [F32x4::splat(0.0); 4];
    let (bytes, bytes_left) = row.as_chunks::<N>();
    let (values, values_left) = x.as_chunks::<4>();
    let ((bytes, last_bytes), (values, last_values)) =
        (bytes.as_chunks::<4>(), values.as_chunks::<4>());
    let product = |bytes: &[u8; N], values: &[f32; 4]| F::load(bytes).mul(F32x4::load(values));
    for (bytes, values) in bytes.iter().zip(values) {
        for ((sum, bytes), values) in sums.iter_mut().zip(bytes).zip(values) {
            *sum = sum.add(product(bytes, values));
        }
    }
    let rest = (padded(bytes_left, 0), padded(values_left, 0.0));
    let last = last_bytes.iter().zip(last_values);
    let last = last.chain(core::iter::once((&rest.0, &rest.1)));
    for (sum, (bytes, values)) in sums.iter_mut().zip(last) {
        *sum = sum.add(product(bytes, values));
    }
    let [a, b, c, d] = sums;
    a.add(c).add(b.add(d)).sum()
}
