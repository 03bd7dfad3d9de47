//! Gathering: the places whose logit reaches a threshold, in ascending order, skipping groups that hold none.

use core::ops::Range;

use super::GROUP;
use super::lanes::{F32s, Lanes, WIDTH};
use super::scan::Maxima;

/// Some places of a row with their logits, in ascending order of place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Listed {
    /// Places.
    pub places: Vec<u32>,
    /// Their logits.
    pub logits: Vec<f32>,
    /// Groups searched since the counter was set back.
    pub opened: u64,
}

impl Listed {
    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.places.clear();
        self.logits.clear();
    }

    /// Moves a run of places to `to`, at or before it.
    pub(crate) fn copy_within(&mut self, run: Range<usize>, to: usize) {
        self.places.copy_within(run.clone(), to);
        self.logits.copy_within(run, to);
    }

    /// Keeps the first `n`.
    pub(crate) fn truncate(&mut self, n: usize) {
        self.places.truncate(n);
        self.logits.truncate(n);
    }

    pub(super) fn push(&mut self, place: usize, logit: f32) {
        self.places.push(place as u32);
        self.logits.push(logit + 0.0);
    }
}

/// Lists the places whose logit is at least `threshold`, which is above -infinity; stops once there are more than `limit`.
///
/// `maxima` are the row's. Returns whether everything was listed.
pub(crate) fn gather(
    row: &[f32],
    maxima: &Maxima,
    threshold: f32,
    limit: usize,
    listed: &mut Listed,
) -> bool {
    listed.clear();
    let least = F32s::splat(threshold);
    for ((g, group), maxima) in row.chunks(GROUP).enumerate().zip(maxima) {
        if F32s::load(maxima).at_least(least) == 0 {
            continue;
        }
        if listed.places.len() > limit {
            return false;
        }
        listed.opened += 1;
        let (chunks, rest) = group.as_chunks::<WIDTH>();
        // Byte i, bit j is place 8 i + j: one loop over a word mispredicts less than eight over bytes.
        let mut reaching = [0; GROUP / WIDTH];
        for (chunk, bits) in chunks.iter().zip(&mut reaching) {
            *bits = F32s::load(chunk).at_least(least) as u8;
        }
        let mut word = u64::from_le_bytes(reaching);
        while word != 0 {
            let i = word.trailing_zeros() as usize;
            word &= word - 1;
            if let Some(logit) = group.get(i) {
                listed.push(g * GROUP + i, *logit);
            }
        }
        for (i, logit) in rest.iter().enumerate().filter(|(_, logit)| **logit >= threshold) {
            listed.push(g * GROUP + chunks.len() * WIDTH + i, *logit);
        }
    }
    listed.places.len() <= limit
}

#[cfg(test)]
mod tests {
    use super::super::scan::scan;
    use super::*;

    #[test]
    fn lists_exactly_the_places_that_reach_the_threshold() {
        for n in [1, 7, 8, 63, 64, 65, 130, 1000] {
            let row: Vec<f32> = (0..n).map(|i| ((i * 37) % 101) as f32).collect();
            let mut maxima = Maxima::new();
            scan(&row, &mut maxima).unwrap();
            for threshold in [0.0, 50.0, 99.5, 100.0, 101.0] {
                let mut listed = Listed::default();
                assert!(gather(&row, &maxima, threshold, n, &mut listed));
                let expected: Vec<u32> =
                    (0..n as u32).filter(|i| row[*i as usize] >= threshold).collect();
                assert_eq!(listed.places, expected);
                assert!(
                    listed.places.iter().zip(&listed.logits).all(|(i, l)| row[*i as usize] == *l)
                );
            }
        }
    }

    #[test]
    fn says_when_there_are_more_than_the_limit() {
        let row = vec![1.0; 300];
        let mut maxima = Maxima::new();
        scan(&row, &mut maxima).unwrap();
        assert!(!gather(&row, &maxima, 0.5, 100, &mut Listed::default()));
        assert!(gather(&row, &maxima, 0.5, 300, &mut Listed::default()));
    }
}
