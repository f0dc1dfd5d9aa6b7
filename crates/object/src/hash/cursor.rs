//! Reading, changing and deleting by position; iteration levels.

use abi::Value;
use heap::BufferKind;

use super::layout::{HashRef, LEVEL, LEVEL_BITS, LINEAR_MAX, Representation, WIDE_LEVEL};
use crate::array::Arr;
use crate::payload::Exhausted;
use crate::{Mem, cell};

/// The largest iteration level that the header holds. For a larger one, a linear table stores the excess after its
/// pairs.
const LARGEST_LEVEL: u32 = (1 << LEVEL_BITS) - 1;

impl HashRef {
    /// The address of the pairs, the first position that may be live, and the number of positions used.
    #[inline(always)]
    fn span(self) -> (*mut Value, usize, usize) {
        if self.is_indexed() {
            let table = self.table();
            (table.pair(0), table.start(), table.used())
        } else {
            (self.pairs(), 0, self.linear_used())
        }
    }

    /// The entry at a position, unless it was deleted or does not exist.
    #[inline(always)]
    pub fn entry_at(self, position: usize) -> Option<(Value, Value)> {
        let (pairs, _, used) = self.span();
        if position >= used {
            return None;
        }
        // SAFETY: positions below `used` have a pair.
        let (key, value) = unsafe { (*pairs.add(position * 2), *pairs.add(position * 2 + 1)) };
        if key.is_undef() { None } else { Some((key, value)) }
    }

    /// The first entry at or after `position`, and the position after it.
    #[inline(always)]
    pub fn next(self, position: usize) -> Option<(usize, Value, Value)> {
        let (pairs, start, used) = self.span();
        let mut at = position.max(start);
        while at < used {
            // SAFETY: positions below `used` have a pair.
            let (key, value) = unsafe { (*pairs.add(at * 2), *pairs.add(at * 2 + 1)) };
            at += 1;
            if !key.is_undef() {
                return Some((at, key, value));
            }
        }
        None
    }

    /// All entries in order. Deletions during the iteration are allowed, additions are not.
    #[inline]
    pub fn entries(self) -> Entries {
        Entries { hash: self, position: 0 }
    }

    pub fn first(self) -> Option<(Value, Value)> {
        self.entries().next()
    }

    /// The value at the position of an entry.
    #[inline(always)]
    pub fn value_at(self, position: usize) -> Value {
        if self.is_indexed() { self.table().value(position) } else { self.linear_value(position) }
    }

    /// Sets the value at the position of an entry.
    #[inline]
    pub fn set_value_at(self, cx: &mut Mem, position: usize, value: Value) {
        debug_assert!(self.entry_at(position).is_some());
        let pair =
            if self.is_indexed() { self.table().pair(position) } else { self.pairs().wrapping_add(position * 2) };
        // SAFETY: an entry at this position was found, so the pair is this Hash's.
        unsafe { self.store_slot(cx, pair.wrapping_add(1), value) };
    }

    /// Replaces the key at an entry's position by one with the same hash.
    pub fn set_key_at(self, cx: &mut Mem, position: usize, key: Value) {
        debug_assert!(self.entry_at(position).is_some());
        let pair =
            if self.is_indexed() { self.table().pair(position) } else { self.pairs().wrapping_add(position * 2) };
        // SAFETY: an entry at this position was found, so the pair is this Hash's.
        unsafe { self.store_slot(cx, pair, key) };
    }

    /// Deletes the entry at a position. The other positions do not change.
    pub fn delete_at(self, cx: &mut Mem, position: usize) {
        if self.entry_at(position).is_none() {
            return;
        }
        if !self.is_indexed() {
            self.linear_delete(position);
            return;
        }
        self.table().delete(position);
        if self.is_empty() && !self.is_iterating() {
            self.drop_table(cx);
        }
    }

    /// Removes the first entry and returns it.
    pub fn shift(self, cx: &mut Mem) -> Option<(Value, Value)> {
        let (next, key, value) = self.next(0)?;
        self.delete_at(cx, next - 1);
        self.shrink_if_sparse(cx);
        Some((key, value))
    }

