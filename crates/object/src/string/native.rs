//! Strings whose bytes' address was passed to C.
//!
//! Such a String is pinned (`Flags::ADDRESS_TAKEN`), owns its bytes, and a NUL follows them. The address is valid until
//! the String changes. A copy of it gets its own bytes instead of sharing them (`share`).

use abi::Flags;
use text::CodeRange;

use super::layout::{CODE_RANGE, EMBEDDED_LEN, Representation, Str};
use crate::payload::{self, Exhausted};
use crate::representation::{BUFFER, LEN, REPRESENTATION, START};
use crate::{Mem, cell};

impl Str {
    /// The address of the bytes, which are followed by a NUL.
    pub fn native_pointer(self, cx: &mut Mem) -> Result<*mut u8, Exhausted> {
        if let Some(start) = self.known_native_pointer(cx) {
            return Ok(start);
        }
        let header = cell::header(self.value());
        let end = self.encoding().min_char_len();
        let has_room = |cx: &Mem| self.room(cx) >= self.len() + end;
        cell::set_header(self.value(), header.with(Flags::ADDRESS_TAKEN));
        if header.has(Flags::FROZEN) {
            // Others may see its bytes, which never change.
            if !has_room(cx) || self.representation() == Representation::Shared {
                if !self.is_embedded() {
                    self.set_representation(Representation::Shared);
                }
                self.reserve(cx, end)?;
            }
        } else {
            // A copy of shared bytes may fill its buffer, even if more bytes follow those in the shared one.
            self.make_own(cx)?;
            if !has_room(cx) {
                self.reserve(cx, end)?;
            }
        }
        self.terminate(cx);
        Ok(self.span().0)
    }

    /// The address of the bytes if C got it before. C may have written behind the end, and may be about to make those
    /// bytes part of the String.
    #[inline]
    pub fn known_native_pointer(self, cx: &Mem) -> Option<*mut u8> {
        let has_room = || self.has_room_for(cx, self.encoding().min_char_len());
        (cell::header(self.value()).has(Flags::ADDRESS_TAKEN) && !self.is_shared() && has_room()).then(|| self.span().0)
    }

    /// Appends bytes and the NUL behind them if there is room for both; never allocates. The String's characters have
    /// at least one byte.
    #[inline]
    pub fn append_in_place(self, cx: &mut Mem, bytes: &[u8]) -> bool {
        if bytes.len() > payload::MAX_BYTES {
            return false;
        }
        if self.is_plain_buffer() {
            return self.append_to_buffer(cx, bytes);
        }
        if !self.has_room_for(cx, bytes.len() + 1) {
            return false;
        }
        let joined = self.range_after_append(bytes, CodeRange::Unknown);
        let (start, len) = self.span();
        // SAFETY: there is room behind the last byte; bytes of this String itself end before it.
        unsafe {
            let end = start.add(len);
            copy_few(bytes, end);
            *end.add(bytes.len()) = 0;
        }
        self.set_len(len + bytes.len());
        self.set_code_range(joined);
        true
    }

    /// Whether the bytes are in a buffer of the String's own, the three words are in the cell, and the code range is
    /// unknown. All of this is in the header, so one comparison tests it.
    #[inline(always)]
    fn is_plain_buffer(self) -> bool {
        const MASK: u64 = 3 << REPRESENTATION | 3 << CODE_RANGE | 0xff << EMBEDDED_LEN;
        const BITS: u64 = (Representation::Owned as u64) << REPRESENTATION | (CodeRange::Unknown as u64) << CODE_RANGE;
        cell::header(self.value()).0 & MASK == BITS
    }

    /// `append_in_place` for the form of `is_plain_buffer`.
    #[inline(always)]
    fn append_to_buffer(self, cx: &mut Mem, bytes: &[u8]) -> bool {
        let (start, len) = self.buffer_span();
        // SAFETY: the third word is the buffer's address.
        let buffer = unsafe { payload::buffer_at(cell::raw(self.value(), 1 + BUFFER)) };
        let end = start as usize + len;
        let has_room = cx.buffer_reaches(buffer, end, end + bytes.len() + 1);
        if has_room {
            // SAFETY: there is room behind the last byte; bytes of this String itself end before it. The cell has the
            // three words.
            unsafe {
                copy_few(bytes, start.add(len));
                *start.add(len + bytes.len()) = 0;
                cell::set_raw(self.value(), 1 + LEN, (len + bytes.len()) as u64);
            }
        }
        has_room
    }

