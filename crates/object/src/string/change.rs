//! All changes of the bytes of a String. The caller has checked that the String is not frozen.
//!
//! Arguments may be parts of the String itself. The code range is updated from that of the added or removed bytes
//! (`range`), so that no operation needs a rescan.

use heap::BufferKind;
use memory::Grow;
use text::{CodeRange, EncodingId};

use super::{
    layout::{ENCODING, Representation, Str},
    range,
};
use crate::payload::{self, Exhausted, Removed};
use crate::{Mem, cell};

/// A String of this length grows before bytes are inserted.
const GROWN_FROM: usize = 1 << 20;

impl Str {
    /// Appends bytes of an unknown code range.
    #[inline]
    pub fn append(self, cx: &mut Mem, bytes: &[u8]) -> Result<(), Exhausted> {
        self.append_with(cx, bytes, CodeRange::Unknown)
    }

    /// Appends bytes of a known code range in this String's encoding.
    #[inline]
    pub fn append_with(self, cx: &mut Mem, bytes: &[u8], range: CodeRange) -> Result<(), Exhausted> {
        if bytes.is_empty() {
            return Ok(());
        }
        let joined = self.range_after_append(bytes, range);
        let (start, len) = self.span();
        if !self.has_room_for(cx, bytes.len()) {
            return self.append_moving(cx, bytes, joined);
        }
        // SAFETY: the bytes fit behind this String's end, where only this String writes, and where no argument lies.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), start.add(len), bytes.len()) };
        self.set_len(len + bytes.len());
        self.set_code_range(joined);
        Ok(())
    }

    /// `append_with` for a String whose payload has no room or belongs to other Strings, too.
    #[inline(never)]
    fn append_moving(self, cx: &mut Mem, bytes: &[u8], joined: CodeRange) -> Result<(), Exhausted> {
        let (start, len) = self.span();
        // If the argument is a part of this String, it moves with it.
        let inside = self.holds(bytes);
        let at = (bytes.as_ptr() as usize).wrapping_sub(start as usize);
        self.reserve(cx, bytes.len())?;
        let (start, _) = self.span();
        let from = if inside { start.wrapping_add(at).cast_const() } else { bytes.as_ptr() };
        // SAFETY: `reserve` made room for the bytes at the end. A part of the String itself ends before the new room
        // begins.
        unsafe { std::ptr::copy_nonoverlapping(from, start.add(len), bytes.len()) };
        self.set_len(len + bytes.len());
        self.set_code_range(joined);
        Ok(())
    }

    /// Appends a String; the caller has checked that its encoding is compatible with this one's.
    #[inline]
    pub fn append_str(self, cx: &mut Mem, other: Str) -> Result<(), Exhausted> {
        let range = if other.is_empty() { CodeRange::SevenBit } else { other.known_code_range() };
        // SAFETY: the other String is on the stack; if it is this one, `append_with` takes care of the moving bytes.
        self.append_with(cx, unsafe { other.unguarded() }, range)
    }

    /// As [`append_str`](Str::append_str), for the frequent case: both have the same encoding, there is room behind
    /// this String's end, and its code range stays as it is. Otherwise it does nothing and returns `false`.
    #[inline(always)]
    pub fn append_str_in_place(self, cx: &Mem, other: Str) -> bool {
        let (own, others) = (cell::header(self.value()), cell::header(other.value()));
        let encoding = own.field(ENCODING, 7);
        let keeps_range = match (self.known_code_range(), other.known_code_range()) {
            (CodeRange::SevenBit, CodeRange::SevenBit) => true,
            (CodeRange::Valid, CodeRange::SevenBit | CodeRange::Valid) => encoding == EncodingId::UTF_8.index() as u32,
            _ => false,
        };
        let ((start, len), (from, more)) = (self.span(), other.span());
        if !keeps_range || others.field(ENCODING, 7) != encoding || !self.has_room_for(cx, more) {
            return false;
        }
        // SAFETY: the bytes fit behind this String's end, where only this String writes. If the argument is this
        // String, its bytes end there.
        unsafe { std::ptr::copy_nonoverlapping(from, start.add(len), more) };
        self.set_len(len + more);
        true
    }

