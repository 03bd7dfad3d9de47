//! JSON, read piece by piece: a caller takes what it expects, and only small parts become a [`Value`](super::value::Value).
//!
//! Written by hand, because the files are large (half a million texts) and the module is to be small: a general library
//! would add more to it than all readers together.

use std::borrow::Cow;

use super::{error, wrong};
use crate::error::{Error, Result};

/// The deepest nesting.
const DEEPEST: u32 = 32;
/// A place in a JSON text.
pub(super) struct Json<'a> {
    text: &'a str,
    at: usize,
    depth: u32,
}

impl<'a> Json<'a> {
    /// The beginning of a file.
    pub(super) fn new(bytes: &'a [u8]) -> Result<Json<'a>> {
        match core::str::from_utf8(bytes) {
            Ok(text) => Ok(Json { text, at: 0, depth: 0 }),
            Err(error) => wrong(
                "tokenizer.json",
                &["byte ", &error.valid_up_to().to_string()].concat(),
                "UTF-8",
            ),
        }
    }

    fn fail<T>(&self, accepted: &str) -> Result<T> {
        Err(self.error(accepted))
    }

    /// An error that names the place.
    #[cold]
    fn error(&self, accepted: &str) -> Error {
        let here = self.text.get(self.at..).and_then(|rest| rest.chars().next());
        let found = here.map_or_else(|| "the end".into(), String::from);
        error(&["tokenizer.json at byte ", &self.at.to_string()].concat(), &found, accepted)
    }

    /// The next byte that is no white space; it is not taken.
    pub(super) fn peek(&mut self) -> Option<u8> {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        self.at +=
            rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).count();
        self.text.as_bytes().get(self.at).copied()
    }

