//! A decoder-only transformer: from token ids to the logits of the next token.
//!
//! x = embedding of the token; then for each layer
//!
//! - x += W_o attention(rope(W_q n), rope(W_k n), W_v n), n = RMSNorm(x);
//! - x += W_down (silu(W_gate n) * W_up n), n = RMSNorm(x);
//!
//! then logits = W_out RMSNorm(x). Attention is grouped: each key and value head serves n_heads / n_kv_heads query heads
//! (multi-head and multi-query are its two ends). Keys and values of earlier positions stay in a `cache`.
//!
//! Indices, everywhere: `t` a row of activations, `pos` its position in its sequence, `h` a head, `i` and `c` an input
//! and an output column. Matrices are (rows, columns), row-major, and multiply from the left: y = W x.
//!
//! What is promised: the same logits, bit for bit, natively and in WebAssembly, with SIMD and without; and whether tokens
//! come one by one, in a batch or beside other sequences.
//!
//! [`gguf`] (files) · [`config`] · [`mod@format`] (how weights are stored and multiplied), `activations`, `matrix` · `norm`,
//! `rope`, `swiglu`, `cache`, `attention` · `layout` (which tensors there are), `weights` · `forward` · then [`Loader`],
//! [`Model`] and [`Session`].

mod activations;
mod attention;
mod cache;
pub mod config;
pub mod format;
mod forward;
pub mod gguf;
mod layout;
mod loader;
mod matrix;
mod norm;
mod rope;
mod session;
mod swiglu;
mod weights;

pub use config::{Architecture, Config};
pub use format::Encoding;
pub use loader::Loader;
pub use session::{Model, Session};
