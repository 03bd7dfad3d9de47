//! Small parts of JSON as values.

use super::json::Json;
use crate::error::{Error, Result};

/// The most values that one [`Json::value`] may become.
const MOST_VALUES: u32 = 1 << 14;

/// A small part of a file as a value.
#[derive(Debug, PartialEq)]
pub(super) enum Value {
    Null,
    Bool(bool),
    /// As it stands.
    Number(String),
    Text(String),
    List(Vec<Value>),
    Map(Vec<(String, Value)>),
}

impl Value {
    /// A field of a map; null where there is none.
    pub(super) fn field(&self, name: &str) -> &Value {
        match self {
            Value::Map(fields) => fields
                .iter()
                .rfind(|(other, _)| other == name)
                .map_or(&Value::Null, |(_, value)| value),
            _ => &Value::Null,
        }
    }

    /// The text, if it is one.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The list's values; none where it is no list.
    pub(super) fn list(&self) -> &[Value] {
        match self {
            Value::List(values) => values,
            _ => &[],
        }
    }

    /// Whether it is `true`; `missing` where there is nothing.
    pub(super) fn is_true(&self, missing: bool) -> bool {
        match self {
            Value::Null => missing,
            other => *other == Value::Bool(true),
        }
    }
}

impl Json<'_> {
    /// Any small value.
    pub(super) fn value(&mut self) -> Result<Value> {
        let mut left = MOST_VALUES;
        self.bounded(&mut left)
    }

    fn bounded(&mut self, left: &mut u32) -> Result<Value> {
        let limit = u64::from(MOST_VALUES);
        let Some(fewer) = left.checked_sub(1) else {
            let what = "the number of values in a part of tokenizer.json";
            return Err(Error::TooLarge { what, found: limit + 1, limit });
        };
        *left = fewer;
        Ok(match self.peek() {
            Some(b'{') => {
                let mut fields = Vec::new();
                self.object(&mut |json, name| {
                    fields.push((name.into(), json.bounded(left)?));
                    Ok(())
                })?;
                Value::Map(fields)
            }
            Some(b'[') => {
                let mut values = Vec::new();
                self.array(&mut |json| {
                    values.push(json.bounded(left)?);
                    Ok(())
                })?;
                Value::List(values)
            }
            Some(b'"') => Value::Text(self.string()?.into_owned()),
            _ if self.word("true") => Value::Bool(true),
            _ if self.word("false") => Value::Bool(false),
            _ if self.null() => Value::Null,
            _ => Value::Number(self.number()?.into()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn value(text: &str) -> Result<Value> {
        let mut json = Json::new(text.as_bytes())?;
        let value = json.value()?;
        json.end()?;
        Ok(value)
    }

    #[test]
    fn values_of_every_kind() {
        let found =
            value(r#" {"a":[1,-2.5e3,true,false,null],"b":"x\n\"\u00e9\ud83d\ude00/","b":{}} "#)
                .unwrap();
        assert_eq!(found.field("a").list().len(), 5);
        assert_eq!(found.field("a").list()[1], Value::Number("-2.5e3".into()));
        assert_eq!(found.field("b"), &Value::Map(vec![]));
        let Value::Map(fields) = &found else { panic!() };
        assert_eq!(fields[1].1.text(), Some("x\n\"é😀/"));
        assert!(found.field("c").is_true(true) && !found.field("c").is_true(false));
    }

    #[test]
    fn what_is_no_json_is_an_error_that_names_the_place() {
        let texts = [
            "",
            "{",
            "[1 2]",
            "1.",
            "1e",
            "-",
            ".5",
            "{\"a\" 1}",
            "\"a",
            "\"\\x\"",
            "\"\\ud800\"",
            "\"\\u+123\"",
            "\"\n\"",
            "tru",
            "--",
            "[1],",
            "{1:2}",
        ];
        for text in texts {
            let error = value(text).unwrap_err();
            assert_eq!(error.code(), "out_of_range", "{text}");
            assert!(error.option().unwrap().starts_with("tokenizer.json at byte "), "{text}");
        }
        assert_eq!(Json::new(b"\xff").err().unwrap().code(), "out_of_range");
    }

    #[test]
    fn nesting_and_size_are_bounded() {
        let deep = "[".repeat(1_000_000);
        assert_eq!(value(&deep).unwrap_err().code(), "too_large");
        assert_eq!(Json::new(deep.as_bytes()).unwrap().skip().unwrap_err().code(), "too_large");
        let wide = ["[", &"0,".repeat(1 << 14), "0]"].concat();
        assert_eq!(value(&wide).unwrap_err().code(), "too_large");
        assert!(Json::new(wide.as_bytes()).unwrap().skip().is_ok());
    }

    proptest! {
        #[test]
        fn texts_are_read_as_another_library_writes_them(text: String) {
            let written = serde_json::to_string(&text).unwrap();
            prop_assert_eq!(value(&written).unwrap(), Value::Text(text));
        }

        #[test]
        fn any_bytes_are_a_value_or_an_error(bytes: Vec<u8>, text in "[\\[\\]{}:,\"a\\\\u0-9 ]{0,40}") {
            for bytes in [bytes, text.into_bytes()] {
                let ours = Json::new(&bytes).and_then(|mut json| json.value().and_then(|_| json.end()));
                // Numbers are read more generously.
                if serde_json::from_slice::<serde_json::Value>(&bytes).is_ok() {
                    prop_assert!(ours.is_ok());
                }
            }
        }
    }
}
