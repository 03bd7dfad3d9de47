//! The JavaScript face: convert, call, convert back. Nothing else in the crate knows JavaScript.
//!
//! What is exported here is thin and unchecked in its types; `js/` puts the documented classes over it.

#[cfg(feature = "wasm")]
mod ask;
#[cfg(feature = "wasm")]
mod buffer;
#[cfg(feature = "wasm")]
mod convert;
mod error;
#[cfg(feature = "wasm-model")]
mod model;
#[cfg(feature = "wasm")]
mod reserve;
#[cfg(feature = "wasm")]
mod sampler;
#[cfg(feature = "wasm")]
mod stats;
#[cfg(feature = "wasm-model")]
mod tokenizer;
#[cfg(feature = "trap")]
mod trap;

use wasm_bindgen::prelude::wasm_bindgen;

/// Says on the console what broke when something that must not happen happens, and prepares for it.
#[cfg(feature = "wasm")]
#[wasm_bindgen(start)]
fn start() {
    reserve::set_aside();
    std::panic::set_hook(Box::new(|info| {
        web_sys::console::error_1(&format!("nucleus-sampler: {info}").into());
    }));
}

/// Whether this module was compiled with SIMD: both builds give the same results, so nothing else tells.
#[wasm_bindgen]
#[must_use]
pub fn simd() -> bool {
    cfg!(target_feature = "simd128")
}
