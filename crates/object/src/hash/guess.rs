//! Guesses at positions: a place in the program whose key is always the same remembers where it was found last. Hashes
//! that are filled by the same code have it at the same position.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};

use abi::{Type, Value};

use super::layout::HashRef;
use super::strings::{is_key, plain_string};
use crate::cell;

const COUNT: usize = 4096;

/// The guesses of all places. A place may share its guess with another one: a wrong guess costs a search.
static GUESSES: [KeyGuess; COUNT] = [const { KeyGuess(AtomicU32::new(0)) }; COUNT];

/// The position at which a key was found last.
pub struct KeyGuess(AtomicU32);

impl KeyGuess {
    /// A guess for another place.
    pub fn next() -> &'static KeyGuess {
        static TAKEN: AtomicUsize = AtomicUsize::new(0);
        &GUESSES[TAKEN.fetch_add(1, Relaxed) % COUNT]
    }

    pub fn learn(&self, position: usize) {
        self.0.store(position as u32, Relaxed);
    }
}

impl HashRef {
    /// The position of a key, if it is the guessed one. The key is an immediate, or a String in a table that does not
    /// compare by identity.
    #[inline(always)]
    pub fn position_near(self, key: Value, guess: &KeyGuess) -> Option<usize> {
        debug_assert!(key.is_immediate() || cell::is(key, Type::String));
        let position = guess.0.load(Relaxed) as usize;
        let (candidate, _) = self.entry_at(position)?;
        let fits = candidate == key || plain_string(key).is_some_and(|key| is_key(key, candidate) == Ok(true));
        fits.then_some(position)
    }
}
