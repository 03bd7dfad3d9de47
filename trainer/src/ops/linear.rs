//! A linear layer: y = x · Wᵀ, with its matrix W (outputs, inputs) row-major among all parameters.

use crate::matrix::{View, ViewMut};
use crate::mixed::Arithmetic;

/// The layer for a sequence of `n` tokens: x is (n, inputs), y is (n, outputs).
pub struct Linear {
    pub n: usize,
    /// Where W begins among the parameters, and its gradient among theirs.
    pub begin: usize,
    pub outputs: usize,
    pub inputs: usize,
}

impl Linear {
    /// Writes `y`.
    pub fn forward(&self, arithmetic: &mut Arithmetic, params: &[f32], x: &[f32], y: &mut [f32]) {
        let weights = View::new(&params[self.begin..], self.outputs, self.inputs);
        let y = ViewMut::new(y, self.n, self.outputs);
        arithmetic.set(y, View::new(x, self.n, self.inputs), weights.t());
    }

    /// Adds dyᵀ · x to W's gradient, and writes `dx`, which is dy · W.
    pub fn backward(
        &self,
        arithmetic: &mut Arithmetic,
        (params, grads): (&[f32], &mut [f32]),
        x: &[f32],
        dy: &[f32],
        dx: &mut [f32],
    ) {
        let Linear { n, begin, outputs, inputs } = *self;
        let dy = View::new(dy, n, outputs);
        let gradient = ViewMut::new(&mut grads[begin..], outputs, inputs);
        arithmetic.add(gradient, dy.t(), View::new(x, n, inputs));
        let weights = View::new(&params[begin..], outputs, inputs);
        arithmetic.set(ViewMut::new(dx, n, inputs), dy, weights);
    }
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::*;

    #[test]
    fn gradients_are_added_for_the_matrix_and_written_for_the_input() {
        let layer = Linear { n: 3, begin: 7, outputs: 5, inputs: 4 };
        let (x, dy) = (check::numbers(12, 1), check::numbers(15, 2));
        let params = check::numbers(7 + 20 + 2, 3);
        let arithmetic = &mut Arithmetic::default();
        let (mut dx, mut grads) = (vec![1.0; 12], vec![1.0; params.len()]);
        layer.backward(arithmetic, (&params, &mut grads), &x, &dy, &mut dx);
        let grads: Vec<f32> = grads.iter().map(|gradient| gradient - 1.0).collect();
        assert!(grads[..7].iter().chain(&grads[27..]).all(|gradient| *gradient == 0.0));
        let mut loss = |params: &[f32], x: &[f32]| {
            let mut y = vec![0.0; 15];
            layer.forward(arithmetic, params, x, &mut y);
            check::dot(&y, &dy)
        };
        check::gradient(&x, &dx, |x| loss(&params, x));
        check::gradient(&params, &grads, |params| loss(params, &x));
    }
}
