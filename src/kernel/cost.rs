//! Cost counters: what a call did, counted and not timed.
//!
//! They are deterministic, so that tests can hold them: a change that makes a chain look at more than it has to shows,
//! whatever the machine.

/// What one call did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Exponentials evaluated.
    pub exponentials: u64,
    /// Groups of 64 places that were searched after the first pass, because a maximum said that something may be there.
    pub groups: u64,
    /// Places of lists in which a cut was searched, once for every shorter list.
    pub listed: u64,
}

impl Cost {
    /// Counts so many exponentials.
    pub(crate) fn weighed(&mut self, n: usize) {
        self.exponentials += n as u64;
    }

    /// Both together.
    pub(crate) fn and(self, other: Cost) -> Cost {
        Cost {
            exponentials: self.exponentials + other.exponentials,
            groups: self.groups + other.groups,
            listed: self.listed + other.listed,
        }
    }
}
