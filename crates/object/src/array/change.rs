//! All changes of the elements of an Array. The caller has checked that the Array is not frozen.
//!
//! Arguments may be parts of the Array itself.

use abi::Value;
use heap::BufferKind;

use super::grow::clear_slots;
use super::layout::{Arr, MAX_LEN, Representation};
use crate::Mem;
use crate::payload::{self, Exhausted, Removed};

/// The number of shifted elements between two checks whether a large buffer should shrink.
const SHRINK_CHECK_INTERVAL: usize = 1024;

impl Arr {
    #[inline]
    pub fn push(self, cx: &mut Mem, v: Value) -> Result<(), Exhausted> {
        self.reserve(cx, 1)?;
        let (start, len) = self.span();
        self.set_len(len + 1);
        // SAFETY: `reserve` made room behind the last element.
        unsafe { self.store(cx, start.add(len), v) };
        Ok(())
    }

    /// Appends an element if there is room for it; never allocates.
    #[inline]
    pub fn push_in_place(self, cx: &mut Mem, v: Value) -> bool {
        let has_room = self.has_room_for(cx, 1);
        if has_room {
            let (start, len) = self.span();
            self.set_len(len + 1);
            // SAFETY: there is room behind the last element.
            unsafe { self.store(cx, start.add(len), v) };
        }
        has_room
    }

    /// Appends elements.
    pub fn append(self, cx: &mut Mem, elements: &[Value]) -> Result<(), Exhausted> {
        if elements.is_empty() {
            return Ok(());
        }
        let (start, len) = self.span();
        // If the argument is a part of this Array, it moves with it.
        let inside = self.holds(elements);
        let at = (elements.as_ptr() as usize).wrapping_sub(start as usize) / 8;
        self.reserve(cx, elements.len())?;
        let (start, _) = self.span();
        let from = if inside { start.wrapping_add(at).cast_const() } else { elements.as_ptr() };
        // SAFETY: `reserve` made room at the end; a part of the Array itself ends before the new room begins.
        unsafe { std::ptr::copy_nonoverlapping(from, start.add(len), elements.len()) };
        self.set_len(len + elements.len());
        self.written(cx, start.wrapping_add(len), elements.len());
        Ok(())
    }

    /// Appends the elements of another Array, or of this one.
    pub fn append_all(self, cx: &mut Mem, other: Arr) -> Result<(), Exhausted> {
        // SAFETY: the other Array is on the stack; if it is this one, `append` moves the slice with its elements.
        self.append(cx, unsafe { other.unguarded() })
    }

    /// Stores at an index below the length, if no other Array shares the elements. Returns `false` if it stored
    /// nothing.
    #[inline(always)]
    pub fn set_own(self, cx: &mut Mem, index: usize, v: Value) -> bool {
        let (start, len) = self.span();
        if index >= len || !self.owns() {
            return false;
        }
        let slot = start.wrapping_add(index);
        if v.is_heap() {
            // SAFETY: the index is inside of the payload, which only this Array uses.
            unsafe { self.store(cx, slot, v) };
        } else {
            // SAFETY: the index is inside of the payload; a store of an immediate needs no barrier.
            unsafe { *slot = v };
        }
        true
    }

    /// Stores at an index that counts from the front; beyond the end, `nil` fills the gap.
    pub fn set(self, cx: &mut Mem, index: usize, v: Value) -> Result<(), Exhausted> {
        if index >= self.len() {
            return self.set_beyond(cx, index, v);
        }
        self.make_own(cx)?;
        let (start, _) = self.span();
        // SAFETY: the index is inside of the payload, which only this Array uses.
        unsafe { self.store(cx, start.add(index), v) };
        Ok(())
    }

    fn set_beyond(self, cx: &mut Mem, index: usize, v: Value) -> Result<(), Exhausted> {
        if index >= MAX_LEN {
            return Err(Exhausted::TooBig);
        }
        self.extend_with_nil(cx, index)?;
        self.push(cx, v)
    }

    /// Makes the Array at least `len` elements long.
    pub fn extend_with_nil(self, cx: &mut Mem, len: usize) -> Result<(), Exhausted> {
        let old = self.len();
        if len <= old {
            return Ok(());
        }
        self.reserve(cx, len - old)?;
        let (start, _) = self.span();
        // SAFETY: `reserve` made room; `nil` is an immediate, so no barrier is due.
        unsafe { std::slice::from_raw_parts_mut(start.add(old), len - old).fill(Value::NIL) };
        self.set_len(len);
        Ok(())
    }

    /// Removes the last element and returns it.
    #[inline]
    pub fn pop(self, cx: &mut Mem) -> Option<Value> {
        let v = self.iter().next_back()?;
        let len = self.len() - 1;
        self.cut(len);
        if len.is_multiple_of(SHRINK_CHECK_INTERVAL) {
            self.shrink_if_sparse(cx);
        }
        Some(v)
    }

