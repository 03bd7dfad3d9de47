//! What `benches/tokenizers` and the long tests ask of the tokenizer natively; `run.mjs` says when.

#[path = "../../../tests/common/texts.rs"]
mod texts;

use std::process::ExitCode;
use std::time::Instant;

use tokenizer_bench::{push_ids, push_text, split, texts as list_of, vocabulary};

const USAGE: &str = "texts SEED N OUT WITHOUT | list OUT FILES | sweep OUT | pieces RULE TEXTS OUT | ids VOCABULARY TEXTS OUT | \
    speed VOCABULARY TEXTS SECONDS";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &[&str]) -> Result<(), String> {
    let number = |text: &str| text.parse::<u64>().map_err(|_| format!("{text} is no number"));
    match *args {
        ["texts", seed, n, out, without] => {
            let (seed, n) = (number(seed)?, number(n)?);
            let text = |i| texts::text(seed, i).replace(|c| without.contains(c), "");
            write_texts((0..n).map(text), out)
        }
        ["list", out, ref files @ ..] => {
            let mut list = Vec::new();
            for path in files {
                push_text(&mut list, &read(path)?);
            }
            write(out, &list)
        }
        ["sweep", out] => write_texts(texts::sweep(), out),
        ["pieces", rule, texts, out] => {
            let split = split(rule).ok_or_else(|| format!("no rule {rule}"))?;
            answer(texts, out, |text| split.pieces(text).map(|piece| piece.len() as u32).collect())
        }
        ["ids", vocabulary, texts, out] => {
            let tokenizer = vocabulary::read(vocabulary)?;
            answer(texts, out, |text| tokenizer.encode(text))
        }
        ["speed", vocabulary, texts, seconds] => speed(vocabulary, texts, number(seconds)?),
        _ => Err(USAGE.into()),
    }
}

fn read(path: &str) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|error| format!("{path}: {error}"))
}

fn write(path: &str, list: &[u8]) -> Result<(), String> {
    std::fs::write(path, list).map_err(|error| format!("{path}: {error}"))
}

fn write_texts(texts: impl Iterator<Item = String>, out: &str) -> Result<(), String> {
    let mut list = Vec::new();
    texts.for_each(|text| push_text(&mut list, text.as_bytes()));
    write(out, &list)
}

fn answer(texts: &str, out: &str, ask: impl Fn(&[u8]) -> Vec<u32>) -> Result<(), String> {
    let bytes = read(texts)?;
    let mut list = Vec::new();
    for text in list_of(&bytes) {
        push_ids(&mut list, &ask(text));
    }
    write(out, &list)
}

/// Encodes every text again and again; of all rounds the fastest counts, as a JSON object.
fn speed(vocabulary: &str, texts: &str, seconds: u64) -> Result<(), String> {
    let began = Instant::now();
    let tokenizer = vocabulary::read(vocabulary)?;
    let load = began.elapsed().as_secs_f64();
    let bytes = read(texts)?;
    let list = list_of(&bytes);
    let n_bytes: usize = list.iter().map(|text| text.len()).sum();
    let (mut best, mut n_ids) = (f64::INFINITY, 0);
    let began = Instant::now();
    while began.elapsed().as_secs() < seconds {
        let round = Instant::now();
        n_ids = list.iter().map(|text| tokenizer.encode(text).len()).sum();
        best = best.min(round.elapsed().as_secs_f64());
    }
    let speed = n_bytes as f64 / 1e6 / best;
    println!("{{\"megabytesASecond\":{speed:.2},\"ids\":{n_ids},\"loadSeconds\":{load:.3}}}");
    Ok(())
}
