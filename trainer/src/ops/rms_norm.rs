//! RMSNorm: y = w x / sqrt(mean(x²) + eps), a row at a time.

use crate::shape::NORM_EPS;

/// Writes `y` and each row's factor 1 / sqrt(mean(x²) + eps). `x`, `y`: (n, dim); `weight`: (dim); `factors`: (n).
pub fn forward(x: &[f32], weight: &[f32], y: &mut [f32], factors: &mut [f32]) {
    let dim = weight.len();
    let rows = x.chunks_exact(dim).zip(y.chunks_exact_mut(dim));
    for ((x, y), factor) in rows.zip(factors) {
        let squares = sum(x.iter().map(|x| x * x));
        *factor = 1.0 / (squares / dim as f32 + NORM_EPS).sqrt();
        for ((y, x), w) in y.iter_mut().zip(x).zip(weight) {
            *y = x * *factor * w;
        }
    }
}

/// Adds to `dx` and `dweight` what `dy` says.
pub fn backward(
    dy: &[f32],
    x: &[f32],
    weight: &[f32],
    factors: &[f32],
    dx: &mut [f32],
    dweight: &mut [f32],
) {
    let dim = weight.len();
    let rows = dy.chunks_exact(dim).zip(x.chunks_exact(dim)).zip(dx.chunks_exact_mut(dim));
    for (((dy, x), dx), &factor) in rows.zip(factors) {
        let inner = sum(dy.iter().zip(x).zip(weight).map(|((dy, x), w)| dy * w * x));
        let back = factor * factor * factor * inner / dim as f32;
        for (((dx, dy), x), w) in dx.iter_mut().zip(dy).zip(x).zip(weight) {
            *dx += factor * w * dy - back * x;
        }
        for ((dw, dy), x) in dweight.iter_mut().zip(dy).zip(x) {
            *dw += dy * x * factor;
        }
    }
}

/// A sum in sixteen lanes, so that compilers may use vectors.
#[inline(always)]
fn sum(terms: impl Iterator<Item = f32>) -> f32 {
    let mut lanes = [0.0f32; 16];
    for (i, term) in terms.enumerate() {
        lanes[i % 16] += term;
    }
    lanes.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::*;

    #[test]
    fn gradients() {
        let (n, dim) = (3, 24);
        let (x, w) = (check::numbers(n * dim, 1), check::numbers(dim, 2));
        let dy = check::numbers(n * dim, 3);
        let run = |x: &[f32], w: &[f32]| {
            let (mut y, mut factors) = (vec![0.0; n * dim], vec![0.0; n]);
            forward(x, w, &mut y, &mut factors);
            (check::dot(&y, &dy), factors)
        };
        let (_, factors) = run(&x, &w);
        let (mut dx, mut dw) = (vec![0.0; n * dim], vec![0.0; dim]);
        backward(&dy, &x, &w, &factors, &mut dx, &mut dw);
        check::gradient(&x, &dx, |x| run(x, &w).0);
        check::gradient(&w, &dw, |w| run(&x, w).0);
    }
}
