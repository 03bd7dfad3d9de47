//! No repeated n-gram: a sequence of n tokens never comes twice.
//!
//! **Definition.** A token is removed when the last n - 1 tokens of the text (prompt followed by output) stand earlier in
//! it too, followed by that token.
//!
//! **Parameters.** `no_repeat_ngram_size`: n, an integer in [0, 2^32 - 1]; default and off value 0. n = 1 removes every
//! token of the text.
//!
//! **Boundary and ties.** A text of fewer than n tokens holds no n-gram, and nothing is removed. The earlier n - 1 tokens
//! may overlap the last ones: after 7 7, n = 2 removes 7. The whole text counts, whatever the penalties' window. A mask: it
//! does not know `min_keep`, it applies after temperature 0, and when nothing else is alive the call fails with
//! `nothing_left`.
//!
//! **Draws.** None.
//!
//! **Cost.** One pass over the text, linear however often it repeats itself; a copy of the row where something is removed.
//!
//! **Threshold.** None.
//!
//! **Reference.** `NoRepeatNGramLogitsProcessor` of Hugging Face's transformers; Paulus, Xiong and Socher, *A deep
//! reinforced model for abstractive summarization* (2017), section 2.5.
//!
//! ```
//! use nucleus_sampler::{Options, Sampler};
//! let mut sampler = Sampler::new(Options { no_repeat_ngram_size: Some(2), ..Options::default() })?;
//! sampler.prompt(&[0, 2, 0])?;
//! assert_eq!(sampler.distribution(&[1.0, 2.0, 9.0])?.token_ids, [1, 0]);
//! # Ok::<(), nucleus_sampler::Error>(())
//! ```

use super::{Context, Kind, Stage};
use crate::candidates::Candidates;
use crate::error::Result;
use crate::names::StageName;

/// Removes tokens that would complete an n-gram of the text once more.
#[derive(Clone, Debug)]
pub struct NoRepeatNgram {
    size: u32,
}

impl NoRepeatNgram {
    /// n (0 is off).
    pub(crate) fn new(size: u32) -> NoRepeatNgram {
        NoRepeatNgram { size }
    }
}

impl Stage for NoRepeatNgram {
    fn name(&self) -> StageName {
        StageName::NoRepeatNgram
    }

    fn kind(&self) -> Kind {
        Kind::Masks
    }

    fn is_active(&self) -> bool {
        self.size > 0
    }

    fn apply(&self, candidates: &mut Candidates<'_>, context: &Context<'_>) -> Result<()> {
        let Some(others) = self.size.checked_sub(1) else { return Ok(()) };
        if others == 0 {
            candidates.remove(context.history.newest_first());
            return Ok(());
        }
        let mut repeats = candidates.lend_repeats();
        repeats.read(context.history.newest_first());
        if repeats.longest() >= others {
            let repeated = repeats.followed().filter(|(_, length)| *length >= others);
            candidates.remove(repeated.map(|(token, _)| token));
        }
        candidates.return_repeats(repeats);
        Ok(())
    }
}
