//! The forward pass: writes the logits, and the tapes that the backward pass reads.

use super::{Dropout, Linears, Network, add, output};
use crate::ops::attention::Attention;
use crate::ops::{rms_norm, swiglu};

impl Network {
    pub(super) fn forward(&mut self, params: &[f32], inputs: &[u32], dropout: Dropout) {
        let (n, dim) = (inputs.len(), self.shape.dim);
        assert!(0 < n && n <= self.shape.n_ctx, "a sequence within the context");
        for (x, &id) in self.x.chunks_exact_mut(dim).zip(inputs) {
            x.copy_from_slice(&params[id as usize * dim..][..dim]);
        }
        dropout.apply(&mut self.x[..n * dim], 0);
        for i in 0..self.shape.n_layers {
            self.attention(params, i, n, dropout);
            self.feed_forward(params, i, n, dropout);
        }
        let norm = &params[self.shape.output_norm()..][..dim];
        let last = &mut self.last[..n * dim];
        rms_norm::forward(&self.x[..n * dim], norm, last, &mut self.factors[..n]);
        output(&self.shape, n).forward(&mut self.arithmetic, params, last, &mut self.logits);
    }

    fn attention(&mut self, params: &[f32], i: usize, n: usize, dropout: Dropout) {
        let (shape, places, tape) = (&self.shape, self.shape.layer(i), &mut self.layers[i]);
        let linears = Linears::of(shape, &places, n);
        let (dim, width, x) = (shape.dim, shape.qkv_dim(), &mut self.x[..n * shape.dim]);
        tape.x[..n * dim].copy_from_slice(x);
        let norm = &params[places.attn_norm..][..dim];
        rms_norm::forward(x, norm, &mut tape.attn_in, &mut tape.attn_factors[..n]);
        linears.qkv.forward(&mut self.arithmetic, params, &tape.attn_in, &mut tape.qkv);
        let rotated = shape.q_dim() + shape.kv_dim();
        self.rotations.apply(&mut tape.qkv[..n * width], width, rotated, false);
        Attention { shape, n }.forward(&tape.qkv, &mut tape.probabilities, &mut tape.attn_out);
        let branch = &mut self.branch[..n * dim];
        linears.attn_output.forward(&mut self.arithmetic, params, &tape.attn_out, branch);
        dropout.apply(branch, 2 * i + 1);
        add(x, branch);
    }

    fn feed_forward(&mut self, params: &[f32], i: usize, n: usize, dropout: Dropout) {
        let (shape, places, tape) = (&self.shape, self.shape.layer(i), &mut self.layers[i]);
        let linears = Linears::of(shape, &places, n);
        let (dim, ffn, x) = (shape.dim, shape.ffn, &mut self.x[..n * shape.dim]);
        tape.middle[..n * dim].copy_from_slice(x);
        let norm = &params[places.ffn_norm..][..dim];
        rms_norm::forward(x, norm, &mut tape.ffn_in, &mut tape.ffn_factors[..n]);
        linears.gate_up.forward(&mut self.arithmetic, params, &tape.ffn_in, &mut tape.gate_up);
        swiglu::forward(&tape.gate_up[..n * 2 * ffn], &mut tape.activation, ffn);
        let branch = &mut self.branch[..n * dim];
        linears.down.forward(&mut self.arithmetic, params, &tape.activation, branch);
        dropout.apply(branch, 2 * i + 2);
        add(x, branch);
    }
}
