//! Four f32 lanes in a 128-bit register, on each processor that the limit is measured on.

#[cfg_attr(target_arch = "wasm32", path = "quad/simd128.rs")]
#[cfg_attr(target_arch = "x86_64", path = "quad/sse2.rs")]
#[cfg_attr(target_arch = "aarch64", path = "quad/neon.rs")]
mod registers;

pub use registers::Quad;
