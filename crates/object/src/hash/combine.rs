//! Looks up, stores and deletes the entries of one Hash in another, reusing the stored hash values.

use abi::Value;

use super::indexed::short_hash;
use super::keys::{Keys, builtin_equal, builtin_hash, number_of};
use super::layout::HashRef;
use super::linear::{matching, next_match};
use crate::Mem;

impl HashRef {
    /// The position in this Hash of the key that `other` has at a position.
    #[inline]
    pub fn position_of_entry<K: Keys>(
        self,
        cx: &mut K,
        other: HashRef,
        position: usize,
        key: Value,
    ) -> Result<Option<usize>, K::Error> {
        if self.is_empty() {
            return Ok(None);
        }
        if self.is_by_identity() == other.is_by_identity()
            && let Some(hash) = other.known_hash(position, key)
        {
            return self.find(cx, key, hash);
        }
        self.position(cx, key)
    }

    /// Deletes the key that `other` has at a position.
    pub fn delete_entry<K: Keys>(
        self,
        cx: &mut K,
        other: HashRef,
        position: usize,
        key: Value,
    ) -> Result<(), K::Error> {
        if let Some(found) = self.position_of_entry(cx, other, position, key)? {
            self.delete_at(cx, found);
            self.shrink_if_sparse(cx);
        }
        Ok(())
    }

    /// Whether this Hash has all keys of another.
    pub fn has_keys_of<K: Keys>(self, cx: &mut K, other: HashRef) -> Result<bool, K::Error> {
        let mut at = 0;
        while let Some((next, key, _)) = other.next(at) {
            if self.position_of_entry(cx, other, next - 1, key)?.is_none() {
                return Ok(false);
            }
            at = next;
        }
        Ok(true)
    }

    /// Whether this Hash has any key of another.
    pub fn has_key_of<K: Keys>(self, cx: &mut K, other: HashRef) -> Result<bool, K::Error> {
        let mut at = 0;
        while let Some((next, key, _)) = other.next(at) {
            if self.position_of_entry(cx, other, next - 1, key)?.is_some() {
                return Ok(true);
            }
            at = next;
        }
        Ok(false)
    }

    /// The value of the key that `other` has at a position.
    #[inline]
    pub fn get_entry<K: Keys>(
        self,
        cx: &mut K,
        other: HashRef,
        position: usize,
        key: Value,
    ) -> Result<Option<Value>, K::Error> {
        Ok(self.position_of_entry(cx, other, position, key)?.map(|at| self.value_at(at)))
    }
}

/// A key's hash value, which is the same in all tables that do not compare by identity.
#[derive(Clone, Copy, Default)]
pub struct KeyHash(u32);

impl KeyHash {
    /// The hash value of a key that is hashed without running Ruby.
    pub fn of(cx: &Mem, key: Value) -> Option<KeyHash> {
        Some(KeyHash(short_hash(number_of(builtin_hash(cx, key)?) as u64)))
    }
}

impl HashRef {
    /// A Hash of at most eight entries from alternating keys and values, with the keys' hash values. The keys are
    /// Symbols or frozen Strings. Later values replace earlier ones.
    pub fn from_hashed_pairs<K: Keys>(cx: &mut K, pairs: &[Value], hashes: &[KeyHash]) -> Result<HashRef, K::Error> {
        let mut hints = 0;
        let mut differ = true;
        for (place, hash) in hashes.iter().enumerate() {
            let mut matches = matching(hints, hash.0 as u8, place);
            while let Some(other) = next_match(&mut matches) {
                differ &= builtin_equal(pairs[place * 2], pairs[other * 2]) == Some(false);
            }
            hints |= u64::from(hash.0 as u8) << (place * 8);
        }
        if differ {
            return Ok(HashRef::embedded_with(cx, pairs, hints));
        }
        let made = HashRef::with_capacity(cx, hashes.len())?;
        for (pair, hash) in pairs.chunks_exact(2).zip(hashes) {
            made.store_with_hash(cx, pair[0], pair[1], *hash)?;
        }
        Ok(made)
    }

    /// Stores an entry whose key's hash value is known, in a table that does not compare by identity.
    pub fn store_with_hash<K: Keys>(self, cx: &mut K, key: Value, value: Value, hash: KeyHash) -> Result<(), K::Error> {
        self.store_hashed(cx, key, value, hash.0)
    }
}
