//! Lanes as two WebAssembly vectors.

use core::arch::wasm32::{
    f32x4, f32x4_add, f32x4_extract_lane, f32x4_ge, f32x4_lt, f32x4_mul, f32x4_pmax, f32x4_splat,
    f32x4_sub, f64x2_add, f64x2_extract_lane, f64x2_mul, f64x2_promote_low_f32x4, f64x2_splat,
    f64x2_sub, i32x4_add, i32x4_bitmask, i32x4_shl, i32x4_shuffle, i64x2_add, i64x2_splat,
    u64x2_extract_lane, v128, v128_and,
};

use core::hint::black_box;

use super::{Lanes, SHIFT, WIDTH};

/// Four f32.
#[derive(Clone, Copy, Debug)]
pub(crate) struct F32x4(pub(super) v128);

impl Lanes for F32x4 {
    #[inline(always)]
    fn splat(value: f32) -> F32x4 {
        F32x4(f32x4_splat(value))
    }

    #[inline(always)]
    fn constant(value: f32) -> F32x4 {
        F32x4(black_box(f32x4_splat(value)))
    }

    #[inline(always)]
    fn add(self, other: F32x4) -> F32x4 {
        F32x4(f32x4_add(self.0, other.0))
    }

    #[inline(always)]
    fn sub(self, other: F32x4) -> F32x4 {
        F32x4(f32x4_sub(self.0, other.0))
    }

    #[inline(always)]
    fn mul(self, other: F32x4) -> F32x4 {
        F32x4(f32x4_mul(self.0, other.0))
    }

    #[inline(always)]
    fn higher(self, other: F32x4) -> F32x4 {
        F32x4(f32x4_pmax(self.0, other.0))
    }

    #[inline(always)]
    fn times_power(self, t: F32x4) -> F32x4 {
        F32x4(i32x4_add(self.0, i32x4_shl(t.0, 23)))
    }
}

impl F32x4 {
    #[inline(always)]
    pub(crate) fn to_array(self) -> [f32; 4] {
        [
            f32x4_extract_lane::<0>(self.0),
            f32x4_extract_lane::<1>(self.0),
            f32x4_extract_lane::<2>(self.0),
            f32x4_extract_lane::<3>(self.0),
        ]
    }
}

/// What a machine handles at once.
pub(crate) type Half = F32x4;

/// Eight f32.
#[derive(Clone, Copy, Debug)]
pub(crate) struct F32s(F32x4, F32x4);

impl F32s {
    #[inline(always)]
    pub(crate) fn load(from: &[f32; WIDTH]) -> F32s {
        let [a, b, c, d, e, f, g, h] = *from;
        F32s(F32x4(f32x4(a, b, c, d)), F32x4(f32x4(e, f, g, h)))
    }

    #[inline(always)]
    pub(crate) fn store(self, to: &mut [f32; WIDTH]) {
        *to = self.to_array();
    }

    #[inline(always)]
    pub(crate) fn to_array(self) -> [f32; WIDTH] {
        let ([a, b, c, d], [e, f, g, h]) = (self.0.to_array(), self.1.to_array());
        [a, b, c, d, e, f, g, h]
    }

    /// `f` of the lanes, in as many steps as suit the machine.
    #[inline(always)]
    pub(crate) fn map(self, f: impl Fn(F32x4) -> F32x4) -> F32s {
        F32s(f(self.0), f(self.1))
    }

    /// `self` where `test` is at least `least`, else 0.
    #[inline(always)]
    pub(crate) fn where_at_least(self, test: F32s, least: F32s) -> F32s {
        let half =
            |e: F32x4, test: F32x4, least: F32x4| F32x4(v128_and(e.0, f32x4_ge(test.0, least.0)));
        F32s(half(self.0, test.0, least.0), half(self.1, test.1, least.1))
    }

    /// `self` where `test` is below `limit`, else 0.
    #[inline(always)]
    pub(crate) fn where_below(self, test: F32s, limit: F32s) -> F32s {
        let half =
            |e: F32x4, test: F32x4, limit: F32x4| F32x4(v128_and(e.0, f32x4_lt(test.0, limit.0)));
        F32s(half(self.0, test.0, limit.0), half(self.1, test.1, limit.1))
    }

    /// Bit i is 1 where lane i is at least `least`.
    #[inline(always)]
    pub(crate) fn at_least(self, least: F32s) -> u32 {
        let half =
            |lanes: F32x4, least: F32x4| u32::from(i32x4_bitmask(f32x4_ge(lanes.0, least.0)));
        half(self.0, least.0) | half(self.1, least.1) << 4
    }
}

impl Lanes for F32s {
    #[inline(always)]
    fn splat(value: f32) -> F32s {
        F32s(F32x4::splat(value), F32x4::splat(value))
    }

