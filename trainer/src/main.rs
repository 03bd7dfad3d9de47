//! Trains the small language model of nucleus-sampler on a folder of texts and writes it as GGUF.
//!
//! `random`, `matrix`, `mixed`, `shape`, `options` · then `ops` (one file each, forward and backward) · then `network` · then
//! `corpus`, `optimizer`, `evaluate`, `quantize`, `gguf`, `generate`, `checkpoint`, `progress` · then `training`.

mod checkpoint;
mod corpus;
mod evaluate;
mod generate;
mod gguf;
mod matrix;
mod mixed;
mod network;
mod ops;
mod optimizer;
mod options;
mod progress;
mod quantize;
mod random;
mod shape;
mod training;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let run = options::Options::parse(&arguments).and_then(training::Run::new);
    match run.and_then(|mut run| run.train()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("{sentence}");
            ExitCode::FAILURE
        }
    }
}
