//! Some places of a row with their logits and e, in ascending order of place.

use super::weigh::weight;

/// Places with their logits and e; the three lists have one length.
#[derive(Clone, Debug, Default)]
pub(crate) struct Near {
    /// Places.
    pub places: Vec<u32>,
    /// Their logits.
    pub logits: Vec<f32>,
    /// Their e.
    pub exps: Vec<f32>,
}

impl Near {
    /// How many places.
    pub(crate) fn len(&self) -> usize {
        self.logits.len()
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.places.clear();
        self.logits.clear();
        self.exps.clear();
    }

    /// Adds a place.
    pub(crate) fn push(&mut self, place: u32, logit: f32, e: f32) {
        self.places.push(place);
        self.logits.push(logit);
        self.exps.push(e);
    }

    /// Lists all of these, placed by their indices.
    pub(crate) fn fill(&mut self, logits: &[f32], exps: &[f32]) {
        self.clear();
        self.places.extend(0..logits.len() as u32);
        self.logits.extend_from_slice(logits);
        self.exps.extend_from_slice(exps);
    }

    /// The mass of all.
    pub(crate) fn mass(&self) -> u64 {
        self.exps.iter().map(|e| weight(*e)).sum()
    }
}
