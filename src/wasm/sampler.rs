//! The sampler as JavaScript calls it: one method of the crate behind each.
//!
//! A call that breaks off (a trap) leaves wasm-bindgen's own flag of an object set where it took `&mut self`, and nothing
//! of the object can be read any more. So every method takes `&self`, and [`rescue`](RawSampler::rescue) alone reads past
//! the flag of the cell.

use std::cell::{RefCell, RefMut};
use std::sync::atomic::{Ordering, compiler_fence};

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::convert;
use super::error::Result;
use super::reserve;
use crate::sampler::{Mark, Sampler};

/// A sampler and its rows.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawSampler {
    sampler: RefCell<Sampler>,
    /// During a call that moves rows step by step: where they stood before it.
    mark: RefCell<Option<Mark>>,
}

impl RawSampler {
    fn of(sampler: Sampler) -> Result<RawSampler> {
        #[cfg(feature = "trap")]
        let sampler = super::trap::lay(sampler)?;
        Ok(RawSampler { sampler: RefCell::new(sampler), mark: RefCell::new(None) })
    }

    /// The sampler for a call that commits last. No call runs inside of another, so it is never borrowed already.
    #[inline]
    pub(super) fn open(&self) -> RefMut<'_, Sampler> {
        self.sampler.borrow_mut()
    }

    /// Runs a call that moves these rows step by step, up to what JavaScript gets of it.
    pub(super) fn moving<T>(
        &self,
        ids: impl Iterator<Item = u32>,
        call: impl FnOnce(&mut Sampler) -> Result<T>,
    ) -> Result<T> {
        let mut sampler = self.open();
        self.mark.replace(Some(sampler.mark(ids)));
        // Whoever rescues reads what is written here, though the compiler sees nobody who does.
        compiler_fence(Ordering::SeqCst);
        let result = call(&mut sampler);
        self.mark.replace(None);
        result
    }
}

#[wasm_bindgen]
impl RawSampler {
    /// A sampler from an options object.
    #[wasm_bindgen(constructor)]
    pub fn new(options: JsValue) -> Result<RawSampler> {
        RawSampler::of(Sampler::new(convert::options(options)?)?)
    }

    /// The sampler of a state.
    #[wasm_bindgen(js_name = fromState)]
    pub fn from_state(state: JsValue) -> Result<RawSampler> {
        RawSampler::of(Sampler::from_state(&convert::value(state, "state")?)?)
    }

    pub fn accept(&self, token: u32, row: u32) -> Result<()> {
        Ok(self.open().row(row)?.accept(token)?)
    }

    pub fn prompt(&self, tokens: &[u32], row: u32) -> Result<()> {
        Ok(self.open().row(row)?.prompt(tokens)?)
    }

    pub fn options(&self) -> JsValue {
        convert::plain(&self.open().settings().to_value())
    }

    /// The options in force for a row, seed and stream included.
    #[wasm_bindgen(js_name = rowOptions)]
    pub fn row_options(&self, row: u32) -> Result<JsValue> {
        Ok(convert::plain(&self.open().row(row)?.settings().to_value()))
    }

    /// The latest draw that tripped a guard, or null.
    #[wasm_bindgen(js_name = lastTrip)]
    pub fn last_trip(&self) -> JsValue {
        let sampler = self.open();
        let latest = sampler.last_trip();
        convert::trip(latest.map(|(_, trip)| trip), latest.map(|(row, _)| row))
    }

    /// The circuit breaker of a row's guard.
    pub fn breaker(&self, row: u32) -> Result<JsValue> {
        let mut sampler = self.open();
        let row = sampler.row(row)?;
        Ok(convert::breaker(row.breaker(), row.position()))
    }

    pub fn update(&self, options: JsValue, row: Option<u32>) -> Result<()> {
        let options = convert::options(options)?;
        Ok(self.open().update(&options, row)?)
    }

    #[wasm_bindgen(js_name = addRow)]
    pub fn add_row(&self, options: JsValue) -> Result<u32> {
        let options = convert::options(options)?;
        Ok(self.open().add_row(options)?)
    }

    #[wasm_bindgen(js_name = removeRow)]
    pub fn remove_row(&self, row: u32) -> Result<()> {
        Ok(self.open().remove_row(row)?)
    }

    pub fn state(&self) -> Result<JsValue> {
        Ok(convert::plain(&self.open().state()?))
    }

    /// The [`state`](RawSampler::state) after some call broke off, read past whatever that left set: where it was one of this
    /// sampler's own, the state before it.
    ///
    /// Nothing else may be asked of a sampler from then on: what the call was about may lie half done.
    pub fn rescue(&self) -> Result<JsValue> {
        reserve::release();
        // SAFETY: the cell is alive, for JavaScript has its handle. Its flag may say that somebody is writing, but that call
        // was broken off and never goes on, and no other runs: nobody else has a reference. What a call commits step by
        // step is covered by `mark`; of all others the commits come last (`History`, `Row`, `Sampler::update`), so that
        // what a state is made of is whole wherever the call ended.
        #[allow(unsafe_code, reason = "as above")]
        let sampler = unsafe { &mut *self.sampler.as_ptr() };
        if let Some(mark) = self.mark.take() {
            sampler.go_back(mark);
        }
        Ok(convert::plain(&sampler.state()?))
    }

    pub fn reset(&self) {
        self.open().reset();
    }

    #[wasm_bindgen(js_name = cloneOnStream)]
    pub fn clone_on_stream(&self, stream: Option<u32>) -> Result<RawSampler> {
        let original = self.open();
        let sampler = match stream {
            Some(stream) => original.clone_on_stream(stream)?,
            None => original.clone(),
        };
        RawSampler::of(sampler)
    }
}
