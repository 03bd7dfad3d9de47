//! Four u32: one word of four blocks of a stream.

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[path = "quad/simd128.rs"]
mod form;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[path = "quad/array.rs"]
mod form;

pub(super) use form::Quad;
