//! Creation of Strings.

use std::alloc::{Layout, realloc};
use std::mem::ManuallyDrop;
use std::ptr::NonNull;

use abi::{Flags, Header, Value};
use heap::BufferKind;
use text::{CodeRange, EncodingId};

use super::layout::{CODE_RANGE, EMBED_MAX, EMBED_SMALL, EMBEDDED_LEN, ENCODING, Representation, Str};
use crate::payload::{self, Exhausted};
use crate::{Known, Mem};

/// The bytes that [`Str::of_list`] copies before it gives their memory back.
const PIECE: usize = 4 << 20;

/// The size of the cell for a String that starts with `len` bytes: the smallest that holds them. An empty String, which
/// will probably grow, gets room for the three words.
#[inline(always)]
fn cell_size(len: usize, flags: u32) -> usize {
    8 + if len == 0 && flags & Flags::FROZEN == 0 { EMBED_SMALL } else { len }
}

/// The flags of a String of `len` bytes in its cell, in addition to these.
#[inline(always)]
fn embedded_flags(len: usize, encoding: EncodingId, range: CodeRange, flags: u32) -> u32 {
    flags | (encoding.index() as u32) << ENCODING | (range as u32) << CODE_RANGE | (len as u32) << EMBEDDED_LEN
}

impl Str {
    /// A String of these bytes, which may be in any live payload.
    #[inline]
    pub fn new(cx: &mut Mem, bytes: &[u8], encoding: EncodingId) -> Result<Str, Exhausted> {
        Str::with_range(cx, bytes, encoding, CodeRange::Unknown)
    }

    /// Like `new`, for bytes whose code range is known.
    #[inline]
    pub fn with_range(cx: &mut Mem, bytes: &[u8], encoding: EncodingId, range: CodeRange) -> Result<Str, Exhausted> {
        if bytes.len() <= EMBED_MAX {
            return Ok(Str::embedded(cx, bytes, encoding, range, 0));
        }
        let len = bytes.len();
        // SAFETY: a slice of bytes can be read.
        let buffer = unsafe { payload::copied(cx, BufferKind::Bytes, bytes.as_ptr(), len, len)? };
        Ok(Str::in_buffer(cx, Representation::Owned, buffer, buffer.bytes(), len, encoding, range))
    }

    /// A String of the bytes of a list. While a large list is copied, its memory is given back to the system piece by
    /// piece, from the end: the bytes exist only once.
    pub fn of_list(cx: &mut Mem, mut bytes: Vec<u8>, encoding: EncodingId) -> Result<Str, Exhausted> {
        let len = bytes.len();
        if len <= PIECE {
            return Str::new(cx, &bytes, encoding);
        }
        let string = Str::with_room(cx, len, encoding)?;
        let (start, _) = string.span();
        while !bytes.is_empty() {
            let at = (bytes.len() - 1) / PIECE * PIECE;
            let piece = &bytes[at..];
            // SAFETY: the payload is new and has room for the whole list, of which this is the part from `at` on.
            unsafe { std::ptr::copy_nonoverlapping(piece.as_ptr(), start.add(at), piece.len()) };
            bytes.truncate(at);
            bytes = shrunk(bytes);
        }
        string.set_len(len);
        Ok(string)
    }

    /// A UTF-8 String from text of the runtime.
    #[inline]
    pub fn text(cx: &mut Mem, text: &str) -> Result<Str, Exhausted> {
        Str::new(cx, text.as_bytes(), EncodingId::UTF_8)
    }

    /// A US-ASCII String from short ASCII text of the runtime, for `Integer#to_s` and the like.
    #[inline]
    pub fn short_ascii(cx: &mut Mem, text: &[u8]) -> Str {
        debug_assert!(text.is_ascii() && text.len() <= EMBED_MAX);
        let text = &text[..text.len().min(EMBED_MAX)];
        Str::embedded(cx, text, EncodingId::US_ASCII, CodeRange::SevenBit, 0)
    }

    /// The digits of a small integer, in US-ASCII.
    #[inline]
    pub fn decimal(cx: &mut Mem, n: i64) -> Str {
        let mut buffer = [0; 20];
        let text = numeric::digits::decimal(n, &mut buffer);
        Str::short_ascii(cx, text)
    }

    /// An empty String that will grow.
    #[inline]
    pub fn empty(cx: &mut Mem, encoding: EncodingId) -> Str {
        Str::embedded(cx, &[], encoding, CodeRange::Unknown, 0)
    }

    /// An empty String that will grow, with initial room for `capacity` bytes.
    #[inline]
    pub fn with_capacity(cx: &mut Mem, capacity: usize, encoding: EncodingId) -> Result<Str, Exhausted> {
        Str::with_room(cx, capacity.max(EMBED_SMALL), encoding)
    }

    /// An empty String that is expected to get exactly `len` bytes.
    #[inline]
    pub fn with_room(cx: &mut Mem, len: usize, encoding: EncodingId) -> Result<Str, Exhausted> {
        if len <= EMBED_MAX {
            let flags = (encoding.index() as u32) << ENCODING;
            let value = cx.allocate(cell_size(len, 0), Known::String.header(flags));
            // SAFETY: the cell was allocated as a String.
            return Ok(unsafe { Str::new_unchecked(value) });
        }
        Str::with_buffer(cx, len, encoding)
    }

    #[inline(never)]
    fn with_buffer(cx: &mut Mem, capacity: usize, encoding: EncodingId) -> Result<Str, Exhausted> {
        if capacity > payload::MAX_BYTES {
            return Err(Exhausted::TooBig);
        }
        let buffer = cx.allocate_buffer(capacity, BufferKind::Bytes)?;
        let start = buffer.bytes();
        Ok(Str::in_buffer(cx, Representation::Owned, buffer, start, 0, encoding, CodeRange::Unknown))
    }

