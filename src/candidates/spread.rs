//! How far the logits spread, and what lies within a distance of the highest.

use super::{Candidates, Form, Scratch};
use crate::kernel::{self, add_lanes};
use crate::math::{rank_key, rank_key_logit};

/// Lanes of a sum.
const WIDTH: usize = 8;

impl Candidates<'_> {
    /// The standard deviation of the logits alive, those of weight 0 included: that of the population, in f64, two passes.
    ///
    /// Both passes sum distances from the highest logit, so that a number added to every logit changes nothing.
    pub fn standard_deviation(&mut self) -> f64 {
        self.settle();
        let n = self.n_alive() as f64;
        let mean = self.sum_of_distances(|d| d) / n;
        let variance = self.sum_of_distances(|d| (d - mean) * (d - mean)) / n;
        variance.sqrt()
    }

    /// The sum over the tokens alive of `f` of l - max, in 8 lanes by token id mod 8, in the contract's order of addition.
    fn sum_of_distances(&self, f: impl Fn(f64) -> f64) -> f64 {
        let max = f64::from(self.max);
        let mut lanes = [0.0; WIDTH];
        let term = |logit: f32| match logit {
            f32::NEG_INFINITY => 0.0,
            _ => f(f64::from(logit) - max),
        };
        if self.form == Form::Listed {
            let Scratch { logits, ids, .. } = &*self.scratch;
            for (logit, id) in logits.iter().zip(ids) {
                if let Some(lane) = lanes.get_mut(*id as usize % WIDTH) {
                    *lane += term(*logit);
                }
            }
        } else {
            for vector in self.logits().chunks(WIDTH) {
                for (lane, logit) in lanes.iter_mut().zip(vector) {
                    *lane += term(*logit);
                }
            }
        }
        add_lanes(lanes)
    }

    /// Keeps tokens with l - max >= -`distance`, in f64; the first `min_keep` by rank when those would be fewer.
    pub fn keep_within(&mut self, distance: f64, min_keep: usize) {
        self.settle();
        let lowest = lowest_within(self.max, distance);
        if lowest == f32::MIN {
            return;
        }
        if self.form == Form::Listed {
            let near = self.scratch.logits.iter().filter(|logit| **logit >= lowest).count();
            return match near < min_keep {
                true => self.keep_top(min_keep),
                false => self.list(|candidate, _| candidate.logit >= lowest),
            };
        }
        let Scratch { edited, maxima, listed, .. } = &mut *self.scratch;
        let row = self.form.dense(self.given, edited);
        kernel::gather(row, maxima, lowest, usize::MAX, listed);
        match listed.logits.len() < min_keep {
            true => self.keep_top(min_keep),
            false => self.adopt_gathered(),
        }
    }
}

/// The lowest logit l with l - max >= -distance in f64, found among all finite ones by halving.
fn lowest_within(max: f32, distance: f64) -> f32 {
    let within = |key: u32| f64::from(rank_key_logit(key)) - f64::from(max) >= -distance;
    let (mut low, mut high) = (rank_key(f32::MIN), rank_key(max));
    while low < high {
        let middle = low + (high - low) / 2;
        if within(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    rank_key_logit(high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_within_a_distance_is_within_and_the_next_one_is_not() {
        let maxima = [0.0, -0.0, 1.0, -3.5, 1e10, f32::MAX, f32::MIN_POSITIVE, 7e-40];
        for max in maxima {
            for distance in [0.0, 1e-300, 1e-7, 0.3, 1.0, 1e10, 1e38, 3.3e38] {
                let lowest = lowest_within(max, distance);
                let within = |logit: f32| f64::from(logit) - f64::from(max) >= -distance;
                assert!(within(lowest), "{lowest} below {max} by {distance}");
                let lower = lowest.next_down();
                assert!(lower < f32::MIN || !within(lower) || lowest == f32::MIN, "{lowest}");
            }
            assert_eq!(lowest_within(max, f64::MAX), f32::MIN);
            assert_eq!(lowest_within(max, f64::INFINITY), f32::MIN);
        }
        assert_eq!(lowest_within(f32::MIN, 0.0), f32::MIN);
    }
}
