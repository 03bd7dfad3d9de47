//! Rotary position embedding on adjacent pairs (2i, 2i + 1), as GGUF's `llama` tensors want it.

use crate::shape::ROPE_BASE;

/// Cosine and sine of every angle: position times base^(-2i / head_dim), (n_ctx, head_dim / 2).
pub struct Rotations {
    angles: Vec<(f32, f32)>,
    half: usize,
}

impl Rotations {
    pub fn new(n_ctx: usize, head_dim: usize) -> Rotations {
        let half = head_dim / 2;
        let angle = |pos: usize, i: usize| {
            let angle = pos as f64 * ROPE_BASE.powf(-2.0 * i as f64 / head_dim as f64);
            (angle.cos() as f32, angle.sin() as f32)
        };
        let angles = (0..n_ctx).flat_map(|pos| (0..half).map(move |i| angle(pos, i))).collect();
        Rotations { angles, half }
    }

    /// Turns the first `width` columns of each row, heads side by side; `back` turns the other way. `x`: (n, row_step).
    pub fn apply(&self, x: &mut [f32], row_step: usize, width: usize, back: bool) {
        let sign = if back { -1.0 } else { 1.0 };
        let rows = x.chunks_exact_mut(row_step).zip(self.angles.chunks_exact(self.half));
        for (row, angles) in rows {
            for head in row[..width].chunks_exact_mut(2 * self.half) {
                for (pair, &(cos, sin)) in head.chunks_exact_mut(2).zip(angles) {
                    let (a, b, sin) = (pair[0], pair[1], sign * sin);
                    pair[0] = a * cos - b * sin;
                    pair[1] = a * sin + b * cos;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::*;

    #[test]
    fn gradients() {
        let (n, step, width) = (5, 12, 8);
        let rotations = Rotations::new(n, 4);
        let (x, dy) = (check::numbers(n * step, 1), check::numbers(n * step, 2));
        let mut dx = dy.clone();
        rotations.apply(&mut dx, step, width, true);
        check::gradient(&x, &dx, |x| {
            let mut y = x.to_vec();
            rotations.apply(&mut y, step, width, false);
            check::dot(&y, &dy)
        });
    }

    #[test]
    fn the_first_pair_turns_by_the_position_in_radians() {
        let mut x = [1.0, 0.0, 0.0, 1.0].repeat(2);
        Rotations::new(2, 4).apply(&mut x, 4, 4, false);
        assert_eq!(x[..4], [1.0, 0.0, 0.0, 1.0]);
        assert!((x[4] - 1f32.cos()).abs() < 1e-6 && (x[5] - 1f32.sin()).abs() < 1e-6);
    }
}