    /// A String of `len` bytes that `fill` writes; they are zero before.
    pub fn filled(
        cx: &mut Mem,
        len: usize,
        encoding: EncodingId,
        range: CodeRange,
        fill: impl FnOnce(&mut [u8]),
    ) -> Result<Str, Exhausted> {
        if len > payload::MAX_BYTES {
            return Err(Exhausted::TooBig);
        }
        let string = if len <= EMBED_MAX {
            let string = Str::with_room(cx, len, encoding)?;
            let (start, _) = string.span();
            // SAFETY: the cell has room for `len` bytes.
            unsafe { std::ptr::write_bytes(start, 0, len) };
            string
        } else {
            let buffer = cx.allocate_zeros(len)?;
            Str::in_buffer(cx, Representation::Owned, buffer, buffer.bytes(), 0, encoding, CodeRange::Unknown)
        };
        let (start, _) = string.span();
        // SAFETY: the payload has `len` bytes, which are zero, and nothing else refers to it.
        fill(unsafe { std::slice::from_raw_parts_mut(start, len) });
        string.set_len(len);
        string.set_code_range(range);
        Ok(string)
    }

    /// Concatenates the parts, which may be in any live payloads.
    #[inline]
    pub fn joined(cx: &mut Mem, parts: &[&[u8]], encoding: EncodingId, range: CodeRange) -> Result<Str, Exhausted> {
        let mut len: usize = 0;
        for part in parts {
            len = len.checked_add(part.len()).ok_or(Exhausted::TooBig)?;
        }
        let string = Str::with_room(cx, len, encoding)?;
        let (mut at, _) = string.span();
        for part in parts {
            // SAFETY: the payload is new and has room for all parts, which are written one after the other.
            unsafe {
                std::ptr::copy_nonoverlapping(part.as_ptr(), at, part.len());
                at = at.add(part.len());
            }
        }
        string.set_len(len);
        string.set_code_range(range);
        Ok(string)
    }

    /// A frozen String in the smallest cell that holds it.
    pub fn frozen(cx: &mut Mem, bytes: &[u8], encoding: EncodingId, range: CodeRange) -> Result<Str, Exhausted> {
        if bytes.len() <= EMBED_MAX {
            return Ok(Str::embedded(cx, bytes, encoding, range, Flags::FROZEN));
        }
        let string = Str::with_range(cx, bytes, encoding, range)?;
        string.freeze();
        Ok(string)
    }

    pub fn freeze(self) {
        let header = crate::cell::header(self.value());
        crate::cell::set_header(self.value(), header.with(Flags::FROZEN).without(Flags::CHILLED));
    }

    /// For generated machine code: the header of the String that [`Str::dup_with`] creates, and the words behind it.
    /// `None` for Strings of more than `EMBED_SMALL` bytes.
    pub fn image_of_dup(self, flags: u32) -> Option<(Header, Vec<u64>)> {
        let bytes = self.to_vector();
        if bytes.len() > EMBED_SMALL {
            return None;
        }
        let flags = embedded_flags(bytes.len(), self.encoding(), self.known_code_range(), flags);
        let mut words = vec![0; (cell_size(bytes.len(), flags) - 8).div_ceil(8)];
        for (at, byte) in bytes.iter().enumerate() {
            words[at / 8] |= u64::from(*byte) << (8 * (at % 8));
        }
        Some((Known::String.header(flags), words))
    }

    /// A String of at most `EMBED_MAX` bytes in the smallest cell that holds them, with these flags of the header.
    #[inline]
    pub(super) fn embedded(cx: &mut Mem, bytes: &[u8], encoding: EncodingId, range: CodeRange, flags: u32) -> Str {
        debug_assert!(bytes.len() <= EMBED_MAX);
        let flags = embedded_flags(bytes.len(), encoding, range, flags);
        let value = cx.allocate(cell_size(bytes.len(), flags), Known::String.header(flags));
        // SAFETY: the cell was allocated as a String with room for the bytes, is new, and so does not overlap them.
        unsafe {
            let string = Str::new_unchecked(value);
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), string.embedded_start(), bytes.len());
            string
        }
    }

    /// A String of 32 bytes whose bytes are a part of a buffer.
    #[inline]
    pub(super) fn in_buffer(
        cx: &mut Mem,
        representation: Representation,
        buffer: heap::Buffer,
        start: *mut u8,
        len: usize,
        encoding: EncodingId,
        range: CodeRange,
    ) -> Str {
        let flags = (encoding.index() as u32) << ENCODING | (range as u32) << CODE_RANGE;
        let value: Value = cx.allocate(32, Known::String.header(flags));
        // SAFETY: the cell was allocated as a String.
        let string = unsafe { Str::new_unchecked(value) };
        string.set_payload(representation, buffer, start, len);
        string
    }
}

/// The list without its spare room, unless the allocator refuses: `shrink_to_fit` would end the process.
fn shrunk(bytes: Vec<u8>) -> Vec<u8> {
    let (capacity, length) = (bytes.capacity(), bytes.len());
    if length == 0 || length == capacity {
        return bytes;
    }
    let start = ManuallyDrop::new(bytes).as_mut_ptr();
    // SAFETY: the list owns this memory, whose layout is that of `capacity` bytes; it becomes a list of `length` bytes,
    // or stays what it is.
    unsafe {
        match NonNull::new(realloc(start, Layout::array::<u8>(capacity).unwrap_unchecked(), length)) {
            Some(moved) => Vec::from_raw_parts(moved.as_ptr(), length, length),
            None => Vec::from_raw_parts(start, length, capacity),
        }
    }
}
