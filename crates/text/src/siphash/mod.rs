//! Hashing bytes with a secret seed, so that an attacker cannot choose colliding keys.

use siphasher::sip::SipHasher13;
use std::hash::Hasher;

/// The secret seed of a process: two draws from the system's random source.
#[derive(Clone, Copy)]
pub struct Seed {
    hasher: SipHasher13,
}

impl Seed {
    /// A seed of 128 random bits.
    pub fn new(low: u64, high: u64) -> Seed {
        Seed { hasher: SipHasher13::new_with_keys(low, high) }
    }

    /// SipHash-1-3 of the bytes.
    #[inline]
    pub fn hash(&self, bytes: &[u8]) -> u64 {
        let mut hasher = self.hasher;
        hasher.write(bytes);
        hasher.finish()
    }

    /// The hash of the bytes together with a number (an encoding, a kind, another hash).
    #[inline]
    pub fn hash_with(&self, salt: u64, bytes: &[u8]) -> u64 {
        let mut hasher = self.hasher;
        hasher.write_u64(salt);
        hasher.write(bytes);
        hasher.finish()
    }

    /// The hash of a few numbers, such as the hashes of an array's elements.
    #[inline]
    pub fn hash_words(&self, words: impl IntoIterator<Item = u64>) -> u64 {
        let mut hasher = self.hasher;
        words.into_iter().for_each(|word| hasher.write_u64(word));
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
    fn hashes_depend_on_every_input() {
        let (one, other) = (Seed::new(1, 2), Seed::new(1, 3));
        assert_eq!(one.hash(b"abc"), Seed::new(1, 2).hash(b"abc"));
        assert_ne!(one.hash(b"abc"), other.hash(b"abc"));
        assert_ne!(one.hash(b"abc"), one.hash(b"abd"));
        assert_ne!(one.hash_with(1, b"abc"), one.hash_with(2, b"abc"));
        assert_ne!(one.hash_words([1, 2]), one.hash_words([2, 1]));
    }
}
