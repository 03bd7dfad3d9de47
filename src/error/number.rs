//! Numbers as text, the way JavaScript writes them: the fewest digits that mean the number, an exponent where it is far
//! from 1.

/// The number as JavaScript's `String(number)` has it; states write numbers that JSON cannot hold this way.
pub(crate) fn number_text(number: f64) -> String {
    let magnitude = number.abs();
    if number.is_nan() {
        "NaN".into()
    } else if magnitude == f64::INFINITY {
        if number > 0.0 { "Infinity" } else { "-Infinity" }.into()
    } else if magnitude == 0.0 {
        "0".into()
    } else if (1e-6..1e21).contains(&magnitude) {
        number.to_string()
    } else {
        let text = format!("{number:e}");
        if text.contains("e-") { text } else { text.replace('e', "e+") }
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
            (0.1 + 0.2, "0.30000000000000004"),
            (1e-6, "0.000001"),
            (1e-7, "1e-7"),
            (-1.25e-7, "-1.25e-7"),
            (5e-324, "5e-324"),
            (1e20, "100000000000000000000"),
            (1e21, "1e+21"),
            (f64::MAX, "1.7976931348623157e+308"),
            (-1e300, "-1e+300"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-Infinity"),
        ] {
            assert_eq!(number_text(number), text);
        }
    }
}