    /// Appends Strings, with a separator between them, which have `total` bytes together. The caller has checked that
    /// their encodings are compatible with this one's, and that none of them is this String.
    pub fn append_joined(
        self,
        cx: &mut Mem,
        parts: impl Iterator<Item = Str>,
        separator: Option<Str>,
        total: usize,
    ) -> Result<(), Exhausted> {
        self.reserve(cx, total)?;
        let (start, len) = self.span();
        let (end, encoding, known) = (len + total, self.encoding(), self.known_code_range());
        let mut joined = Joined { start, len, end, encoding, known };
        // SAFETY: neither the separator nor a part is this String, nothing is allocated while bytes are copied, and
        // `reserve` made room for them behind this String's end, where only this String writes.
        unsafe {
            let between = separator.map(|separator| (separator.unguarded(), separator.known_code_range()));
            let mut is_first = true;
            for part in parts {
                if let Some((bytes, range)) = between
                    && !is_first
                {
                    joined.add(bytes, range);
                }
                is_first = false;
                joined.add(part.unguarded(), part.known_code_range());
            }
        }
        self.set_len(joined.len);
        self.set_code_range(joined.known);
        Ok(())
    }

    /// Appends a part of a String, which may be this one; `range` is the code range of the part.
    #[inline]
    pub fn append_part(
        self,
        cx: &mut Mem,
        other: Str,
        part: std::ops::Range<usize>,
        range: CodeRange,
    ) -> Result<(), Exhausted> {
        // SAFETY: the other String is on the stack; if it is this one, `append_with` takes care of the moving bytes.
        self.append_with(cx, unsafe { &other.unguarded()[part] }, range)
    }

    #[inline]
    pub fn push(self, cx: &mut Mem, byte: u8) -> Result<(), Exhausted> {
        self.append(cx, &[byte])
    }

    /// The bytes, for changes in place.
    pub fn bytes_mut(self, cx: &mut Mem) -> Result<&mut [u8], Exhausted> {
        self.make_own(cx)?;
        self.set_code_range(CodeRange::Unknown);
        let (start, len) = self.span();
        // SAFETY: the payload is no longer shared with another String.
        Ok(unsafe { std::slice::from_raw_parts_mut(start, len) })
    }

    /// Like `splice`, with the bytes of a String, which may be this one.
    pub fn splice_str(self, cx: &mut Mem, at: usize, remove: usize, with: Str) -> Result<(), Exhausted> {
        // SAFETY: the other String is on the stack; `splice` copies bytes of this String itself first.
        self.splice(cx, at, remove, unsafe { with.unguarded() })
    }

    /// Replaces the `remove` bytes at `at` by others: deletes, inserts or replaces.
    pub fn splice(self, cx: &mut Mem, at: usize, remove: usize, with: &[u8]) -> Result<(), Exhausted> {
        let len = self.len();
        assert!(at <= len && remove <= len - at, "a splice beyond the end of a String");
        if with.is_empty() {
            return self.delete(cx, at, remove);
        }
        if at == len {
            return self.append(cx, with);
        }
        if self.holds(with) {
            let with = own_copy(with)?;
            return self.splice_apart(cx, at, remove, &with);
        }
        self.splice_apart(cx, at, remove, with)
    }

