//! Numbers as text, the way JavaScript writes them: the fewest digits that mean the number, an exponent where it is far
//! from 1.

use super::digits::shortest;

/// The number as JavaScript's `String(number)` has it; states write numbers that JSON cannot hold this way.
pub(crate) fn number_text(number: f64) -> String {
    if number.is_nan() {
        return "NaN".into();
    }
    if number == 0.0 {
        return "0".into();
    }
    let sign = if number < 0.0 { "-" } else { "" };
    let text = if number.is_infinite() { "Infinity".into() } else { magnitude_text(number.abs()) };
    [sign, &text].concat()
}

/// A positive finite number.
fn magnitude_text(number: f64) -> String {
    let (digits, point) = shortest(number);
    let n = digits.len();
    let zeros = |n: i32| "0".repeat(usize::try_from(n).unwrap_or_default());
    let split = |at: i32| {
        digits.split_at_checked(usize::try_from(at).unwrap_or_default()).unwrap_or((&digits, ""))
    };
    match point {
        1..=21 if n <= point.unsigned_abs() as usize => {
            [&digits, &*zeros(point - n as i32)].concat()
        }
        1..=21 => [split(point).0, ".", split(point).1].concat(),
        -5..=0 => ["0.", &zeros(-point), &digits].concat(),
        _ => {
            let (first, rest) = split(1);
            let dot = if rest.is_empty() { "" } else { "." };
            let sign = if point > 0 { "+" } else { "-" };
            [first, dot, rest, "e", sign, &(point - 1).unsigned_abs().to_string()].concat()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::number_text;

    #[test]
    fn numbers_read_as_in_javascript() {
        for (number, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (1.5, "1.5"),
            (-3.0, "-3"),
            (120.0, "120"),
            (0.1 + 0.2, "0.30000000000000004"),
            (1e-6, "0.000001"),
            (1e-7, "1e-7"),
            (-1.25e-7, "-1.25e-7"),
            (5e-324, "5e-324"),
            (1e20, "100000000000000000000"),
            (123456789012345680000.0, "123456789012345680000"),
            (1e21, "1e+21"),
            (f64::MAX, "1.7976931348623157e+308"),
            (-1e300, "-1e+300"),
            (f64::NAN, "NaN"),
            (f64::INFINITY, "Infinity"),
            (f64::NEG_INFINITY, "-Infinity"),
        ] {
            assert_eq!(number_text(number), text);
        }
    }
}
