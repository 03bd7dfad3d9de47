//! Memory for logits that JavaScript writes into directly.

use wasm_bindgen::prelude::wasm_bindgen;

use super::error::Result;
use crate::error::Error;

/// Room for logits inside wasm memory. JavaScript makes a view of it from `pointer` and `length`.
#[wasm_bindgen]
#[derive(Debug)]
pub struct LogitsBuffer {
    pub(super) logits: Vec<f32>,
}

#[wasm_bindgen]
impl LogitsBuffer {
    /// Room for `length` logits, zeros at first; an error when there is no memory for them.
    #[wasm_bindgen(constructor)]
    pub fn new(length: u32) -> Result<LogitsBuffer> {
        let mut logits = Vec::new();
        let length = length as usize;
        if logits.try_reserve_exact(length).is_err() {
            let limit = u64::from(u32::MAX >> 3);
            return Err(
                Error::TooLarge { what: "the logits buffer", found: length as u64, limit }.into()
            );
        }
        logits.resize(length, 0.0);
        Ok(LogitsBuffer { logits })
    }

    /// Where the logits are, in bytes from the start of the memory.
    #[wasm_bindgen(getter)]
    pub fn pointer(&self) -> u32 {
        self.logits.as_ptr() as usize as u32
    }
}
