//! The fewest decimal digits that mean an f64 and no other.
//!
//! For v = m 2^e, every decimal between v and halfway to its neighbours reads back as v (halfway itself too where m is
//! even). With integers r / s = v and the distances halfway up and down over the same s, digits are taken off r / s one by
//! one until what was taken lies within; of two last digits that do, the nearer one is it (the upper of two equally near).
//!
//! Exact, and slow where a number is far from 1. Numbers are printed in errors and states alone, and the standard
//! library's printer, which is fast, would be a twentieth of the WebAssembly module.

/// Digits, the first of them not 0, and the place of the point: v = 0.d1 d2 d3 ... 10^point. `number` is positive and
/// finite.
pub(super) fn shortest(number: f64) -> (String, i32) {
    let mut fraction = Fraction::of(number);
    let point = fraction.normalise();
    let mut digits = String::new();
    loop {
        let digit = fraction.next_digit();
        let (low, high) = (fraction.is_near_below(), fraction.is_near_above());
        let up = high && !(low && fraction.is_below_half());
        digits.push(char::from(b'0' + digit + u8::from(up)));
        if low || high {
            return (digits, point);
        }
    }
}

/// r / s, and how far the number reaches up and down, over the same s.
#[derive(Clone)]
struct Fraction {
    r: Big,
    s: Big,
    up: Big,
    down: Big,
    /// Whether the ends of that reach belong to it.
    inclusive: bool,
}

impl Fraction {
    fn of(number: f64) -> Fraction {
        let bits = number.to_bits();
        let (biased, stored) = ((bits >> 52) as u32 & 0x7ff, bits & ((1 << 52) - 1));
        let m = if biased == 0 { stored } else { stored | 1 << 52 };
        // v = m 2^(exponent - 1075), and subnormal numbers share the lowest exponent.
        let exponent = biased.max(1);
        // The neighbour below a power of two is half as far away.
        let narrow = u32::from(stored == 0 && biased > 1);
        let (above, below) = (exponent.saturating_sub(1075), 1075u32.saturating_sub(exponent));
        Fraction {
            r: Big::shifted(m, above + 1 + narrow),
            s: Big::shifted(1, below + 1 + narrow),
            up: Big::shifted(1, above + narrow),
            down: Big::shifted(1, above),
            inclusive: m % 2 == 0,
        }
    }

    /// Multiplies by a power of ten, so that r / s with its reach is the last below 1; returns the power taken out.
    fn normalise(&mut self) -> i32 {
        let mut point = 0;
        while self.is_near_above() {
            self.s.multiply(10);
            point += 1;
        }
        let mut raised = self.clone();
        raised.raise();
        while !raised.is_near_above() {
            self.clone_from(&raised);
            raised.raise();
            point -= 1;
        }
        point
    }

    /// Multiplies all but s by ten.
    fn raise(&mut self) {
        for big in [&mut self.r, &mut self.up, &mut self.down] {
            big.multiply(10);
        }
    }

    /// Takes off the next digit.
    fn next_digit(&mut self) -> u8 {
        self.raise();
        let mut digit = 0;
        while self.r >= self.s {
            self.r = self.r.minus(&self.s);
            digit += 1;
        }
        digit
    }

    /// Whether what was taken off so far means the number.
    fn is_near_below(&self) -> bool {
        self.r < self.down || self.inclusive && self.r == self.down
    }

    /// Whether what was taken off so far, and one more in the last place, means the number.
    fn is_near_above(&self) -> bool {
        let reach = self.r.plus(&self.up);
        reach > self.s || self.inclusive && reach == self.s
    }

    fn is_below_half(&self) -> bool {
        self.r.plus(&self.r) < self.s
    }
}

/// Words of 32 bits: 2^1084 is more than anything here gets to.
const WORDS: usize = 34;

/// A natural number, highest word first, so that numbers compare as their words do.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Big(Vec<u32>);

impl Big {
    /// m 2^shift.
    fn shifted(m: u64, shift: u32) -> Big {
        let mut words = vec![0; WORDS];
        for (word, part) in words.iter_mut().rev().zip([m as u32, (m >> 32) as u32]) {
            *word = part;
        }
        let mut big = Big(words);
        for _ in 0..shift {
            big.multiply(2);
        }
        big
    }

    #[inline(never)]
    fn multiply(&mut self, by: u32) {
        let mut carry = 0;
        for word in self.0.iter_mut().rev() {
            carry += u64::from(*word) * u64::from(by);
            *word = carry as u32;
            carry >>= 32;
        }
    }

    #[inline(never)]
    fn plus(&self, other: &Big) -> Big {
        let mut sum = self.clone();
        let mut carry = 0;
        for (word, other) in sum.0.iter_mut().zip(&other.0).rev() {
            carry += u64::from(*word) + u64::from(*other);
            *word = carry as u32;
            carry >>= 32;
        }
        sum
    }

    /// `other` is not above it.
    fn minus(&self, other: &Big) -> Big {
        let mut difference = self.clone();
        let mut borrowed = 0;
        for (word, other) in difference.0.iter_mut().zip(&other.0).rev() {
            let rest = i64::from(*word) - i64::from(*other) - borrowed;
            *word = rest as u32;
            borrowed = i64::from(rest < 0);
        }
        difference
    }
}

#[cfg(test)]
mod tests {
    use super::shortest;

    #[test]
    fn the_digits_are_those_of_the_standard_library() {
        // A step that is no multiple of a power of two walks through exponents and fractions alike.
        let spread = (0..1000u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 1);
        let powers = (0..2046u64).step_by(5).map(|exponent| exponent << 52);
        let around = powers.flat_map(|bits| [bits.saturating_sub(1), bits, bits + 1]);
        for number in spread.chain(around).map(f64::from_bits) {
            if number.is_finite() && number > 0.0 {
                let text = format!("{number:e}");
                let (mantissa, exponent) = text.split_once('e').unwrap();
                let expected = (mantissa.replace('.', ""), exponent.parse::<i32>().unwrap() + 1);
                assert_eq!(shortest(number), expected, "{text}");
            }
        }
    }
}
