//! Creation of Hashes, copies, rehashing, defaults.

use abi::Value;
use heap::{Buffer, BufferKind};

use super::indexed::Table;
use super::keys::Keys;
use super::layout::{DEFAULT, Error, HINTS, HashRef, IDENTITY, LINEAR_MAX, PROC_DEFAULT, Representation};
use crate::{Known, Mem, cell};

impl HashRef {
    /// `{}`.
    #[inline]
    pub fn new(cx: &mut Mem) -> HashRef {
        HashRef::embedded(cx, 1)
    }

    /// An empty Hash whose cell has room for `capacity` (one to eight) entries.
    #[inline]
    fn embedded(cx: &mut Mem, capacity: usize) -> HashRef {
        let value = cx.allocate(16 + capacity * 16, Known::Hash.header(0));
        // SAFETY: the cell was allocated as a Hash.
        let hash = unsafe { HashRef::new_unchecked(value) };
        hash.set_hints(0);
        hash
    }

    /// A Hash of these pairs, at most eight, with distinct keys and these hints.
    #[inline]
    pub(super) fn embedded_with(cx: &mut Mem, pairs: &[Value], hints: u64) -> HashRef {
        let count = pairs.len() / 2;
        let hash = HashRef::embedded(cx, count.max(1));
        hash.set_hints(hints);
        hash.set_linear_counts(count, count);
        // SAFETY: the cell is new and has room for the pairs.
        unsafe { std::ptr::copy_nonoverlapping(pairs.as_ptr(), hash.pairs(), count * 2) };
        hash
    }

    /// An empty Hash with room for as many entries: exactly, up to eight.
    pub fn with_capacity(cx: &mut Mem, capacity: usize) -> Result<HashRef, Error> {
        if capacity <= LINEAR_MAX {
            return Ok(HashRef::embedded(cx, capacity.max(1)));
        }
        let (index, entries) = Table::allocate(cx, capacity)?;
        let hash = HashRef::embedded(cx, 1);
        hash.adopt_indexed(cx, index, entries);
        Ok(hash)
    }

