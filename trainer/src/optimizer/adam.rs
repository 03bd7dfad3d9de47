//! AdamW: each parameter moves by its mean gradient over its root mean square; decay apart from the gradient.

const BETA_1: f32 = 0.9;
const BETA_2: f32 = 0.95;
const EPS: f32 = 1e-8;

/// One step; the first is step 0.
pub fn step(
    params: &mut [f32],
    first: &mut [f32],
    second: &mut [f32],
    grads: &[f32],
    rate: f32,
    decay: f32,
    step: u64,
) {
    let correct = |beta: f32| 1.0 / (1.0 - f64::from(beta).powf(step as f64 + 1.0)) as f32;
    let (correct_1, correct_2) = (correct(BETA_1), correct(BETA_2));
    for (((param, m), v), &g) in params.iter_mut().zip(first).zip(second).zip(grads) {
        *m += (1.0 - BETA_1) * (g - *m);
        *v += (1.0 - BETA_2) * (g * g - *v);
        let update = *m * correct_1 / ((*v * correct_2).sqrt() + EPS);
        *param -= rate * (update + decay * *param);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_first_step_is_the_rate_against_the_sign_and_decay() {
        let (mut params, mut m, mut v) = ([1.0, -2.0], [0.0; 2], [0.0; 2]);
        super::step(&mut params, &mut m, &mut v, &[0.3, -7.0], 0.1, 0.5, 0);
        assert!((params[0] - (1.0 - 0.1 - 0.05)).abs() < 1e-6);
        assert!((params[1] - (-2.0 + 0.1 + 0.1)).abs() < 1e-6);
    }
}
