//! Texts for holding tokenizers against each other, from a seed: scripts of the world, white space, numbers, code,
//! contractions, emoji sequences, long runs, and every character there is.
#![allow(dead_code, reason = "each user takes a part")]

/// A generator of numbers (SplitMix64): the same on every platform.
pub struct Numbers(pub u64);

impl Numbers {
    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % n as u64) as usize
    }

    fn one_of<'a, T: ?Sized>(&mut self, choices: &[&'a T]) -> &'a T {
        choices[self.below(choices.len())]
    }

    /// A character of a range of code points that holds some.
    fn character(&mut self, first: u32, last: u32) -> char {
        let code = first + self.below((last - first + 1) as usize) as u32;
        char::from_u32(code).unwrap_or('?')
    }
}

const WORDS: [&str; 24] = [
    "the",
    "The",
    "and",
    "token",
    "Tokenizer",
    "of",
    "probability",
    "HTTPServer",
    "camelCase",
    "naïve",
    "über",
    "Straße",
    "İstanbul",
    "a",
    "I",
    "fi\u{fb01}",
    "Ångström",
    "e\u{301}te\u{301}",
    "LOUD",
    "x",
    "internationalization",
    "mañana",
    "don",
    "we",
];
const CONTRACTIONS: [&str; 15] = [
    "'s",
    "'t",
    "'re",
    "'ve",
    "'m",
    "'ll",
    "'d",
    "'S",
    "'T",
    "'RE",
    "'Ve",
    "'lL",
    "'\u{17f}",
    "\u{2019}s",
    "'x",
];
const SPACES: [&str; 18] = [
    " ", " ", " ", " ", "  ", "   ", "\n", "\n\n", "\r\n", "\t", " \n", "\n ", "\u{a0}",
    "\u{3000}", "\u{2003}", "\u{85}", "\u{2028}", "        ",
];
const PUNCTUATION: [&str; 20] = [
    ".",
    ",",
    "!",
    "?!",
    "...",
    "—",
    "(",
    ")",
    "\"",
    "/",
    "//",
    "://",
    "#",
    "\u{200b}",
    "\u{feff}",
    "€",
    "_",
    "。",
    "\u{7f}\u{1}",
    "\\",
];
const CODE: [&str; 9] = [
    "fn main() {\n    println!(\"{}\", x[0]);\n}\n",
    "for (let i = 0; i < n; i++) { a[i] += b[i] }",
    "def f(x):\n\treturn x**2 # square\n",
    "SELECT * FROM t WHERE id=42;",
    "https://example.org/a/b?c=d&e=%20#f",
    "if(a&&b||!c)return{...d};",
    "<div class=\"a-b\">&nbsp;</div>",
    "0x1F 1e-9 3.14159 v2.0.1",
    "/* comment */ // more\n\n\n",
];
const EMOJI: [&str; 12] = [
    "😀",
    "👨‍👩‍👧‍👦",
    "🇫🇷🇩🇪",
    "👍🏽",
    "❤️",
    "🏳️‍🌈",
    "1️⃣",
    "🧑🏿‍🚀",
    "☎",
    "⚠️",
    "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    "🫠",
];
/// Blocks of letters, marks and numbers of many scripts, planes 0 to 3 and 14.
const BLOCKS: [(u32, u32); 40] = [
    (0xc0, 0xff),
    (0x100, 0x17f),
    (0x1c4, 0x1cc),
    (0x250, 0x2af),
    (0x2b0, 0x2ff),
    (0x300, 0x36f),
    (0x370, 0x3ff),
    (0x400, 0x4ff),
    (0x530, 0x58f),
    (0x590, 0x5ff),
    (0x600, 0x6ff),
    (0x900, 0x97f),
    (0x980, 0x9ff),
    (0xb80, 0xbff),
    (0xe00, 0xe7f),
    (0xf00, 0xfff),
    (0x1000, 0x109f),
    (0x10a0, 0x10ff),
    (0x1100, 0x11ff),
    (0x1200, 0x137f),
    (0x13a0, 0x13ff),
    (0x1780, 0x17ff),
    (0x1e00, 0x1eff),
    (0x1f00, 0x1fff),
    (0x2070, 0x209f),
    (0x2100, 0x218f),
    (0x2460, 0x24ff),
    (0x3040, 0x309f),
    (0x30a0, 0x30ff),
    (0x3400, 0x4dbf),
    (0x4e00, 0x9fff),
    (0xac00, 0xd7a3),
    (0xf900, 0xfaff),
    (0xfb00, 0xfdff),
    (0xff00, 0xffef),
    (0x10400, 0x1044f),
    (0x1d400, 0x1d7ff),
    (0x20000, 0x2a6df),
    (0x30000, 0x3134a),
    (0xe0100, 0xe01ef),
];

/// One part of a text.
fn push_part(numbers: &mut Numbers, text: &mut String) {
    match numbers.below(20) {
        0..=5 => text.push_str(numbers.one_of(&WORDS)),
        6..=9 => text.push_str(numbers.one_of(&SPACES)),
        10 => text.push_str(numbers.one_of(&CONTRACTIONS)),
        11 | 12 => text.push_str(numbers.one_of(&PUNCTUATION)),
        13 => text.push_str(numbers.one_of(&CODE)),
        14 => text.push_str(numbers.one_of(&EMOJI)),
        15 => {
            for _ in 0..=numbers.below(7) {
                text.push(numbers.character(0x30, 0x39));
            }
        }
        16 => {
            let run = numbers
                .one_of(&["a", " ", "=", "\n", "9", "é", "漢", "ab", "-", "\u{301}", "\t", "A"]);
            text.push_str(&run.repeat(1 + numbers.below(60)));
        }
        _ => {
            let (first, last) = BLOCKS[numbers.below(BLOCKS.len())];
            for _ in 0..=numbers.below(8) {
                text.push(numbers.character(first, last));
            }
        }
    }
}

/// The text of a number: of up to 40 parts.
pub fn text(seed: u64, number: u64) -> String {
    let mut numbers = Numbers(seed ^ number.wrapping_mul(0xd134_2543_de82_ef95));
    let mut text = String::new();
    for _ in 0..=numbers.below(40) {
        push_part(&mut numbers, &mut text);
    }
    text
}

/// A character between neighbours of every class, alone and doubled, and at both ends.
pub fn around(c: char) -> String {
    format!("{c}a{c}B{c}{c}1{c}2 {c} \n{c}\n'{c}x'S{c}!{c}/ {c}{c}漢{c}\u{301}{c}Ab{c}")
}

/// Every character, each with its neighbours.
pub fn sweep() -> impl Iterator<Item = String> {
    ('\0'..=char::MAX).map(around)
}
