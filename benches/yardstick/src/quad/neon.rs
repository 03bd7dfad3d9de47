//! aarch64's NEON, which every such processor has.

use core::arch::aarch64::*;

#[derive(Clone, Copy)]
pub struct Quad(float32x4_t);

// SAFETY, of every block here: NEON is part of aarch64.
#[allow(clippy::inline_always, reason = "each is one or two instructions")]
#[allow(unused_unsafe, reason = "newer compilers know that these need no more than NEON")]
impl Quad {
    #[inline(always)]
    pub fn splat(value: f32) -> Self {
        Self(unsafe { vdupq_n_f32(value) })
    }

    #[inline(always)]
    pub fn load(four: &[f32; 4]) -> Self {
        // SAFETY: a reference to 16 bytes; the load needs no alignment.
        Self(unsafe { vld1q_f32(four.as_ptr()) })
    }

    #[inline(always)]
    pub fn lanes(self) -> [f32; 4] {
        let mut lanes = [0.0; 4];
        // SAFETY: room for 16 bytes; the store needs no alignment.
        unsafe { vst1q_f32(lanes.as_mut_ptr(), self.0) };
        lanes
    }

    #[inline(always)]
    pub fn add(self, other: Self) -> Self {
        Self(unsafe { vaddq_f32(self.0, other.0) })
    }

    #[inline(always)]
    pub fn sub(self, other: Self) -> Self {
        Self(unsafe { vsubq_f32(self.0, other.0) })
    }

    #[inline(always)]
    pub fn mul(self, other: Self) -> Self {
        Self(unsafe { vmulq_f32(self.0, other.0) })
    }

    /// The higher of each lane; a NaN is not looked for.
    #[inline(always)]
    pub fn max(self, other: Self) -> Self {
        Self(unsafe { vmaxq_f32(self.0, other.0) })
    }

    /// Times 2^n, n in the low bits of each lane of `shifted`.
    #[inline(always)]
    pub fn times_power_of_two(self, shifted: Self) -> Self {
        Self(unsafe {
            let power = vshlq_n_s32::<23>(vreinterpretq_s32_f32(shifted.0));
            vreinterpretq_f32_s32(vaddq_s32(vreinterpretq_s32_f32(self.0), power))
        })
    }
}
