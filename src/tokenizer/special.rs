//! The ids of tokens that mean something to who generates text.

use super::vocabulary::Vocabulary;
use crate::error::{Error, Result};

/// Ids with a meaning; none by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpecialIds {
    /// The token before the first one of a text.
    pub bos: Option<u32>,
    /// The tokens that end a generation: a text, or a turn of a conversation. Ascending.
    pub ends: Vec<u32>,
    /// Whether the model expects `bos` before every text. Encoding never adds it.
    pub add_bos: bool,
}

/// Texts of special tokens that end a generation, whatever a file says.
const ENDS: [&str; 6] =
    ["<|im_end|>", "<|endoftext|>", "<|eot_id|>", "<|eom_id|>", "<|end_of_text|>", "<|return|>"];

impl SpecialIds {
    /// The ids that a file names, and those known by their texts.
    pub fn new(
        vocabulary: &Vocabulary,
        bos: Option<u32>,
        ends: &[u32],
        add_bos: bool,
    ) -> Result<SpecialIds> {
        let n_vocab = vocabulary.n_vocab();
        for &token in bos.iter().chain(ends) {
            if token as usize >= n_vocab {
                return Err(Error::BadToken { option: "special ids", token, n_vocab });
            }
        }
        let known = ENDS.iter().filter_map(|text| vocabulary.mark(text.as_bytes()));
        let mut all = Vec::new();
        for id in ends.iter().copied().chain(known) {
            let place = all.partition_point(|&other| other < id);
            if all.get(place) != Some(&id) {
                all.insert(place, id);
            }
        }
        Ok(SpecialIds { bos, ends: all, add_bos })
    }
}

#[cfg(test)]
mod tests {
    use super::super::TokenKind;
    use super::*;

    #[test]
    fn ends_are_those_named_and_those_known() {
        let tokens = vec![
            (b"a".to_vec(), TokenKind::Normal),
            (b"<|im_end|>".to_vec(), TokenKind::Special),
            (b"<end>".to_vec(), TokenKind::Special),
        ];
        let vocabulary = Vocabulary::new(tokens, vec![]).unwrap();
        let special = SpecialIds::new(&vocabulary, Some(1), &[2, 2], true).unwrap();
        assert_eq!(special, SpecialIds { bos: Some(1), ends: vec![1, 2], add_bos: true });
        let error = SpecialIds::new(&vocabulary, None, &[3], false).unwrap_err();
        assert_eq!(error.code(), "bad_token");
    }
}
