//! Row 0, called by the sampler's name.

use super::Sampler;
use crate::distribution::Distribution;
use crate::error::Result;
use crate::explain::Explanation;
use crate::input::Input;
use crate::logprobs::Logprobs;
use crate::report::Report;
use crate::sample::Sample;

impl Sampler {
    /// Draws a token and advances one position; does not touch the history. See [`RowSampler::sample`](crate::RowSampler::sample).
    pub fn sample<'i>(&mut self, input: impl Into<Input<'i>>) -> Result<u32> {
        self.row(0)?.sample(input)
    }

    /// Draws a token and describes the draw.
    pub fn sample_detailed<'i>(&mut self, input: impl Into<Input<'i>>) -> Result<Sample> {
        self.row(0)?.sample_detailed(input)
    }

    /// What `n` calls of [`sample`](Sampler::sample) with this input return.
    pub fn sample_many<'i>(&mut self, input: impl Into<Input<'i>>, n: usize) -> Result<Vec<u32>> {
        self.row(0)?.sample_many(input, n)
    }

    /// The kept tokens, highest first; consumes nothing.
    pub fn distribution<'i>(&mut self, input: impl Into<Input<'i>>) -> Result<Distribution> {
        self.row(0)?.distribution(input)
    }

    /// What each stage saw, removed and kept; consumes nothing.
    pub fn report<'i>(&mut self, input: impl Into<Input<'i>>, tokens: bool) -> Result<Report> {
        self.row(0)?.report(input, tokens)
    }

    /// Why `token` is in or out; consumes nothing.
    pub fn explain<'i>(&mut self, input: impl Into<Input<'i>>, token: u32) -> Result<Explanation> {
        self.row(0)?.explain(input, token)
    }

    /// The `n` best tokens with raw and final log probabilities, plus `token` if it is not among them.
    pub fn logprobs<'i>(
        &mut self,
        input: impl Into<Input<'i>>,
        n: usize,
        token: Option<u32>,
    ) -> Result<Logprobs> {
        self.row(0)?.logprobs(input, n, token)
    }

    /// Records a chosen token. See [`RowSampler::accept`](crate::RowSampler::accept).
    pub fn accept(&mut self, token: u32) -> Result<()> {
        self.row(0)?.accept(token)
    }

    /// Records tokens of the prompt.
    pub fn prompt(&mut self, tokens: &[u32]) -> Result<()> {
        self.row(0)?.prompt(tokens)
    }
}
