//! The backward pass: from the logits' gradient, which the loss leaves in their place, to that of every parameter.

use super::{Dropout, Linears, Network, add, output};
use crate::ops::attention::Attention;
use crate::ops::{rms_norm, swiglu};

impl Network {
    /// Adds to `grads`.
    pub(super) fn backward(
        &mut self,
        params: &[f32],
        grads: &mut [f32],
        inputs: &[u32],
        dropout: Dropout,
    ) {
        let (n, dim) = (inputs.len(), self.shape.dim);
        let (arithmetic, dnorm) = (&mut self.arithmetic, &mut self.dnorm[..n * dim]);
        let output = output(&self.shape, n);
        output.backward(arithmetic, (params, grads), &self.last, &self.logits, dnorm);
        let dx = &mut self.dx[..n * dim];
        dx.fill(0.0);
        let place = self.shape.output_norm();
        let (norm, dweight) = (&params[place..][..dim], &mut grads[place..][..dim]);
        rms_norm::backward(dnorm, &self.x[..n * dim], norm, &self.factors, dx, dweight);
        for i in (0..self.shape.n_layers).rev() {
            self.feed_forward_backward(params, grads, i, n, dropout);
            self.attention_backward(params, grads, i, n, dropout);
        }
        dropout.apply(&mut self.dx[..n * dim], 0);
        for (dx, &id) in self.dx.chunks_exact(dim).zip(inputs) {
            add(&mut grads[id as usize * dim..][..dim], dx);
        }
    }

    fn feed_forward_backward(
        &mut self,
        params: &[f32],
        grads: &mut [f32],
        i: usize,
        n: usize,
        dropout: Dropout,
    ) {
        let (shape, places, tape) = (&self.shape, self.shape.layer(i), &self.layers[i]);
        let Linears { gate_up, down, .. } = Linears::of(shape, &places, n);
        let (arithmetic, dim, ffn) = (&mut self.arithmetic, shape.dim, shape.ffn);
        let (dx, branch) = (&mut self.dx[..n * dim], &mut self.branch[..n * dim]);
        branch.copy_from_slice(dx);
        dropout.apply(branch, 2 * i + 2);
        let dactivation = &mut self.dwide;
        down.backward(arithmetic, (params, grads), &tape.activation, branch, dactivation);
        let dgate_up = &mut self.dgate_up[..n * 2 * ffn];
        swiglu::backward(dactivation, &tape.gate_up, dgate_up, ffn);
        let dnorm = &mut self.dnorm[..n * dim];
        gate_up.backward(arithmetic, (params, grads), &tape.ffn_in, dgate_up, dnorm);
        let (norm, dweight) =
            (&params[places.ffn_norm..][..dim], &mut grads[places.ffn_norm..][..dim]);
        rms_norm::backward(dnorm, &tape.middle, norm, &tape.ffn_factors, dx, dweight);
    }

    fn attention_backward(
        &mut self,
        params: &[f32],
        grads: &mut [f32],
        i: usize,
        n: usize,
        dropout: Dropout,
    ) {
        let (shape, places, tape) = (&self.shape, self.shape.layer(i), &self.layers[i]);
        let Linears { qkv, attn_output, .. } = Linears::of(shape, &places, n);
        let (arithmetic, dim, width) = (&mut self.arithmetic, shape.dim, shape.qkv_dim());
        let (dx, branch) = (&mut self.dx[..n * dim], &mut self.branch[..n * dim]);
        branch.copy_from_slice(dx);
        dropout.apply(branch, 2 * i + 1);
        let dattn = &mut self.dgate_up[..n * shape.q_dim()];
        attn_output.backward(arithmetic, (params, grads), &tape.attn_out, branch, dattn);
        let (dqkv, scratch) = (&mut self.dwide[..n * width], &mut self.scratch);
        Attention { shape, n }.backward(dattn, &tape.qkv, &tape.probabilities, dqkv, scratch);
        self.rotations.apply(dqkv, width, shape.q_dim() + shape.kv_dim(), true);
        let dnorm = &mut self.dnorm[..n * dim];
        qkv.backward(arithmetic, (params, grads), &tape.attn_in, dqkv, dnorm);
        let (norm, dweight) =
            (&params[places.attn_norm..][..dim], &mut grads[places.attn_norm..][..dim]);
        rms_norm::backward(dnorm, &tape.x, norm, &tape.attn_factors, dx, dweight);
    }
}
