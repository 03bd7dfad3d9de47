//! Metadata: values by key.

use std::collections::BTreeMap;

use super::cursor::{Cursor, Read};
use super::invalid;
use crate::error::{Error, Result};

/// Values by key.
#[derive(Clone, Debug, Default)]
pub struct Metadata(BTreeMap<String, Value>);

#[derive(Clone, Debug)]
enum Value {
    Unsigned(u64),
    Signed(i64),
    Float(f64),
    Flag(bool),
    Text(String),
    Texts(Texts),
    Integers(Vec<i32>),
    /// An array of what no reader here asks for.
    Other,
}

/// Texts one after the other.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    text: String,
    ends: Vec<u32>,
}

impl Texts {
    /// The number of texts.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The texts in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        let begins = core::iter::once(0).chain(self.ends.iter().copied());
        begins
            .zip(&self.ends)
            .map(|(begin, end)| self.text.get(begin as usize..*end as usize).unwrap_or_default())
    }
}

/// Reads `count` entries.
pub(super) fn read(cursor: &mut Cursor<'_>, count: u64) -> Read<Metadata> {
    let mut entries = BTreeMap::new();
    for _ in 0..count {
        let key = cursor.name()?;
        let kind = cursor.u32()?;
        let value = value(cursor, key, kind)?;
        if entries.insert(key.into(), value).is_some() {
            return Err(invalid(&["the key ", key], "in the file twice", "in the file once").into());
        }
    }
    Ok(Metadata(entries))
}

/// The bytes of a value of a type, where they are always as many.
fn size(kind: u32) -> Option<u64> {
    match kind {
        0 | 1 | 7 => Some(1),
        2 | 3 => Some(2),
        4..=6 => Some(4),
        10..=12 => Some(8),
        _ => None,
    }
}

fn unknown(key: &str, kind: u32) -> Error {
    invalid(&["the type of ", key], &kind.to_string(), "a GGUF value type, 0 to 12")
}

fn value(cursor: &mut Cursor<'_>, key: &str, kind: u32) -> Read<Value> {
    Ok(match kind {
        0 => Value::Unsigned(u8::from_le_bytes(cursor.array()?).into()),
        1 => Value::Signed(i8::from_le_bytes(cursor.array()?).into()),
        2 => Value::Unsigned(u16::from_le_bytes(cursor.array()?).into()),
        3 => Value::Signed(i16::from_le_bytes(cursor.array()?).into()),
        4 => Value::Unsigned(cursor.u32()?.into()),
        5 => Value::Signed(i32::from_le_bytes(cursor.array()?).into()),
        6 => Value::Float(f32::from_le_bytes(cursor.array()?).into()),
        7 => Value::Flag(cursor.array::<1>()? != [0]),
        8 => Value::Text(String::from_utf8_lossy(cursor.text()?).into_owned()),
        9 => array(cursor, key)?,
        10 => Value::Unsigned(cursor.u64()?),
        11 => Value::Signed(i64::from_le_bytes(cursor.array()?)),
        12 => Value::Float(f64::from_le_bytes(cursor.array()?)),
        _ => return Err(unknown(key, kind).into()),
    })
}

fn array(cursor: &mut Cursor<'_>, key: &str) -> Read<Value> {
    let (kind, count) = (cursor.u32()?, cursor.u64()?);
    match kind {
        8 => texts(cursor, count).map(Value::Texts),
        4 | 5 => {
            let bytes = cursor.take(count.saturating_mul(4))?;
            let (words, _) = bytes.as_chunks();
            Ok(Value::Integers(words.iter().map(|word| i32::from_le_bytes(*word)).collect()))
        }
        9 => Err(invalid(&["the value of ", key], "an array of arrays", "flat").into()),
        _ => {
            let size = size(kind).ok_or_else(|| unknown(key, kind))?;
            cursor.take(count.saturating_mul(size))?;
            Ok(Value::Other)
        }
    }
}

fn texts(cursor: &mut Cursor<'_>, count: u64) -> Read<Texts> {
    let mut texts = Texts::default();
    for _ in 0..count {
        // What is no UTF-8 is no token of a byte-level vocabulary, and stands for itself with its wrong bytes replaced.
        texts.text.push_str(&String::from_utf8_lossy(cursor.text()?));
        // The header is shorter than 2^26, and what is replaced grows threefold at most.
        texts.ends.push(texts.text.len() as u32);
    }
    Ok(texts)
}

/// What a value of a kind is called.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Unsigned(_) | Value::Signed(_) => "an integer",
        Value::Float(_) => "a number",
        Value::Flag(_) => "true or false",
        Value::Text(_) => "a text",
        Value::Texts(_) => "a list of texts",
        Value::Integers(_) | Value::Other => "a list",
    }
}

impl Metadata {
    fn get<T>(
        &self,
        key: &str,
        accepted: &str,
        read: impl Fn(&Value) -> Option<T>,
    ) -> Result<Option<T>> {
        let Some(value) = self.0.get(key) else { return Ok(None) };
        let wrong = || {
            let (option, accepted) = (key.into(), accepted.into());
            Error::WrongType { option, found: kind(value), accepted }
        };
        read(value).map(Some).ok_or_else(wrong)
    }

    /// A natural number, where the file has the key.
    pub fn integer(&self, key: &str) -> Result<Option<u64>> {
        self.get(key, "an integer of at least 0", |value| match value {
            Value::Unsigned(number) => Some(*number),
            Value::Signed(number) => u64::try_from(*number).ok(),
            _ => None,
        })
    }

    /// A finite number.
    pub fn number(&self, key: &str) -> Result<Option<f64>> {
        self.get(key, "a finite number", |value| match value {
            Value::Float(number) if number.is_finite() => Some(*number),
            _ => None,
        })
    }

    /// True or false.
    pub fn flag(&self, key: &str) -> Result<Option<bool>> {
        self.get(key, "true or false", |value| match value {
            Value::Flag(flag) => Some(*flag),
            _ => None,
        })
    }

    /// A text.
    pub fn text(&self, key: &str) -> Result<Option<&str>> {
        let text = match self.0.get(key) {
            Some(Value::Text(text)) => Some(text.as_str()),
            _ => None,
        };
        self.get(key, "a text", |value| matches!(value, Value::Text(_)).then_some(()))?;
        Ok(text)
    }

    /// Texts.
    pub fn take_texts(&mut self, key: &str) -> Result<Option<Texts>> {
        self.get(key, "a list of texts", |value| matches!(value, Value::Texts(_)).then_some(()))?;
        Ok(match self.0.remove(key) {
            Some(Value::Texts(texts)) => Some(texts),
            _ => None,
        })
    }

    /// Integers of 32 bits.
    pub fn take_integers(&mut self, key: &str) -> Result<Option<Vec<i32>>> {
        self.get(key, "a list of 32-bit integers", |value| {
            matches!(value, Value::Integers(_)).then_some(())
        })?;
        Ok(match self.0.remove(key) {
            Some(Value::Integers(integers)) => Some(integers),
            _ => None,
        })
    }

    /// Whether the file has the key.
    pub fn has(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }
}
