//! The golden file of draws where it lies, with everything that reads, asks and writes it.
#![allow(dead_code, reason = "each program uses a part")]

#[path = "answer.rs"]
pub mod answer;
#[path = "chains.rs"]
pub mod chains;
#[path = "compare.rs"]
pub mod compare;
#[path = "golden.rs"]
pub mod golden;
#[path = "rows.rs"]
pub mod rows;
#[path = "write.rs"]
pub mod write;

use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// Where the file lies.
pub fn same_json() -> PathBuf {
    folder().join("same.json")
}

/// The file.
pub fn read() -> golden::Golden {
    serde_json::from_slice(&std::fs::read(same_json()).unwrap()).unwrap()
}

/// The bytes of a recorded row.
pub fn recorded(name: &str) -> Vec<u8> {
    std::fs::read(folder().join(format!("rows/{name}.f32"))).unwrap()
}
