//! Rust samplers natively, each on every row, against the two-pass limit in the same process.

mod candle;
mod chains;
mod llm;
mod naive;

use std::cell::RefCell;
use std::process::ExitCode;

use two_pass_limit::bench::{Bench, Row, TEMPERATURES, print_drawn};
use two_pass_limit::measure::Task;

/// One draw from one row.
pub type Draw<'a> = Box<dyn FnMut() -> u32 + 'a>;

/// Tokens that are drawn to be held against the sampler's kept set.
const N_DRAWN: usize = 30;

/// A sampler's name and its chains on a row; a chain that it lacks is left out.
type Peer = (&'static str, for<'a> fn(&'a Row) -> Vec<(&'static str, Draw<'a>)>);

const PEERS: [Peer; 3] = [
    ("candle-transformers", candle::draws),
    ("llm-samplers", llm::draws),
    ("naive Rust (softmax, full sort)", naive::draws),
];

fn measure(bench: &Bench) {
    for row in &bench.rows {
        for (who, draws) in PEERS {
            let draws: Vec<_> =
                draws(row).into_iter().map(|(chain, draw)| (chain, RefCell::new(draw))).collect();
            let tasks = draws.iter().map(|(chain, draw)| {
                Task::new(*chain, move || {
                    std::hint::black_box((draw.borrow_mut())());
                })
            });
            bench.run(who, row, TEMPERATURES[0], tasks.collect());
            for (chain, draw) in &draws {
                let tokens: Vec<u32> = (0..N_DRAWN).map(|_| (draw.borrow_mut())()).collect();
                print_drawn(who, chain, row, &tokens);
            }
        }
    }
}

fn main() -> ExitCode {
    match Bench::from_arguments() {
        Ok(bench) => {
            measure(&bench);
            ExitCode::SUCCESS
        }
        Err(sentence) => {
            eprintln!("{sentence}");
            ExitCode::FAILURE
        }
    }
}
