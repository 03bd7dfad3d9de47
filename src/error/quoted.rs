//! Texts as errors quote them.

/// The text between quotation marks; what does not show, or would pass for the end, is escaped as Rust writes it.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\0' => quoted.push_str("\\0"),
            c if is_unseen(c) => push_code(&mut quoted, c),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Control characters, and those that only steer how others are shown.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        )
}

/// \u{...}, in hexadecimal.
fn push_code(quoted: &mut String, c: char) {
    quoted.push_str("\\u{");
    let code = u32::from(c);
    let n_digits = (8 - code.leading_zeros() / 4).max(1);
    for place in (0..n_digits).rev() {
        quoted.extend(char::from_digit(code >> (4 * place) & 0xf, 16));
    }
    quoted.push('}');
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn texts_are_quoted_as_rust_quotes_them() {
        for text in [
            "",
            "topK",
            "it's \"so\"",
            "back\\slash",
            "a\nb\tc\rd\0e",
            "\u{1b}[31m",
            "\u{7f}\u{85}",
            "größer 温度 🌡",
            "\u{202e}drawkcab\u{200b}\u{feff}",
        ] {
            assert_eq!(quoted(text), format!("{text:?}"));
        }
    }
}
