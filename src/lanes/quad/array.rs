//! Vectors as arrays.

use super::super::Lanes;
use super::ROUND;

/// Four f32.
#[derive(Clone, Copy, Debug)]
pub(crate) struct F32x4([f32; 4]);

/// `f` of each lane. (The array's own `map` is not always inlined.)
#[inline(always)]
fn each<T: Copy, U: Copy + Default, const N: usize>(lanes: [T; N], f: impl Fn(T) -> U) -> [U; N] {
    let mut to = [U::default(); N];
    for (to, lane) in to.iter_mut().zip(lanes) {
        *to = f(lane);
    }
    to
}

/// `f` of each two lanes.
#[inline(always)]
fn both<T: Copy, const N: usize>(mut a: [T; N], b: [T; N], f: impl Fn(T, T) -> T) -> [T; N] {
    a.iter_mut().zip(b).for_each(|(a, b)| *a = f(*a, b));
    a
}

impl F32x4 {
    #[inline(always)]
    fn zip(self, other: F32x4, f: impl Fn(f32, f32) -> f32) -> F32x4 {
        F32x4(both(self.0, other.0, f))
    }

    #[inline(always)]
    pub(crate) fn load(from: &[f32; 4]) -> F32x4 {
        F32x4(*from)
    }

    #[inline(always)]
    pub(crate) fn store(self, to: &mut [f32; 4]) {
        *to = self.0;
    }

    #[inline(always)]
    pub(crate) fn to_array(self) -> [f32; 4] {
        self.0
    }

    /// Four half-precision numbers, of which none is infinite.
    #[inline(always)]
    pub(crate) fn from_f16(bytes: &[u8; 8]) -> F32x4 {
        let scale = F32x4::splat(super::HALF_SCALE);
        I32x4::load_halves(bytes).half_bits().bits_as_f32().mul(scale)
    }

    /// Four numbers in the upper half of f32.
    #[inline(always)]
    pub(crate) fn from_bf16(bytes: &[u8; 8]) -> F32x4 {
        I32x4::load_halves(bytes).shift_left(16).bits_as_f32()
    }

    #[inline(always)]
    pub(crate) fn div(self, other: F32x4) -> F32x4 {
        self.zip(other, |a, b| a / b)
    }

    #[inline(always)]
    pub(crate) fn abs(self) -> F32x4 {
        F32x4(each(self.0, f32::abs))
    }

    /// `self` where `test` is at least 0, else `other`.
    #[inline(always)]
    pub(crate) fn where_positive(self, test: F32x4, other: F32x4) -> F32x4 {
        let mut lanes = self.0;
        for ((lane, test), other) in lanes.iter_mut().zip(test.0).zip(other.0) {
            *lane = if test >= 0.0 { *lane } else { other };
        }
        F32x4(lanes)
    }

    /// The nearest integers, ties to even, of numbers that i16 holds.
    #[inline(always)]
    pub(crate) fn rounded(self) -> [i16; 4] {
        each(self.0, |lane| (lane + ROUND).to_bits() as i16)
    }
}

impl Lanes for F32x4 {
    #[inline(always)]
    fn splat(value: f32) -> F32x4 {
        F32x4([value; 4])
    }

    #[inline(always)]
    fn add(self, other: F32x4) -> F32x4 {
        self.zip(other, |a, b| a + b)
    }

    #[inline(always)]
    fn sub(self, other: F32x4) -> F32x4 {
        self.zip(other, |a, b| a - b)
    }

    #[inline(always)]
    fn mul(self, other: F32x4) -> F32x4 {
        self.zip(other, |a, b| a * b)
    }

    #[inline(always)]
    fn higher(self, other: F32x4) -> F32x4 {
        self.zip(other, |a, b| if a < b { b } else { a })
    }

    #[inline(always)]
    fn times_power(self, t: F32x4) -> F32x4 {
        self.zip(t, |p, t| f32::from_bits(p.to_bits().wrapping_add(t.to_bits() << 23)))
    }
}

/// Four i32.
#[derive(Clone, Copy, Debug)]
pub(crate) struct I32x4([i32; 4]);

impl I32x4 {
    #[inline(always)]
    pub(crate) fn splat(value: i32) -> I32x4 {
        I32x4([value; 4])
    }

