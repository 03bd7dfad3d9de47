//! The sampler natively: every chain on every row, and a batch.

use std::hint::black_box;
use std::process::ExitCode;

use nucleus_sampler::{Options, Result, Sampler};
use two_pass_limit::bench::{Bench, Row, TEMPERATURES};
use two_pass_limit::measure::Task;

mod batch;

/// The name that this runner's records carry.
const WHO: &str = "native";

fn chains(temperature: f64) -> [(&'static str, Options); 5] {
    let base = Options { temperature: Some(temperature), seed: Some(42), ..Options::default() };
    let top_p = Options { top_p: Some(0.95), ..base.clone() };
    [
        ("greedy", Options { temperature: Some(0.0), ..base.clone() }),
        ("no truncation", base),
        ("top-p", top_p.clone()),
        ("top-k + top-p", Options { top_k: Some(40), ..top_p.clone() }),
        ("top-p + min-p", Options { min_p: Some(0.05), ..top_p }),
    ]
}

/// One draw a call. A row that cannot be drawn from fails before anything is timed.
fn task<'a>(name: &str, options: Options, row: &'a Row) -> Result<Task<'a>> {
    let mut sampler = Sampler::new(options)?;
    sampler.sample(&row.logits)?;
    Ok(Task::new(name, move || {
        black_box(sampler.sample(black_box(&row.logits)).is_ok());
    }))
}

fn measure(bench: &Bench) -> Result<()> {
    for temperature in TEMPERATURES {
        for row in &bench.rows {
            let tasks =
                chains(temperature).into_iter().map(|(name, options)| task(name, options, row));
            bench.run(WHO, row, temperature, tasks.collect::<Result<_>>()?);
        }
    }
    batch::measure(bench)
}

fn main() -> ExitCode {
    let outcome = Bench::from_arguments()
        .and_then(|bench| measure(&bench).map_err(|error| error.to_string()));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("{sentence}");
            ExitCode::FAILURE
        }
    }
}
