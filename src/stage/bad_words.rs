//! Bad words: sequences of tokens that never appear.
//!
//! **Definition.** The last token of a sequence is removed where the text (prompt followed by output) ends in the
//! sequence's other tokens; that of a sequence of one token always.
//!
//! **Parameters.** `bad_words`: lists of token ids, each with at least one; repetitions are harmless; default and off
//! value: no list.
//!
//! **Boundary and ties.** A text shorter than a sequence's other tokens does not end in them. An id outside the
//! vocabulary is an error, wherever it stands in a sequence. A mask: it does not know `min_keep`, it applies after
//! temperature 0, and when nothing else is alive the call fails with `nothing_left`.
//!
//! **Draws.** None.
//!
//! **Cost.** One step a token of the sequences; a copy of the row where one of them is at its end.
//!
//! **Threshold.** None.
//!
//! **Reference.** `NoBadWordsLogitsProcessor` of Hugging Face's transformers.
//!
//! ```
//! use nucleus_sampler::{Options, Sampler};
//! let words = vec![vec![0, 1], vec![2]];
//! let mut sampler = Sampler::new(Options { bad_words: Some(words), ..Options::default() })?;
//! assert_eq!(sampler.distribution(&[1.0, 2.0, 3.0])?.token_ids, [1, 0]);
//! sampler.accept(0)?;
//! assert_eq!(sampler.distribution(&[1.0, 2.0, 3.0])?.token_ids, [0]);
//! # Ok::<(), nucleus_sampler::Error>(())
//! ```

use super::{Context, Kind, Stage};
use crate::candidates::Candidates;
use crate::error::{Error, Result};
use crate::history::History;
use crate::names::StageName;

/// Removes the last token of a sequence where the text ends in its other ones.
#[derive(Clone, Debug)]
pub struct BadWords {
    sequences: Vec<Vec<u32>>,
    /// The highest id of all.
    highest: Option<u32>,
}

impl BadWords {
    /// The sequences, none of them empty; none is off.
    pub(crate) fn new(sequences: &[Vec<u32>]) -> BadWords {
        let highest = sequences.iter().flatten().copied().max();
        BadWords { sequences: sequences.to_vec(), highest }
    }

    fn banned(&self, history: &History) -> impl Iterator<Item = u32> {
        let complete = |sequence: &Vec<u32>| {
            let (last, others) = sequence.split_last()?;
            history.ends_with(others).then_some(*last)
        };
        self.sequences.iter().filter_map(complete)
    }
}

impl Stage for BadWords {
    fn name(&self) -> StageName {
        StageName::BadWords
    }

    fn kind(&self) -> Kind {
        Kind::Masks
    }

    fn is_active(&self) -> bool {
        !self.sequences.is_empty()
    }

    fn apply(&self, candidates: &mut Candidates<'_>, context: &Context<'_>) -> Result<()> {
        let n_vocab = candidates.n_vocab();
        if let Some(token) = self.highest.filter(|id| *id as usize >= n_vocab) {
            return Err(Error::BadToken { option: "badWords", token, n_vocab });
        }
        candidates.remove(self.banned(context.history));
        Ok(())
    }
}
