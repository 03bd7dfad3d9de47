//! Tokenizers from the files that others use, and lists of texts and ids as files.
//!
//! A list of texts is, for each, its length as little-endian u32 and its bytes; a list of ids the same with numbers of
//! 32 bits in place of bytes.

#[cfg(not(target_arch = "wasm32"))]
pub mod vocabulary;
#[cfg(target_arch = "wasm32")]
mod wasm;

use nucleus_sampler::tokenizer::Split;

/// A rule of cutting by its name.
pub fn split(name: &str) -> Option<Split> {
    Split::ALL.into_iter().find(|split| split.name() == name)
}

/// The texts of a list.
pub fn texts(mut bytes: &[u8]) -> Vec<&[u8]> {
    let mut texts = Vec::new();
    while let Some((length, rest)) = bytes.split_first_chunk::<4>() {
        let (text, rest) = rest.split_at(u32::from_le_bytes(*length) as usize);
        texts.push(text);
        bytes = rest;
    }
    texts
}

/// Appends a text to a list.
pub fn push_text(list: &mut Vec<u8>, text: &[u8]) {
    list.extend((text.len() as u32).to_le_bytes());
    list.extend(text);
}

/// Appends ids, or lengths of pieces, to a list.
pub fn push_ids(list: &mut Vec<u8>, ids: &[u32]) {
    list.extend((ids.len() as u32).to_le_bytes());
    list.extend(ids.iter().flat_map(|id| id.to_le_bytes()));
}
