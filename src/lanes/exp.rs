//! The exponential over lanes.
//!
//! The same operations in the same order as [`math::exp_f32`](crate::math::exp_f32); a test compares their bits.

use super::Lanes;
use crate::math::exp_coefficients as k;

/// e^x for x in [-64, 0].
#[inline(always)]
pub(crate) fn exp<L: Lanes>(x: L) -> L {
    let t = x.mul(L::splat(k::LOG2_E)).add(L::splat(k::ROUND));
    let n = t.sub(L::splat(k::ROUND));
    let f = x.sub(n.mul(L::splat(k::LN2_HIGH))).sub(n.mul(L::splat(k::LN2_LOW)));
    let g = f.mul(f);
    let low = L::splat(k::C3).mul(f).add(L::splat(k::C2));
    let high = L::splat(k::C6).mul(g).add(L::splat(k::C5).mul(f).add(L::splat(k::C4)));
    high.mul(g).add(low).mul(g).add(f).add(L::splat(1.0)).times_power(t)
}

#[cfg(test)]
mod tests {
    use super::super::F32s;
    use super::*;
    use crate::math::exp_f32;

    #[test]
    fn lanes_and_scalars_give_the_same_bits() {
        for start in (0x8000_0000u32..0xc280_0000).step_by(8 * 1009) {
            let x: [f32; 8] = core::array::from_fn(|i| f32::from_bits(start + i as u32));
            let lanes = F32s::load(&x).map(exp).to_array();
            assert_eq!(lanes.map(f32::to_bits), x.map(|x| exp_f32(x).to_bits()), "{x:?}");
        }
    }
}
