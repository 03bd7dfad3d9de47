//! Errors as JavaScript sees them: `Error` objects with a stable code and what was wrong.

use wasm_bindgen::JsValue;

use super::convert::Fields;
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
        let thrown = Fields::of(js_sys::Error::new(&error.message()).into())
            .with("code", error.code().into())
            .with_some("option", error.option().map(JsValue::from))
            .with_some("index", error.index().map(|index| JsValue::from(index as u32)))
            .with_some("row", error.row().map(JsValue::from))
            .with_some("stage", error.stage().map(|stage| stage.as_str().into()))
            .with_some("accepted", error.accepted().map(JsValue::from));
        Thrown(thrown.into())
    }
}
