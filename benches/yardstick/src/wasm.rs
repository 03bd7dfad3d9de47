//! The limit as a module without JavaScript of its own: a row in memory, and the two functions over it.

use core::ptr::addr_of_mut;

/// The largest row: 2^18 logits.
const CAPACITY: usize = 1 << 18;

static mut ROW: [f32; CAPACITY] = [0.0; CAPACITY];

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}

fn row(n: usize) -> &'static [f32] {
    assert!(n <= CAPACITY && n.is_multiple_of(4));
    // SAFETY: one thread, and nobody writes while a function of this module runs.
    unsafe { core::slice::from_raw_parts(addr_of_mut!(ROW).cast(), n) }
}

/// Where the row lies in memory.
#[unsafe(no_mangle)]
extern "C" fn row_address() -> *mut f32 {
    addr_of_mut!(ROW).cast()
}

/// The most logits that a row may have.
#[unsafe(no_mangle)]
extern "C" fn capacity() -> usize {
    CAPACITY
}

#[unsafe(no_mangle)]
extern "C" fn max_pass(n: usize) -> f32 {
    crate::max_pass(row(n))
}

#[unsafe(no_mangle)]
extern "C" fn two_passes(n: usize, r: f32) -> f32 {
    crate::two_passes(row(n), r)
}
