//! Memory for logits that JavaScript writes into directly.

use wasm_bindgen::prelude::wasm_bindgen;

use super::error::Result;
use crate::candidates::MAX_VOCAB;
use crate::error::Error;

/// Bytes a logit that sampling and every preview of a row take between them. Measured in fresh modules, for vocabularies
/// from 1,000 to 524,288: it is enough for a chain that truncates or writes; only where several stages write and cut a row
/// of which nearly everything is kept, and every preview is asked for, does memory grow once more, by up to 41.
const HEADROOM: usize = 64;

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

    /// Makes the memory grow now by what calls on these logits take, so that it seldom grows between two of them: growth
    /// ends every view. Where there is no room for it, the calls find out for themselves.
    #[wasm_bindgen(js_name = growAhead)]
    pub fn grow_ahead(&self) {
        // A batch is sampled a row at a time.
        let n = self.logits.len().min(MAX_VOCAB);
        // Reserved and given back: the allocator keeps what it got.
        let _ = Vec::<u8>::new().try_reserve_exact(n * HEADROOM);
    }

    /// Where the logits are, in bytes from the start of the memory.
    #[wasm_bindgen(getter)]
    pub fn pointer(&self) -> u32 {
        self.logits.as_ptr() as usize as u32
    }
}
