//! Views of matrices in slices, and their product.

/// A matrix in a slice: element (i, j) is at `i * row_step + j * column_step`.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub data: &'a [f32],
    pub rows: usize,
    pub columns: usize,
    pub row_step: usize,
    pub column_step: usize,
}

impl<'a> View<'a> {
    /// A whole row-major matrix (rows, columns).
    pub fn new(data: &'a [f32], rows: usize, columns: usize) -> View<'a> {
        View::part(data, rows, columns, columns)
    }

    /// The first `columns` of rows that begin `row_step` apart.
    pub fn part(data: &'a [f32], rows: usize, columns: usize, row_step: usize) -> View<'a> {
        assert!(data.len() >= extent(rows, columns, row_step), "a matrix within its slice");
        View { data, rows, columns, row_step, column_step: 1 }
    }

    /// The least length of a slice that holds it.
    fn extent(&self) -> usize {
        if self.rows == 0 || self.columns == 0 {
            return 0;
        }
        (self.rows - 1) * self.row_step + (self.columns - 1) * self.column_step + 1
    }

    /// The transpose.
    pub fn t(self) -> View<'a> {
        View {
            data: self.data,
            rows: self.columns,
            columns: self.rows,
            row_step: self.column_step,
            column_step: self.row_step,
        }
    }
}

/// A row-major matrix that is written to.
pub struct ViewMut<'a> {
    pub data: &'a mut [f32],
    pub rows: usize,
    pub columns: usize,
    pub row_step: usize,
}

impl<'a> ViewMut<'a> {
    /// A whole matrix (rows, columns).
    pub fn new(data: &'a mut [f32], rows: usize, columns: usize) -> ViewMut<'a> {
        ViewMut::part(data, rows, columns, columns)
    }

    /// The first `columns` of rows that begin `row_step` apart.
    pub fn part(data: &'a mut [f32], rows: usize, columns: usize, row_step: usize) -> ViewMut<'a> {
        assert!(data.len() >= extent(rows, columns, row_step), "a matrix within its slice");
        ViewMut { data, rows, columns, row_step }
    }

    /// Becomes `a · b`.
    pub fn set(self, a: View, b: View) {
        self.product(a, b, false);
    }

    /// Grows by `a · b`.
    pub fn add(self, a: View, b: View) {
        self.product(a, b, true);
    }

    fn product(self, a: View, b: View, add: bool) {
        assert!(
            a.rows == self.rows && b.columns == self.columns && a.columns == b.rows,
            "shapes of a product"
        );
        for view in [a, b] {
            assert!(view.data.len() >= view.extent(), "a matrix within its slice");
        }
        assert!(self.data.len() >= extent(self.rows, self.columns, self.row_step));
        // SAFETY: every view lies within its slice, the shapes agree, and the slice that is written to is borrowed alone.
        unsafe {
            gemm::gemm(
                self.rows,
                self.columns,
                a.columns,
                self.data.as_mut_ptr(),
                1,
                self.row_step as isize,
                add,
                a.data.as_ptr(),
                a.column_step as isize,
                a.row_step as isize,
                b.data.as_ptr(),
                b.column_step as isize,
                b.row_step as isize,
                1.0f32,
                1.0f32,
                false,
                false,
                false,
                gemm::Parallelism::None,
            );
        }
    }
}

/// The least length of a slice that holds the matrix.
fn extent(rows: usize, columns: usize, row_step: usize) -> usize {
    if rows == 0 || columns == 0 { 0 } else { (rows - 1) * row_step + columns }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_of_parts_and_transposes() {
        let a = [1.0, 2.0, 9.0, 3.0, 4.0, 9.0];
        let b = [5.0, 6.0, 7.0, 8.0];
        let mut c = [1.0f32; 4];
        ViewMut::new(&mut c, 2, 2).set(View::part(&a, 2, 2, 3), View::new(&b, 2, 2));
        assert_eq!(c, [19.0, 22.0, 43.0, 50.0]);
        ViewMut::new(&mut c, 2, 2).add(View::part(&a, 2, 2, 3).t(), View::new(&b, 2, 2).t());
        assert_eq!(c, [19.0 + 23.0, 22.0 + 31.0, 43.0 + 34.0, 50.0 + 46.0]);
    }
}
