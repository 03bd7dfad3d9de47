//! For tests alone: ways to break the module in the middle of a call.
//!
//! A row whose logit 0 is one of [`FUSES`] breaks the call right before its draw, after every other stage has run; a text
//! breaks the tokenizer.

use core::hint::black_box;

#[cfg(feature = "wasm")]
pub(super) use fuse::lay;

/// What happens.
#[derive(Clone, Copy, Debug)]
pub(super) enum Trap {
    /// A panic.
    Panic,
    /// Calls until the engine has no stack left.
    Calls,
    /// Frames until the module's own stack has no room left.
    Frames,
    /// Memory is taken until there is none left, in ever smaller pieces.
    Memory,
}

impl Trap {
    pub(super) fn spring(self) {
        match self {
            Trap::Panic => broken(),
            Trap::Calls => _ = black_box(call(black_box(0))),
            Trap::Frames => _ = black_box(frame(black_box(0))),
            Trap::Memory => take_memory(),
        }
    }
}

#[allow(clippy::panic, reason = "this is what it is for")]
fn broken() {
    panic!("the module was told to break");
}

#[allow(unconditional_recursion, reason = "as above")]
#[inline(never)]
fn call(n: u64) -> u64 {
    black_box(call(black_box(n + 1)) + n)
}

#[allow(unconditional_recursion, reason = "as above")]
#[inline(never)]
fn frame(n: u64) -> u64 {
    let room = black_box([n; 1024]);
    black_box(frame(n + 1) + room.iter().sum::<u64>())
}

fn take_memory() {
    let mut taken: Vec<Vec<u64>> = Vec::new();
    for power in (0..24).rev() {
        loop {
            let mut piece = Vec::new();
            if piece.try_reserve_exact(1 << power).is_err() || taken.try_reserve(1).is_err() {
                break;
            }
            taken.push(piece);
        }
    }
    // Nothing is left for this one, and it does not ask first.
    taken.push(vec![black_box(1); 2]);
    black_box(&taken);
}

/// Breaks the tokenizer, where the text says how.
#[cfg(feature = "wasm-model")]
pub(super) fn text(text: &str) {
    match text {
        "break by panic" => Trap::Panic.spring(),
        "break by calls" => Trap::Calls.spring(),
        "break by frames" => Trap::Frames.spring(),
        "break by memory" => Trap::Memory.spring(),
        _ => {}
    }
}

#[cfg(feature = "wasm")]
mod fuse {
    use std::sync::Arc;

    use super::Trap;
    use crate::candidates::Candidates;
    use crate::error::Result;
    use crate::names::StageName;
    use crate::sampler::Sampler;
    use crate::stage::{Context, Kind, Stage};

    /// Logits that no model gives, and what each does.
    const FUSES: [(f32, Trap); 4] = [
        (1.0e38, Trap::Panic),
        (1.1e38, Trap::Calls),
        (1.2e38, Trap::Frames),
        (1.3e38, Trap::Memory),
    ];

    #[derive(Debug)]
    struct Fuse;

    impl Stage for Fuse {
        fn name(&self) -> StageName {
            StageName::Own("fuse")
        }

        fn kind(&self) -> Kind {
            // Of a kind that no guard leaves out.
            Kind::Masks
        }

        fn is_active(&self) -> bool {
            true
        }

        fn apply(&self, candidates: &mut Candidates<'_>, _: &Context<'_>) -> Result<()> {
            let first = candidates.logit(0);
            if let Some((_, trap)) = FUSES.iter().find(|(logit, _)| first == Some(*logit)) {
                trap.spring();
            }
            Ok(())
        }
    }

    /// The sampler with a fuse in its chains.
    pub(crate) fn lay(mut sampler: Sampler) -> Result<Sampler> {
        // A copy has its own already.
        sampler.remove_stage("fuse");
        sampler.insert_stage(Arc::new(Fuse), StageName::Draw)?;
        Ok(sampler)
    }
}
