//! Internal tables of the runtime: Hashes that compare by identity, usable without a context that could run Ruby.

use abi::Value;

use super::indexed::short_hash;
use super::keys::{BuiltinKeys, identity_hash};
use super::layout::{Error, HashRef, IDENTITY};
use super::linear::{matching, next_match};
use crate::{Mem, cell};

/// An empty Hash that compares by identity.
pub fn new_identity(cx: &mut Mem) -> Value {
    let hash = HashRef::new(cx);
    cell::set_header(hash.value(), cell::header(hash.value()).with(IDENTITY));
    hash.value()
}

/// The value of a key, or undef.
#[inline]
pub fn identity_get(table: Value, key: Value) -> Value {
    match find(HashRef::of(table), key) {
        Some(position) => HashRef::of(table).value_at(position),
        None => Value::UNDEF,
    }
}

/// Stores an entry. Unwinds with `OutOfMemory` as `allocate` does.
pub fn identity_store(cx: &mut Mem, table: Value, key: Value, value: Value) {
    let stored = HashRef::of(table).store(&mut BuiltinKeys(cx), key, value);
    if let Err(Error::OutOfMemory | Error::TooBig) = stored {
        std::panic::resume_unwind(Box::new(heap::OutOfMemory));
    }
}

/// Deletes an entry, if there is one.
pub fn identity_delete(cx: &mut Mem, table: Value, key: Value) {
    if let Some(position) = find(HashRef::of(table), key) {
        HashRef::of(table).delete_at(cx, position);
    }
}

/// The keys in order.
pub fn identity_keys(table: Value) -> impl Iterator<Item = Value> {
    HashRef::of(table).entries().map(|(key, _)| key)
}

#[inline]
fn find(hash: HashRef, key: Value) -> Option<usize> {
    debug_assert!(hash.is_by_identity());
    hash.find_identical(key, short_hash(identity_hash(key)))
}

impl HashRef {
    /// The position of the identical key in a linear table. All keys are compared, which costs less than hashing.
    #[inline]
    pub(super) fn find_in_few(self, key: Value) -> Option<usize> {
        debug_assert!(!self.is_indexed());
        (0..self.linear_used()).find(|place| self.linear_key(*place) == key)
    }

    /// The position of the identical key; `hash` is its hash in this table.
    #[inline]
    pub(super) fn find_identical(self, key: Value, hash: u32) -> Option<usize> {
        if self.is_indexed() {
            let table = self.table();
            let mut probe = table.probe(hash);
            while let Some(position) = table.next(&mut probe) {
                if table.key(position) == key {
                    return Some(position);
                }
            }
            return None;
        }
        let mut matches = matching(self.hints(), hash as u8, self.linear_used());
        while let Some(place) = next_match(&mut matches) {
            if self.linear_key(place) == key {
                return Some(place);
            }
        }
        None
    }
}
