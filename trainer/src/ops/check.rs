//! Gradients against finite differences, for the tests of every operation.

use crate::random::Random;

/// `n` numbers of about unit size.
pub fn numbers(n: usize, seed: u64) -> Vec<f32> {
    let mut random = Random::new(seed);
    (0..n).map(|_| random.normal()).collect()
}

/// The sum of products, in f64.
pub fn dot(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum()
}

/// Holds `gradient` of `loss` at `x` against central differences along random directions.
pub fn gradient(x: &[f32], gradient: &[f32], mut loss: impl FnMut(&[f32]) -> f64) {
    const STEP: f32 = 1e-2;
    for seed in 0..6 {
        let direction = numbers(x.len(), 1000 + seed);
        let length = dot(&direction, &direction).sqrt() as f32;
        let mut at = |step: f32| {
            let moved: Vec<f32> =
                x.iter().zip(&direction).map(|(x, d)| x + step * d / length).collect();
            loss(&moved)
        };
        let expected = (at(STEP) - at(-STEP)) / (2.0 * f64::from(STEP));
        let found = dot(gradient, &direction) / f64::from(length);
        let scale = dot(gradient, gradient).sqrt().max(1e-3);
        assert!(
            (found - expected).abs() < 2e-3 * scale,
            "direction {seed}: {found} and not {expected} (length {scale})"
        );
    }
}
