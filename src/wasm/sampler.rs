//! The sampler as JavaScript calls it: one method of the crate behind each.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::convert;
use super::error::Result;
use crate::sampler::Sampler;

/// A sampler and its rows.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawSampler {
    pub(super) sampler: Sampler,
}

#[wasm_bindgen]
impl RawSampler {
    /// A sampler from an options object.
    #[wasm_bindgen(constructor)]
    pub fn new(options: JsValue) -> Result<RawSampler> {
        Ok(RawSampler { sampler: Sampler::new(convert::options(options)?)? })
    }

    /// The sampler of a state.
    #[wasm_bindgen(js_name = fromState)]
    pub fn from_state(state: JsValue) -> Result<RawSampler> {
        Ok(RawSampler { sampler: Sampler::from_state(&convert::value(state, "state")?)? })
    }

    pub fn accept(&mut self, token: u32, row: u32) -> Result<()> {
        Ok(self.sampler.row(row)?.accept(token)?)
    }

    pub fn prompt(&mut self, tokens: &[u32], row: u32) -> Result<()> {
        Ok(self.sampler.row(row)?.prompt(tokens)?)
    }

    pub fn options(&self) -> JsValue {
        convert::plain(&self.sampler.settings().to_value())
    }

    /// The options in force for a row, seed and stream included.
    #[wasm_bindgen(js_name = rowOptions)]
    pub fn row_options(&mut self, row: u32) -> Result<JsValue> {
        Ok(convert::plain(&self.sampler.row(row)?.settings().to_value()))
    }

    pub fn update(&mut self, options: JsValue, row: Option<u32>) -> Result<()> {
        Ok(self.sampler.update(&convert::options(options)?, row)?)
    }

    #[wasm_bindgen(js_name = addRow)]
    pub fn add_row(&mut self, options: JsValue) -> Result<u32> {
        Ok(self.sampler.add_row(convert::options(options)?)?)
    }

    #[wasm_bindgen(js_name = removeRow)]
    pub fn remove_row(&mut self, row: u32) -> Result<()> {
        Ok(self.sampler.remove_row(row)?)
    }

    pub fn state(&self) -> Result<JsValue> {
        Ok(convert::plain(&self.sampler.state()?))
    }

    pub fn reset(&mut self) {
        self.sampler.reset();
    }

    #[wasm_bindgen(js_name = cloneOnStream)]
    pub fn clone_on_stream(&self, stream: Option<u32>) -> Result<RawSampler> {
        let sampler = match stream {
            Some(stream) => self.sampler.clone_on_stream(stream)?,
            None => self.sampler.clone(),
        };
        Ok(RawSampler { sampler })
    }
}
