//! Lanes as an array.

use super::{Lanes, SHIFT, WIDTH};

/// Eight f32.
#[derive(Clone, Copy, Debug)]
pub(crate) struct F32s([f32; WIDTH]);

impl F32s {
    #[inline(always)]
    fn zip(self, other: F32s, f: impl Fn(f32, f32) -> f32) -> F32s {
        let mut lanes = self.0;
        for (lane, other) in lanes.iter_mut().zip(other.0) {
            *lane = f(*lane, other);
        }
        F32s(lanes)
    }

    #[inline(always)]
    pub(crate) fn load(from: &[f32; WIDTH]) -> F32s {
        F32s(*from)
    }

    #[inline(always)]
    pub(crate) fn store(self, to: &mut [f32; WIDTH]) {
        *to = self.0;
    }

    #[inline(always)]
    pub(crate) fn to_array(self) -> [f32; WIDTH] {
        self.0
    }

    /// `f` of the lanes, in as many steps as suit the machine.
    #[inline(always)]
    pub(crate) fn map(self, f: impl Fn(F32s) -> F32s) -> F32s {
        f(self)
    }

    /// `self` where `test` is at least `least`, else 0.
    #[inline(always)]
    pub(crate) fn where_at_least(self, test: F32s, least: F32s) -> F32s {
        let mut lanes = self.0;
        for ((lane, test), least) in lanes.iter_mut().zip(test.0).zip(least.0) {
            *lane = if test >= least { *lane } else { 0.0 };
        }
        F32s(lanes)
    }

    /// `self` where `test` is below `limit`, else 0.
    #[inline(always)]
    pub(crate) fn where_below(self, test: F32s, limit: F32s) -> F32s {
        let mut lanes = self.0;
        for ((lane, test), limit) in lanes.iter_mut().zip(test.0).zip(limit.0) {
            *lane = if test < limit { *lane } else { 0.0 };
        }
        F32s(lanes)
    }

    /// Bit i is 1 where lane i is at least `least`.
    #[inline(always)]
    pub(crate) fn at_least(self, least: F32s) -> u32 {
        let mut bits = 0;
        for (i, (lane, least)) in self.0.iter().zip(least.0).enumerate() {
            bits |= u32::from(*lane >= least) << i;
        }
        bits
    }
}

impl Lanes for F32s {
    #[inline(always)]
    fn splat(value: f32) -> F32s {
        F32s([value; WIDTH])
    }

    #[inline(always)]
    fn add(self, other: F32s) -> F32s {
        self.zip(other, |a, b| a + b)
    }

    #[inline(always)]
    fn sub(self, other: F32s) -> F32s {
        self.zip(other, |a, b| a - b)
    }

    #[inline(always)]
    fn mul(self, other: F32s) -> F32s {
        self.zip(other, |a, b| a * b)
    }

    #[inline(always)]
    fn higher(self, other: F32s) -> F32s {
        self.zip(other, |a, b| if a < b { b } else { a })
    }

    #[inline(always)]
    fn times_power(self, t: F32s) -> F32s {
        self.zip(t, |p, t| f32::from_bits(p.to_bits().wrapping_add(t.to_bits() << 23)))
    }
}

/// What a machine handles at once: all eight, as far as this form knows.
pub(crate) type Half = F32s;

/// Eight u64.
#[derive(Clone, Copy, Debug)]
pub(crate) struct U64s([u64; WIDTH]);

impl U64s {
    #[inline(always)]
    pub(crate) fn zero() -> U64s {
        U64s([0; WIDTH])
    }

    /// Adds the bits of 256 + e; what 256 adds is taken off by [`total`](U64s::total).
    #[inline(always)]
    pub(crate) fn add_shifted(self, e: F32s) -> U64s {
        let mut lanes = self.0;
        for (lane, e) in lanes.iter_mut().zip(e.0) {
            *lane = lane.wrapping_add((f64::from(e) + SHIFT).to_bits());
        }
        U64s(lanes)
    }

    /// The same for e = f of the lanes.
    #[inline(always)]
    pub(crate) fn add_mapped(self, lanes: F32s, f: impl Fn(F32s) -> F32s) -> U64s {
        self.add_shifted(f(lanes))
    }

    /// The same, and stores e.
    #[inline(always)]
    pub(crate) fn add_stored(
        self,
        lanes: F32s,
        f: impl Fn(F32s) -> F32s,
        to: &mut [f32; WIDTH],
    ) -> U64s {
        let e = f(lanes);
        e.store(to);
        self.add_shifted(e)
    }

    /// The sum of the lanes, less the bits that 256 added `n` times in all.
    #[inline(always)]
    pub(crate) fn total(self, n: u64) -> u64 {
        let sum = self.0.iter().fold(0u64, |sum, lane| sum.wrapping_add(*lane));
        sum.wrapping_sub(SHIFT.to_bits().wrapping_mul(n))
    }
}

/// Eight f64.
#[derive(Clone, Copy, Debug)]
pub(crate) struct F64s([f64; WIDTH]);

impl F64s {
    #[inline(always)]
    pub(crate) fn zero() -> F64s {
        F64s([0.0; WIDTH])
    }

    /// Adds ((e + 256) - 256) (l - max) lane by lane.
    #[inline(always)]
    pub(crate) fn add_weighted(self, e: F32s, logits: F32s, max: f32) -> F64s {
        let mut lanes = self.0;
        for ((lane, e), logit) in lanes.iter_mut().zip(e.0).zip(logits.0) {
            let weight = (f64::from(e) + SHIFT) - SHIFT;
            *lane += weight * (f64::from(logit) - f64::from(max));
        }
        F64s(lanes)
    }

    #[inline(always)]
    pub(crate) fn to_array(self) -> [f64; WIDTH] {
        self.0
    }
}
