//! Muon: a matrix moves by its momentum made orthogonal, so that every direction moves equally far.
//!
//! The orthogonal factor U Vᵀ of a matrix U S Vᵀ comes from five steps of a quintic iteration (Newton and Schulz), whose
//! coefficients bring every singular value between 0.7 and 1.2, near enough. Reference: Jordan and others 2024.

use crate::matrix::{View, ViewMut};

const MOMENTUM: f32 = 0.95;
const STEPS: usize = 5;
const COEFFICIENTS: (f32, f32, f32) = (3.4445, -4.775, 2.0315);

/// One step of a matrix (rows, columns).
pub fn step(
    params: &mut [f32],
    momentum: &mut [f32],
    grads: &[f32],
    (rows, columns): (usize, usize),
    rate: f32,
    decay: f32,
) {
    for (m, &g) in momentum.iter_mut().zip(grads) {
        *m += (1.0 - MOMENTUM) * (g - *m);
    }
    // Nesterov: the momentum as the next gradient, were it the same, would leave it.
    let ahead: Vec<f32> =
        momentum.iter().zip(grads).map(|(&m, &g)| g + MOMENTUM * (m - g)).collect();
    let update = orthogonal(ahead, rows, columns);
    let scale = (rows as f32 / columns as f32).max(1.0).sqrt();
    for (param, update) in params.iter_mut().zip(update) {
        *param -= rate * (scale * update + decay * *param);
    }
}

/// About U Vᵀ of the matrix.
fn orthogonal(mut x: Vec<f32>, rows: usize, columns: usize) -> Vec<f32> {
    let length = x.iter().map(|x| x * x).sum::<f32>().sqrt() + 1e-7;
    x.iter_mut().for_each(|x| *x /= length);
    let n = rows.min(columns);
    let (mut gram, mut square, mut next) = (vec![0.0; n * n], vec![0.0; n * n], vec![0.0; x.len()]);
    let (a, b, c) = COEFFICIENTS;
    for _ in 0..STEPS {
        let view = View::new(&x, rows, columns);
        // The smaller of X Xᵀ and Xᵀ X.
        let wide = if rows <= columns { (view, view.t()) } else { (view.t(), view) };
        ViewMut::new(&mut gram, n, n).set(wide.0, wide.1);
        ViewMut::new(&mut square, n, n).set(View::new(&gram, n, n), View::new(&gram, n, n));
        for (gram, square) in gram.iter_mut().zip(&square) {
            *gram = b * *gram + c * square;
        }
        let gram = View::new(&gram, n, n);
        let next_view = ViewMut::new(&mut next, rows, columns);
        if rows <= columns {
            next_view.set(gram, view)
        } else {
            next_view.set(view, gram)
        }
        for (x, next) in x.iter_mut().zip(&next) {
            *x = a * *x + next;
        }
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::check;

    #[test]
    fn singular_values_come_near_one() {
        for (rows, columns) in [(8, 24), (24, 8), (16, 16)] {
            let x = orthogonal(check::numbers(rows * columns, 3), rows, columns);
            let n = rows.min(columns);
            let at = |i: usize, j: usize| {
                if rows <= columns { x[i * columns + j] } else { x[j * columns + i] }
            };
            let long = rows.max(columns);
            // The mean square singular value is the mean of the Gram matrix's diagonal.
            let trace: f32 =
                (0..n).map(|i| (0..long).map(|j| at(i, j) * at(i, j)).sum::<f32>()).sum();
            assert!((0.5..1.4).contains(&(trace / n as f32)), "{trace}");
            // Its length along any vector, which is no less than the least and no more than the largest.
            for seed in 0..5 {
                let v = check::numbers(n, seed);
                let image: f64 = (0..long)
                    .map(|j| (0..n).map(|i| f64::from(at(i, j) * v[i])).sum::<f64>().powi(2))
                    .sum();
                let ratio = (image / check::dot(&v, &v)).sqrt();
                assert!((0.3..1.3).contains(&ratio), "{ratio}");
            }
        }
    }

    #[test]
    fn moves_against_the_gradient() {
        let (mut params, mut momentum) = (vec![0.0; 64], vec![0.0; 64]);
        let grads = check::numbers(64, 5);
        step(&mut params, &mut momentum, &grads, (8, 8), 0.1, 0.0);
        assert!(check::dot(&params, &grads) < -0.1);
    }
}