    /// Takes a character if it comes next.
    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, byte: u8, accepted: &str) -> Result<()> {
        if self.take(byte) { Ok(()) } else { self.fail(accepted) }
    }

    /// Takes a word if it comes next.
    pub(super) fn word(&mut self, word: &str) -> bool {
        self.peek();
        let found = self.text.get(self.at..).is_some_and(|rest| rest.starts_with(word));
        self.at += if found { word.len() } else { 0 };
        found
    }

    /// Takes `null` if it comes next.
    pub(super) fn null(&mut self) -> bool {
        self.word("null")
    }

    fn enter(&mut self) -> Result<()> {
        self.depth += 1;
        let limit = u64::from(DEEPEST);
        let found = u64::from(self.depth);
        if found > limit {
            return Err(Error::TooLarge { what: "the nesting of tokenizer.json", found, limit });
        }
        Ok(())
    }

    /// Hands every field of an object to `field`, which has to take its value.
    pub(super) fn object(
        &mut self,
        field: &mut dyn FnMut(&mut Json<'a>, &str) -> Result<()>,
    ) -> Result<()> {
        self.expect(b'{', "an object")?;
        self.enter()?;
        let mut first = true;
        while !self.take(b'}') {
            if !first {
                self.expect(b',', "a comma or the end of the object")?;
            }
            first = false;
            let name = self.string()?;
            self.expect(b':', "a colon")?;
            field(self, &name)?;
        }
        self.depth -= 1;
        Ok(())
    }

    /// Has `item` take every value of an array.
    pub(super) fn array(
        &mut self,
        item: &mut dyn FnMut(&mut Json<'a>) -> Result<()>,
    ) -> Result<()> {
        self.expect(b'[', "an array")?;
        self.enter()?;
        let mut first = true;
        while !self.take(b']') {
            if !first {
                self.expect(b',', "a comma or the end of the array")?;
            }
            first = false;
            item(self)?;
        }
        self.depth -= 1;
        Ok(())
    }

    /// Whether an array comes next.
    pub(super) fn is_array(&mut self) -> bool {
        self.peek() == Some(b'[')
    }

    /// A text; borrowed where it has no escapes.
    pub(super) fn string(&mut self) -> Result<Cow<'a, str>> {
        self.expect(b'"', "a text")?;
        let mut found = Cow::Borrowed("");
        loop {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let special = |byte: u8| matches!(byte, b'"' | b'\\') || byte < 0x20;
            let Some(length) = rest.bytes().position(special) else {
                return self.fail("the end of a text");
            };
            let (plain, after) = rest.split_at_checked(length).unwrap_or_default();
            if found.is_empty() {
                found = Cow::Borrowed(plain)
            } else {
                found.to_mut().push_str(plain)
            }
            self.at += length;
            match after.bytes().next() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(found);
                }
                Some(b'\\') => found.to_mut().push(self.escape()?),
                _ => return self.fail("no control character in a text"),
            }
        }
    }

    /// An escape, at its backslash.
    fn escape(&mut self) -> Result<char> {
        let byte = self.text.as_bytes().get(self.at + 1).copied();
        let character = match byte {
            Some(byte @ (b'"' | b'\\' | b'/')) => char::from(byte),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(),
            _ => return self.fail("an escape of JSON"),
        };
        self.at += 2;
        Ok(character)
    }

    /// `\uXXXX`, or two of them for a character beyond U+FFFF.
    fn unicode_escape(&mut self) -> Result<char> {
        let unit = |at: usize| {
            let digits = self.text.get(at..at + 6)?.strip_prefix("\\u")?;
            let digits = digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some(digits)?;
            u16::from_str_radix(digits, 16).ok()
        };
        let units = [unit(self.at), unit(self.at + 6)];
        let units = units.into_iter().map_while(|unit| unit);
        match char::decode_utf16(units).next() {
            Some(Ok(character)) => {
                self.at += 6 * character.len_utf16();
                Ok(character)
            }
            _ => self.fail("an escape of a character"),
        }
    }

    /// A number as it stands: `-12.5e+3`.
    pub(super) fn number(&mut self) -> Result<&'a str> {
        self.peek();
        let start = self.at;
        let rest = self.text.as_bytes().get(start..).unwrap_or_default();
        let digits = |from: usize| {
            from + rest.iter().skip(from).take_while(|byte| byte.is_ascii_digit()).count()
        };
        let first = usize::from(rest.first() == Some(&b'-'));
        let mut end = digits(first);
        let mut whole = end > first;
        if rest.get(end) == Some(&b'.') {
            whole &= digits(end + 1) > end + 1;
            end = digits(end + 1);
        }
        if let Some(b'e' | b'E') = rest.get(end) {
            let sign = usize::from(matches!(rest.get(end + 1), Some(b'-' | b'+')));
            whole &= digits(end + 1 + sign) > end + 1 + sign;
            end = digits(end + 1 + sign);
        }
        if !whole {
            return self.fail("a number");
        }
        self.at = start + end;
        Ok(self.text.get(start..self.at).unwrap_or_default())
    }

    /// A whole number below 2^32.
    pub(super) fn integer(&mut self) -> Result<u32> {
        self.peek();
        let start = self.at;
        match self.number()?.parse() {
            Ok(number) => Ok(number),
            Err(_) => {
                self.at = start;
                self.fail("an integer from 0 to 4294967295")
            }
        }
    }

    /// Takes a value of any size and forgets it.
    pub(super) fn skip(&mut self) -> Result<()> {
        match self.peek() {
            Some(b'{') => self.object(&mut |json, _| json.skip()),
            Some(b'[') => self.array(&mut |json| json.skip()),
            Some(b'"') => self.string().map(|_| ()),
            _ if self.word("true") || self.word("false") || self.null() => Ok(()),
            _ => self.number().map(|_| ()),
        }
    }

    /// Nothing but white space may be left.
    pub(super) fn end(&mut self) -> Result<()> {
        if self.peek().is_none() { Ok(()) } else { self.fail("the end of the file") }
    }
}
