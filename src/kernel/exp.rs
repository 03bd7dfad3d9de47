//! The exponential of logits: e^((l - max) r) over lanes, and the factor r.

use super::lanes::{Exp, F32s, Half, Lanes, U64s, WIDTH};

/// The temperature factor r as the two f32 that the contract multiplies with: rh = f32(r), rl = f32(r - rh).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Factor {
    high: f32,
    low: f32,
}

impl Factor {
    /// The two parts of r, which lies in [1e-30, 3e38].
    pub(crate) fn new(r: f64) -> Factor {
        let high = r as f32;
        Factor { high, low: (r - f64::from(high)) as f32 }
    }

    /// Whether r is an f32, as 1 and 1.25 are: then the second product is 0.
    #[inline]
    pub(crate) fn is_short(self) -> bool {
        self.low == 0.0
    }

    /// What a pass over logits below `max` computes with.
    #[inline]
    pub(crate) fn below(self, max: f32) -> Scaling {
        Scaling {
            max: Half::splat(max),
            high: Half::splat(self.high),
            low: Half::splat(self.low),
            floor: Half::constant(-64.0),
            exp: Exp::new(),
        }
    }
}

/// The highest logit and the factor: what a pass computes with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scaling {
    max: Half,
    high: Half,
    low: Half,
    floor: Half,
    exp: Exp<Half>,
}

impl Scaling {
    /// e^x with x = (l - max) r of the contract.
    ///
    /// Where y < -64 the contract's x is -64, and this one's is -64 or a hair above; the weight is 0 for both.
    #[inline(always)]
    fn exp<const SHORT: bool>(&self, logit: Half) -> Half {
        let d = logit.sub(self.max);
        let y = d.mul(self.high);
        // NaN (an infinite d times a low part of 0) is not higher, so it becomes -64 too.
        let x = if SHORT { y } else { y.add(d.mul(self.low)) };
        self.exp.of(self.floor.higher(x))
    }

    /// Adds e^x of eight logits to their sums; `SHORT` leaves out the second product where it is 0.
    #[inline(always)]
    pub(crate) fn add_exps<const SHORT: bool>(&self, sum: U64s, logits: F32s) -> U64s {
        sum.add_mapped(logits, |half| self.exp::<SHORT>(half))
    }

    /// The same, and stores e^x.
    #[inline(always)]
    pub(crate) fn store_exps<const SHORT: bool>(
        &self,
        sum: U64s,
        logits: F32s,
        to: &mut [f32; WIDTH],
    ) -> U64s {
        sum.add_stored(logits, |half| self.exp::<SHORT>(half), to)
    }

    /// e^x for eight logits; `SHORT` leaves out the second product where it is 0.
    #[inline(always)]
    pub(crate) fn exps<const SHORT: bool>(&self, logits: F32s) -> F32s {
        logits.map(|half| self.exp::<SHORT>(half))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_far_below_and_the_dead_come_out_as_good_as_0() {
        for r in [1e-30, 0.1, 1.0, 1.0 / 0.7, 1e10, 3e38] {
            let scaling = Factor::new(r).below(f32::MAX);
            let logits =
                [f32::NEG_INFINITY, f32::MIN, -1e30, 0.0, f32::MAX, -64.0 / r as f32, 1.0, -1.0];
            for e in scaling.exps::<false>(F32s::load(&logits)).to_array() {
                assert!((0.0..=1.0).contains(&e), "{e} at factor {r}");
            }
        }
    }
}
