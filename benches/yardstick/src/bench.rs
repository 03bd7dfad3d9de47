//! What the native programs share: rows from files, and records on the standard output, one JSON object a line.
//!
//! Arguments: a list of rows (lines of shape, name, number of logits and file, with tabs between), rounds, milliseconds to run
//! in, milliseconds of a group; `unchecked` last leaves out the check of the limit.

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;
use std::{env, fs};

use crate::measure::{Measured, Task, Timing, limit, measure};
use crate::{SANE, max_pass};

/// Temperatures; the first is the one for everything, the second for the main chains.
pub const TEMPERATURES: [f64; 2] = [0.8, 0.7];

/// A row of logits, shape `(n_vocab)`.
#[derive(Clone, Debug)]
pub struct Row {
    pub shape: String,
    pub name: String,
    pub logits: Vec<f32>,
}

/// Who measures what, and how.
#[derive(Clone, Debug)]
pub struct Bench {
    pub rows: Vec<Row>,
    pub timing: Timing,
}

impl Bench {
    /// From the program's arguments; a sentence where they are not what is accepted.
    pub fn from_arguments() -> Result<Self, String> {
        let mut arguments: Vec<String> = env::args().skip(1).collect();
        let unchecked = arguments.pop_if(|last| last == "unchecked").is_some();
        let [list, rounds, warm, group] = arguments.as_slice() else {
            return Err("usage: PROGRAM LIST_OF_ROWS ROUNDS WARM_MS GROUP_MS [unchecked]".into());
        };
        let timing = Timing {
            rounds: rounds.parse().map_err(|_| format!("{rounds} is no number of rounds"))?,
            warm: milliseconds(warm)?,
            group: milliseconds(group)?,
        };
        let bench = Self { rows: read_rows(Path::new(list))?, timing };
        if !unchecked {
            bench.check_limit()?;
        }
        Ok(bench)
    }

    /// Refuses a limit that is not what it should be, judged by its quietest moments.
    fn check_limit(&self) -> Result<(), String> {
        const TRIES: usize = 5;
        let row: Vec<f32> = (0..128_256).map(|i| (i % 17) as f32).collect();
        let timing = Timing {
            rounds: 400,
            warm: Duration::from_millis(50),
            group: Duration::from_micros(100),
        };
        let mut found = 0.0;
        for _ in 0..TRIES {
            let task = Task::new("maximum alone", || {
                black_box(max_pass(black_box(&row)));
            });
            let measured = measure(limit(&row, TEMPERATURES[0]), vec![task], timing);
            found = measured[0].least / measured[1].least;
            if SANE.contains(&found) {
                return Ok(());
            }
        }
        Err(format!(
            "the native two-pass limit takes {found:.1} times a pure maximum and must take {} to {}: it is mis-built",
            SANE.start(),
            SANE.end()
        ))
    }

    /// Measures tasks on a row and prints their records.
    pub fn run(
        &self,
        who: &str,
        row: &Row,
        temperature: f64,
        tasks: Vec<Task<'_>>,
    ) -> Vec<Measured> {
        let measured = measure(limit(&row.logits, temperature), tasks, self.timing);
        for one in &measured {
            println!("{}", record(who, row, temperature, one));
        }
        measured
    }
}

/// A record as JSON. Names hold no character that would need an escape.
pub fn record(who: &str, row: &Row, temperature: f64, measured: &Measured) -> String {
    let Row { shape, name, logits } = row;
    let Measured { name: chain, milliseconds, limits, rounds, .. } = measured;
    format!(
        r#"{{"who":"{who}","chain":"{chain}","shape":"{shape}","row":"{name}","n":{},"temperature":{temperature},"milliseconds":{milliseconds},"limits":{limits},"rounds":{rounds}}}"#,
        logits.len()
    )
}

/// Tokens that someone drew, to be held against the sampler's kept set.
pub fn print_drawn(who: &str, chain: &str, row: &Row, tokens: &[u32]) {
    println!(
        r#"{{"who":"{who}","chain":"{chain}","row":"{}","n":{},"drawn":{tokens:?}}}"#,
        row.name,
        row.logits.len()
    );
}

fn milliseconds(word: &str) -> Result<Duration, String> {
    let number: f64 = word.parse().map_err(|_| format!("{word} is no number of milliseconds"))?;
    Duration::try_from_secs_f64(number / 1000.0).map_err(|error| format!("{word} ms: {error}"))
}

fn read_rows(list: &Path) -> Result<Vec<Row>, String> {
    let text = fs::read_to_string(list).map_err(|error| format!("{}: {error}", list.display()))?;
    text.lines().map(read_row).collect()
}

fn read_row(line: &str) -> Result<Row, String> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [shape, name, n, file] = fields[..] else {
        return Err(format!(
            "\"{line}\" is no row: shape, name, number and file are needed, with tabs between"
        ));
    };
    let bytes = fs::read(file).map_err(|error| format!("{file}: {error}"))?;
    let logits: Vec<f32> =
        bytes.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)).collect();
    if n.parse() != Ok(logits.len()) {
        return Err(format!("{file} has {} logits and not {n}", logits.len()));
    }
    Ok(Row { shape: shape.into(), name: name.into(), logits })
}
