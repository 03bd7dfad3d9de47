//! Where each rule cuts, by hand; `tests/tokenizer` holds them against the expressions themselves.

use super::*;

fn pieces(split: Split, text: &str) -> Vec<String> {
    split.pieces(text.as_bytes()).map(|p| String::from_utf8_lossy(p).into_owned()).collect()
}

type Cases<'a> = [(&'a str, &'a [&'a str])];

fn check(split: Split, cases: &Cases) {
    for (text, expected) in cases {
        assert_eq!(pieces(split, text), *expected, "{split:?} {text:?}");
    }
}

#[test]
fn gpt2_cuts_where_its_expression_does() {
    check(
        Split::Gpt2,
        &[
            ("Hello world", &["Hello", " world"]),
            ("I'll say 'twas", &["I", "'ll", " say", " '", "twas"]),
            ("'s't'S", &["'s", "'t", "'", "S"]),
            ("a  b", &["a", " ", " b"]),
            ("a \n b\n\n", &["a", " \n", " b", "\n\n"]),
            ("a\n\nb", &["a", "\n", "\n", "b"]),
            ("x 1234 y", &["x", " 1234", " y"]),
            ("end.  ", &["end", ".", "  "]),
            ("a\u{3000}\u{3000}é!", &["a", "\u{3000}", "\u{3000}", "é", "!"]),
            (" --ok", &[" --", "ok"]),
        ],
    );
}

#[test]
fn digits_are_set_apart_without_the_space_before_them() {
    check(
        Split::Gpt2Digits,
        &[
            ("x 12 y", &["x", " ", "1", "2", " y"]),
            ("a  7", &["a", "  ", "7"]),
            ("7  a", &["7", " ", " a"]),
            ("v2.0", &["v", "2", ".", "0"]),
            ("½٣", &["½", "٣"]),
        ],
    );
}

#[test]
fn cl100k_llama_3_and_qwen_tell_line_breaks_apart() {
    for split in [Split::Cl100k, Split::Llama3, Split::Qwen2] {
        check(
            split,
            &[
                ("I'LL don'T x'ſ", &["I", "'LL", " don", "'T", " x", "'ſ"]),
                ("(word) \tx", &["(word", ")", " ", "\tx"]),
                ("end.\r\n\nNext", &["end", ".\r\n\n", "Next"]),
                ("a  \n \n  b", &["a", "  \n \n", " ", " b"]),
                ("\nword", &["\n", "word"]),
                ("a\u{301}b", &["a", "\u{301}b"]),
                (" !?", &[" !?"]),
                ("  x", &[" ", " x"]),
            ],
        );
    }
}

#[test]
fn numbers_come_by_three_or_each_by_itself() {
    check(Split::Cl100k, &[("12345 6", &["123", "45", " ", "6"])]);
    check(Split::Llama3, &[("12345 6", &["123", "45", " ", "6"])]);
    check(Split::O200k, &[("12345 6", &["123", "45", " ", "6"])]);
    check(Split::Qwen2, &[("123", &["1", "2", "3"])]);
}

#[test]
fn white_space_that_ends_the_text_is_whole_in_cl100k_only() {
    check(Split::Cl100k, &[("a \n  ", &["a", " \n  "])]);
    for split in [Split::Llama3, Split::Qwen2, Split::O200k] {
        check(split, &[("a \n  ", &["a", " \n", "  "])]);
    }
}

#[test]
fn o200k_ends_words_where_lower_case_goes_over_to_upper_case() {
    check(
        Split::O200k,
        &[
            ("camelCase HTTPServer ABC", &["camel", "Case", " HTTPServer", " ABC"]),
            ("Don't DON'T", &["Don't", " DON'T"]),
            ("ABC漢D", &["ABC漢", "D"]),
            ("\u{301}ABC", &["\u{301}", "ABC"]),
            ("\u{301}Ab", &["\u{301}Ab"]),
            ("a/b//\n", &["a", "/b", "//\n"]),
            ("漢字かな", &["漢字かな"]),
            ("\u{301}!", &["\u{301}", "!"]),
        ],
    );
}

#[test]
fn pieces_together_are_the_text_whatever_its_bytes() {
    let mut state = 1u32;
    for _ in 0..2000 {
        let text: Vec<u8> = (0..24)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                b" \n'sA7\xc3\xa9\xff\xe3\x80\x80."[(state >> 16) as usize % 13]
            })
            .collect();
        for split in Split::ALL {
            assert_eq!(split.pieces(&text).collect::<Vec<_>>().concat(), text);
        }
    }
}
