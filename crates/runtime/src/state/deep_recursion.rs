//! How much memory recursion may keep alive that is deeper than CRuby allows.
//!
//! The VM stack holds about fourteen times as many calls as CRuby's. If each call of an endless recursion keeps a
//! longer list or string than the last one, their sum grows with the square of the depth: it would be gigabytes before
//! the stack is full. So beyond the depth that CRuby's stack has room for, recursion ends as soon as the memory in use
//! has grown too much since the stack was less deep. Recursion that keeps little may use the whole stack.

/// More calls than fit in CRuby's stack of 1 MiB, where each takes at least 11 words.
pub(crate) const CALLS_IN_CRUBY: usize = 12_000;
/// The bytes by which old objects may grow below that depth, for a small heap.
const ALLOWANCE: usize = 128 << 20;

/// The number of bytes of old objects at which deep recursion of a thread ends.
pub(crate) struct Limit(usize);

impl Default for Limit {
    fn default() -> Limit {
        Limit(ALLOWANCE)
    }
}

impl Limit {
    /// The recursion is not deep while this many bytes are in use.
    pub(crate) fn allow(&mut self, old_bytes: usize) {
        self.0 = old_bytes + ALLOWANCE.max(old_bytes / 4);
    }

    pub(crate) fn is_exceeded(&self, old_bytes: usize) -> bool {
        old_bytes > self.0
    }

    /// The recursion is deep but keeps little alive: the next check is due when a part of the allowance is used.
    pub(crate) fn delay(&mut self, old_bytes: usize) {
        self.0 = self.0.max(old_bytes + ALLOWANCE / 4);
    }
}