    /// Removes the first element and returns it.
    #[inline]
    pub fn shift(self, cx: &mut Mem) -> Option<Value> {
        let v = self.get(0)?;
        self.cut_front(1);
        if self.len().is_multiple_of(SHRINK_CHECK_INTERVAL) {
            self.shrink_if_sparse(cx);
        }
        Some(v)
    }

    /// Removes all elements from `len` on.
    #[inline]
    pub fn truncate(self, cx: &mut Mem, len: usize) {
        self.cut(len);
        self.shrink_if_sparse(cx);
    }

    #[inline]
    fn cut(self, len: usize) {
        let (start, old) = self.span();
        debug_assert!(len <= old);
        match self.representation() {
            // SAFETY: the slots are inside the payload, and no Array sees them any more.
            Representation::Owned => unsafe { clear_slots(start.add(len), old - len) },
            // Other Arrays may see the elements that would be overwritten.
            Representation::Lent if len < old => self.set_representation(Representation::Shared),
            _ => {}
        }
        self.set_len(len);
    }

    /// Removes the first `count` elements.
    #[inline]
    pub fn drop_front(self, cx: &mut Mem, count: usize) {
        self.cut_front(count);
        self.shrink_if_sparse(cx);
    }

    #[inline]
    fn cut_front(self, count: usize) {
        let (start, len) = self.span();
        debug_assert!(count <= len);
        if self.is_embedded() {
            // SAFETY: both ranges are inside of the cell. It is traced in one go, so moving inside of it needs no
            // barrier.
            unsafe { std::ptr::copy(start.add(count), start, len - count) };
            self.set_len(len - count);
            return;
        }
        if self.representation() == Representation::Owned {
            // SAFETY: the slots are inside the payload, and no Array sees them any more.
            unsafe { clear_slots(start, count) };
            if count == len {
                self.set_start(self.buffer().bytes().cast());
                self.set_len(0);
                return;
            }
        }
        self.set_start(start.wrapping_add(count));
        self.set_len(len - count);
    }

    /// Inserts elements before the first one.
    #[inline]
    pub fn unshift(self, cx: &mut Mem, elements: &[Value]) -> Result<(), Exhausted> {
        self.splice(cx, 0, 0, elements)
    }

    /// Inserts elements before the one at `at`, which is at most the length.
    pub fn insert(self, cx: &mut Mem, at: usize, elements: &[Value]) -> Result<(), Exhausted> {
        self.splice(cx, at, 0, elements)
    }

    /// Removes the element at an index and returns it.
    pub fn delete_at(self, cx: &mut Mem, index: usize) -> Result<Option<Value>, Exhausted> {
        let Some(v) = self.get(index) else { return Ok(None) };
        self.splice(cx, index, 1, &[])?;
        Ok(Some(v))
    }

    /// Replaces the `remove` elements at `at` by others: deletes, inserts or replaces. Both `at` and the end of the
    /// range are inside of the Array.
    pub fn splice(self, cx: &mut Mem, at: usize, remove: usize, with: &[Value]) -> Result<(), Exhausted> {
        let len = self.len();
        assert!(at <= len && remove <= len - at, "a splice beyond the end of an Array");
        if with.is_empty() {
            return self.delete(cx, at, remove);
        }
        if at == len {
            return self.append(cx, with);
        }
        if self.holds(with) {
            let copy = Arr::new(cx, with)?;
            // SAFETY: the copy is referred to from here only.
            return self.splice_apart(cx, at, remove, unsafe { copy.unguarded() });
        }
        self.splice_apart(cx, at, remove, with)
    }

    /// `splice` for a `with` that is not a part of this Array.
    fn splice_apart(self, cx: &mut Mem, at: usize, remove: usize, with: &[Value]) -> Result<(), Exhausted> {
        let len = self.len();
        if at == 0 && with.len() > remove {
            self.open_front(cx, with.len() - remove)?;
        } else {
            self.make_own_and_reserve(cx, with.len().saturating_sub(remove))?;
            let (start, _) = self.span();
            let rest = len - at - remove;
            let new_len = at + with.len() + rest;
            // SAFETY: this Array is the only owner of the payload, which has room; slots that become invisible are
            // cleared.
            unsafe {
                std::ptr::copy(start.add(at + remove), start.add(at + with.len()), rest);
                if new_len < len {
                    clear_slots(start.add(new_len), len - new_len);
                }
            }
            self.set_len(new_len);
        }
        let (start, len) = self.span();
        // SAFETY: the gap has room for `with`, which lies elsewhere.
        unsafe { std::ptr::copy_nonoverlapping(with.as_ptr(), start.add(at), with.len()) };
        let changed = if with.len() == remove || at == 0 { with.len() } else { len - at };
        self.written(cx, start.wrapping_add(at), changed);
        Ok(())
    }

