//! The corpus: a tokenizer trained on `train/`, its tokens in one row, and `valid/` as it is.
//!
//! Runs of spaces within a training text become one: half a dozen of the books have two spaces after each sentence, which
//! says nothing about language. Files of `valid/` are taken byte for byte.

use std::fs;
use std::path::{Path, PathBuf};

use nucleus_sampler::tokenizer::{Split, TokenKind, Tokenizer, Training, train};

use crate::random::Random;

/// Stands before every text.
pub const END_OF_TEXT: &str = "<|endoftext|>";

/// A text to measure on.
pub struct Text {
    pub name: String,
    pub n_bytes: usize,
    /// Begins with the end-of-text token.
    pub tokens: Vec<u32>,
}

pub struct Corpus {
    pub tokenizer: Tokenizer,
    /// Every training text after an end-of-text token.
    pub train: Vec<u32>,
    pub valid: Vec<Text>,
}

impl Corpus {
    /// Reads a folder with `train/` and `valid/`.
    pub fn read(folder: &Path, n_vocab: usize) -> Result<Corpus, String> {
        let texts: Vec<Vec<u8>> =
            files(&folder.join("train"))?.iter().map(|(_, bytes)| single_spaces(bytes)).collect();
        let slices: Vec<&[u8]> = texts.iter().map(Vec::as_slice).collect();
        let training =
            Training { n_vocab, split: Split::Gpt2Digits, special: vec![END_OF_TEXT.into()] };
        let tokenizer = train(&slices, &training).map_err(|error| error.to_string())?;
        let end = end_of_text(&tokenizer);
        let encode = |text: &[u8]| [&[end], tokenizer.encode(text).as_slice()].concat();
        let train = slices.iter().flat_map(|text| encode(text)).collect();
        let text = |(name, bytes): &(String, Vec<u8>)| Text {
            name: name.clone(),
            n_bytes: bytes.len(),
            tokens: encode(bytes),
        };
        let valid = files(&folder.join("valid"))?.iter().map(text).collect();
        Ok(Corpus { tokenizer, train, valid })
    }

    /// A number that differs where the training tokens do.
    pub fn fingerprint(&self) -> u64 {
        let step =
            |hash: u64, &id: &u32| (hash ^ u64::from(id)).wrapping_mul(0x0000_0100_0000_01b3);
        self.train.iter().fold(0xcbf2_9ce4_8422_2325, step)
    }
}

/// The end-of-text token; every tokenizer here has it.
pub fn end_of_text(tokenizer: &Tokenizer) -> u32 {
    let id = tokenizer.vocabulary().id(END_OF_TEXT.as_bytes(), TokenKind::Special);
    id.expect("a tokenizer with an end-of-text token")
}

/// The `.txt` files of a folder by name.
fn files(folder: &Path) -> Result<Vec<(String, Vec<u8>)>, String> {
    let say = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    let entries = fs::read_dir(folder).map_err(|error| say(folder, error))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    paths.sort();
    if paths.is_empty() {
        return Err(format!("{}: there are no .txt files", folder.display()));
    }
    let read = |path: &PathBuf| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok((name, fs::read(path).map_err(|error| say(path, error))?))
    };
    paths.iter().map(read).collect()
}

fn single_spaces(text: &[u8]) -> Vec<u8> {
    let mut single = Vec::with_capacity(text.len());
    for &byte in text {
        if byte != b' ' || single.last() != Some(&b' ') {
            single.push(byte);
        }
    }
    single
}

/// Where the sequences of training begin: each epoch cuts the tokens anew and takes the cuts in random order.
pub struct Order {
    n_tokens: usize,
    length: usize,
    seed: u64,
    epoch: Option<u64>,
    starts: Vec<usize>,
}

impl Order {
    /// Sequences of `length` inputs over `n_tokens` tokens.
    pub fn new(n_tokens: usize, length: usize, seed: u64) -> Order {
        Order { n_tokens, length, seed, epoch: None, starts: Vec::new() }
    }

    /// Sequences an epoch; the last tokens of an epoch may be left out.
    pub fn per_epoch(&self) -> usize {
        (self.n_tokens - self.length - 1) / self.length
    }

    /// Where the `index`-th sequence of the whole training begins.
    pub fn start(&mut self, index: u64) -> usize {
        let n = self.per_epoch();
        let epoch = index / n as u64;
        if self.epoch != Some(epoch) {
            let mut random = Random::of(self.seed, 1, epoch);
            let shift = random.below(self.length);
            self.starts =
                random.permutation(n).into_iter().map(|i| i * self.length + shift).collect();
            self.epoch = Some(epoch);
        }
        self.starts[(index % n as u64) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_epoch_takes_every_cut_once_and_the_next_cuts_elsewhere() {
        let mut order = Order::new(1000, 32, 1);
        let n = order.per_epoch() as u64;
        let mut first: Vec<usize> = (0..n).map(|i| order.start(i)).collect();
        let again = Order::new(1000, 32, 1).start(3);
        assert_eq!(first[3], again);
        let mut second: Vec<usize> = (n..2 * n).map(|i| order.start(i)).collect();
        first.sort_unstable();
        second.sort_unstable();
        assert!(first.windows(2).all(|pair| pair[1] == pair[0] + 32));
        assert!(first.iter().chain(&second).all(|start| start + 33 <= 1000));
        assert_ne!(first[0], second[0]);
    }

    #[test]
    fn runs_of_spaces_become_one() {
        assert_eq!(single_spaces(b"a  b\n   c "), b"a b\n c ");
    }
}
