//! The JavaScript face: convert, call, convert back. Nothing else in the crate knows JavaScript.
//!
//! What is exported here is thin and unchecked in its types; `js/` puts the documented classes over it.

mod ask;
mod buffer;
mod convert;
mod error;
mod sampler;
mod stats;

use wasm_bindgen::prelude::wasm_bindgen;

/// Says on the console what broke when something that must not happen happens.
#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|info| {
        web_sys::console::error_1(&format!("nucleus-sampler: {info}").into());
    }));
}

/// Whether this module was compiled with SIMD: both builds draw the same tokens, so nothing else tells.
#[wasm_bindgen]
#[must_use]
pub fn simd() -> bool {
    cfg!(target_feature = "simd128")
}
