//! WebAssembly's 128-bit SIMD.

use core::arch::wasm32::*;

#[cfg(not(target_feature = "simd128"))]
compile_error!("the limit is defined with SIMD: build with -C target-feature=+simd128");

#[derive(Clone, Copy)]
pub struct Quad(v128);

#[allow(clippy::inline_always, reason = "each is one instruction")]
impl Quad {
    #[inline(always)]
    pub fn splat(value: f32) -> Self {
        Self(f32x4_splat(value))
    }

    #[inline(always)]
    pub fn load(four: &[f32; 4]) -> Self {
        // SAFETY: a reference to 16 bytes; the load needs no alignment.
        Self(unsafe { v128_load(four.as_ptr().cast()) })
    }

    #[inline(always)]
    pub fn lanes(self) -> [f32; 4] {
        let Self(v) = self;
        [
            f32x4_extract_lane::<0>(v),
            f32x4_extract_lane::<1>(v),
            f32x4_extract_lane::<2>(v),
            f32x4_extract_lane::<3>(v),
        ]
    }

    #[inline(always)]
    pub fn add(self, other: Self) -> Self {
        Self(f32x4_add(self.0, other.0))
    }

    #[inline(always)]
    pub fn sub(self, other: Self) -> Self {
        Self(f32x4_sub(self.0, other.0))
    }

    #[inline(always)]
    pub fn mul(self, other: Self) -> Self {
        Self(f32x4_mul(self.0, other.0))
    }

    /// The higher of each lane; a NaN is not looked for.
    #[inline(always)]
    pub fn max(self, other: Self) -> Self {
        Self(f32x4_pmax(self.0, other.0))
    }

    /// Times 2^n, n in the low bits of each lane of `shifted`.
    #[inline(always)]
    pub fn times_power_of_two(self, shifted: Self) -> Self {
        Self(i32x4_add(self.0, i32x4_shl(shifted.0, 23)))
    }
}
