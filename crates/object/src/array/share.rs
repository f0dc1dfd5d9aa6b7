//! Copies and slices that refer to the elements of their original.
//!
//! **What is copied.** Everything in an embedded Array, up to eight elements, and slices that are a small part of their
//! buffer, so that a few elements do not keep a large buffer, and everything it refers to, alive: below 512 elements
//! when the buffer is more than 16 times as large, above that when it is more than 256 times as large.

use super::layout::{Arr, Representation};
use crate::payload::Exhausted;
use crate::{Mem, cell};

const COPIED_ALWAYS: usize = 8;
const SHORT: usize = 512;

impl Arr {
    /// An Array of class Array with the same elements.
    #[inline]
    pub fn dup(self, cx: &mut Mem) -> Result<Arr, Exhausted> {
        self.slice(cx, 0, self.len())
    }

    /// The `len` elements from `at` on, which must be inside.
    #[inline]
    pub fn slice(self, cx: &mut Mem, at: usize, len: usize) -> Result<Arr, Exhausted> {
        let (start, own_len) = self.span();
        assert!(at <= own_len && len <= own_len - at, "a slice beyond the end of an Array");
        if len <= COPIED_ALWAYS || self.is_embedded() || !self.worth_keeping(cx, len) {
            // SAFETY: the range was checked. The elements do not move while the copy is being allocated.
            let part = unsafe { std::slice::from_raw_parts(start.add(at), len) };
            return Arr::new(cx, part);
        }
        self.lend();
        let (start, buffer) = (start.wrapping_add(at), self.buffer());
        Ok(Arr::in_buffer(cx, Representation::Shared, buffer, start, len))
    }

    /// Whether a part of `len` elements is large enough to keep this Array's buffer alive.
    fn worth_keeping(self, cx: &Mem, len: usize) -> bool {
        let factor = if len < SHORT { 16 } else { 256 };
        (len * 8).saturating_mul(factor) >= cx.buffer_size(self.buffer())
    }

    /// Records that other Arrays refer to the buffer from now on. A frozen Array never changes, so its header stays as
    /// it is.
    fn lend(self) {
        if self.representation() == Representation::Owned && !cell::frozen(self.value()) {
            self.set_representation(Representation::Lent);
        }
    }

    /// Replaces the elements by those of another Array; this one is not frozen.
    pub fn replace(self, cx: &mut Mem, other: Arr) -> Result<(), Exhausted> {
        if self == other {
            return Ok(());
        }
        let (start, len) = other.span();
        if other.is_embedded() || len <= COPIED_ALWAYS || !other.worth_keeping(cx, len) {
            // SAFETY: the other Array is on the stack and is not changed.
            return self.set_elements(cx, unsafe { other.unguarded() });
        }
        let buffer = other.buffer();
        let words = self.room_for_words(cx)?;
        other.lend();
        self.discard(cx);
        self.adopt(cx, words, Representation::Shared, buffer, start, len);
        Ok(())
    }
}
