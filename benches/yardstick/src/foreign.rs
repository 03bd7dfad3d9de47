//! The two passes for callers that are no Rust program: a shared library.

/// Both passes over the `n` logits at `row`; n is a multiple of 4.
///
/// # Safety
///
/// `row` points to `n` readable f32, which nobody writes during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn two_passes_at(row: *const f32, n: usize, r: f32) -> f32 {
    // SAFETY: the caller promises it.
    crate::two_passes(unsafe { core::slice::from_raw_parts(row, n) }, r)
}
