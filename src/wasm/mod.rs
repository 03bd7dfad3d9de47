//! The JavaScript face: convert, call, convert back. Nothing else in the crate knows JavaScript.
//!
//! What is exported here is thin and unchecked in its types; `js/` puts the documented classes over it.

mod buffer;
mod convert;
mod error;
mod sampler;
mod stats;
