//! Exact products of a share in [0, 1] and an integer: thresholds on probabilities, as integers to compare weights with.
//!
//! A share is an f64, and so mantissa / 2^shift with a mantissa below 2^53: the product is one of integers, and a shift says
//! on which side of a whole number it lies. Nothing is rounded on the way.

/// ceil(share * mass) in exact arithmetic, for a share in [0, 1] and a mass below 2^63.
pub fn ceil_share(share: f64, mass: u64) -> u64 {
    let (product, shift) = exact_product(share, mass);
    match shift {
        0..=127 => {
            let floor = product >> shift;
            (floor + u128::from(floor << shift != product)) as u64
        }
        _ => u64::from(product > 0),
    }
}

/// floor(share * mass) in exact arithmetic, for a share in [0, 1] and a mass below 2^63.
pub fn floor_share(share: f64, mass: u64) -> u64 {
    let (product, shift) = exact_product(share, mass);
    product.checked_shr(shift).unwrap_or(0) as u64
}

/// ceil(share * 2^88) in exact arithmetic, for a share in [0, 1]: 2^88 is the square of the highest weight.
pub fn ceil_share_of_square(share: f64) -> u128 {
    let (mantissa, shift) = exact_fraction(share);
    match shift {
        0..=88 => u128::from(mantissa) << (88 - shift),
        89..=151 => u128::from(mantissa.div_ceil(1 << (shift - 88))),
        _ => u128::from(mantissa > 0),
    }
}

/// share * mass = product / 2^shift.
fn exact_product(share: f64, mass: u64) -> (u128, u32) {
    let (mantissa, shift) = exact_fraction(share);
    (u128::from(mantissa) * u128::from(mass), shift)
}

/// share = mantissa / 2^shift, with a mantissa below 2^53.
fn exact_fraction(share: f64) -> (u64, u32) {
    let bits = share.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as u32;
    let fraction = bits & 0x000f_ffff_ffff_ffff;
    let (mantissa, exponent) =
        if exponent == 0 { (fraction, 1) } else { (fraction | 1 << 52, exponent) };
    // share = mantissa * 2^(exponent - 1075), and share <= 1 means exponent <= 1023.
    (mantissa, 1075 - exponent.min(1023))
}

#[cfg(test)]
mod tests {
    use super::super::power_of_two;
    use super::*;

    #[test]
    fn ceil_share_is_exact_at_whole_numbers_and_one_step_off_them() {
        let up = |x: f64| f64::from_bits(x.to_bits() + 1);
        let down = |x: f64| f64::from_bits(x.to_bits() - 1);
        let z = 100u64 << 44;
        assert_eq!(ceil_share(0.5, z), 50 << 44);
        assert_eq!(ceil_share(up(0.5), z), (50 << 44) + 1);
        assert_eq!(ceil_share(down(0.5), z), 50 << 44);
        assert_eq!(ceil_share(1.0, z), z);
        assert_eq!(ceil_share(down(1.0), u64::MAX >> 1), (u64::MAX >> 1) - 1023);
        assert_eq!(ceil_share(0.0, z), 0);
        assert_eq!(ceil_share(f64::MIN_POSITIVE, 1), 1);
        assert_eq!(ceil_share(f64::from_bits(1), u64::MAX >> 1), 1);
        // The f64 0.55 lies above 55/100.
        assert_eq!(ceil_share(0.55, z), (55 << 44) + 1);
    }

    #[test]
    fn floor_share_is_exact_at_whole_numbers_and_one_step_off_them() {
        let up = |x: f64| f64::from_bits(x.to_bits() + 1);
        let down = |x: f64| f64::from_bits(x.to_bits() - 1);
        let z = 100u64 << 44;
        assert_eq!(floor_share(0.5, z), 50 << 44);
        assert_eq!(floor_share(up(0.5), z), 50 << 44);
        assert_eq!(floor_share(down(0.5), z), (50 << 44) - 1);
        assert_eq!((floor_share(1.0, z), floor_share(0.0, z)), (z, 0));
        assert_eq!(floor_share(down(1.0), z), z - 1);
        assert_eq!(floor_share(f64::from_bits(1), u64::MAX >> 1), 0);
    }

    #[test]
    fn ceil_share_of_square_is_exact_at_every_scale() {
        assert_eq!(ceil_share_of_square(1.0), 1 << 88);
        assert_eq!(ceil_share_of_square(0.0), 0);
        // 2^-88 is one unit, half of it is still one.
        assert_eq!(ceil_share_of_square(power_of_two(-88)), 1);
        assert_eq!(ceil_share_of_square(1.5 * power_of_two(-88)), 2);
        assert_eq!(ceil_share_of_square(power_of_two(-89)), 1);
        assert_eq!(ceil_share_of_square(f64::from_bits(1)), 1);
        // 0.75 = 3/4, and a step above is 2^35 units more.
        assert_eq!(ceil_share_of_square(0.75), 3 << 86);
        assert_eq!(
            ceil_share_of_square(f64::from_bits(0.75f64.to_bits() + 1)),
            (3 << 86) + (1 << 35)
        );
    }
}
