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

/// When the deep recursion of a thread ends, in bytes of old objects.
pub(crate) struct Limit {
    /// The bytes alive at which it ends.
    end: usize,
    /// The bytes of old objects, alive or not, at which the next check is due.
    check: usize,
    /// Whether `end` was computed from the bytes alive, not from a number that contains garbage.
    is_exact: bool,
}

impl Default for Limit {
    fn default() -> Limit {
        Limit { end: ALLOWANCE, check: ALLOWANCE, is_exact: false }
    }
}

impl Limit {
    /// The recursion is not deep while this many bytes are in use.
    pub(crate) fn allow(&mut self, old_bytes: usize) {
        let end = Self::allowed(old_bytes);
        *self = Limit { end, check: end, is_exact: false };
    }

    fn allowed(old_bytes: usize) -> usize {
        old_bytes + ALLOWANCE.max(old_bytes / 16)
    }

    /// Whether the bytes alive must be found by a full collection.
    pub(crate) fn is_check_due(&self, old_bytes: usize) -> bool {
        old_bytes > self.check
    }

    /// Whether the recursion keeps too much alive; if not, the next check is due when there are enough new old objects
    /// for a collection to be worth its time.
    pub(crate) fn is_exceeded(&mut self, live_bytes: usize) -> bool {
        if live_bytes > self.end {
            return true;
        }
        if !self.is_exact {
            self.end = self.end.min(Self::allowed(live_bytes));
            self.is_exact = true;
        }
        self.check = self.end.max(live_bytes + (ALLOWANCE / 4).max(live_bytes / 8));
        false
    }
}

#[cfg(test)]
mod tests {
    use super::{ALLOWANCE, Limit};

    #[test]
    fn garbage_among_old_objects_delays_the_end_only_once() {
        let mut limit = Limit::default();
        limit.allow(10 * ALLOWANCE);
        assert!(!limit.is_check_due(11 * ALLOWANCE) && limit.is_check_due(11 * ALLOWANCE + 1));
        // Half of it was garbage: what is alive may grow by the allowance.
        assert!(!limit.is_exceeded(5 * ALLOWANCE));
        assert!(!limit.is_exceeded(6 * ALLOWANCE));
        assert!(limit.is_check_due(7 * ALLOWANCE));
        assert!(limit.is_exceeded(6 * ALLOWANCE + 1));
    }
}
