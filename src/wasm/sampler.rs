//! The sampler as JavaScript calls it: one method of the crate behind each.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::buffer::LogitsBuffer;
use super::convert;
use super::error::Result;
use crate::batch::Rows;
use crate::error::Error;
use crate::input::Input;
use crate::sampler::Sampler;

/// A sampler and its rows.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawSampler {
    sampler: Sampler,
}

/// The first `length` logits of a buffer with the call's mask.
fn input<'a>(buffer: &'a LogitsBuffer, length: u32, mask: Option<&'a [u32]>) -> Input<'a> {
    Input::from(buffer.logits.get(..length as usize).unwrap_or_default()).with_mask(mask)
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

    /// The token of row 0, or -1 where [`sample`](RawSampler::sample) says what is wrong: a failed call changes nothing,
    /// so it may be asked again. One plain number crosses into JavaScript faster than a result does.
    pub fn draw(&mut self, buffer: &LogitsBuffer, length: u32) -> f64 {
        let input = input(buffer, length, None);
        self.sampler.sample(input).map_or(-1.0, f64::from)
    }

    pub fn sample(
        &mut self,
        buffer: &LogitsBuffer,
        length: u32,
        row: u32,
        mask: Option<Vec<u32>>,
    ) -> Result<u32> {
        Ok(self.sampler.row(row)?.sample(input(buffer, length, mask.as_deref()))?)
    }

    #[wasm_bindgen(js_name = sampleDetailed)]
    pub fn sample_detailed(
        &mut self,
        buffer: &LogitsBuffer,
        length: u32,
        row: u32,
        mask: Option<Vec<u32>>,
    ) -> Result<JsValue> {
        let sample =
            self.sampler.row(row)?.sample_detailed(input(buffer, length, mask.as_deref()))?;
        Ok(convert::sample(&sample))
    }

    #[wasm_bindgen(js_name = sampleMany)]
    pub fn sample_many(
        &mut self,
        buffer: &LogitsBuffer,
        length: u32,
        row: u32,
        mask: Option<Vec<u32>>,
        n: u32,
    ) -> Result<Vec<u32>> {
        Ok(self
            .sampler
            .row(row)?
            .sample_many(input(buffer, length, mask.as_deref()), n as usize)?)
    }

    /// One token a row; `ids` absent means rows 0 to `n` - 1. `masks` holds a mask a row, one after the other.
    #[wasm_bindgen(js_name = sampleBatch)]
    pub fn sample_batch(
        &mut self,
        buffer: &LogitsBuffer,
        length: u32,
        n: u32,
        ids: Option<Vec<u32>>,
        masks: Option<Vec<u32>>,
    ) -> Result<Vec<u32>> {
        let logits = input(buffer, length, None).logits;
        let rows = ids.as_deref().map_or(Rows::First(n as usize), Rows::Ids);
        let n_rows = ids.as_ref().map_or(n as usize, Vec::len);
        let masks =
            masks.as_deref().map(|masks| split_masks(masks, logits.len(), n_rows)).transpose()?;
        Ok(self.sampler.sample_batch(logits, rows, &masks.unwrap_or_default())?)
    }

    #[wasm_bindgen(js_name = rowErrors)]
    pub fn row_errors(&self) -> JsValue {
        convert::row_errors(self.sampler.row_errors())
    }

    pub fn distribution(
        &mut self,
        buffer: &LogitsBuffer,
        length: u32,
        row: u32,
        mask: Option<Vec<u32>>,
    ) -> Result<JsValue> {
        let distribution =
            self.sampler.row(row)?.distribution(input(buffer, length, mask.as_deref()))?;
        Ok(convert::distribution(&distribution))
    }

    pub fn report(
        &mut self,
        buffer: &LogitsBuffer,
        length: u32,
        row: u32,
        mask: Option<Vec<u32>>,
        tokens: bool,
    ) -> Result<JsValue> {
        let report =
            self.sampler.row(row)?.report(input(buffer, length, mask.as_deref()), tokens)?;
        Ok(convert::report(&report))
    }

    pub fn explain(
        &mut self,
        buffer: &LogitsBuffer,
        length: u32,
        row: u32,
        mask: Option<Vec<u32>>,
        token: u32,
    ) -> Result<JsValue> {
        let found =
            self.sampler.row(row)?.explain(input(buffer, length, mask.as_deref()), token)?;
        Ok(convert::explanation(&found))
    }

    pub fn logprobs(
        &mut self,
        buffer: &LogitsBuffer,
        length: u32,
        row: u32,
        mask: Option<Vec<u32>>,
        n: u32,
        token: Option<u32>,
    ) -> Result<JsValue> {
        let logprobs = self.sampler.row(row)?.logprobs(
            input(buffer, length, mask.as_deref()),
            n as usize,
            token,
        )?;
        Ok(convert::logprobs(&logprobs))
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

/// The masks of a batch, one a row.
fn split_masks(masks: &[u32], n_logits: usize, n_rows: usize) -> Result<Vec<Option<&[u32]>>> {
    let words = n_logits.checked_div(n_rows).unwrap_or_default().div_ceil(32);
    let expected = words * n_rows;
    if masks.len() != expected || words == 0 {
        return Err(Error::WrongLength { what: "masks", found: masks.len(), expected }.into());
    }
    Ok(masks.chunks(words).map(Some).collect())
}
