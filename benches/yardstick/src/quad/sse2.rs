//! x86-64's SSE2, which every such processor has.

use core::arch::x86_64::*;

#[derive(Clone, Copy)]
pub struct Quad(__m128);

// SAFETY, of every block here: SSE2 is part of x86-64.
#[allow(clippy::inline_always, reason = "each is one instruction")]
#[allow(unused_unsafe, reason = "newer compilers know that these need no more than SSE2")]
impl Quad {
    #[inline(always)]
    pub fn splat(value: f32) -> Self {
        Self(unsafe { _mm_set1_ps(value) })
    }

    #[inline(always)]
    pub fn load(four: &[f32; 4]) -> Self {
        // SAFETY: a reference to 16 bytes; the load needs no alignment.
        Self(unsafe { _mm_loadu_ps(four.as_ptr()) })
    }

    #[inline(always)]
    pub fn lanes(self) -> [f32; 4] {
        let mut lanes = [0.0; 4];
        // SAFETY: room for 16 bytes; the store needs no alignment.
        unsafe { _mm_storeu_ps(lanes.as_mut_ptr(), self.0) };
        lanes
    }

    #[inline(always)]
    pub fn add(self, other: Self) -> Self {
        Self(unsafe { _mm_add_ps(self.0, other.0) })
    }

    #[inline(always)]
    pub fn sub(self, other: Self) -> Self {
        Self(unsafe { _mm_sub_ps(self.0, other.0) })
    }

    #[inline(always)]
    pub fn mul(self, other: Self) -> Self {
        Self(unsafe { _mm_mul_ps(self.0, other.0) })
    }

    /// The higher of each lane; a NaN is not looked for.
    #[inline(always)]
    pub fn max(self, other: Self) -> Self {
        Self(unsafe { _mm_max_ps(other.0, self.0) })
    }

    /// Times 2^n, n in the low bits of each lane of `shifted`.
    #[inline(always)]
    pub fn times_power_of_two(self, shifted: Self) -> Self {
        Self(unsafe {
            let power = _mm_slli_epi32::<23>(_mm_castps_si128(shifted.0));
            _mm_castsi128_ps(_mm_add_epi32(_mm_castps_si128(self.0), power))
        })
    }
}
