//! A cache of the most recently compiled patterns that were not searched yet.
//!
//! A library with many patterns compiles all of them when it is loaded, so that errors are reported, and searches few.

use onig::Regex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The maximum number of waiting patterns.
const MOST: usize = 64;

static WAITING: Mutex<Waiting> = Mutex::new(Waiting([const { None }; MOST]));

struct Waiting([Option<(Ticket, Regex)>; MOST]);

/// Identifies a waiting pattern.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Ticket(u64);

impl Ticket {
    /// Of a pattern that was not compiled.
    pub const NONE: Ticket = Ticket(u64::MAX);
}

/// Keeps a compiled pattern until [`MOST`] others were added.
pub(super) fn put(regex: Regex) -> Ticket {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let ticket = Ticket(NEXT.fetch_add(1, Ordering::Relaxed));
    let former = waiting().put(ticket, regex);
    // Frees the displaced pattern after the lock was released.
    drop(former);
    ticket
}

/// Removes and returns a compiled pattern, if it is still kept.
pub(super) fn take(ticket: Ticket) -> Option<Regex> {
    waiting().take(ticket)
}

fn waiting() -> MutexGuard<'static, Waiting> {
    WAITING.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Waiting {
    fn put(&mut self, ticket: Ticket, regex: Regex) -> Option<Regex> {
        self.0[ticket.place()].replace((ticket, regex)).map(|(_, former)| former)
    }

    fn take(&mut self, ticket: Ticket) -> Option<Regex> {
        self.0[ticket.place()].take_if(|(found, _)| *found == ticket).map(|(_, regex)| regex)
    }
}

impl Ticket {
    fn place(self) -> usize {
        self.0 as usize % MOST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_kept_until_enough_others_follow() {
        let mut waiting = Waiting([const { None }; MOST]);
        for number in 0..=MOST as u64 {
            waiting.put(Ticket(number), Regex::new(&format!("<{number}>")).unwrap());
        }
        assert!(waiting.take(Ticket(0)).is_none());
        assert!(waiting.take(Ticket(1)).is_some_and(|regex| regex.is_match("<1>")));
        assert!(waiting.take(Ticket(1)).is_none());
        assert!(waiting.take(Ticket(MOST as u64)).is_some_and(|regex| regex.is_match("<64>")));
    }
}