    fn delete(self, cx: &mut Mem, at: usize, remove: usize) -> Result<(), Exhausted> {
        match Removed::of(at, remove, self.len()) {
            Removed::Nothing => {}
            Removed::End => self.truncate(cx, at),
            Removed::Start => self.drop_front(cx, remove),
            Removed::Middle => return self.delete_inside(cx, at, remove),
        }
        Ok(())
    }

    fn delete_inside(self, cx: &mut Mem, at: usize, remove: usize) -> Result<(), Exhausted> {
        self.make_own(cx)?;
        let (start, len) = self.span();
        let rest = len - at - remove;
        // SAFETY: only this Array uses the payload, and all ranges are inside.
        unsafe {
            std::ptr::copy(start.add(at + remove), start.add(at), rest);
            clear_slots(start.add(at + rest), remove);
        }
        self.set_len(at + rest);
        self.written(cx, start.wrapping_add(at), rest);
        Ok(())
    }

    /// Makes the Array empty and frees its buffer.
    pub fn clear(self, cx: &mut Mem) {
        self.discard(cx);
    }

    /// Replaces all elements.
    pub fn set_elements(self, cx: &mut Mem, elements: &[Value]) -> Result<(), Exhausted> {
        if self.holds(elements) {
            let (start, old) = self.span();
            let at = (elements.as_ptr() as usize - start as usize) / 8;
            self.delete(cx, at + elements.len(), old - at - elements.len())?;
            return self.delete(cx, 0, at);
        }
        let len = elements.len();
        if self.owns() {
            self.reserve(cx, len.saturating_sub(self.len()))?;
            self.cut(0);
            return self.append(cx, elements);
        }
        if len <= self.embedded_capacity() {
            self.discard(cx);
            return self.append(cx, elements);
        }
        let words = self.room_for_words(cx)?;
        // SAFETY: a slice of values can be read.
        let buffer = unsafe { payload::copied(cx, BufferKind::Values, elements.as_ptr().cast(), len * 8, len * 8)? };
        self.adopt(cx, words, Representation::Owned, buffer, buffer.bytes().cast(), len);
        Ok(())
    }

    /// Stores `v` at `len` indices from `at` on; the Array grows if necessary.
    pub fn fill(self, cx: &mut Mem, at: usize, len: usize, v: Value) -> Result<(), Exhausted> {
        if len == 0 {
            return Ok(());
        }
        let end = at.checked_add(len).filter(|end| *end <= MAX_LEN).ok_or(Exhausted::TooBig)?;
        let old = self.len();
        self.make_own_and_reserve(cx, end.saturating_sub(old))?;
        let (start, _) = self.span();
        // SAFETY: only this Array uses the payload, which has room up to `end`.
        unsafe {
            if at > old {
                std::slice::from_raw_parts_mut(start.add(old), at - old).fill(Value::NIL);
            }
            std::slice::from_raw_parts_mut(start.add(at), len).fill(v);
        }
        self.set_len(end.max(old));
        if v.is_heap() {
            self.written(cx, start.wrapping_add(at), len);
        }
        Ok(())
    }

    /// Calls `change` with the elements, which it may reorder or replace. It cannot run Ruby, because it has no
    /// context.
    pub fn permute(self, cx: &mut Mem, change: impl FnOnce(&mut [Value])) -> Result<(), Exhausted> {
        self.make_own(cx)?;
        let (start, len) = self.span();
        // SAFETY: this Array is the only owner of the payload, and `change` can access nothing else.
        change(unsafe { std::slice::from_raw_parts_mut(start, len) });
        self.written(cx, start, len);
        Ok(())
    }

    pub fn reverse(self, cx: &mut Mem) -> Result<(), Exhausted> {
        self.permute(cx, <[Value]>::reverse)
    }

    /// Rotates: the element at `by` (less than the length) becomes the first, and those before it the last.
    pub fn rotate(self, cx: &mut Mem, by: usize) -> Result<(), Exhausted> {
        debug_assert!(by <= self.len());
        self.permute(cx, |elements| elements.rotate_left(by))
    }

    /// Keeps the elements for which `keep` is true, in one pass; `keep` cannot run Ruby.
    pub fn retain(self, cx: &mut Mem, mut keep: impl FnMut(Value) -> bool) -> Result<(), Exhausted> {
        if self.elements(cx).iter().all(|v| keep(*v)) {
            return Ok(());
        }
        let mut kept = 0;
        self.permute(cx, |elements| {
            for i in 0..elements.len() {
                if keep(elements[i]) {
                    elements[kept] = elements[i];
                    kept += 1;
                }
            }
        })?;
        self.truncate(cx, kept);
        Ok(())
    }

    /// Whether the elements are a part of this Array. Slices that only overlap with it are in a shared buffer, which is
    /// neither written to nor freed.
    #[inline]
    fn holds(self, elements: &[Value]) -> bool {
        let (start, len) = self.span();
        let at = (elements.as_ptr() as usize).wrapping_sub(start as usize) / 8;
        !elements.is_empty() && at < len && elements.len() <= len - at
    }
}