    /// Rebuilds a table that is mostly holes. Positions change, so no iteration may be active. If memory is exhausted,
    /// the table stays.
    #[inline]
    pub(super) fn shrink_if_sparse(self, cx: &mut Mem) {
        if self.is_indexed() && self.table().is_sparse() && !self.is_iterating() {
            self.shrink(cx);
        }
    }

    /// Shrinks the table after many deletions, whatever its size.
    pub fn shrink_after_deletions(self, cx: &mut Mem) {
        if !self.is_indexed() || self.is_iterating() {
            return;
        }
        match self.len() {
            0 => self.drop_table(cx),
            1..=LINEAR_MAX => self.become_linear(cx),
            live if live < self.used() / 2 => self.shrink(cx),
            _ => {}
        }
    }

    /// Rebuilds a table that was made for many more entries than were stored.
    pub fn fit(self, cx: &mut Mem) {
        if self.is_indexed() && self.table().capacity() > self.len() * 3 {
            match self.len() {
                0 => self.drop_table(cx),
                1..=LINEAR_MAX => self.become_linear(cx),
                _ => self.shrink(cx),
            }
        }
    }

    /// Makes an indexed table of few entries linear. If memory is exhausted, the table stays.
    #[cold]
    fn become_linear(self, cx: &mut Mem) {
        let table = self.table();
        let pairs = self.len().next_power_of_two();
        let Ok(buffer) = cx.allocate_buffer(pairs * 16, BufferKind::Values) else { return };
        let (mut hints, mut place) = (0, 0);
        for position in table.start()..table.used() {
            let key = table.key(position);
            if key.is_undef() {
                continue;
            }
            hints |= u64::from(table.hash(position) as u8) << (place * 8);
            // SAFETY: the new buffer has room for as many pairs as there are entries.
            unsafe {
                *buffer.words().add(place * 2) = key;
                *buffer.words().add(place * 2 + 1) = table.value(position);
            }
            place += 1;
        }
        cx.remember_buffer(buffer, 0..place * 16);
        let (old_index, old_entries) = (self.index_buffer(), self.buffer());
        self.adopt_linear(cx, hints, Some(buffer));
        self.set_linear_counts(place, place);
        cx.release_buffer(old_index);
        old_entries.into_iter().for_each(|buffer| cx.release_buffer(buffer));
    }

    #[cold]
    fn shrink(self, cx: &mut Mem) {
        let table = self.table();
        let (old_index, old_entries) = (self.index_buffer(), self.buffer());
        if let Ok((index, entries)) = table.copied(cx, table.live() / 2) {
            self.adopt_indexed(cx, index, entries);
            cx.release_buffer(old_index);
            old_entries.into_iter().for_each(|buffer| cx.release_buffer(buffer));
        }
    }

    /// Deletes all entries; during an iteration positions stay valid.
    pub fn clear(self, cx: &mut Mem) {
        if !self.is_iterating() {
            self.drop_table(cx);
            return;
        }
        let mut position = 0;
        while let Some((next, _, _)) = self.next(position) {
            self.delete_at(cx, next - 1);
            position = next;
        }
    }

    /// Makes the Hash an empty linear table. No iteration is active.
    pub(super) fn drop_table(self, cx: &mut Mem) {
        debug_assert!(!self.is_iterating());
        if self.representation() != Representation::Embedded {
            let buffer = self.buffer();
            let index = if self.is_indexed() { Some(self.index_buffer()) } else { None };
            self.adopt_linear(cx, 0, None);
            for buffer in buffer.into_iter().chain(index) {
                cx.release_buffer(buffer);
            }
        }
        self.set_linear_counts(0, 0);
    }

    pub fn keys(self, cx: &mut Mem) -> Result<Arr, Exhausted> {
        self.collect(cx, 0)
    }

    pub fn values(self, cx: &mut Mem) -> Result<Arr, Exhausted> {
        self.collect(cx, 1)
    }