    /// `splice` for a `with` that is not a part of this String.
    fn splice_apart(self, cx: &mut Mem, at: usize, remove: usize, with: &[u8]) -> Result<(), Exhausted> {
        let len = self.len();
        let rest = len - at - remove;
        let needed = (at + with.len()).checked_add(rest).ok_or(Exhausted::TooBig)?;
        let range = self.range_after_splice(at, remove, with);
        if len >= GROWN_FROM && needed > len && self.representation() == Representation::Owned {
            // A large buffer grows without a copy.
            self.reserve(cx, needed - len)?;
        }
        let (start, _) = self.span();
        if self.owns() && needed <= self.room(cx) {
            // SAFETY: only this String uses the payload, which has room; the rest moves first, then the gap is filled
            // from elsewhere.
            unsafe {
                std::ptr::copy(start.add(at + remove), start.add(at + with.len()), rest);
                std::ptr::copy_nonoverlapping(with.as_ptr(), start.add(at), with.len());
            }
            self.set_len(needed);
            self.set_code_range(range);
            return Ok(());
        }
        let bytes = if needed > len { payload::grown(len, needed) } else { needed };
        check_size(needed)?;
        let buffer = cx.allocate_buffer(bytes, BufferKind::Bytes)?;
        let target = buffer.bytes();
        // SAFETY: the buffer is new and has room for the three parts, which lie in live payloads.
        unsafe {
            std::ptr::copy_nonoverlapping(start, target, at);
            std::ptr::copy_nonoverlapping(with.as_ptr(), target.add(at), with.len());
            std::ptr::copy_nonoverlapping(start.add(at + remove), target.add(at + with.len()), rest);
        }
        self.adopt(cx, Representation::Owned, buffer, target, needed)?;
        self.set_code_range(range);
        Ok(())
    }

    fn delete(self, cx: &mut Mem, at: usize, remove: usize) -> Result<(), Exhausted> {
        match Removed::of(at, remove, self.len()) {
            Removed::Nothing => {}
            Removed::End => self.truncate(cx, at),
            Removed::Start if !self.is_embedded() => self.drop_front(cx, remove),
            Removed::Start | Removed::Middle => return self.delete_inside(cx, at, remove),
        }
        Ok(())
    }

    /// Moves what follows the removed bytes.
    fn delete_inside(self, cx: &mut Mem, at: usize, remove: usize) -> Result<(), Exhausted> {
        let len = self.len();
        let range = if at == 0 { self.range_from(remove) } else { self.range_after_splice(at, remove, &[]) };
        self.make_own(cx)?;
        let (start, _) = self.span();
        // SAFETY: only this String uses the payload, and both ranges are inside.
        unsafe { std::ptr::copy(start.add(at + remove), start.add(at), len - at - remove) };
        self.set_len(len - remove);
        self.set_code_range(range);
        Ok(())
    }

    /// Removes all bytes from `len` on.
    pub fn truncate(self, cx: &mut Mem, len: usize) {
        debug_assert!(len <= self.len());
        if self.representation() == Representation::Lent {
            // Other Strings may see the bytes that would be overwritten.
            self.set_representation(Representation::Shared);
        }
        let range = self.range_before(len);
        self.set_len(len);
        self.set_code_range(range);
        self.narrowed(cx);
    }

    /// Moves the start of a String with a buffer.
    fn drop_front(self, cx: &mut Mem, remove: usize) {
        let (start, len) = self.span();
        let range = self.range_from(remove);
        self.set_start(start.wrapping_add(remove));
        self.set_len(len - remove);
        self.set_code_range(range);
        self.narrowed(cx);
    }

    /// Called after the String became shorter without a copy.
    fn narrowed(self, cx: &mut Mem) {
        let (start, len) = self.span();
        if self.representation() == Representation::Shared && self.cell_holds(len) {
            let target = self.set_embedded(len);
            // SAFETY: the bytes are in a buffer, which stays as nothing is allocated in between; the cell has room.
            unsafe { std::ptr::copy_nonoverlapping(start, target, len) };
        }
        if self.representation() == Representation::Owned {
            let size = cx.buffer_size(self.buffer());
            if size > heap::MAX_CELL && len <= size / 4 {
                self.shrink(cx);
            }
        }
    }

    /// Replaces a large buffer that is mostly unused by a smaller one. If memory is exhausted, the buffer stays.
    #[cold]
    fn shrink(self, cx: &mut Mem) {
        let (start, len) = self.span();
        if len == 0 {
            self.discard(cx);
            return;
        }
        let buffer = self.buffer();
        if len * 2 > heap::MAX_CELL && buffer.bytes() == start {
            cx.shrink_buffer(buffer, len * 2);
            return;
        }
        // SAFETY: `span` returns where the bytes are.
        if let Ok(buffer) = unsafe { payload::copied(cx, BufferKind::Bytes, start, len, len * 2) } {
            let _ = self.adopt(cx, Representation::Owned, buffer, buffer.bytes(), len);
        }
    }

