//! Eight lanes of f32: the vector that every pass is written in.
//!
//! The operations are those of IEEE 754 lane by lane, so the two forms below give the same bits: with `simd128` a pair
//! of WebAssembly vectors, elsewhere an array whose loops compilers turn into vector code. The instructions are named
//! outright for WebAssembly because there the array form is not always made into vectors.

mod exp;
#[cfg(feature = "model")]
mod quad;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[path = "lanes/simd128.rs"]
mod form;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[path = "lanes/array.rs"]
mod form;

pub(crate) use exp::Exp;
pub(crate) use form::{F32s, F64s, Half, U64s};
#[cfg(feature = "model")]
pub(crate) use quad::{F32x4, I16x8, I32x4};

/// Lanes of a vector.
pub(crate) const WIDTH: usize = 8;

/// What turns a double in [256, 257] into one with the weight in its low bits.
pub(crate) const SHIFT: f64 = 256.0;

/// Arithmetic on some lanes: all eight, or the half that a machine handles at once.
///
/// Long formulas are written over this and mapped half by half: their temporaries then fit into registers.
pub(crate) trait Lanes: Copy {
    /// The same value in every lane.
    fn splat(value: f32) -> Self;

    /// The same, of a number that a loop needs again and again. An engine of WebAssembly may make a constant anew wherever
    /// it is used, at the price of the arithmetic that it is used in; this one it keeps, for nobody knows it to be one.
    #[inline(always)]
    fn constant(value: f32) -> Self {
        Self::splat(value)
    }

    /// Lane by lane.
    fn add(self, other: Self) -> Self;
    /// Lane by lane.
    fn sub(self, other: Self) -> Self;
    /// Lane by lane.
    fn mul(self, other: Self) -> Self;
    /// `other` where it is higher, else `self`; NaN in `other` leaves `self`.
    fn higher(self, other: Self) -> Self;
    /// self * 2^n, n being the integer that `t` carries in its low bits.
    fn times_power(self, t: Self) -> Self;
}
