//! The side effects of an operation.

use std::ops::BitOr;

/// A set of effects. Those of creating the exception that an operation raises (its message may call `inspect`) are part
/// of [`RAISES`](Effects::RAISES).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Effects(u8);

impl Effects {
    pub const NONE: Effects = Effects(0);
    /// The result depends on mutable state: elements, entries, variables, methods.
    pub const READS: Effects = Effects(1);
    /// Changes existing objects.
    pub const WRITES: Effects = Effects(2);
    /// Allocates objects or buffers, and so may collect.
    pub const ALLOCATES: Effects = Effects(4);
    /// May end with an exception.
    pub const RAISES: Effects = Effects(8);
    /// Allocates, and raises NoMemoryError if memory is exhausted.
    pub const ALLOCATES_OR_RAISES: Effects = Effects(12);
    /// May run Ruby code, which implies all other effects.
    pub const RUNS_RUBY: Effects = Effects(31);

    pub const fn with(self, other: Effects) -> Effects {
        Effects(self.0 | other.0)
    }

    pub const fn includes(self, other: Effects) -> bool {
        self.0 & other.0 == other.0
    }

    /// No effect besides the result: a call with an unused result can be removed, and a call may be moved to run
    /// earlier.
    pub const fn is_pure(self) -> bool {
        self.0 & (Effects::WRITES.0 | Effects::RAISES.0) == 0
    }
}

impl BitOr for Effects {
    type Output = Effects;
    fn bitor(self, other: Effects) -> Effects {
        self.with(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn running_ruby_includes_all_others() {
        for effect in [Effects::READS, Effects::WRITES, Effects::ALLOCATES, Effects::RAISES] {
            assert!(Effects::RUNS_RUBY.includes(effect));
            assert!(!effect.includes(Effects::RUNS_RUBY));
        }
        assert!((Effects::READS | Effects::ALLOCATES).is_pure());
        assert!(!Effects::RUNS_RUBY.is_pure() && !Effects::RAISES.is_pure() && !Effects::WRITES.is_pure());
    }
}
