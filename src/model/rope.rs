//! Rotary position embedding: pairs of a head's columns turn by position times a frequency.
//!
//! Pair i turns by pos base^(-2 i / n_dims). Which columns are a pair depends on the architecture's files.

use super::config::{Config, Pairing};
use crate::math::{exp, ln, sin_cos};

/// The frequencies, radians a position.
#[derive(Debug)]
pub(super) struct Rope {
    frequencies: Vec<f64>,
    pairing: Pairing,
    head_dim: usize,
}

/// Cosine and sine of each pair's angle for a row of activations, (n, n_dims / 2).
pub(super) type Angles = Vec<(f32, f32)>;

impl Rope {
    /// `factors` divide the frequencies, where the file has them.
    pub(super) fn new(config: &Config, factors: Option<&[f32]>) -> Rope {
        let n_dims = config.rope_dims;
        let log_base = ln(config.rope_base);
        let frequency = |i: usize| {
            let factor = factors.and_then(|factors| factors.get(i)).copied().unwrap_or(1.0);
            let power = exp(-((2 * i) as f64) / n_dims as f64 * log_base);
            power / (f64::from(factor) * config.rope_scale)
        };
        let frequencies = (0..n_dims / 2).map(frequency).collect();
        Rope { frequencies, pairing: config.architecture.pairing(), head_dim: config.head_dim }
    }

    /// The angles at the positions of the rows.
    pub(super) fn angles(&self, positions: impl Iterator<Item = usize>) -> Angles {
        let angle = |pos: usize, frequency: &f64| {
            let (sin, cos) = sin_cos(pos as f64 * frequency);
            (cos as f32, sin as f32)
        };
        positions.flat_map(|pos| self.frequencies.iter().map(move |f| angle(pos, f))).collect()
    }

    /// Turns every head of every row: `x` (n, width), a whole number of heads a row.
    pub(super) fn turn(&self, x: &mut [f32], width: usize, angles: &Angles) {
        let n_pairs = self.frequencies.len();
        if n_pairs == 0 {
            return;
        }
        for (row, angles) in x.chunks_exact_mut(width).zip(angles.chunks_exact(n_pairs)) {
            for head in row.chunks_exact_mut(self.head_dim) {
                self.turn_head(head, angles);
            }
        }
    }

    fn turn_head(&self, head: &mut [f32], angles: &[(f32, f32)]) {
        let turn = |a: &mut f32, b: &mut f32, &(cos, sin): &(f32, f32)| {
            (*a, *b) = (*a * cos - *b * sin, *a * sin + *b * cos);
        };
        match self.pairing {
            Pairing::Adjacent => {
                for ([a, b], angle) in head.as_chunks_mut::<2>().0.iter_mut().zip(angles) {
                    turn(a, b, angle);
                }
            }
            Pairing::Halves => {
                let (first, second) = head.split_at_mut(self.frequencies.len());
                for ((a, b), angle) in first.iter_mut().zip(second).zip(angles) {
                    turn(a, b, angle);
                }
            }
        }
    }
}
