//! Loading, the model, its sessions and its tokenizer as JavaScript calls them: one method of the crate behind each.

use wasm_bindgen::prelude::wasm_bindgen;

use super::error::Result;
use super::tokenizer::{messages, next, of_file};
use crate::error::{self, Error};
use crate::model::{Loader, Model, Session};
use crate::tokenizer::Tokenizer;

/// A file on its way in.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawLoader {
    loader: Loader,
}

#[wasm_bindgen]
impl RawLoader {
    /// A loader of a file of `size` bytes, where that is known.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(size: Option<f64>) -> RawLoader {
        RawLoader { loader: Loader::new(size.map(|size| size as u64)) }
    }

    /// Takes the next bytes.
    pub fn push(&mut self, bytes: &[u8]) -> Result<()> {
        Ok(self.loader.push(bytes)?)
    }

    /// The bytes that the file must have, once its header has come.
    pub fn needed(&self) -> Option<f64> {
        self.loader.needed().map(|needed| needed as f64)
    }

    /// The model.
    pub fn finish(self) -> Result<RawModel> {
        let mut model = self.loader.finish()?;
        let tokenizer = of_file(&model.take_vocabulary(), model.config().n_vocab);
        Ok(RawModel { model, tokenizer })
    }
}

/// A model and its tokenizer, or what is wrong with that.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawModel {
    model: Model,
    tokenizer: error::Result<Tokenizer>,
}

impl RawModel {
    fn tokenizer(&self) -> Result<&Tokenizer> {
        Ok(self.tokenizer.as_ref().map_err(Error::clone)?)
    }
}

#[wasm_bindgen]
impl RawModel {
    #[must_use]
    pub fn session(&self) -> RawSession {
        RawSession { session: self.model.session() }
    }

    /// The shape: n_vocab, n_ctx, n_layers, dim, ffn_dim, n_heads, n_kv_heads, head_dim.
    #[must_use]
    pub fn shape(&self) -> Vec<u32> {
        let config = self.model.config();
        let shape = [
            config.n_vocab,
            config.n_ctx,
            config.n_layers,
            config.dim,
            config.ffn_dim,
            config.n_heads,
            config.n_kv_heads,
            config.head_dim,
        ];
        shape.map(|n| n as u32).to_vec()
    }

    #[must_use]
    pub fn architecture(&self) -> String {
        self.model.config().architecture.name().into()
    }

    pub fn encode(&self, text: &str, special: bool) -> Result<Vec<u32>> {
        let tokenizer = self.tokenizer()?;
        #[cfg(feature = "trap")]
        super::trap::text(text);
        let text = text.as_bytes();
        Ok(if special { tokenizer.encode_special(text) } else { tokenizer.encode(text) })
    }

    /// The bytes of tokens one after the other.
    pub fn decode(&self, ids: &[u32], special: bool) -> Result<Vec<u8>> {
        let tokenizer = self.tokenizer()?;
        Ok(if special { tokenizer.decode(ids)? } else { tokenizer.decode_without_special(ids)? })
    }

    /// The id of the token that begins a text, or none.
    pub fn bos(&self) -> Result<Option<u32>> {
        Ok(self.tokenizer()?.special().bos)
    }

    /// Whether the model expects it before every text.
    #[wasm_bindgen(js_name = addBos)]
    pub fn add_bos(&self) -> Result<bool> {
        Ok(self.tokenizer()?.special().add_bos)
    }

    /// The ids of the tokens that end a generation.
    pub fn ends(&self) -> Result<Vec<u32>> {
        Ok(self.tokenizer()?.special().ends.clone())
    }

    /// A conversation as a text.
    pub fn chat(&self, roles: Vec<String>, contents: Vec<String>, reply: bool) -> Result<String> {
        let template = self
            .tokenizer()?
            .chat_template()
            .ok_or_else(|| Error::Empty { what: "the chat template of this tokenizer".into() })?;
        Ok(template.text(&messages(&roles, &contents), next(reply))?)
    }

    /// A conversation as token ids, in which messages are text alone.
    #[wasm_bindgen(js_name = encodeChat)]
    pub fn encode_chat(
        &self,
        roles: Vec<String>,
        contents: Vec<String>,
        reply: bool,
    ) -> Result<Vec<u32>> {
        Ok(self.tokenizer()?.encode_chat(&messages(&roles, &contents), next(reply))?)
    }
}

/// A sequence of tokens.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawSession {
    session: Session,
}

#[wasm_bindgen]
impl RawSession {
    pub fn prefill(&mut self, ids: &[u32]) -> Result<Vec<f32>> {
        Ok(self.session.prefill(ids)?)
    }

    pub fn step(&mut self, id: u32) -> Result<Vec<f32>> {
        Ok(self.session.step(id)?)
    }

    #[must_use]
    pub fn length(&self) -> u32 {
        self.session.length() as u32
    }

    pub fn rewind(&mut self, length: u32) -> Result<()> {
        Ok(self.session.rewind(length as usize)?)
    }

    #[must_use]
    pub fn fork(&self) -> RawSession {
        RawSession { session: self.session.fork() }
    }
}
