//! SwiGLU: silu(gate) * up, silu(x) = x / (1 + e^-x).
//!
//! With e = e^-|x|, which cannot overflow: 1 / (1 + e^-x) is 1 / (1 + e) for x >= 0 and e / (1 + e) below.

use crate::lanes::{Exp, F32x4, Lanes};

/// gate = silu(gate) * up; both as long.
pub(super) fn swiglu(gate: &mut [f32], up: &[f32]) {
    let (gates, gates_left) = gate.as_chunks_mut::<4>();
    let (ups, ups_left) = up.as_chunks::<4>();
    let exp = Exp::new();
    for (gate, up) in gates.iter_mut().zip(ups) {
        silu(F32x4::load(gate), &exp).mul(F32x4::load(up)).store(gate);
    }
    for (gate, up) in gates_left.iter_mut().zip(ups_left) {
        let [silu, ..] = silu(F32x4::splat(*gate), &exp).to_array();
        *gate = silu * up;
    }
}

#[inline(always)]
fn silu(x: F32x4, exp: &Exp<F32x4>) -> F32x4 {
    let (zero, one) = (F32x4::splat(0.0), F32x4::splat(1.0));
    let e = exp.of(F32x4::splat(-64.0).higher(zero.sub(x.abs())));
    x.mul(one.where_positive(x, e)).div(one.add(e))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::disallowed_methods, reason = "what it is compared with")]
    fn silu_is_x_times_the_sigmoid_and_never_overflows() {
        let x = [-1e38f32, -100.0, -20.0, -1.0, 0.0, 0.5, 3.0, 90.0, 1e38];
        let mut gate = x;
        swiglu(&mut gate, &[1.0; 9]);
        for (x, found) in x.into_iter().zip(gate) {
            let expected = f64::from(x) / (1.0 + (-f64::from(x)).exp());
            let off = (f64::from(found) - expected).abs();
            assert!(off <= 1e-6 * expected.abs() + 1e-12 * f64::from(x).abs(), "{x}: {found}");
        }
        let mut two = [1.0, -2.0];
        swiglu(&mut two, &[2.0, 0.0]);
        assert_eq!(two[1], 0.0);
        assert!((two[0] - 1.462_117_2).abs() < 1e-6);
    }
}