    /// Makes the String empty and frees its buffer. The encoding stays.
    pub fn clear(self, cx: &mut Mem) {
        self.discard(cx);
        self.set_code_range(CodeRange::Unknown);
    }

    /// Replaces all bytes; the encoding stays.
    pub fn set_bytes(self, cx: &mut Mem, bytes: &[u8]) -> Result<(), Exhausted> {
        let len = bytes.len();
        if self.holds(bytes) {
            let (start, old) = self.span();
            let at = bytes.as_ptr() as usize - start as usize;
            self.delete(cx, at + len, old - at - len)?;
            return self.delete(cx, 0, at);
        }
        if self.owns() && len <= self.room(cx) {
            let (start, _) = self.span();
            // SAFETY: only this String uses the payload, which has room, and the bytes are not in it.
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), start, len) };
            self.set_len(len);
        } else if self.cell_holds(len) {
            self.discard(cx);
            let target = self.set_embedded(len);
            // SAFETY: the cell has room for them, and they are not in this String's previous payload.
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), target, len) };
        } else {
            // SAFETY: a slice of bytes can be read.
            let buffer = unsafe { payload::copied(cx, BufferKind::Bytes, bytes.as_ptr(), len, len)? };
            self.adopt(cx, Representation::Owned, buffer, buffer.bytes(), len)?;
        }
        self.set_code_range(CodeRange::Unknown);
        Ok(())
    }

    /// Makes room for `more` bytes at the end of a payload that only this String uses. Neither bytes nor code range
    /// change.
    #[inline]
    pub fn reserve(self, cx: &mut Mem, more: usize) -> Result<(), Exhausted> {
        let len = self.len();
        let needed = len.checked_add(more).ok_or(Exhausted::TooBig)?;
        check_size(needed)?;
        if self.has_room_for(cx, more) {
            return Ok(());
        }
        self.grow(cx, self.representation(), needed)
    }

    /// Whether `more` bytes fit behind the last one in a payload that only this String uses; the sum of the length and
    /// `more` is a possible size.
    #[inline(always)]
    pub(super) fn has_room_for(self, cx: &Mem, more: usize) -> bool {
        let (start, len) = self.span();
        if self.is_embedded() {
            return self.cell_holds(len + more);
        }
        let end = start as usize + len;
        self.representation() != Representation::Shared && cx.buffer_reaches(self.buffer(), end, end + more)
    }

    #[cold]
    fn grow(self, cx: &mut Mem, representation: Representation, needed: usize) -> Result<(), Exhausted> {
        let (start, len) = self.span();
        if representation == Representation::Owned {
            let buffer = self.buffer();
            let base = buffer.bytes();
            let gap = start as usize - base as usize;
            if gap >= len && needed <= cx.buffer_size(buffer) {
                // The front was removed, at least as many bytes as are moved now, so that moving has amortised constant
                // cost. SAFETY: both ranges are inside the buffer, which only this String uses.
                unsafe { std::ptr::copy(start, base, len) };
                self.set_start(base);
                return Ok(());
            }
            if gap == 0 {
                let bytes = payload::grown(cx.buffer_size(buffer), needed);
                let buffer = cx.grow_buffer(buffer, BufferKind::Bytes, len, bytes)?;
                self.moved(cx, buffer, len);
                return Ok(());
            }
        }
        if representation == Representation::Shared && self.cell_holds(needed) {
            let target = self.set_embedded(len);
            // SAFETY: the buffer is not this cell, which has room.
            unsafe { std::ptr::copy_nonoverlapping(start, target, len) };
            return Ok(());
        }
        // SAFETY: `span` returns where the bytes are.
        let buffer = unsafe { payload::copied(cx, BufferKind::Bytes, start, len, payload::grown(len, needed))? };
        self.adopt(cx, Representation::Owned, buffer, buffer.bytes(), len)
    }

    /// Ensures that no other String sees this String's bytes.
    pub fn make_own(self, cx: &mut Mem) -> Result<(), Exhausted> {
        if self.owns() {
            return Ok(());
        }
        let (start, len) = self.span();
        if self.cell_holds(len) {
            let target = self.set_embedded(len);
            // SAFETY: the old payload is still there, and the cell has room for `len` bytes beside the header; the two
            // do not overlap.
            unsafe { std::ptr::copy_nonoverlapping(start, target, len) };
            return Ok(());
        }
        // SAFETY: `span` returns where the bytes are.
        let buffer = unsafe { payload::copied(cx, BufferKind::Bytes, start, len, len)? };
        self.adopt(cx, Representation::Owned, buffer, buffer.bytes(), len)
    }

    /// Whether only this String uses the payload.
    #[inline]
    fn owns(self) -> bool {
        matches!(self.representation(), Representation::Embedded | Representation::Owned)
    }

    /// Whether the bytes are a part of this String. Slices that only overlap with it are in a shared buffer, which is
    /// neither written to nor freed.
    #[inline]
    fn holds(self, bytes: &[u8]) -> bool {
        let (start, len) = self.span();
        let at = (bytes.as_ptr() as usize).wrapping_sub(start as usize);
        !bytes.is_empty() && at < len && bytes.len() <= len - at
    }
}

