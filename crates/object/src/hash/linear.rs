//! The linear table: up to eight pairs, found by comparing eight bytes of their hashes at once.

use abi::Value;
use heap::BufferKind;

use super::layout::{Error, HashRef, LINEAR_MAX, Representation};
use crate::Mem;

const LOW_BITS: u64 = 0x0101_0101_0101_0101;
const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

/// The positions with this hint, lowest first, as bits 7, 15, 23... of a word.
#[inline(always)]
pub(super) fn matching(hints: u64, hint: u8, used: usize) -> u64 {
    let differing = hints ^ (LOW_BITS * hint as u64);
    let matching = !(((differing & !HIGH_BITS) + !HIGH_BITS) | differing | !HIGH_BITS);
    if used >= LINEAR_MAX { matching } else { matching & ((1 << (used * 8)) - 1) }
}

/// Removes the lowest position from a result of `matching`.
#[inline(always)]
pub(super) fn next_match(matches: &mut u64) -> Option<usize> {
    if *matches == 0 {
        return None;
    }
    let place = matches.trailing_zeros() as usize / 8;
    *matches &= *matches - 1;
    Some(place)
}

/// The state of a linear table before running Ruby: if it is the same afterwards, the table did not change.
pub(super) struct Snapshot {
    indexed: bool,
    identity: bool,
    used: usize,
    hints: u64,
    keys: [Value; LINEAR_MAX],
}

impl HashRef {
    pub(super) fn snapshot(self) -> Snapshot {
        let mut keys = [Value(0); LINEAR_MAX];
        let indexed = self.is_indexed();
        let (used, hints) = if indexed { (0, 0) } else { (self.linear_used(), self.hints()) };
        for (place, key) in keys.iter_mut().enumerate().take(used) {
            *key = self.linear_key(place);
        }
        Snapshot { indexed, identity: self.is_by_identity(), used, hints, keys }
    }

    pub(super) fn is_unchanged_since(self, before: &Snapshot) -> bool {
        let now = self.snapshot();
        now.indexed == before.indexed
            && now.identity == before.identity
            && now.used == before.used
            && now.hints == before.hints
            && now.keys == before.keys
    }

    /// The key at a place below `linear_used`.
    #[inline(always)]
    pub(super) fn linear_key(self, place: usize) -> Value {
        debug_assert!(place < self.linear_used());
        // SAFETY: places below `linear_used` have a pair.
        unsafe { *self.pairs().add(place * 2) }
    }

    #[inline(always)]
    pub(super) fn linear_value(self, place: usize) -> Value {
        debug_assert!(place < self.linear_used());
        // SAFETY: places below `linear_used` have a pair, whose second word is the value.
        unsafe { *self.pairs().add(place * 2 + 1) }
    }

    /// Appends an entry if a position is free, or can be freed; `false` if the table has eight entries.
    #[inline]
    pub(super) fn linear_append(self, cx: &mut Mem, key: Value, value: Value, hint: u8) -> Result<bool, Error> {
        if self.linear_used() == self.linear_capacity(cx) && !self.linear_make_room(cx)? {
            return Ok(false);
        }
        let (used, live) = (self.linear_used(), self.len());
        let shift = used * 8;
        self.set_hints(self.hints() & !(0xff << shift) | u64::from(hint) << shift);
        self.set_linear_counts(used + 1, live + 1);
        let pair = self.pairs().wrapping_add(used * 2);
        // SAFETY: the place is within the capacity.
        unsafe {
            self.store_slot(cx, pair, key);
            self.store_slot(cx, pair.add(1), value);
        }
        Ok(true)
    }

    #[cold]
    fn linear_make_room(self, cx: &mut Mem) -> Result<bool, Error> {
        let used = self.linear_used();
        if self.len() < used {
            self.linear_compact(cx);
        } else if used == LINEAR_MAX {
            return Ok(false);
        } else {
            self.linear_grow(cx, used + 1)?;
        }
        Ok(true)
    }

    /// Moves the entries together, which removes the holes.
    fn linear_compact(self, cx: &mut Mem) {
        let (pairs, used, hints) = (self.pairs(), self.linear_used(), self.hints());
        let (mut live, mut new_hints) = (0, 0);
        for place in 0..used {
            if self.linear_key(place).is_undef() {
                continue;
            }
            new_hints |= (hints >> (place * 8) & 0xff) << (live * 8);
            // SAFETY: both pairs are within the places used.
            unsafe { std::ptr::copy(pairs.add(place * 2), pairs.add(live * 2), 2) };
            live += 1;
        }
        // SAFETY: these places were used, and are not now; zero is an immediate.
        unsafe { std::ptr::write_bytes(pairs.add(live * 2), 0, (used - live) * 2) };
        self.set_hints(new_hints);
        self.set_linear_counts(live, live);
        self.pairs_written(cx, live);
    }

    fn pairs_written(self, cx: &mut Mem, pairs: usize) {
        if self.representation() == Representation::Embedded {
            cx.remember(self.value());
        } else if let Some(buffer) = self.buffer() {
            cx.remember_buffer(buffer, 0..pairs * 16);
        }
    }

    /// Moves the pairs to a buffer with room for at least `pairs` of them. Positions stay.
    #[cold]
    pub(super) fn linear_grow(self, cx: &mut Mem, pairs: usize) -> Result<(), Error> {
        let pairs = pairs.next_power_of_two();
        let buffer = cx.allocate_buffer(pairs * 16, BufferKind::Values)?;
        let used = self.linear_used();
        if used > 0 {
            // SAFETY: the buffer is new and holds more pairs than are used.
            unsafe { std::ptr::copy_nonoverlapping(self.pairs(), buffer.words(), used * 2) };
        }
        let old = if self.representation() == Representation::Linear { self.buffer() } else { None };
        self.adopt_linear(cx, self.hints(), Some(buffer));
        if let Some(old) = old {
            cx.release_buffer(old);
        }
        Ok(())
    }

    /// Makes the entry a hole; positions of holes at the end become unused.
    pub(super) fn linear_delete(self, place: usize) {
        let pair = self.pairs().wrapping_add(place * 2);
        // SAFETY: the place is used; neither word is a reference.
        unsafe {
            *pair = Value::UNDEF;
            *pair.add(1) = Value(0);
        }
        let mut used = self.linear_used();
        while used > 0 && self.linear_key(used - 1).is_undef() {
            used -= 1;
        }
        self.set_linear_counts(used, self.len() - 1);
    }
}
