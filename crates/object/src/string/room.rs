//! Room in a String for bytes that code without a context writes: a system call that reads into it.

use std::mem::MaybeUninit;

use abi::Flags;
use heap::BufferKind;
use text::CodeRange;

use super::layout::{LOCKED, Representation, Str};
use crate::payload::{self, Exhausted};
use crate::{Mem, cell};

/// Room in a String behind the bytes that are kept. The String is locked meanwhile: nobody else changes it, and a copy
/// of it gets its own bytes.
pub struct Room {
    string: Str,
    kept: usize,
    count: usize,
}

impl Str {
    /// Room for `count` bytes behind the first `kept`; the others may be overwritten. The caller has checked that the
    /// String is not frozen.
    pub fn room_behind(self, cx: &mut Mem, kept: usize, count: usize) -> Result<Room, Exhausted> {
        debug_assert!(kept <= self.len());
        let needed = kept.checked_add(count).ok_or(Exhausted::TooBig)?;
        self.make_own(cx)?;
        if needed > self.room(cx) {
            self.reserve(cx, needed - self.len())?;
        }
        let lock = Flags::FROZEN | LOCKED;
        cell::set_header(self.value(), cell::header(self.value()).with(lock));
        Ok(Room { string: self, kept, count })
    }

    /// Gives back room behind the end of a new String if it is a large part of the payload.
    pub fn fit(self, cx: &mut Mem) -> Result<(), Exhausted> {
        let (start, len) = self.span();
        let has_much = self.representation() == Representation::Owned && len <= cx.buffer_size(self.buffer()) / 2;
        if !has_much {
            return Ok(());
        }
        if self.cell_holds(len) {
            return self.copied(cx, 0..len, self.encoding()).and_then(|copy| {
                self.discard(cx);
                self.append_str(cx, copy)
            });
        }
        let buffer = self.buffer();
        if len > heap::MAX_CELL && buffer.bytes() == start {
            cx.shrink_buffer(buffer, len);
            return Ok(());
        }
        // SAFETY: `span` returns where the bytes are.
        let buffer = unsafe { payload::copied(cx, BufferKind::Bytes, start, len, len)? };
        self.adopt(cx, Representation::Owned, buffer, buffer.bytes(), len)
    }
}

impl Room {
    /// Lets `f` write bytes into the room; it returns the part that it has written, which begins where the room does.
    /// Returns the number of bytes.
    pub fn fill<E>(
        &mut self,
        f: impl for<'a> FnOnce(&'a mut [MaybeUninit<u8>]) -> Result<&'a mut [u8], E>,
    ) -> Result<usize, E> {
        let (start, _) = self.string.span();
        let start = start.wrapping_add(self.kept);
        // SAFETY: the payload has this room, only this String uses it, and it stays as it is while it is locked.
        let room = unsafe { std::slice::from_raw_parts_mut(start.cast::<MaybeUninit<u8>>(), self.count) };
        let written = f(room)?;
        assert!(written.is_empty() || written.as_ptr() == start && written.len() <= self.count, "bytes from elsewhere");
        Ok(written.len())
    }

    /// Ends the String behind the first `count` bytes of the room, which were written.
    pub fn end(self, count: usize) {
        assert!(count <= self.count, "more bytes than there is room for");
        self.string.set_len(self.kept + count);
        self.string.set_code_range(CodeRange::Unknown);
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let value = self.string.value();
        cell::set_header(value, cell::header(value).without(Flags::FROZEN | LOCKED));
    }
}
