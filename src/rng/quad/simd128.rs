//! Four u32 as a WebAssembly vector.

use core::arch::wasm32::{
    i8x16_shuffle, i32x4_add, i32x4_shl, u32x4, u32x4_extract_lane, u32x4_shr, v128, v128_or,
    v128_xor,
};

/// Four u32.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quad(v128);

impl Quad {
    #[inline(always)]
    pub(crate) fn new([a, b, c, d]: [u32; 4]) -> Quad {
        Quad(u32x4(a, b, c, d))
    }

    /// Lane by lane.
    #[inline(always)]
    pub(crate) fn add(self, other: Quad) -> Quad {
        Quad(i32x4_add(self.0, other.0))
    }

    /// (self ^ other) <<< n, lane by lane; whole bytes are moved.
    #[inline(always)]
    pub(crate) fn mix<const N: u32>(self, other: Quad) -> Quad {
        let x = v128_xor(self.0, other.0);
        Quad(match N {
            16 => i8x16_shuffle::<2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13>(x, x),
            8 => i8x16_shuffle::<3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14>(x, x),
            _ => v128_or(i32x4_shl(x, N), u32x4_shr(x, 32 - N)),
        })
    }

    #[inline(always)]
    pub(crate) fn to_array(self) -> [u32; 4] {
        [
            u32x4_extract_lane::<0>(self.0),
            u32x4_extract_lane::<1>(self.0),
            u32x4_extract_lane::<2>(self.0),
            u32x4_extract_lane::<3>(self.0),
        ]
    }
}
