//! Byte-level byte-pair encoding: text to token ids and back.
//!
//! A text is cut into pieces (words, runs of digits, punctuation, white space) by a [`Split`]; each piece begins as its
//! bytes, one symbol a byte; then the neighbouring pair whose merge has the lowest rank is joined, the leftmost first
//! where ranks are equal, until no pair has a merge. What remains are token ids. Every byte has a symbol, so nothing is
//! ever unknown, and decoding an encoding gives back the very bytes, valid UTF-8 or not.
//!
//! `alphabet` (bytes as the printable characters of vocabulary files), `class` and `tables` (which characters are
//! letters and numbers), [`split`], `pairs` (merges by pair) · then [`vocabulary`], `merge` (one piece), [`mod@train`] · then
//! [`Tokenizer`] and [`TextStream`].

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
