//! Strings whose bytes' address was passed to C.
//!
//! Such a String is pinned (`Flags::ADDRESS_TAKEN`), owns its bytes, and a NUL follows them. The address is valid until
//! the String changes. A copy of it gets its own bytes instead of sharing them (`share`).

use abi::Flags;
use text::CodeRange;

use super::layout::{Representation, Str};
use crate::payload::Exhausted;
use crate::{Mem, cell};

impl Str {
    /// The address of the bytes, which are followed by a NUL.
    pub fn native_pointer(self, cx: &mut Mem) -> Result<*mut u8, Exhausted> {
        let header = cell::header(self.value());
        let end = self.encoding().min_char_len();
        let has_room = self.room(cx) >= self.len() + end;
        // C may have written behind the end, and may be about to make those bytes part of the String.
        if header.has(Flags::ADDRESS_TAKEN) && has_room && !self.is_shared() {
            return Ok(self.span().0);
        }
        cell::set_header(self.value(), header.with(Flags::ADDRESS_TAKEN));
        if header.has(Flags::FROZEN) {
            // Others may see its bytes, which never change.
            if !has_room || self.representation() == Representation::Shared {
                if !self.is_embedded() {
                    self.set_representation(Representation::Shared);
                }
                self.reserve(cx, end)?;
            }
        } else {
            self.make_own(cx)?;
            if !has_room {
                self.reserve(cx, end)?;
            }
        }
        self.terminate(cx);
        Ok(self.span().0)
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
