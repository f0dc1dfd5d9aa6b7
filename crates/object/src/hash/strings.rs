//! Lookup of String keys. Of the keys that are compared by content they are by far the most frequent, so the search is
//! written out for them.

use abi::{Type, Value};

use super::indexed::short_hash;
use super::keys::number_of;
use super::layout::HashRef;
use super::linear::{matching, next_match};
use crate::string::Str;
use crate::{Known, Mem, cell};

/// A table has a String of a subclass, whose `eql?` decides.
#[derive(PartialEq)]
pub(super) struct OfSubclass;

impl HashRef {
    /// The position of the entry of a key that is a direct instance of String. Not for tables that compare by identity.
    pub(super) fn find_string(self, cx: &Mem, key: Str) -> Result<Option<usize>, OfSubclass> {
        let used = self.linear_used();
        if used == 0 && !self.is_indexed() {
            return Ok(None);
        }
        let hash = short_hash(number_of(key.hash(cx)) as u64);
        if self.is_indexed() {
            let table = self.table();
            let mut probe = table.probe(hash);
            while let Some(position) = table.next(&mut probe) {
                if table.hash(position) == hash && is_key(key, table.key(position))? {
                    return Ok(Some(position));
                }
            }
            return Ok(None);
        }
        let mut matches = matching(self.hints(), hash as u8, used);
        while let Some(place) = next_match(&mut matches) {
            if is_key(key, self.linear_key(place))? {
                return Ok(Some(place));
            }
        }
        Ok(None)
    }
}

/// Is the candidate, which may be a hole, equal to the key?
#[inline(always)]
pub(super) fn is_key(key: Str, candidate: Value) -> Result<bool, OfSubclass> {
    if candidate == key.value() {
        return Ok(true);
    }
    if !candidate.is_heap() {
        return Ok(false);
    }
    let header = cell::header(candidate);
    if header.shape() != Known::String.root_shape() {
        return if header.ty() == Type::String { Err(OfSubclass) } else { Ok(false) };
    }
    // SAFETY: only Strings have this shape.
    let candidate = unsafe { Str::new_unchecked(candidate) };
    Ok(key.same_bytes(candidate) && key.comparable(candidate))
}

/// The key as an instance of String itself.
#[inline(always)]
pub(super) fn plain_string(key: Value) -> Option<Str> {
    let is_plain = key.is_heap() && cell::header(key).shape() == Known::String.root_shape();
    // SAFETY: only Strings have this shape.
    is_plain.then(|| unsafe { Str::new_unchecked(key) })
}
