//! Errors as JavaScript sees them: `Error` objects with a stable code and what was wrong.

use js_sys::Reflect;
use wasm_bindgen::JsValue;

use crate::error::Error;

/// The result of an exported function.
pub type Result<T> = core::result::Result<T, Thrown>;

/// An error on its way to JavaScript.
#[derive(Debug)]
pub struct Thrown(JsValue);

impl From<Thrown> for JsValue {
    fn from(thrown: Thrown) -> JsValue {
        thrown.0
    }
}

impl From<Error> for Thrown {
    fn from(error: Error) -> Thrown {
        let thrown: JsValue = js_sys::Error::new(&error.to_string()).into();
        let number = |n: Option<u32>| n.map(JsValue::from);
        let fields = [
            ("code", Some(JsValue::from(error.code()))),
            ("option", error.option().map(JsValue::from)),
            ("index", number(error.index().and_then(|index| u32::try_from(index).ok()))),
            ("row", number(error.row())),
            ("stage", error.stage().map(|stage| JsValue::from(stage.as_str()))),
            ("accepted", error.accepted().map(JsValue::from)),
        ];
        for (name, value) in fields {
            if let Some(value) = value {
                // Setting a property of a fresh object cannot fail.
                let _ = Reflect::set(&thrown, &name.into(), &value);
            }
        }
        Thrown(thrown)
    }
}