#[inline]
fn check_size(bytes: usize) -> Result<(), Exhausted> {
    if bytes > payload::MAX_BYTES { Err(Exhausted::TooBig) } else { Ok(()) }
}

fn own_copy(bytes: &[u8]) -> Result<Vec<u8>, Exhausted> {
    let mut copy = Vec::new();
    copy.try_reserve_exact(bytes.len()).map_err(|_| Exhausted::OutOfMemory)?;
    copy.append_slice(bytes);
    Ok(copy)
}

/// Bytes that are appended one part after the other.
struct Joined {
    start: *mut u8,
    len: usize,
    /// The length for which there is room.
    end: usize,
    encoding: EncodingId,
    known: CodeRange,
}

impl Joined {
    /// Appends a part of this code range.
    ///
    /// # Safety
    /// There is room up to the end, and the part is not there.
    #[inline(always)]
    unsafe fn add(&mut self, bytes: &[u8], range: CodeRange) {
        if bytes.is_empty() {
            return;
        }
        assert!(bytes.len() <= self.end - self.len, "more bytes than announced");
        let stays = match (self.known, range) {
            (CodeRange::SevenBit, CodeRange::SevenBit) => true,
            (CodeRange::Valid, CodeRange::SevenBit | CodeRange::Valid) => self.encoding == EncodingId::UTF_8,
            _ => false,
        };
        if !stays {
            self.widen(bytes, range);
        }
        // SAFETY: this function's contract.
        unsafe { copy_part(bytes.as_ptr(), self.start.add(self.len), bytes.len()) };
        self.len += bytes.len();
    }

    #[inline(never)]
    fn widen(&mut self, bytes: &[u8], range: CodeRange) {
        let known = self.known;
        self.known = if self.len == 0 { range } else { range::after_append(known, self.encoding, bytes, range) };
    }
}

/// Copies bytes. A few, as most parts are, take two words that overlap, and no call.
///
/// # Safety
/// There are as many bytes at `from`, and there is room for them at `to`.
#[inline(always)]
unsafe fn copy_part(from: *const u8, to: *mut u8, len: usize) {
    // SAFETY: this function's contract; both words lie within the bytes.
    unsafe {
        if len > 16 {
            std::ptr::copy_nonoverlapping(from, to, len);
        } else if len >= 8 {
            let first = from.cast::<u64>().read_unaligned();
            let last = from.add(len - 8).cast::<u64>().read_unaligned();
            to.cast::<u64>().write_unaligned(first);
            to.add(len - 8).cast::<u64>().write_unaligned(last);
        } else if len >= 4 {
            let first = from.cast::<u32>().read_unaligned();
            let last = from.add(len - 4).cast::<u32>().read_unaligned();
            to.cast::<u32>().write_unaligned(first);
            to.add(len - 4).cast::<u32>().write_unaligned(last);
        } else if len > 0 {
            *to = *from;
            *to.add(len / 2) = *from.add(len / 2);
            *to.add(len - 1) = *from.add(len - 1);
        }
    }
}
