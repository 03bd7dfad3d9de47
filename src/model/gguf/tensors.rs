//! Tensors as the header describes them.

use super::cursor::{Cursor, Read};
use super::invalid;
use crate::error::{Error, Result};
use crate::model::format::Encoding;

/// A tensor of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorInfo {
    /// Its name.
    pub name: String,
    /// Rows; 1 for a vector.
    pub rows: usize,
    /// Numbers of a row, which lie side by side.
    pub columns: usize,
    /// How its numbers are encoded.
    pub encoding: Encoding,
    /// Where its bytes begin, from the beginning of the data.
    pub offset: u64,
}

impl TensorInfo {
    /// Its length in bytes, which is below 2^48.
    pub fn n_bytes(&self) -> u64 {
        self.rows as u64 * self.encoding.row_bytes(self.columns) as u64
    }

    /// Where its bytes end.
    pub(super) fn end(&self) -> u64 {
        self.offset.saturating_add(self.n_bytes())
    }
}

/// The most rows or columns.
const LONGEST: u64 = 1 << 22;

/// Reads `count` descriptions; returns them in the order of their bytes.
pub(super) fn read(cursor: &mut Cursor<'_>, count: u64, alignment: u64) -> Read<Vec<TensorInfo>> {
    let mut tensors = Vec::new();
    for _ in 0..count {
        let name = cursor.name()?;
        let (rows, columns) = shape(cursor, name)?;
        let encoding = encoding(cursor.u32()?, name, columns)?;
        let offset = cursor.u64()?;
        if !offset.is_multiple_of(alignment) {
            let accepted = ["a multiple of ", &alignment.to_string()].concat();
            return Err(invalid(&["the offset of ", name], &offset.to_string(), &accepted).into());
        }
        tensors.push(TensorInfo { name: name.into(), rows, columns, encoding, offset });
    }
    tensors.sort_by_key(|tensor| tensor.offset);
    apart(&tensors)?;
    Ok(tensors)
}

fn shape(cursor: &mut Cursor<'_>, name: &str) -> Read<(usize, usize)> {
    let n_dims = cursor.u32()?;
    if !(1..=4).contains(&n_dims) {
        let accepted = "from 1 to 4";
        let what = ["the number of dimensions of ", name];
        return Err(invalid(&what, &n_dims.to_string(), accepted).into());
    }
    let mut dims = [1; 4];
    for dim in dims.iter_mut().take(n_dims as usize) {
        *dim = cursor.u64()?;
        if !(1..=LONGEST).contains(dim) {
            let accepted = ["from 1 to ", &LONGEST.to_string()].concat();
            return Err(invalid(&["a dimension of ", name], &dim.to_string(), &accepted).into());
        }
    }
    let [columns, rows, higher @ ..] = dims;
    if higher != [1, 1] {
        let found = "a tensor of more than two dimensions";
        return Err(invalid(&["the tensor ", name], found, "a matrix or a vector").into());
    }
    Ok((rows as usize, columns as usize))
}

fn encoding(number: u32, name: &str, columns: usize) -> Result<Encoding> {
    let encoding = Encoding::of_number(number).ok_or_else(|| {
        let found = Encoding::name_of_number(number);
        let accepted = "one of F32, F16, BF16, Q8_0, Q4_0, Q4_1, Q4_K, Q5_K, Q6_K";
        invalid(&["the type of the tensor ", name], &found, accepted)
    })?;
    if !columns.is_multiple_of(encoding.block()) {
        let accepted =
            ["a multiple of ", &encoding.block().to_string(), " for ", encoding.name()].concat();
        return Err(invalid(&["the row length of ", name], &columns.to_string(), &accepted));
    }
    Ok(encoding)
}

/// No tensor lies in another.
fn apart(tensors: &[TensorInfo]) -> Result<()> {
    for (first, second) in tensors.iter().zip(tensors.iter().skip(1)) {
        if first.end() > second.offset {
            let what = ["the offset of ", &second.name];
            let accepted = ["at least ", &first.end().to_string()].concat();
            return Err(invalid(&what, &second.offset.to_string(), &accepted));
        }
    }
    let mut names: Vec<&str> = tensors.iter().map(|tensor| tensor.name.as_str()).collect();
    names.sort_unstable();
    match names.iter().zip(names.iter().skip(1)).find(|(first, second)| first == second) {
        Some((name, _)) => Err(Error::OutOfRange {
            option: ["the tensor ", name].concat(),
            found: "in the file twice".into(),
            accepted: "in the file once".into(),
        }),
        None => Ok(()),
    }
}