    /// Collects the keys or the values of all pairs.
    fn collect(self, cx: &mut Mem, which: usize) -> Result<Arr, Exhausted> {
        if self.is_indexed() && self.table().live() == self.table().used() {
            return Arr::collected(cx, self.len(), self.table().pairs().chunks_exact(2).map(|pair| pair[which]));
        }
        Arr::collected(cx, self.len(), self.entries().map(|(key, value)| if which == 0 { key } else { value }))
    }

    // Iteration levels: while one is open, no key may be added.

    #[inline(always)]
    pub fn is_iterating(self) -> bool {
        if self.is_indexed() {
            self.table().level() > 0
        } else {
            cell::header(self.value()).field(LEVEL, LEVEL_BITS) > 0
        }
    }

    /// Opens an iteration level. Each is closed by `end_iteration`, however the iteration ends.
    #[inline]
    pub fn begin_iteration(self, cx: &mut Mem) -> Result<(), Exhausted> {
        if self.is_indexed() {
            let table = self.table();
            table.set_level(table.level().checked_add(1).ok_or(Exhausted::TooBig)?);
            return Ok(());
        }
        let header = cell::header(self.value());
        let level = header.field(LEVEL, LEVEL_BITS);
        if level < LARGEST_LEVEL {
            cell::set_header(self.value(), header.with_field(LEVEL, LEVEL_BITS, level + 1));
            return Ok(());
        }
        self.widen_level(cx)
    }

    #[inline]
    pub fn end_iteration(self, cx: &mut Mem) {
        if self.is_indexed() {
            let table = self.table();
            debug_assert!(table.level() > 0);
            table.set_level(table.level().saturating_sub(1));
            self.shrink_if_sparse(cx);
            return;
        }
        let header = cell::header(self.value());
        debug_assert!(header.field(LEVEL, LEVEL_BITS) > 0);
        if header.has(WIDE_LEVEL) {
            self.narrow_level();
            return;
        }
        let level = header.field(LEVEL, LEVEL_BITS).saturating_sub(1);
        cell::set_header(self.value(), header.with_field(LEVEL, LEVEL_BITS, level));
    }

    /// A level beyond what the header holds: a word after the pairs counts the excess, as a fixnum.
    #[cold]
    fn widen_level(self, cx: &mut Mem) -> Result<(), Exhausted> {
        if !cell::header(self.value()).has(WIDE_LEVEL) {
            self.linear_grow(cx, LINEAR_MAX + 1).map_err(|_| Exhausted::OutOfMemory)?;
            cell::set_header(self.value(), cell::header(self.value()).with(WIDE_LEVEL));
            self.set_excess(0);
        }
        self.set_excess(self.excess() + 1);
        Ok(())
    }

    #[cold]
    fn narrow_level(self) {
        self.set_excess(self.excess() - 1);
        if self.excess() == 0 {
            cell::set_header(self.value(), cell::header(self.value()).without(WIDE_LEVEL));
            // SAFETY: the buffer has this word after the pairs; zero is its unused state.
            unsafe { *self.excess_slot() = Value(0) };
        }
    }

    fn excess_slot(self) -> *mut Value {
        self.pairs().wrapping_add(LINEAR_MAX * 2)
    }

    fn excess(self) -> i64 {
        debug_assert!(cell::header(self.value()).has(WIDE_LEVEL));
        // SAFETY: a wide level has a buffer of more than eight pairs.
        unsafe { (*self.excess_slot()).fixnum_value() }
    }

    fn set_excess(self, excess: i64) {
        // SAFETY: a wide level has a buffer of more than eight pairs, and a fixnum is no reference.
        unsafe { *self.excess_slot() = Value::fixnum(excess) };
    }
}

/// The entries of a Hash, in order.
pub struct Entries {
    hash: HashRef,
    position: usize,
}

impl Iterator for Entries {
    type Item = (Value, Value);

    #[inline]
    fn next(&mut self) -> Option<(Value, Value)> {
        let (next, key, value) = self.hash.next(self.position)?;
        self.position = next;
        Some((key, value))
    }
}
