//! Samplers that differ from another in nothing but their streams.

use super::Sampler;
use crate::error::Result;
use crate::options::Options;

impl Sampler {
    /// An identical sampler whose row 0 is on `stream` and whose other rows are as far from it as they were: its draws
    /// are independent of this one's as long as no stream of one is a stream of the other.
    pub fn clone_on_stream(&self, stream: u32) -> Result<Sampler> {
        let mut clone = self.clone();
        let step = stream.wrapping_sub(self.rows.first().map_or(0, |(_, row)| row.stream));
        for (_, row) in &mut clone.rows {
            row.given.stream = row.given.stream.map(|own| own.wrapping_add(step));
        }
        let moved = self.given.stream.unwrap_or(0).wrapping_add(step);
        clone.update(&Options { stream: Some(moved), ..Options::default() }, None)?;
        Ok(clone)
    }
}
