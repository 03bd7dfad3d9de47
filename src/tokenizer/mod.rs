//! Byte-level byte-pair encoding: text to token ids and back.
//!
//! A text is cut into pieces (words, runs of digits, punctuation, white space) by a [`Split`]; each piece begins as its
//! bytes, one symbol a byte; then the neighbouring pair whose merge has the lowest rank is joined, the leftmost first
//! where ranks are equal, until no pair has a merge. What remains are token ids. Nothing is ever unknown: where every byte
//! has a symbol, decoding an encoding gives back the very bytes, valid UTF-8 or not (unless [`Rules`] bring the text into
//! normal form first); a byte without one is left out (see [`vocabulary`]). Text is text: special tokens are found where
//! they are asked for.
//!
//! ```
//! use nucleus_sampler::tokenizer::{Split, Training, train};
//!
//! let training = Training { n_vocab: 260, split: Split::Gpt2, special: vec!["<|end|>".into()] };
//! let tokenizer = train(&[b"the cat, the hat, the mat"], &training)?;
//! let ids = tokenizer.encode(b"the hat");
//! assert!(ids.len() < 7);
//! assert_eq!(tokenizer.decode(&ids)?, b"the hat");
//! assert_eq!(tokenizer.encode_special(b"the<|end|>").last(), Some(&259));
//! # Ok::<(), nucleus_sampler::Error>(())
//! ```
//!
//! `alphabet` (bytes as the printable characters of vocabulary files), `leb128`, `tables` and `class` (which characters are
//! letters, marks and numbers), `nfc`, [`split`] · then [`tokens`], `index` (ids by bytes), `pairs` (merges by pair),
//! [`vocabulary`] · then `merge` (one piece), `words` (pieces that come again), [`mod@train`], [`special`], [`chat`] · then
//! [`Tokenizer`], [`TextStream`], and [`read`]: GGUF vocabularies, `tokenizer.json`, `.tiktoken` ranks.

pub mod alphabet;
pub mod chat;
mod class;
mod decode;
mod encode;
mod index;
mod leb128;
mod merge;
mod nfc;
mod pairs;
pub mod read;
pub mod special;
pub mod split;
mod tables;
pub mod tokens;
pub mod train;
pub mod vocabulary;
mod words;

pub use chat::{ChatTemplate, Message, Next};
pub use decode::TextStream;
pub use encode::{Rules, Tokenizer};
pub use special::SpecialIds;
pub use split::Split;
pub use tokens::{MAX_VOCAB, TokenKind, Tokens};
pub use train::{Training, train};
pub use vocabulary::Vocabulary;
