//! RMSNorm: y = w x / sqrt(mean(x^2) + eps).

use crate::lanes::{F32x4, Lanes};

/// `x` and `y` are (n, weight), rows of as many numbers as `weight` has.
pub(super) fn rms_norm(x: &[f32], weight: &[f32], eps: f32, y: &mut [f32]) {
    let n = weight.len().max(1);
    for (x, y) in x.chunks_exact(n).zip(y.chunks_exact_mut(n)) {
        let factor = factor(x, eps);
        for ((y, x), w) in y.iter_mut().zip(x).zip(weight) {
            *y = x * factor * w;
        }
    }
}

/// The same in place.
pub(super) fn rms_norm_in_place(x: &mut [f32], weight: &[f32], eps: f32) {
    for x in x.chunks_exact_mut(weight.len().max(1)) {
        let factor = factor(x, eps);
        for (x, w) in x.iter_mut().zip(weight) {
            *x = *x * factor * w;
        }
    }
}

fn factor(x: &[f32], eps: f32) -> f32 {
    let (fours, rest) = x.as_chunks::<4>();
    let square = |sum: F32x4, four: &[f32; 4]| sum.add(F32x4::load(four).mul(F32x4::load(four)));
    let sum = fours.iter().fold(F32x4::splat(0.0), square).sum();
    let sum = rest.iter().fold(sum, |sum, x| sum + x * x);
    1.0 / (sum / x.len() as f32 + eps).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_square_becomes_1() {
        let x: Vec<f32> = (0..14).map(|i| i as f32 - 3.5).collect();
        let mut y = [0.0; 14];
        rms_norm(&x, &[1.0, 2.0, 1.0, 1.0, 1.0, 1.0, 1.0], 0.0, &mut y);
        for (x, y) in x.chunks(7).zip(y.chunks(7)) {
            let scale = (x.iter().map(|x| x * x).sum::<f32>() / 7.0).sqrt();
            assert!((y[0] - x[0] / scale).abs() < 1e-6 && (y[1] - 2.0 * x[1] / scale).abs() < 1e-6);
        }
        let mut z = x.clone();
        rms_norm_in_place(&mut z, &[1.0, 2.0, 1.0, 1.0, 1.0, 1.0, 1.0], 0.0);
        assert_eq!(z, y);
        rms_norm(&[0.0; 4], &[1.0; 4], 1e-5, &mut y);
        assert_eq!(y[..4], [0.0; 4]);
    }
}