    #[inline(always)]
    fn add(self, other: F32s) -> F32s {
        F32s(self.0.add(other.0), self.1.add(other.1))
    }

    #[inline(always)]
    fn sub(self, other: F32s) -> F32s {
        F32s(self.0.sub(other.0), self.1.sub(other.1))
    }

    #[inline(always)]
    fn mul(self, other: F32s) -> F32s {
        F32s(self.0.mul(other.0), self.1.mul(other.1))
    }

    #[inline(always)]
    fn higher(self, other: F32s) -> F32s {
        F32s(self.0.higher(other.0), self.1.higher(other.1))
    }

    #[inline(always)]
    fn times_power(self, t: F32s) -> F32s {
        F32s(self.0.times_power(t.0), self.1.times_power(t.1))
    }
}

/// Sums of u64; four of them, for registers are few and an addition is quick. The third vector is 256, a constant as
/// [`Lanes::constant`] is one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct U64s(v128, v128, v128);

impl U64s {
    #[inline(always)]
    pub(crate) fn zero() -> U64s {
        U64s(i64x2_splat(0), i64x2_splat(0), black_box(f64x2_splat(SHIFT)))
    }

    /// Adds the bits of 256 + e; what 256 adds is taken off by [`total`](U64s::total).
    #[inline(always)]
    pub(crate) fn add_shifted(self, e: F32s) -> U64s {
        self.add_mapped(e, |half| half)
    }

    /// The same for e = f of the lanes.
    #[inline(always)]
    pub(crate) fn add_mapped(self, lanes: F32s, f: impl Fn(F32x4) -> F32x4) -> U64s {
        self.add_half(f(lanes.0)).add_half(f(lanes.1))
    }

    /// The same, and stores e.
    #[inline(always)]
    pub(crate) fn add_stored(
        self,
        lanes: F32s,
        f: impl Fn(F32x4) -> F32x4,
        [a, b, c, d, e, f2, g, h]: &mut [f32; WIDTH],
    ) -> U64s {
        let low = f(lanes.0);
        [*a, *b, *c, *d] = low.to_array();
        let sum = self.add_half(low);
        let high = f(lanes.1);
        [*e, *f2, *g, *h] = high.to_array();
        sum.add_half(high)
    }

    #[inline(always)]
    fn add_half(self, F32x4(e): F32x4) -> U64s {
        let shift = self.2;
        let low = f64x2_add(f64x2_promote_low_f32x4(e), shift);
        let high = f64x2_add(f64x2_promote_low_f32x4(i32x4_shuffle::<2, 3, 0, 1>(e, e)), shift);
        U64s(i64x2_add(self.0, low), i64x2_add(self.1, high), shift)
    }

    /// The sum of the lanes, less the bits that 256 added `n` times in all.
    #[inline(always)]
    pub(crate) fn total(self, n: u64) -> u64 {
        let sum = i64x2_add(self.0, self.1);
        u64x2_extract_lane::<0>(sum)
            .wrapping_add(u64x2_extract_lane::<1>(sum))
            .wrapping_sub(SHIFT.to_bits().wrapping_mul(n))
    }
}

/// Eight f64, and 256 as [`U64s`] has it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct F64s([v128; 4], v128);

impl F64s {
    #[inline(always)]
    pub(crate) fn zero() -> F64s {
        F64s([f64x2_splat(0.0); 4], black_box(f64x2_splat(SHIFT)))
    }

    /// Adds ((e + 256) - 256) (l - max) lane by lane.
    #[inline(always)]
    pub(crate) fn add_weighted(self, e: F32s, logits: F32s, max: f32) -> F64s {
        let (shift, max) = (self.1, f64x2_splat(f64::from(max)));
        let product = |e, logits| {
            let weight = f64x2_sub(f64x2_add(f64x2_promote_low_f32x4(e), shift), shift);
            f64x2_mul(weight, f64x2_sub(f64x2_promote_low_f32x4(logits), max))
        };
        let high = |lanes| i32x4_shuffle::<2, 3, 0, 1>(lanes, lanes);
        let [a, b, c, d] = self.0;
        let (F32x4(e), F32x4(f)) = (e.0, e.1);
        let (F32x4(l), F32x4(m)) = (logits.0, logits.1);
        let sums = [
            f64x2_add(a, product(e, l)),
            f64x2_add(b, product(high(e), high(l))),
            f64x2_add(c, product(f, m)),
            f64x2_add(d, product(high(f), high(m))),
        ];
        F64s(sums, shift)
    }

    #[inline(always)]
    pub(crate) fn to_array(self) -> [f64; WIDTH] {
        let [a, b, c, d] = self.0;
        let (low, high) = (f64x2_extract_lane::<0>, f64x2_extract_lane::<1>);
        [low(a), high(a), low(b), high(b), low(c), high(c), low(d), high(d)]
    }
}
