//! How much memory recursion may keep alive that is deeper than CRuby allows.
//!
//! The VM stack holds about fourteen times as many calls as CRuby's. If each call of an endless recursion keeps a longer
//! list or string than the last one, their sum grows with the square of the depth: it would be gigabytes before the
//! stack is full. So beyond the depth that CRuby's stack has room for, recursion ends as soon as the memory in use has
//! grown too much since the stack was less deep. Recursion that keeps little may use the whole stack.

use abi::Frame;

use super::{attention::Interrupts, cx::Cx};

/// More calls than fit in CRuby's stack of 1 MiB, where each takes at least 11 words.
pub(crate) const CALLS_IN_CRUBY: usize = 12_000;
/// The bytes by which old objects may grow below that depth, for a small heap.
const ALLOWANCE: usize = 128 << 20;

/// The number of bytes of old objects at which deep recursion ends.
pub(crate) struct Limit(usize);

impl Default for Limit {
    fn default() -> Limit {
        Limit(ALLOWANCE)
    }
}

impl Cx {
    /// Called whenever the collector has worked: asks for the check at the next safepoint if there are many frames and
    /// too many old bytes.
    pub(crate) fn watch_recursion(&mut self, old_bytes: usize) {
        let frames = if self.frame.is_null() { 0 } else { self.stack.high as usize - self.frame as usize };
        if frames / std::mem::size_of::<Frame>() <= CALLS_IN_CRUBY {
            self.allow_recursion(old_bytes);
        } else if self.exceeds_recursion_limit(old_bytes) {
            self.interrupt(Interrupts::RECURSION);
        }
    }

    /// The recursion is not deep while this many bytes are in use.
    pub(crate) fn allow_recursion(&mut self, old_bytes: usize) {
        self.recursion_limit = Limit(old_bytes + ALLOWANCE.max(old_bytes / 4));
    }

    pub(crate) fn exceeds_recursion_limit(&self, old_bytes: usize) -> bool {
        old_bytes > self.recursion_limit.0
    }

    /// The recursion is deep but keeps little alive: the next check is due when a part of the allowance is used.
    pub(crate) fn delay_recursion_check(&mut self, old_bytes: usize) {
        self.recursion_limit.0 = self.recursion_limit.0.max(old_bytes + ALLOWANCE / 4);
    }
}