    /// Four little-endian words.
    #[inline(always)]
    pub(crate) fn load(bytes: &[u8; 16]) -> I32x4 {
        let (words, _) = bytes.as_chunks();
        let mut lanes = [0; 4];
        for (lane, word) in lanes.iter_mut().zip(words) {
            *lane = i32::from_le_bytes(*word);
        }
        I32x4(lanes)
    }

    /// Four little-endian i16.
    #[inline(always)]
    pub(crate) fn load_halves(bytes: &[u8; 8]) -> I32x4 {
        let (halves, _) = bytes.as_chunks();
        let mut lanes = [0; 4];
        for (lane, half) in lanes.iter_mut().zip(halves) {
            *lane = i32::from(i16::from_le_bytes(*half));
        }
        I32x4(lanes)
    }

    #[inline(always)]
    #[cfg(test)]
    pub(crate) fn to_array(self) -> [i32; 4] {
        self.0
    }

    #[inline(always)]
    pub(crate) fn shift_left(self, n: u32) -> I32x4 {
        I32x4(each(self.0, |lane| lane << n))
    }

    /// Keeps the sign.
    #[inline(always)]
    pub(crate) fn shift_right(self, n: u32) -> I32x4 {
        I32x4(each(self.0, |lane| lane >> n))
    }

    #[inline(always)]
    pub(crate) fn and(self, mask: i32) -> I32x4 {
        I32x4(each(self.0, |lane| lane & mask))
    }

    #[inline(always)]
    pub(crate) fn or(self, other: I32x4) -> I32x4 {
        I32x4(both(self.0, other.0, |lane, other| lane | other))
    }

    /// The nearest f32.
    #[inline(always)]
    pub(crate) fn to_f32(self) -> F32x4 {
        F32x4(each(self.0, |lane| lane as f32))
    }

    #[inline(always)]
    pub(crate) fn bits_as_f32(self) -> F32x4 {
        F32x4(each(self.0, |lane| f32::from_bits(lane as u32)))
    }
}

/// Eight i16.
#[derive(Clone, Copy, Debug)]
pub(crate) struct I16x8([i16; 8]);

impl I16x8 {
    /// Eight little-endian i16.
    #[inline(always)]
    pub(crate) fn load(bytes: &[u8; 16]) -> I16x8 {
        let (words, _) = bytes.as_chunks();
        let mut lanes = [0; 8];
        for (lane, word) in lanes.iter_mut().zip(words) {
            *lane = i16::from_le_bytes(*word);
        }
        I16x8(lanes)
    }

    #[inline(always)]
    pub(crate) fn shift_left(self, n: u32) -> I16x8 {
        I16x8(each(self.0, |lane| lane << n))
    }

    /// Fills with zeros.
    #[inline(always)]
    pub(crate) fn shift_right(self, n: u32) -> I16x8 {
        I16x8(each(self.0, |lane| (lane as u16 >> n) as i16))
    }

    /// Keeps the sign.
    #[inline(always)]
    pub(crate) fn shift_right_signed(self, n: u32) -> I16x8 {
        I16x8(each(self.0, |lane| lane >> n))
    }

    /// The same value in every lane.
    #[inline(always)]
    pub(crate) fn constant(value: i16) -> I16x8 {
        I16x8([value; 8])
    }

    #[inline(always)]
    pub(crate) fn and(self, mask: I16x8) -> I16x8 {
        I16x8(both(self.0, mask.0, |lane, mask| lane & mask))
    }

    #[inline(always)]
    pub(crate) fn or(self, other: I16x8) -> I16x8 {
        I16x8(both(self.0, other.0, |lane, other| lane | other))
    }

    /// `sum` and, in lane i, the product of lanes 2 i and 2 i + 1 with a pair.
    #[inline(always)]
    pub(crate) fn dot(self, [x, y]: [i16; 2], sum: I32x4) -> I32x4 {
        let [a, b, c, d, e, f, g, h] = self.0;
        let product = |a: i16, x: i16| i32::from(a) * i32::from(x);
        let [s, t, u, v] = sum.0;
        I32x4([
            s.wrapping_add(product(a, x) + product(b, y)),
            t.wrapping_add(product(c, x) + product(d, y)),
            u.wrapping_add(product(e, x) + product(f, y)),
            v.wrapping_add(product(g, x) + product(h, y)),
        ])
    }
}
