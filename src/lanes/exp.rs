//! The exponential over lanes.
//!
//! The same operations in the same order as [`math::exp_f32`](crate::math::exp_f32); a test compares their bits.

use super::Lanes;
use crate::math::exp_coefficients as k;

/// e^x for x in [-64, 0], with its constants in lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exp<L> {
    log2_e: L,
    round: L,
    ln2_high: L,
    ln2_low: L,
    /// From c2 on.
    coefficients: [L; 5],
    one: L,
}

impl<L: Lanes> Exp<L> {
    #[inline(always)]
    pub(crate) fn new() -> Exp<L> {
        Exp {
            log2_e: L::constant(k::LOG2_E),
            round: L::constant(k::ROUND),
            ln2_high: L::constant(k::LN2_HIGH),
            ln2_low: L::constant(k::LN2_LOW),
            coefficients: [k::C2, k::C3, k::C4, k::C5, k::C6].map(L::constant),
            one: L::constant(1.0),
        }
    }

    #[inline(always)]
    pub(crate) fn of(&self, x: L) -> L {
        let Exp { log2_e, round, ln2_high, ln2_low, coefficients: [c2, c3, c4, c5, c6], one } =
            *self;
        let t = x.mul(log2_e).add(round);
        let n = t.sub(round);
        let f = x.sub(n.mul(ln2_high)).sub(n.mul(ln2_low));
        let g = f.mul(f);
        let low = c3.mul(f).add(c2);
        let high = c6.mul(g).add(c5.mul(f).add(c4));
        high.mul(g).add(low).mul(g).add(f).add(one).times_power(t)
    }
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
            let lanes = F32s::load(&x).map(|x| Exp::new().of(x)).to_array();
            assert_eq!(lanes.map(f32::to_bits), x.map(|x| exp_f32(x).to_bits()), "{x:?}");
        }
    }
}
