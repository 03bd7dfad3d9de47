//! A model, and sequences of tokens that it continues.

use std::sync::Arc;

use super::cache::Cache;
use super::config::Config;
use super::forward::{Next, forward, logits};
use super::gguf::VocabularyData;
use super::loader::Loader;
use super::weights::Weights;
use crate::error::{Error, Result};

/// Rows of activations that go through the layers together.
const BATCH: usize = 64;

/// A model that is loaded.
///
/// Sessions hold on to its weights, so it may be dropped before them.
#[derive(Debug)]
pub struct Model {
    weights: Arc<Weights>,
    vocabulary: VocabularyData,
}

impl Model {
    /// The model of a GGUF file.
    ///
    /// # Errors
    ///
    /// What is wrong with the file: not GGUF, cut short, of an architecture or encoding that is not known, or
    /// inconsistent.
    pub fn load(file: &[u8]) -> Result<Model> {
        let mut loader = Loader::new(Some(file.len() as u64));
        loader.push(file)?;
        loader.finish()
    }

    pub(super) fn new(weights: Weights, vocabulary: VocabularyData) -> Model {
        Model { weights: Arc::new(weights), vocabulary }
    }

    /// Its shape.
    pub fn config(&self) -> &Config {
        &self.weights.config
    }

    /// What its file says of its tokenizer.
    pub fn vocabulary(&self) -> &VocabularyData {
        &self.vocabulary
    }

    /// Takes that out, which may be large, and leaves nothing.
    pub fn take_vocabulary(&mut self) -> VocabularyData {
        core::mem::take(&mut self.vocabulary)
    }

    /// An empty sequence.
    pub fn session(&self) -> Session {
        Session { cache: Cache::new(&self.weights.config), weights: Arc::clone(&self.weights) }
    }

    /// One more token for each of several sessions: what each one's [`step`](Session::step) returns, one after the
    /// other, (sessions, n_vocab), and faster.
    ///
    /// # Errors
    ///
    /// As `step`, and a session of another model; then no session has changed.
    pub fn step(&self, sessions: &mut [&mut Session], tokens: &[u32]) -> Result<Vec<f32>> {
        if sessions.len() != tokens.len() {
            let (found, expected) = (tokens.len(), sessions.len());
            return Err(Error::WrongLength { what: "tokens", found, expected });
        }
        for (session, token) in sessions.iter_mut().zip(tokens) {
            if !Arc::ptr_eq(&session.weights, &self.weights) {
                let (found, accepted) = ("one of another model".into(), "one of this".into());
                return Err(Error::OutOfRange { option: "a session".into(), found, accepted });
            }
            session.ready(core::slice::from_ref(token))?;
        }
        let mut all = Vec::new();
        for (sessions, tokens) in sessions.chunks_mut(BATCH).zip(tokens.chunks(BATCH)) {
            let next = sessions.iter_mut().zip(tokens.chunks(1));
            let mut next: Vec<Next<'_>> =
                next.map(|(session, tokens)| Next { cache: &mut session.cache, tokens }).collect();
            let x = forward(&self.weights, &mut next);
            all.extend(last_logits(&self.weights, &x)?);
        }
        Ok(all)
    }
}

/// The logits of rows of activations.
fn last_logits(weights: &Weights, x: &[f32]) -> Result<Vec<f32>> {
    let n = x.len() / weights.config.dim * weights.config.n_vocab;
    let mut row = Vec::new();
    row.try_reserve_exact(n).map_err(|_| Error::NoMemory { what: "logits" })?;
    row.resize(n, 0.0);
    logits(weights, x, &mut row);
    Ok(row)
}

/// A sequence of tokens: its keys and values, and the model that continues it.
#[derive(Debug)]
pub struct Session {
    weights: Arc<Weights>,
    cache: Cache,
}

impl Session {
    /// Adds tokens; returns the logits after the last one, (n_vocab).
    ///
    /// # Errors
    ///
    /// No token, one that the vocabulary does not have, or more than the model's `n_ctx` positions; then the session has
    /// not changed.
    pub fn prefill(&mut self, tokens: &[u32]) -> Result<Vec<f32>> {
        if tokens.is_empty() {
            return Err(Error::Empty { what: "ids".into() });
        }
        self.ready(tokens)?;
        let mut x = Vec::new();
        for tokens in tokens.chunks(BATCH) {
            x = forward(&self.weights, &mut [Next { cache: &mut self.cache, tokens }]);
        }
        let last = x.split_off(x.len().saturating_sub(self.weights.config.dim));
        last_logits(&self.weights, &last)
    }

    /// Adds a token; returns the logits after it, (n_vocab).
    ///
    /// # Errors
    ///
    /// As [`prefill`](Session::prefill).
    pub fn step(&mut self, token: u32) -> Result<Vec<f32>> {
        self.prefill(&[token])
    }

    /// Checks tokens, and makes room for them.
    fn ready(&mut self, tokens: &[u32]) -> Result<()> {
        let &Config { n_vocab, n_ctx, .. } = &self.weights.config;
        if let Some(token) = tokens.iter().copied().find(|token| *token as usize >= n_vocab) {
            return Err(Error::BadToken { option: "ids", token, n_vocab });
        }
        let length = self.cache.length() as u64 + tokens.len() as u64;
        if length > n_ctx as u64 {
            let what = "the session's length";
            return Err(Error::TooLarge { what, found: length, limit: n_ctx as u64 });
        }
        self.cache.reserve(tokens.len())
    }

    /// How many tokens it has.
    pub fn length(&self) -> usize {
        self.cache.length()
    }

    /// Forgets all tokens from `length` on.
    ///
    /// # Errors
    ///
    /// A length above the session's.
    pub fn rewind(&mut self, length: usize) -> Result<()> {
        if length > self.length() {
            return Err(Error::TooLarge {
                what: "length",
                found: length as u64,
                limit: self.length() as u64,
            });
        }
        self.cache.rewind(length);
        Ok(())
    }

    /// A second sequence that begins as this one: what both have is stored once.
    #[must_use]
    pub fn fork(&self) -> Session {
        Session { weights: Arc::clone(&self.weights), cache: self.cache.clone() }
    }
}
