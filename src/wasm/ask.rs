//! What JavaScript asks of a sampler's rows: tokens, and previews of them.
//!
//! What comes along with a row of logits comes as plain arguments, which cross into the module faster than an object's
//! properties.
#![allow(clippy::too_many_arguments, reason = "as above")]

use js_sys::Uint32Array;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::buffer::LogitsBuffer;
use super::convert;
use super::error::Result;
use super::sampler::RawSampler;
use crate::batch::Rows;
use crate::error::Error;
use crate::input::{BatchInput, Input};
use crate::sampler::{MAX_ROWS, Sampler};

/// The first `length` logits of a buffer.
fn logits(buffer: &LogitsBuffer, length: u32) -> &[f32] {
    buffer.logits.get(..length as usize).unwrap_or_default()
}

/// The first `length` logits of a buffer with what came along with them.
fn input<'a>(
    buffer: &'a LogitsBuffer,
    length: u32,
    mask: &'a Option<Vec<u32>>,
    unconditional: &'a Option<Vec<f32>>,
    coin: Option<bool>,
) -> Input<'a> {
    let (mask, unconditional) = (mask.as_deref(), unconditional.as_deref());
    Input { logits: logits(buffer, length), mask, unconditional, coin }
}

#[wasm_bindgen]
impl RawSampler {
    /// The token of row 0, or -1 where [`sample`](RawSampler::sample) says what is wrong: a failed call changes nothing,
    /// so it may be asked again. One plain number crosses into JavaScript faster than a result does.
    pub fn draw(&self, buffer: &LogitsBuffer, length: u32) -> f64 {
        self.open().sample(logits(buffer, length)).map_or(-1.0, f64::from)
    }

    pub fn sample(
        &self,
        buffer: &LogitsBuffer,
        length: u32,
        row: u32,
        mask: Option<Vec<u32>>,
        unconditional: Option<Vec<f32>>,
    ) -> Result<u32> {
        Ok(self.open().row(row)?.sample(input(buffer, length, &mask, &unconditional, None))?)
    }

    #[wasm_bindgen(js_name = sampleDetailed)]
    pub fn sample_detailed(
        &self,
        buffer: &LogitsBuffer,
        length: u32,
        row: u32,
        mask: Option<Vec<u32>>,
        unconditional: Option<Vec<f32>>,
    ) -> Result<JsValue> {
        let input = input(buffer, length, &mask, &unconditional, None);
        self.moving([row].into_iter(), |sampler| {
            Ok(convert::sample(&sampler.row(row)?.sample_detailed(input)?))
        })
    }

    #[wasm_bindgen(js_name = sampleMany)]
    pub fn sample_many(
        &self,
        buffer: &LogitsBuffer,
        length: u32,
        row: u32,
        mask: Option<Vec<u32>>,
        unconditional: Option<Vec<f32>>,
        n: u32,
    ) -> Result<Uint32Array> {
        let input = input(buffer, length, &mask, &unconditional, None);
        self.moving([row].into_iter(), |sampler| {
            let tokens = sampler.row(row)?.sample_many(input, n as usize)?;
            Ok(Uint32Array::from(tokens.as_slice()))
        })
    }

    /// One token a row; `ids` absent means rows 0 to `n` - 1. `masks` holds a mask a row, one after the other, and
    /// `unconditional` a second row a row.
    #[wasm_bindgen(js_name = sampleBatch)]
    pub fn sample_batch(
        &self,
        buffer: &LogitsBuffer,
        length: u32,
        n: u32,
        ids: Option<Vec<u32>>,
        masks: Option<Vec<u32>>,
        unconditional: Option<Vec<f32>>,
    ) -> Result<Uint32Array> {
        let logits = logits(buffer, length);
        let rows = ids.as_deref().map_or(Rows::First(n as usize), Rows::Ids);
        let n_rows = ids.as_ref().map_or(n as usize, Vec::len);
        let masks =
            masks.as_deref().map(|masks| split_masks(masks, logits.len(), n_rows)).transpose()?;
        let masks = masks.unwrap_or_default();
        let unconditional = unconditional.as_deref();
        let batch = BatchInput { logits, masks: &masks, unconditional };
        let draw = |sampler: &mut Sampler| {
            Ok(Uint32Array::from(sampler.sample_batch(batch, rows)?.as_slice()))
        };
        match rows {
            Rows::First(n) => self.moving(0..n.min(MAX_ROWS) as u32, draw),
            Rows::Ids(ids) => self.moving(ids.iter().copied(), draw),
        }
    }

    #[wasm_bindgen(js_name = rowErrors)]
    pub fn row_errors(&self) -> JsValue {
        convert::row_errors(self.open().row_errors())
    }

    pub fn distribution(
        &self,
        buffer: &LogitsBuffer,
        length: u32,
        row: u32,
        mask: Option<Vec<u32>>,
        unconditional: Option<Vec<f32>>,
        coin: Option<bool>,
    ) -> Result<JsValue> {
        let distribution = self.open().row(row)?.distribution(input(
            buffer,
            length,
            &mask,
            &unconditional,
            coin,
        ))?;
        Ok(convert::distribution(&distribution))
    }

    pub fn report(
        &self,
        buffer: &LogitsBuffer,
        length: u32,
        row: u32,
        mask: Option<Vec<u32>>,
        unconditional: Option<Vec<f32>>,
        coin: Option<bool>,
        tokens: bool,
    ) -> Result<JsValue> {
        let report = self
            .open()
            .row(row)?
            .report(input(buffer, length, &mask, &unconditional, coin), tokens)?;
        Ok(convert::report(&report))
    }

    pub fn explain(
        &self,
        buffer: &LogitsBuffer,
        length: u32,
        row: u32,
        mask: Option<Vec<u32>>,
        unconditional: Option<Vec<f32>>,
        coin: Option<bool>,
        token: u32,
    ) -> Result<JsValue> {
        let found = self
            .open()
            .row(row)?
            .explain(input(buffer, length, &mask, &unconditional, coin), token)?;
        Ok(convert::explanation(&found))
    }

    pub fn logprobs(
        &self,
        buffer: &LogitsBuffer,
        length: u32,
        row: u32,
        mask: Option<Vec<u32>>,
        unconditional: Option<Vec<f32>>,
        coin: Option<bool>,
        n: u32,
        token: Option<u32>,
    ) -> Result<JsValue> {
        let logprobs = self.open().row(row)?.logprobs(
            input(buffer, length, &mask, &unconditional, coin),
            n as usize,
            token,
        )?;
        Ok(convert::logprobs(&logprobs))
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
