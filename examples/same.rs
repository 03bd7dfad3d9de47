//! The golden file of draws, `tests/golden/same.json`: `write` writes it, `compare` asks this build for all of it.
//!
//! ```text
//! cargo run --release --example same -- write
//! cargo run --release --example same -- compare
//! ```
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "what is wrong with the golden file ends the comparison"
)]

#[path = "../tests/same/golden_file.rs"]
mod golden_file;

use golden_file::{compare, read, recorded, same_json, write};

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("write") => std::fs::write(same_json(), write::text(&recorded)).unwrap(),
        Some("compare") => {
            let golden = read();
            let outcome = compare::compare(&golden, &compare::all_logits(&golden, &recorded));
            println!("{}", outcome.line());
        }
        other => panic!("{other:?} is no task: use write or compare"),
    }
}
