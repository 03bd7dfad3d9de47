//! Matrix products of numbers rounded to bfloat16, summed in f32: twice as fast where the processor can.
//!
//! Both factors are packed as pairs along the inner dimension: panels of 12 rows of the left and 32 columns of the right
//! factor. One instruction then adds two products in each of 16 lanes, and 24 vectors of sums stay in registers.

use crate::matrix::{View, ViewMut};

/// Rows of a panel of the left factor.
const ROWS: usize = 12;
/// Columns of a panel of the right factor.
const COLUMNS: usize = 32;
/// Inner elements packed at a time: a panel of the right factor then fits the nearest cache.
const INNER: usize = 512;

type Tile = [[f32; COLUMNS]; ROWS];

/// Whether this build and processor have the instruction.
pub fn available() -> bool {
    cfg!(all(target_arch = "x86_64", target_feature = "avx512bf16", target_feature = "avx512f"))
}

/// In which numbers products are computed.
#[derive(Default)]
pub struct Arithmetic {
    /// Whether factors are rounded to bfloat16.
    pub mixed: bool,
    packed: Packed,
}

impl Arithmetic {
    /// `to = a · b`.
    pub fn set(&mut self, to: ViewMut, a: View, b: View) {
        if self.mixed {
            self.packed.product(to.data, to.row_step, a, b, false)
        } else {
            to.set(a, b)
        }
    }

    /// `to += a · b`.
    pub fn add(&mut self, to: ViewMut, a: View, b: View) {
        if self.mixed {
            self.packed.product(to.data, to.row_step, a, b, true)
        } else {
            to.add(a, b)
        }
    }
}

/// Packed factors, kept to be used again.
#[derive(Default)]
struct Packed {
    left: Vec<u32>,
    right: Vec<u32>,
}

impl Packed {
    /// `to = a · b`, or `to += a · b`. `to`: (a.rows, b.columns) with rows `row_step` apart.
    fn product(&mut self, to: &mut [f32], row_step: usize, a: View, b: View, add: bool) {
        // Panels of 32 are packed faster than panels of 12 where the inner dimension is not the contiguous one: they take
        // the longer side.
        let turned = a.column_step != 1 && b.row_step != 1 && a.rows > b.columns;
        let (a, b) = if turned { (b.t(), a.t()) } else { (a, b) };
        let steps = if turned { (1, row_step) } else { (row_step, 1) };
        for begin in (0..a.columns).step_by(INNER) {
            let end = a.columns.min(begin + INNER);
            pack::<ROWS>(&mut self.left, a, begin, end);
            pack::<COLUMNS>(&mut self.right, b.t(), begin, end);
            self.panels(to, steps, (a.rows, b.columns), end - begin, add || begin > 0);
        }
    }

    /// All pairs of packed panels.
    fn panels(
        &self,
        to: &mut [f32],
        (row_step, column_step): (usize, usize),
        (rows, columns): (usize, usize),
        inner: usize,
        add: bool,
    ) {
        let pairs = inner.div_ceil(2);
        let rights = self.right.chunks_exact(pairs * COLUMNS);
        for (j, right) in (0..columns).step_by(COLUMNS).zip(rights) {
            let lefts = self.left.chunks_exact(pairs * ROWS);
            for (i, left) in (0..rows).step_by(ROWS).zip(lefts) {
                let tile = tile(left, right);
                let (n_rows, n_columns) = (ROWS.min(rows - i), COLUMNS.min(columns - j));
                let to = &mut to[i * row_step + j * column_step..];
                if column_step == 1 {
                    store(to, row_step, n_rows, n_columns, add, |row, column| tile[row][column]);
                } else {
                    store(to, column_step, n_columns, n_rows, add, |row, column| tile[column][row]);
                }
            }
        }
    }
}

/// Writes a tile, or adds it.
#[inline(always)]
fn store(
    to: &mut [f32],
    row_step: usize,
    rows: usize,
    columns: usize,
    add: bool,
    sum: impl Fn(usize, usize) -> f32,
) {
    for row in 0..rows {
        for (column, to) in to[row * row_step..][..columns].iter_mut().enumerate() {
            *to = sum(row, column) + if add { *to } else { 0.0 };
        }
    }
}

/// Packs columns `begin..end` of a matrix: panels of N rows, each a list of N pairs for every two columns; zeros fill up.
fn pack<const N: usize>(to: &mut Vec<u32>, from: View, begin: usize, end: usize) {
    let pairs = (end - begin).div_ceil(2);
    to.clear();
    to.resize(from.rows.div_ceil(N) * pairs * N, 0);
    for (first, panel) in (0..from.rows).step_by(N).zip(to.chunks_exact_mut(pairs * N)) {
        let n = N.min(from.rows - first);
        if from.column_step == 1 {
            for i in 0..n {
                let row = &from.data[(first + i) * from.row_step..][begin..end];
                let (even, odd) = row.as_chunks::<2>();
                let places = panel[i..].iter_mut().step_by(N);
                let last = odd.first().map(|&last| [last, 0.0]);
                for (place, &[a, b]) in places.zip(even.iter().chain(&last)) {
                    *place = pair(a, b);
                }
            }
        } else {
            for (place, column) in panel.chunks_exact_mut(N).zip((begin..end).step_by(2)) {
                let lane = |column: usize| &from.data[column * from.column_step + first..][..n];
                let a = lane(column);
                if column + 1 < end {
                    for ((place, &a), &b) in place.iter_mut().zip(a).zip(lane(column + 1)) {
                        *place = pair(a, b);
                    }
                } else {
                    place.iter_mut().zip(a).for_each(|(place, &a)| *place = pair(a, 0.0));
                }
            }
        }
    }
}

