//! Memory set aside, so that the states of samplers can still be written when there is none left.

use std::cell::Cell;

/// Bytes: the states of a few dozen rows with short texts, or of one with a thousand tokens.
const BYTES: usize = 1 << 17;

thread_local! {
    static RESERVE: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Sets it aside, where there is that much.
pub(super) fn set_aside() {
    let mut bytes = Vec::new();
    let _ = bytes.try_reserve_exact(BYTES);
    RESERVE.set(bytes);
}

/// Gives it back.
pub(super) fn release() {
    RESERVE.set(Vec::new());
}
