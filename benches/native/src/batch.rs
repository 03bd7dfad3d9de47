//! A batch of rows in one call.

use std::hint::black_box;

use nucleus_sampler::{Options, Result, Rows, Sampler};
use two_pass_limit::bench::{Bench, Row, TEMPERATURES};
use two_pass_limit::measure::Task;

/// Rows of a batch.
const N_ROWS: usize = 64;

/// The vocabulary of a batch: 64 rows of it are what a server holds.
const N_VOCAB: usize = 32_000;

/// 64 copies of each row of the batch's vocabulary, in one call: on one thread, and on two.
pub fn measure(bench: &Bench) -> Result<()> {
    for row in bench.rows.iter().filter(|row| row.logits.len() == N_VOCAB) {
        let logits = row.logits.repeat(N_ROWS);
        let tasks = [("batch, one thread", 1), ("batch, two threads", 2)]
            .map(|(name, threads)| batch_task(name, threads, row, &logits));
        let tasks = tasks.into_iter().collect::<Result<_>>()?;
        bench.run(super::WHO, row, TEMPERATURES[0], tasks);
    }
    Ok(())
}

fn batch_task<'a>(name: &str, threads: usize, row: &Row, logits: &'a [f32]) -> Result<Task<'a>> {
    let options =
        Options { temperature: Some(0.8), top_p: Some(0.95), seed: Some(42), ..Options::default() };
    let mut sampler = Sampler::new(options)?;
    debug_assert_eq!(logits.len(), row.logits.len() * N_ROWS);
    sampler.sample_batch_on(threads, logits, Rows::First(N_ROWS))?;
    Ok(Task::new(name, move || {
        let drawn = sampler.sample_batch_on(threads, black_box(logits), Rows::First(N_ROWS));
        black_box(drawn.is_ok());
    }))
}