/// Two numbers rounded to bfloat16, ties to even, the first in the lower half.
#[inline(always)]
fn pair(a: f32, b: f32) -> u32 {
    let round = |x: f32| {
        let bits = x.to_bits();
        bits.wrapping_add(0x7fff + ((bits >> 16) & 1))
    };
    round(a) >> 16 | round(b) & 0xffff_0000
}

/// The product of two panels.
#[cfg(all(target_arch = "x86_64", target_feature = "avx512bf16", target_feature = "avx512f"))]
#[inline(always)]
fn tile(left: &[u32], right: &[u32]) -> Tile {
    use std::arch::x86_64::{
        __m512bh, _mm512_dpbf16_ps, _mm512_loadu_si512, _mm512_set1_epi32, _mm512_setzero_ps,
        _mm512_storeu_ps,
    };
    let mut tile = [[0.0; COLUMNS]; ROWS];
    // SAFETY: the build has the instructions; loads and stores stay within arrays whose lengths the types say.
    unsafe {
        let mut sums = [[_mm512_setzero_ps(); 2]; ROWS];
        let (lefts, _) = left.as_chunks::<ROWS>();
        let (rights, _) = right.as_chunks::<COLUMNS>();
        for (left, right) in lefts.iter().zip(rights) {
            let load = |place: usize| -> __m512bh {
                std::mem::transmute(_mm512_loadu_si512(right.as_ptr().add(place).cast()))
            };
            let right = [load(0), load(16)];
            for (sums, &left) in sums.iter_mut().zip(left) {
                let left: __m512bh = std::mem::transmute(_mm512_set1_epi32(left as i32));
                sums[0] = _mm512_dpbf16_ps(sums[0], left, right[0]);
                sums[1] = _mm512_dpbf16_ps(sums[1], left, right[1]);
            }
        }
        for (to, sums) in tile.iter_mut().zip(sums) {
            _mm512_storeu_ps(to.as_mut_ptr(), sums[0]);
            _mm512_storeu_ps(to.as_mut_ptr().add(16), sums[1]);
        }
    }
    tile
}

/// The product of two panels, slowly.
#[cfg(not(all(
    target_arch = "x86_64",
    target_feature = "avx512bf16",
    target_feature = "avx512f"
)))]
fn tile(left: &[u32], right: &[u32]) -> Tile {
    let mut tile = [[0.0; COLUMNS]; ROWS];
    let halves = |pair: u32| [f32::from_bits(pair << 16), f32::from_bits(pair & 0xffff_0000)];
    for (left, right) in left.chunks_exact(ROWS).zip(right.chunks_exact(COLUMNS)) {
        for (sums, &left) in tile.iter_mut().zip(left) {
            for (sum, &right) in sums.iter_mut().zip(right) {
                let ([a, b], [c, d]) = (halves(left), halves(right));
                *sum += a * c + b * d;
            }
        }
    }
    tile
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::ViewMut;
    use crate::ops::check;

    #[test]
    fn products_are_those_of_single_precision_within_the_rounding() {
        for (rows, inner, columns) in
            [(1, 1, 1), (12, 2, 32), (13, 7, 33), (50, 1030, 70), (24, 64, 64)]
        {
            let (a, b) = (check::numbers(rows * inner, 1), check::numbers(inner * columns, 2));
            let wide = [View::new(&a, rows, inner), View::new(&a, inner, rows).t()];
            let tall = [View::new(&b, inner, columns), View::new(&b, columns, inner).t()];
            for (a, b) in wide.into_iter().flat_map(|a| tall.map(|b| (a, b))) {
                for add in [false, true] {
                    let (mut expected, mut found) =
                        (vec![1.0; rows * columns], vec![1.0; rows * columns]);
                    let view = ViewMut::new(&mut expected, rows, columns);
                    if add {
                        view.add(a, b)
                    } else {
                        view.set(a, b)
                    }
                    Packed::default().product(&mut found, columns, a, b, add);
                    let bound = 0.01 * (inner as f32).sqrt() + 0.01;
                    for (x, y) in expected.iter().zip(&found) {
                        assert!((x - y).abs() < bound, "{rows} {inner} {columns}: {x} {y}");
                    }
                }
            }
        }
    }

    #[test]
    fn numbers_that_bfloat16_has_are_exact() {
        let a: Vec<f32> = (0..40 * 30).map(|i| (i % 17) as f32 - 8.0).collect();
        let (mut expected, mut found) = (vec![0.0; 1600], vec![0.0; 1600]);
        let (left, right) = (View::new(&a, 40, 30), View::new(&a, 30, 40));
        ViewMut::new(&mut expected, 40, 40).set(left, right);
        Packed::default().product(&mut found, 40, left, right, false);
        assert_eq!(expected, found);
    }
}
