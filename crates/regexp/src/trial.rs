//! Decides by timing which engine finds the groups of a pattern faster.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

/// The engine for a search, and whether the search is timed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    Automaton,
    Backtracking,
    TimedAutomaton,
    TimedBacktracking,
}

/// The times of searches with groups in each engine. An automaton that is not one-pass finds the groups in a second
/// pass, which may take longer than backtracking. The first searches use both engines alternately; both find the same
/// match.
#[derive(Default)]
pub(crate) struct Trial {
    searches: AtomicU32,
    /// Nanoseconds with the automaton, and with Oniguruma.
    automaton: AtomicU32,
    backtracking: AtomicU32,
}

/// Searches of a trial, half of them with each engine; the first ones, which fill caches, are not timed.
const TRIED: u32 = 64;
const NOT_TIMED: u32 = 16;

impl Trial {
    /// Concurrent searches may share a turn; only the count suffers.
    #[inline]
    pub fn turn(&self) -> Turn {
        let searches = self.searches.load(Ordering::Relaxed);
        if searches < TRIED {
            self.searches.store(searches + 1, Ordering::Relaxed);
            return match (searches.is_multiple_of(2), searches < NOT_TIMED) {
                (true, true) => Turn::Automaton,
                (true, false) => Turn::TimedAutomaton,
                (false, true) => Turn::Backtracking,
                (false, false) => Turn::TimedBacktracking,
            };
        }
        let faster = self.automaton.load(Ordering::Relaxed) <= self.backtracking.load(Ordering::Relaxed);
        if faster { Turn::Automaton } else { Turn::Backtracking }
    }

    pub fn note(&self, turn: Turn, started: Instant) {
        let total = if turn == Turn::TimedAutomaton { &self.automaton } else { &self.backtracking };
        // An interruption by the operating system must not decide.
        let nanoseconds = started.elapsed().as_nanos().min(LONGEST_NOTED) as u32;
        total.store(total.load(Ordering::Relaxed).saturating_add(nanoseconds), Ordering::Relaxed);
    }
}

/// The maximum number of nanoseconds that one search counts for.
const LONGEST_NOTED: u128 = 20_000;
