//! One step of learning: Muon for the matrices, AdamW for embedding and norms.

mod adam;
mod muon;

use crate::options::Options;
use crate::shape::{Kind, Shape};

/// Parameters and what the optimiser remembers, each (n_parameters).
#[derive(Clone)]
pub struct Weights {
    pub params: Vec<f32>,
    /// First moments (AdamW) or momentum (Muon).
    pub first: Vec<f32>,
    /// Second moments; not used for what Muon moves.
    pub second: Vec<f32>,
    /// The averaged parameters; the parameters themselves where no average is asked for.
    pub averaged: Vec<f32>,
}

impl Weights {
    /// Initial weights: matrices that read are normal with deviation 1 / sqrt(columns), those that write are 0.
    pub fn new(shape: &Shape, seed: u64) -> Weights {
        let mut params = vec![0.0; shape.n_parameters()];
        for (i, tensor) in (0u64..).zip(shape.tensors()) {
            let mut random = crate::random::Random::of(seed, 2, i);
            let deviation = match tensor.kind {
                Kind::Embedding => 0.02,
                Kind::Matrix => 0.5 / (tensor.columns as f32).sqrt(),
                Kind::Output => 0.0,
                Kind::Norm => {
                    params[tensor.range()].fill(1.0);
                    continue;
                }
            };
            params[tensor.range()].iter_mut().for_each(|x| *x = deviation * random.normal());
        }
        let zeros = vec![0.0; params.len()];
        Weights { averaged: params.clone(), params, first: zeros.clone(), second: zeros }
    }

    /// Moves the parameters by their gradients; gives the gradients' length before clipping.
    pub fn step(&mut self, shape: &Shape, options: &Options, grads: &mut [f32], step: u64) -> f64 {
        let length = grads.iter().map(|&g| f64::from(g) * f64::from(g)).sum::<f64>().sqrt();
        if length > f64::from(options.clip) {
            let factor = (f64::from(options.clip) / length) as f32;
            grads.iter_mut().for_each(|g| *g *= factor);
        }
        let share = options.rate_at(step);
        for tensor in shape.tensors() {
            let range = tensor.range();
            let is_matrix = matches!(tensor.kind, Kind::Matrix | Kind::Output);
            let params = &mut self.params[range.clone()];
            let first = &mut self.first[range.clone()];
            let rate = share * if is_matrix { options.matrix_rate } else { options.rate };
            let decay = if tensor.kind == Kind::Norm { 0.0 } else { options.weight_decay };
            if is_matrix && !options.adam_only {
                let (rows, columns) = (tensor.rows, tensor.columns);
                muon::step(params, first, &grads[range], (rows, columns), rate, decay);
            } else {
                adam::step(
                    params,
                    first,
                    &mut self.second[range.clone()],
                    &grads[range],
                    rate,
                    decay,
                    step,
                );
            }
        }
        self.average(options.ema, step);
        length
    }

    /// The average forgets faster at first, so that the initial weights weigh nothing.
    fn average(&mut self, ema: f32, step: u64) {
        let keep = ema.min((step as f32 + 1.0) / (step as f32 + 10.0));
        for (averaged, param) in self.averaged.iter_mut().zip(&self.params) {
            *averaged = if ema > 0.0 { param + keep * (*averaged - param) } else { *param };
        }
    }
}
