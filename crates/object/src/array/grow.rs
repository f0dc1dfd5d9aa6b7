//! Reserving capacity at either end, and copying shared elements.

use abi::Value;
use heap::BufferKind;

use super::layout::{Arr, MAX_LEN, Representation};
use crate::Mem;
use crate::payload::{self, Exhausted};

impl Arr {
    /// Makes room for `more` elements at the end of a payload that only this Array uses.
    #[inline]
    pub fn reserve(self, cx: &mut Mem, more: usize) -> Result<(), Exhausted> {
        let (_, len) = self.span();
        if more > MAX_LEN - len {
            return Err(Exhausted::TooBig);
        }
        if self.has_room_for(cx, more) {
            return Ok(());
        }
        self.grow(cx, self.representation(), len + more)
    }

    /// Whether `more` elements (at most `MAX_LEN`) fit behind the last one in a payload that only this Array uses.
    #[inline(always)]
    pub(super) fn has_room_for(self, cx: &Mem, more: usize) -> bool {
        if self.is_embedded() {
            return self.span().1 + more <= self.embedded_capacity();
        }
        let (start, len) = self.span();
        let end = start as usize + len * 8;
        self.representation() != Representation::Shared && cx.buffer_reaches(self.buffer(), end, end + more * 8)
    }

    #[cold]
    fn grow(self, cx: &mut Mem, representation: Representation, needed: usize) -> Result<(), Exhausted> {
        let (start, len) = self.span();
        match representation {
            Representation::Embedded => {
                if needed <= self.measure_capacity() {
                    return Ok(());
                }
            }
            Representation::Owned => {
                let buffer = self.buffer();
                let base: *mut Value = buffer.bytes().cast();
                // SAFETY: both point into the buffer.
                let gap = unsafe { start.offset_from(base) } as usize;
                if gap >= len && needed * 8 <= cx.buffer_size(buffer) {
                    // Elements were shifted off the front, at least as many as are moved now, so that moving has
                    // amortised constant cost.
                    // SAFETY: the base is the buffer's start.
                    unsafe { self.move_to(cx, base) };
                    return Ok(());
                }
                if gap == 0 {
                    let bytes = payload::grown(cx.buffer_size(buffer), needed * 8);
                    let buffer = cx.grow_buffer(buffer, BufferKind::Values, len * 8, bytes)?;
                    self.set_payload(Representation::Owned, buffer, buffer.bytes().cast(), len);
                    cx.barrier_buffer(self.value(), buffer);
                    return Ok(());
                }
            }
            Representation::Shared if needed <= self.embedded_capacity() => {
                self.embed_again(cx);
                return Ok(());
            }
            Representation::Shared | Representation::Lent => {}
        }
        self.copy_out(cx, payload::grown(len * 8, needed * 8) / 8, 0)
    }

    /// Moves the elements to another place of the buffer, which only this Array uses.
    ///
    /// # Safety
    /// The buffer has room for the elements at the target.
    unsafe fn move_to(self, cx: &mut Mem, target: *mut Value) {
        let (start, len) = self.span();
        // SAFETY: both ranges are inside of the buffer, by this function's contract.
        unsafe { std::ptr::copy(start, target, len) };
        // SAFETY: these slots were elements before, and no Array sees them now.
        unsafe {
            if target < start {
                let vacated = target.add(len).max(start);
                clear_slots(vacated, start.add(len).offset_from(vacated) as usize);
            } else {
                let vacated = target.min(start.add(len));
                clear_slots(start, vacated.offset_from(start) as usize);
            }
        }
        self.set_start(target);
        self.written(cx, target, len);
    }

    /// Moves elements that fit into the cell from a shared buffer back into it.
    fn embed_again(self, cx: &mut Mem) {
        let (start, len) = self.span();
        debug_assert!(len <= self.embedded_capacity());
        self.set_embedded();
        // SAFETY: the cell has room for them; they are in a separate buffer, which its sharers or `start` keep alive.
        unsafe { std::ptr::copy_nonoverlapping(start, self.embedded_start(), len) };
        self.set_len(len);
        cx.remember(self.value());
    }

    /// Copies the elements to a new buffer with room for `capacity` elements, leaving `front` slots free before them.
    pub(super) fn copy_out(self, cx: &mut Mem, capacity: usize, front: usize) -> Result<(), Exhausted> {
        let (start, len) = self.span();
        if capacity > MAX_LEN {
            return Err(Exhausted::TooBig);
        }
        let words = self.room_for_words(cx)?;
        let buffer = cx.allocate_buffer(capacity * 8, BufferKind::Values)?;
        let target = buffer.bytes().cast::<Value>().wrapping_add(front);
        // SAFETY: the buffer is new and has room for `front + len` elements.
        unsafe { std::ptr::copy_nonoverlapping(start, target, len) };
        payload::written_to_new(cx, buffer, capacity * 8, front * 8, len * 8);
        self.discard(cx);
        self.adopt(cx, words, Representation::Owned, buffer, target, len);
        Ok(())
    }

