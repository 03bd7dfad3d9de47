//! The tokenizer as a module without JavaScript of its own: bytes in memory, one tokenizer, and its latest ids.

use std::cell::RefCell;

use nucleus_sampler::tokenizer::Tokenizer;
use nucleus_sampler::tokenizer::read::{hugging_face, tiktoken};

#[derive(Default)]
struct Module {
    bytes: Vec<u8>,
    tokenizer: Option<Tokenizer>,
    ids: Vec<u32>,
}

thread_local! {
    static MODULE: RefCell<Module> = RefCell::default();
}

/// Where `length` bytes may be written.
#[unsafe(no_mangle)]
extern "C" fn room(length: usize) -> *mut u8 {
    MODULE.with_borrow_mut(|module| {
        module.bytes.resize(length, 0);
        module.bytes.as_mut_ptr()
    })
}

/// Reads the bytes as a `.tiktoken` file of the rule with a number, or as a tokenizer.json where there is no such rule; 1
/// where that went well.
#[unsafe(no_mangle)]
extern "C" fn load(rule: usize) -> u32 {
    MODULE.with_borrow_mut(|module| {
        let found = match nucleus_sampler::tokenizer::Split::ALL.get(rule) {
            Some(&split) => tiktoken::tokenizer(&module.bytes, &[], split),
            None => hugging_face::tokenizer(&module.bytes),
        };
        module.tokenizer = found.ok();
        u32::from(module.tokenizer.is_some())
    })
}

/// Encodes the first `length` bytes; the number of ids.
#[unsafe(no_mangle)]
extern "C" fn encode(length: usize) -> usize {
    MODULE.with_borrow_mut(|module| {
        let text = module.bytes.get(..length).unwrap_or_default();
        module.ids = module.tokenizer.as_ref().map_or_else(Vec::new, |found| found.encode(text));
        module.ids.len()
    })
}

/// Where the ids lie.
#[unsafe(no_mangle)]
extern "C" fn ids() -> *const u32 {
    MODULE.with_borrow(|module| module.ids.as_ptr())
}
