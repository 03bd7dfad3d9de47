//! e to the x for many x at once: a polynomial that compilers turn into vectors.

/// e to the x, within 2e-7 of its value; 0 far below, finite far above.
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    /// Adding it rounds to an integer, which then stands in the lowest bits.
    const ROUND: f32 = 12_582_912.0;
    let x = x.clamp(-87.0, 88.0);
    let shifted = x * std::f32::consts::LOG2_E + ROUND;
    let n = shifted - ROUND;
    // x - n ln 2, in two steps because ln 2 needs more digits than one number has.
    let r = (x - n * 0.693_359_4) + n * 2.121_944_4e-4;
    let p = 1.987_569_1e-4;
    let p = p * r + 1.398_2e-3;
    let p = p * r + 8.333_452e-3;
    let p = p * r + 4.166_579_6e-2;
    let p = p * r + 1.666_666_6e-1;
    let p = p * r + 0.5;
    let p = (p * r) * r + r + 1.0;
    let exponent = (shifted.to_bits() << 23).wrapping_add(127 << 23);
    p * f32::from_bits(exponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_close_as_said() {
        for i in -86_000..88_000 {
            let x = i as f32 * 1e-3;
            let expected = f64::from(x).exp();
            assert!((f64::from(exp(x)) / expected - 1.0).abs() < 2e-7, "{x}");
        }
        assert!(exp(-1e9) < 1e-37);
        assert!(exp(1e9).is_finite());
    }
}