    /// Makes room for `more` entries if the Hash is empty or stays small. Runs no Ruby.
    pub fn reserve(self, cx: &mut Mem, more: usize) -> Result<(), Error> {
        if self.is_indexed() {
            return Ok(());
        }
        let used = self.linear_used();
        match used.saturating_add(more) {
            wanted if wanted <= self.linear_capacity(cx) => Ok(()),
            wanted if wanted <= LINEAR_MAX => self.linear_grow(cx, wanted),
            wanted if used == 0 => {
                let (index, entries) = Table::allocate(cx, wanted)?;
                self.adopt_indexed(cx, index, entries);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// A copy of class Hash: entries, default, and whether it compares by identity. Runs no Ruby.
    pub fn dup(self, cx: &mut Mem) -> Result<HashRef, Error> {
        let copy = HashRef::with_entries_of(cx, self)?;
        let default = self.default();
        if !default.is_nil() {
            copy.set_default(cx, default)?;
            let proc = cell::header(self.value()).has(PROC_DEFAULT);
            let header = cell::header(copy.value());
            cell::set_header(copy.value(), if proc { header.with(PROC_DEFAULT) } else { header });
        }
        Ok(copy)
    }

    /// A Hash with the entries of another and its comparison of keys.
    pub fn with_entries_of(cx: &mut Mem, other: HashRef) -> Result<HashRef, Error> {
        if !other.is_indexed() && other.linear_used() == other.len() && !other.is_empty() {
            // SAFETY: so many pairs are used, all of them live.
            let pairs = unsafe { std::slice::from_raw_parts(other.pairs(), other.len() * 2) };
            let copy = HashRef::embedded_with(cx, pairs, other.hints());
            if other.is_by_identity() {
                cell::set_header(copy.value(), cell::header(copy.value()).with(IDENTITY));
            }
            return Ok(copy);
        }
        let capacity = if other.is_indexed() { 1 } else { other.len().max(1) };
        let copy = HashRef::embedded(cx, capacity);
        copy.take_entries(cx, other)?;
        Ok(copy)
    }

    /// The same with room for `more` entries.
    pub fn with_entries_and_room(cx: &mut Mem, other: HashRef, more: usize) -> Result<HashRef, Error> {
        if !other.is_indexed() {
            return HashRef::with_entries_of(cx, other);
        }
        let (index, entries) = other.table().copied(cx, more)?;
        let copy = HashRef::embedded(cx, 1);
        copy.adopt_indexed(cx, index, entries);
        if other.is_by_identity() {
            cell::set_header(copy.value(), cell::header(copy.value()).with(IDENTITY));
        }
        Ok(copy)
    }

    /// Replaces the entries and the way of comparing keys by those of another Hash. No iteration over this one is
    /// active. Runs no Ruby.
    pub fn replace_entries(self, cx: &mut Mem, other: HashRef) -> Result<(), Error> {
        if self != other {
            self.take_entries(cx, other)?;
        }
        Ok(())
    }

    fn take_entries(self, cx: &mut Mem, other: HashRef) -> Result<(), Error> {
        debug_assert!(!self.is_iterating());
        if other.is_indexed() {
            match self.buffer_for_copy_of(other) {
                Some(entries) => self.table().overwrite(cx, entries, other.table()),
                None => {
                    let (index, entries) = other.table().copied(cx, 0)?;
                    self.drop_table(cx);
                    self.adopt_indexed(cx, index, entries);
                }
            }
        } else {
            self.take_linear(cx, other)?;
        }
        let header = cell::header(self.value());
        cell::set_header(
            self.value(),
            if other.is_by_identity() { header.with(IDENTITY) } else { header.without(IDENTITY) },
        );
        Ok(())
    }

    /// The entries of an indexed table that has the size of the other's.
    fn buffer_for_copy_of(self, other: HashRef) -> Option<Buffer> {
        (self.is_indexed() && self.table().capacity() == other.table().capacity()).then(|| self.buffer()).flatten()
    }

    fn take_linear(self, cx: &mut Mem, other: HashRef) -> Result<(), Error> {
        let live = other.len();
        let fits = self.representation() == Representation::Embedded && live <= self.linear_capacity(cx);
        if fits || live == 0 {
            self.drop_table(cx);
        } else {
            let buffer = cx.allocate_buffer(live.next_power_of_two() * 16, BufferKind::Values)?;
            self.drop_table(cx);
            self.adopt_linear(cx, 0, Some(buffer));
        }
        let hints = other.hints();
        for place in 0..other.linear_used() {
            let (key, value) = (other.linear_key(place), other.linear_value(place));
            if !key.is_undef() {
                self.linear_append(cx, key, value, (hints >> (place * 8)) as u8)?;
            }
        }
        Ok(())
    }

    /// Recomputes all hash values; of keys that have become equal the first stays, with the last value. No iteration is
    /// active.
    pub fn rehash<K: Keys>(self, cx: &mut K) -> Result<(), K::Error> {
        let fresh = HashRef::with_capacity(cx, self.len())?;
        if self.is_by_identity() {
            cell::set_header(fresh.value(), cell::header(fresh.value()).with(IDENTITY));
        }
        self.begin_iteration(cx).map_err(Error::from)?;
        let outcome = fresh.merge(cx, self);
        self.end_iteration(cx);
        outcome?;
        Ok(self.take_over(cx, fresh)?)
    }

    /// Compares keys by identity from now on. No iteration is active.
    pub fn compare_by_identity(self, cx: &mut Mem) -> Result<(), Error> {
        if self.is_by_identity() {
            return Ok(());
        }
        let fresh = HashRef::with_capacity(cx, self.len())?;
        cell::set_header(fresh.value(), cell::header(fresh.value()).with(IDENTITY));
        for (key, value) in self.entries() {
            super::identity_store(cx, fresh.value(), key, value);
        }
        self.take_over(cx, fresh)
    }

    /// Takes over the table of a Hash that nothing else refers to.
    fn take_over(self, cx: &mut Mem, fresh: HashRef) -> Result<(), Error> {
        if !fresh.is_indexed() {
            return self.take_entries(cx, fresh);
        }
        let (index, entries) = (fresh.index_buffer(), fresh.buffer());
        self.drop_table(cx);
        if let Some(entries) = entries {
            self.adopt_indexed(cx, index, entries);
        }
        let header = cell::header(self.value());
        cell::set_header(
            self.value(),
            if fresh.is_by_identity() { header.with(IDENTITY) } else { header.without(IDENTITY) },
        );
        fresh.adopt_linear(cx, 0, None);
        Ok(())
    }

    /// The default value, or the default proc.
    #[inline]
    pub fn default(self) -> Value {
        if self.representation() == Representation::Embedded {
            return Value::NIL;
        }
        // SAFETY: all but embedded tables have that word.
        unsafe { cell::word(self.value(), DEFAULT) }
    }

    #[inline(always)]
    pub fn default_is_proc(self) -> bool {
        cell::header(self.value()).has(PROC_DEFAULT)
    }

    /// Sets the default value.
    pub fn set_default(self, cx: &mut Mem, value: Value) -> Result<(), Error> {
        if self.representation() == Representation::Embedded {
            if value.is_nil() {
                return Ok(());
            }
            if self.linear_used() > 0 {
                self.linear_grow(cx, self.linear_used())?;
            } else {
                // SAFETY: every Hash has that word; embedded tables have no default.
                debug_assert_eq!(HINTS, 1);
                self.adopt_linear(cx, 0, None);
            }
        }
        cell::set_header(self.value(), cell::header(self.value()).without(PROC_DEFAULT));
        // SAFETY: all but embedded tables have that word.
        unsafe { cell::store(cx, self.value(), DEFAULT, value) };
        Ok(())
    }

    /// Sets the default proc; `nil` removes it.
    pub fn set_default_proc(self, cx: &mut Mem, proc: Value) -> Result<(), Error> {
        self.set_default(cx, proc)?;
        if !proc.is_nil() {
            cell::set_header(self.value(), cell::header(self.value()).with(PROC_DEFAULT));
        }
        Ok(())
    }
}
