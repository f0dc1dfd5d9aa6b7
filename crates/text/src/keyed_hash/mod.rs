//! Hashing bytes with a secret seed, so that an attacker cannot choose colliding keys.

use ahash::RandomState;
use std::hash::{BuildHasher, Hasher};

/// The secret seed of a process: two draws from the system's random source.
#[derive(Clone)]
pub struct Seed {
    state: RandomState,
}

impl Seed {
    /// A seed of 128 random bits.
    pub fn new(low: u64, high: u64) -> Seed {
        Seed { state: RandomState::with_seeds(low, high, low.rotate_left(32), high.rotate_left(32)) }
    }

    /// The hash of the bytes.
    #[inline]
    pub fn hash(&self, bytes: &[u8]) -> u64 {
        let mut hasher = self.state.build_hasher();
        hasher.write(bytes);
        hasher.finish()
    }
}

impl std::fmt::Debug for Seed {
    /// Does not print the secret.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Seed")
    }
}

#[cfg(test)]
mod tests {
    use super::Seed;

    #[test]
    fn hashes_depend_on_the_seed_and_the_bytes() {
        let (one, other) = (Seed::new(1, 2), Seed::new(1, 3));
        assert_eq!(one.hash(b"abc"), Seed::new(1, 2).hash(b"abc"));
        assert_ne!(one.hash(b"abc"), other.hash(b"abc"));
        assert_ne!(one.hash(b"abc"), one.hash(b"abd"));
    }
}
