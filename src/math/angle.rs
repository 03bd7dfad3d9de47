//! Sine and cosine.
//!
//! x = n pi/2 + r with |r| <= pi/4; the series of r, then the quadrant of n.

/// pi/2 in three parts, the first two of 33 bits, so that their products with n are exact.
const HALF_PI_HIGH: f64 = f64::from_bits(0x3ff9_21fb_5440_0000);
const HALF_PI_MIDDLE: f64 = f64::from_bits(0x3dd0_b461_1a60_0000);
const HALF_PI_LOW: f64 = f64::from_bits(0x3ba3_198a_2e03_7073);

/// 1/3!, -1/5!, ...: what sin r = r - r^3 (1/3! - r^2 / 5! + ...) is summed from.
const SIN_SERIES: [f64; 8] = [
    -1.0 / 6.0,
    1.0 / 120.0,
    -1.0 / 5_040.0,
    1.0 / 362_880.0,
    -1.0 / 39_916_800.0,
    1.0 / 6_227_020_800.0,
    -1.0 / 1_307_674_368_000.0,
    1.0 / 355_687_428_096_000.0,
];
/// The same for cos r = 1 - r^2/2 + r^4 (1/4! - ...).
const COS_SERIES: [f64; 7] = [
    1.0 / 24.0,
    -1.0 / 720.0,
    1.0 / 40_320.0,
    -1.0 / 3_628_800.0,
    1.0 / 479_001_600.0,
    -1.0 / 87_178_291_200.0,
    1.0 / 20_922_789_888_000.0,
];

/// (sin x, cos x) of an angle of at most 2^20 in radians, each at most 1 ulp off; larger angles lose digits.
pub fn sin_cos(x: f64) -> (f64, f64) {
    let n = (x * core::f64::consts::FRAC_2_PI).round_ties_even();
    let (high, middle) = (x - n * HALF_PI_HIGH, n * HALF_PI_MIDDLE);
    let first = high - middle;
    let low = ((high - first) - middle) - n * HALF_PI_LOW;
    let r = first + low;
    let tail = (first - r) + low;
    let (sin, cos) = near_zero(r, tail);
    match n as i64 & 3 {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

/// Sine and cosine of r + tail for |r| <= pi/4, tail being below the last place of r.
fn near_zero(r: f64, tail: f64) -> (f64, f64) {
    let z = r * r;
    let sum = |series: &[f64]| series.iter().rev().fold(0.0, |sum, c| sum * z + c);
    let half = 0.5 * z;
    let sin = r + (r * z * sum(&SIN_SERIES) + tail * (1.0 - half));
    let whole = 1.0 - half;
    let cos = whole + (((1.0 - whole) - half) + (z * z * sum(&COS_SERIES) - r * tail));
    (sin, cos)
}

#[cfg(test)]
mod tests {
    use super::sin_cos;

    /// Distance in units of the last place of `b`.
    fn ulps(a: f64, b: f64) -> u64 {
        if a == b { 0 } else { a.to_bits().abs_diff(b.to_bits()) }
    }

    #[test]
    #[allow(clippy::disallowed_methods, reason = "the platform's own are what it is compared with")]
    fn agrees_with_the_platform_to_the_last_places() {
        let spread = (0..200_000).map(|i| f64::from(i) * 0.618_033_988_749_894_9 / 7.0);
        let far = (0..200_000).map(|i| 1_048_000.0 - f64::from(i) * 5.1);
        let small = (0..60).map(|i| 0.7 / f64::from(1 << (i / 2)));
        for x in spread.chain(far).chain(small).flat_map(|x| [x, -x]) {
            let (sin, cos) = sin_cos(x);
            assert!(ulps(sin, x.sin()) <= 1, "sin {x}: {sin} {}", x.sin());
            assert!(ulps(cos, x.cos()) <= 1, "cos {x}: {cos} {}", x.cos());
        }
    }

    #[test]
    fn special_angles() {
        assert_eq!(sin_cos(0.0), (0.0, 1.0));
        let (sin, cos) = sin_cos(core::f64::consts::FRAC_PI_2);
        assert_eq!(sin, 1.0);
        // What pi/2 as an f64 lacks of pi/2.
        assert_eq!(cos, 6.123_233_995_736_766e-17);
        assert!(sin_cos(f64::INFINITY).0.is_nan());
    }
}
