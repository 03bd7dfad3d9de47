//! The token sampler for language models: exact, and reproducible bit for bit.
//!
//! From raw logits it applies penalties, masks, temperature and truncation, and draws a token, for one row or a batch.
//!
//! ```
//! use nucleus_sampler::{Options, Sampler};
//!
//! let mut sampler = Sampler::new(Options {
//!     temperature: Some(0.8),
//!     top_k: Some(40),
//!     top_p: Some(0.95),
//!     seed: Some(42),
//!     ..Options::default()
//! })?;
//! let logits: Vec<f32> = (0..1000).map(|i| (i as f32 * 0.7).rem_euclid(13.0)).collect();
//! let token = sampler.sample(&logits)?;
//! sampler.accept(token)?;
//! println!("{token}, one of {}", sampler.distribution(&logits)?.kept_count);
//! # Ok::<(), nucleus_sampler::Error>(())
//! ```
//!
//! # The map
//!
//! [`Sampler`] is what you make, from [`Options`] (every field may be absent); it draws, previews ([`Distribution`],
//! [`Report`], [`Explanation`], [`Logprobs`]), and remembers what was accepted. [`Rows`] are the rows of a batch,
//! [`RowSampler`] is one of them, [`Input`] a row of logits with what comes along with it, [`BatchInput`] several (half
//! precision: [`half`]). Whatever can go wrong is an [`Error`]. The rule for every edge and tie stands on the page of its
//! [`stage`]; [`stage::own`] adds a stage of yours, [`guard`] watches over those that cut.
//!
//! Rows have options, history and stream of their own; a batch draws one token for each; a state resumes them exactly:
//!
//! ```
//! use nucleus_sampler::{Options, Rows, Sampler};
//!
//! let mut sampler = Sampler::new(Options { top_p: Some(0.9), seed: Some(42), ..Options::default() })?;
//! let warm = sampler.add_row(Options { temperature: Some(1.5), ..Options::default() })?;
//! sampler.row(warm)?.prompt(&[2, 3])?;
//!
//! // Logits of two rows, one after the other: shape (rows, n_vocab).
//! let logits = [2.0, 1.0, 0.5, -1.0, 0.0, 3.0, 2.5, f32::NEG_INFINITY];
//! let rows = [0, warm];
//! let tokens = sampler.sample_batch(&logits, Rows::Ids(&rows))?;
//! for (row, token) in rows.into_iter().zip(&tokens) {
//!     // A row that failed holds `batch::FAILED` and stayed where it was: `row_errors` says why.
//!     if *token != nucleus_sampler::batch::FAILED {
//!         sampler.row(row)?.accept(*token)?;
//!     }
//! }
//!
//! let mut resumed = Sampler::from_state(&sampler.state()?)?;
//! let next = sampler.sample_batch(&logits, Rows::Ids(&rows))?;
//! assert_eq!(resumed.sample_batch(&logits, Rows::Ids(&rows))?, next);
//! # Ok::<(), nucleus_sampler::Error>(())
//! ```
//!
//! Inside, from the bottom up: `error`, [`math`], [`rank`], `repeats`, [`rng`], [`value`], [`names`], [`parameter`],
//! [`options`], `lanes` (vectors) · then `kernel` (the hot path), [`history`], [`controllers`] and [`candidates`] · then
//! [`stage`], one file each · then [`chain`] · then [`report`], [`distribution`], [`explain`], [`logprobs`], [`guard`],
//! [`preset`] · then `input`, `setup`, `sample`, `row`, `threads`, [`sampler`], [`batch`], [`state`] · beside them [`half`],
//! [`stats`], `tokenizer` and `model` · and `wasm`, the only code that knows JavaScript.
//!
//! # What is promised
//!
//! - *Exact.* Weights are integers up to 2^44, so every mass is exact and no order of summation exists.
//! - *Reproducible.* The same seed, options and logits give the same tokens on x86-64, aarch64 and wasm32, with and
//!   without SIMD, alone or in a batch. A change of any token is a *value change*: it gets a heading of its own in the
//!   changelog, never comes in a patch release, and `value_stability` tests stand in its way.
//! - *Errors, never panics.* Bad input is an [`Error`] that names what was wrong and what is accepted; a failed call has
//!   changed nothing.
//!
//! # Features
//!
//! None by default. `serde`: [`value::Value`] (states and options as plain data) implements serde's traits, and so does
//! [`Sampler`], which is written as its state. `model`: `tokenizer` and `model`. `half`: rows of the crate `half`'s f16 and
//! bf16 ([`half::WideRow`]; rows of bits need no feature). `wasm`: the JavaScript face of the sampler; `wasm-model`: that of
//! the model.

pub mod batch;
pub mod candidates;
pub mod chain;
pub mod controllers;
pub mod distribution;
mod error;
pub mod explain;
pub mod guard;
pub mod half;
pub mod history;
mod input;
mod kernel;
mod lanes;
pub mod logprobs;
pub mod math;
#[cfg(feature = "model")]
pub mod model;
pub mod names;
pub mod options;
pub mod parameter;
pub mod preset;
pub mod rank;
mod repeats;
pub mod report;
pub mod rng;
mod row;
mod sample;
pub mod sampler;
mod setup;
pub mod stage;
pub mod state;
pub mod stats;
#[cfg(not(target_arch = "wasm32"))]
mod threads;
#[cfg(feature = "model")]
pub mod tokenizer;
pub mod value;
#[cfg(any(feature = "wasm", feature = "wasm-model"))]
#[allow(
    missing_docs,
    missing_debug_implementations,
    reason = "its documentation is the TypeScript face's"
)]
mod wasm;

pub use batch::Rows;
pub use candidates::Cost;
pub use distribution::Distribution;
pub use error::{Error, Result};
pub use explain::Explanation;
pub use guard::Trip;
pub use input::{BatchInput, Input};
pub use logprobs::{Logprobs, TokenLogprob};
pub use names::{GuardPolicy, PresetName, StageName};
pub use options::{Options, Order, Settings, Window};
pub use report::Report;
pub use row::{MAX_DRAWS, RowSampler};
pub use sample::Sample;
pub use sampler::Sampler;

/// The example in the README, run as it stands there.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