    /// The first byte and the length, for the form of `is_plain_buffer`.
    #[inline(always)]
    fn buffer_span(self) -> (*mut u8, usize) {
        // SAFETY: the cell has the three words.
        unsafe { (cell::raw(self.value(), 1 + START) as *mut u8, cell::raw(self.value(), 1 + LEN) as usize) }
    }

    /// Writes the NUL behind the bytes if there is room for it, in a payload that only this String uses.
    pub fn terminate(self, cx: &mut Mem) {
        let end = self.encoding().min_char_len();
        if self.room(cx) >= self.len() + end {
            let (start, len) = self.span();
            // SAFETY: there is room for these bytes, behind all bytes of the payload that are visible.
            unsafe { std::ptr::write_bytes(start.add(len), 0, end) };
        }
    }

    /// Whether C may have the address of bytes that belong to this String alone.
    pub(super) fn is_lent_to_native(self) -> bool {
        let header = cell::header(self.value());
        header.has(Flags::ADDRESS_TAKEN) && !header.has(Flags::FROZEN) && self.representation() == Representation::Owned
    }

    /// Prepares for changes of the bytes by C: they are no longer shared, and their code range becomes unknown.
    pub fn native_change(self, cx: &mut Mem) -> Result<(), Exhausted> {
        self.make_own(cx)?;
        self.set_code_range(CodeRange::Unknown);
        Ok(())
    }

    /// Lengthens the String by `more` bytes: those that are already in the payload, and zeros for bytes that were never
    /// written.
    pub fn lengthen(self, cx: &mut Mem, more: usize) -> Result<(), Exhausted> {
        self.make_own(cx)?;
        let (room, len) = (self.room(cx), self.len());
        self.reserve(cx, more.saturating_add(1))?;
        let (start, _) = self.span();
        let used = room.clamp(len, len + more);
        // SAFETY: room for the bytes was made; those beyond the former room were never written.
        unsafe { std::ptr::write_bytes(start.add(used), 0, len + more - used) };
        self.set_native_len(cx, len + more)
    }

    /// Makes room for `more` bytes behind the last one, and keeps those that C wrote there.
    pub fn expand_native(self, cx: &mut Mem, more: usize) -> Result<(), Exhausted> {
        let (len, room) = (self.len(), self.room(cx));
        let has_written = cell::header(self.value()).has(Flags::ADDRESS_TAKEN) && !self.is_shared();
        if !has_written || room >= len.saturating_add(more) {
            return self.reserve(cx, more);
        }
        self.set_len(room);
        let result = self.reserve(cx, more - (room - len));
        self.set_len(len);
        result
    }

    /// Sets the length, within the capacity, after C wrote the bytes.
    pub fn set_native_len(self, cx: &mut Mem, len: usize) -> Result<(), Exhausted> {
        self.make_own(cx)?;
        let len = len.min(self.room(cx));
        self.set_len(len);
        self.set_code_range(CodeRange::Unknown);
        self.terminate(cx);
        Ok(())
    }
}

/// Copies bytes; few of them without a call.
///
/// # Safety
/// `to` has room for the bytes, and does not overlap with them.
#[inline(always)]
unsafe fn copy_few(bytes: &[u8], to: *mut u8) {
    let (from, len) = (bytes.as_ptr(), bytes.len());
    // SAFETY: by this function's contract; both words are inside of the bytes, and together are all of them.
    unsafe {
        if (8..=16).contains(&len) {
            let (first, last) = (from.cast::<u64>().read_unaligned(), from.add(len - 8).cast::<u64>().read_unaligned());
            to.cast::<u64>().write_unaligned(first);
            to.add(len - 8).cast::<u64>().write_unaligned(last);
        } else {
            std::ptr::copy_nonoverlapping(from, to, len);
        }
    }
}
