//! SwiGLU: y = gate · sigmoid(gate) · up.

use super::exp::exp;

#[inline(always)]
fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// `gate_up`: (n, 2 ffn), the gates first; `y`: (n, ffn).
pub fn forward(gate_up: &[f32], y: &mut [f32], ffn: usize) {
    for (both, y) in gate_up.chunks_exact(2 * ffn).zip(y.chunks_exact_mut(ffn)) {
        let (gate, up) = both.split_at(ffn);
        for ((y, &gate), &up) in y.iter_mut().zip(gate).zip(up) {
            *y = gate * sigmoid(gate) * up;
        }
    }
}

/// Writes `dgate_up` from `dy`.
pub fn backward(dy: &[f32], gate_up: &[f32], dgate_up: &mut [f32], ffn: usize) {
    let rows = gate_up.chunks_exact(2 * ffn).zip(dgate_up.chunks_exact_mut(2 * ffn));
    for ((both, dboth), dy) in rows.zip(dy.chunks_exact(ffn)) {
        let ((gate, up), (dgate, dup)) = (both.split_at(ffn), dboth.split_at_mut(ffn));
        for i in 0..ffn {
            let s = sigmoid(gate[i]);
            dgate[i] = dy[i] * up[i] * s * (1.0 + gate[i] * (1.0 - s));
            dup[i] = dy[i] * gate[i] * s;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::*;

    #[test]
    fn gradients() {
        let (n, ffn) = (3, 10);
        let (x, dy) = (check::numbers(n * 2 * ffn, 1), check::numbers(n * ffn, 2));
        let mut dx = vec![0.0; x.len()];
        backward(&dy, &x, &mut dx, ffn);
        check::gradient(&x, &dx, |x| {
            let mut y = vec![0.0; n * ffn];
            forward(x, &mut y, ffn);
            check::dot(&y, &dy)
        });
    }
}