    /// Ensures that no other Array sees this Array's elements.
    #[inline]
    pub fn make_own(self, cx: &mut Mem) -> Result<(), Exhausted> {
        if self.owns() { Ok(()) } else { self.unshare(cx, 0) }
    }

    /// Like `make_own`, with room for `more` elements at the end.
    #[inline]
    pub(super) fn make_own_and_reserve(self, cx: &mut Mem, more: usize) -> Result<(), Exhausted> {
        if self.owns() { self.reserve(cx, more) } else { self.unshare(cx, more) }
    }

    #[cold]
    fn unshare(self, cx: &mut Mem, more: usize) -> Result<(), Exhausted> {
        let len = self.len();
        if more > MAX_LEN - len {
            return Err(Exhausted::TooBig);
        }
        if len + more <= self.embedded_capacity() {
            self.embed_again(cx);
            return Ok(());
        }
        self.copy_out(cx, if more == 0 { len } else { payload::grown(len * 8, (len + more) * 8) / 8 }, 0)
    }

    /// Whether only this Array uses the payload.
    #[inline(always)]
    pub(super) fn owns(self) -> bool {
        matches!(self.representation(), Representation::Embedded | Representation::Owned)
    }

    /// Makes room for `more` elements before the first one and moves the start there. The new slots hold 0.
    pub(super) fn open_front(self, cx: &mut Mem, more: usize) -> Result<(), Exhausted> {
        let (start, len) = self.span();
        if more > MAX_LEN - len {
            return Err(Exhausted::TooBig);
        }
        if self.is_embedded() {
            if len + more <= self.embedded_capacity() || len + more <= self.measure_capacity() {
                // SAFETY: the cell has room; slots that are not moved over are cleared.
                unsafe {
                    std::ptr::copy(start, start.add(more), len);
                    clear_slots(start, more);
                }
                self.set_len(len + more);
                return Ok(());
            }
        } else if self.representation() == Representation::Owned {
            let base: *mut Value = self.buffer().bytes().cast();
            // SAFETY: both point into the buffer.
            let gap = unsafe { start.offset_from(base) } as usize;
            if gap >= more {
                self.set_start(start.wrapping_sub(more));
                self.set_len(len + more);
                return Ok(());
            }
            let capacity = cx.buffer_size(self.buffer()) / 8;
            let free = capacity - len;
            if free >= more && free >= len / 2 {
                // Enough is free at the end: half of the remaining space goes to the front, for further elements.
                // SAFETY: behind the target there is room for the elements and for the rest of what is free.
                unsafe { self.move_to(cx, base.wrapping_add(more + (free - more) / 2)) };
                return self.open_front(cx, more);
            }
        }
        // At least a quarter of the elements as room at the front: amortised constant time per element.
        let front = (more + (len + more) / 4).max(4);
        let capacity = front.checked_add(len + len / 8).ok_or(Exhausted::TooBig)?;
        let capacity = heap::rounded_size(capacity.min(MAX_LEN) * 8) / 8;
        self.copy_out(cx, capacity, front)?;
        self.open_front(cx, more)
    }

    /// Replaces a large buffer that is mostly unused by a smaller one. If memory is exhausted, the buffer stays.
    #[inline]
    pub(super) fn shrink_if_sparse(self, cx: &mut Mem) {
        if self.representation() == Representation::Owned {
            let size = cx.buffer_size(self.buffer());
            if size > heap::MAX_CELL && self.len() * 8 <= size / 4 {
                self.shrink(cx);
            }
        }
    }

    #[cold]
    fn shrink(self, cx: &mut Mem) {
        if self.is_empty() {
            self.discard(cx);
        } else {
            let _ = self.copy_out(cx, self.len() * 2, 0);
        }
    }

    /// Makes the Array empty and embedded; an owned buffer is freed immediately.
    pub(super) fn discard(self, cx: &mut Mem) {
        let owned = self.representation() == Representation::Owned;
        let buffer = if owned { Some(self.buffer()) } else { None };
        self.set_embedded();
        if let Some(buffer) = buffer {
            cx.release_buffer(buffer);
        }
    }
}

/// Clears slots that no Array sees any more.
///
/// # Safety
/// The slots are inside of a payload.
#[inline]
pub(super) unsafe fn clear_slots(start: *mut Value, len: usize) {
    // SAFETY: by this function's contract the slots are inside a payload; zero is an immediate, so no barrier is
    // needed.
    unsafe { std::ptr::write_bytes(start, 0, len) }
}
