//! Copies and slices that refer to the bytes of their original.
//!
//! **What is copied.** Bytes that fit the cell a shared header would take anyway, and everything in an embedded String.
//! A slice is also copied when it is short or a small part of its buffer, so that a few bytes do not keep a large
//! buffer alive: up to 64 bytes always, below 4 KB when the buffer is more than 16 times as large, above that when it
//! is more than 256 times as large.

use abi::{Flags, Value};
use text::{CodeRange, EncodingId};

use super::layout::{EMBED_SMALL, LOCKED, Representation, Str};
use crate::payload::Exhausted;
use crate::{Mem, cell, class};

const COPIED_ALWAYS: usize = 64;
const SHORT: usize = 4096;

impl Str {
    /// A String of class String with the same bytes, encoding and code range.
    #[inline]
    pub fn dup(self, cx: &mut Mem) -> Str {
        self.dup_with(cx, 0)
    }

    /// Like `dup`, with flags of the header: for the String of a literal (`Flags::CHILLED`).
    #[inline]
    pub fn dup_with(self, cx: &mut Mem, flags: u32) -> Str {
        let (range, encoding) = (self.known_code_range(), self.encoding());
        let len = self.len();
        if self.is_embedded() || len <= EMBED_SMALL {
            // SAFETY: the handles are on the stack, and an allocation changes no String.
            return Str::embedded(cx, unsafe { self.unguarded() }, encoding, range, flags);
        }
        let string = self.share(cx, 0, len, range);
        if flags != 0 {
            cell::set_header(string.value(), cell::header(string.value()).with(flags));
        }
        string
    }

    /// This new String as a direct instance of String or a subclass.
    pub fn with_class(self, class: Value) -> Str {
        let shape = class::root_shape(class);
        cell::set_header(self.value(), cell::header(self.value()).with_shape(shape));
        self
    }

    /// A String of class String with a copy of a part of the bytes, in any encoding.
    pub fn copied(self, cx: &mut Mem, part: std::ops::Range<usize>, encoding: EncodingId) -> Result<Str, Exhausted> {
        // SAFETY: the handle is on the stack, and an allocation changes no String.
        Str::new(cx, unsafe { &self.unguarded()[part] }, encoding)
    }

    /// A frozen String of class String with the same bytes; the String itself if it already is one.
    pub fn frozen_dup(self, cx: &mut Mem) -> Str {
        let header = cell::header(self.value());
        let is_locked = header.has(LOCKED);
        if header.has(Flags::FROZEN) && !is_locked && header.shape() == crate::Known::String.root_shape() {
            return self;
        }
        let range = self.known_code_range();
        if self.is_embedded() || self.len() <= EMBED_SMALL {
            // SAFETY: the handles are on the stack, and an allocation changes no String.
            return Str::embedded(cx, unsafe { self.unguarded() }, self.encoding(), range, Flags::FROZEN);
        }
        let string = self.share(cx, 0, self.len(), range);
        string.freeze();
        string
    }

    /// The `len` bytes from `at` on, which must be inside; in the same encoding. The caller ensures that no character
    /// is split.
    #[inline]
    pub fn slice(self, cx: &mut Mem, at: usize, len: usize) -> Result<Str, Exhausted> {
        let range = match self.known_code_range() {
            CodeRange::SevenBit => CodeRange::SevenBit,
            known if len == self.len() => known,
            // A long part of a scanned String is not scanned again; for a short one a scan is cheap.
            CodeRange::Valid if len > COPIED_ALWAYS && at <= self.len() && len <= self.len() - at => {
                self.range_within(at, at + len)
            }
            _ => CodeRange::Unknown,
        };
        self.slice_with(cx, at, len, range)
    }

    /// Like `slice`, for a part whose code range the caller knows.
    #[inline]
    pub fn slice_with(self, cx: &mut Mem, at: usize, len: usize, range: CodeRange) -> Result<Str, Exhausted> {
        assert!(at <= self.len() && len <= self.len() - at, "a slice beyond the end of a String");
        if len <= COPIED_ALWAYS || self.is_embedded() || !self.worth_keeping(cx, len) {
            let (start, _) = self.span();
            // SAFETY: the range was checked. The bytes do not move while the copy is being allocated.
            let part = unsafe { std::slice::from_raw_parts(start.add(at), len) };
            return Str::with_range(cx, part, self.encoding(), range);
        }
        Ok(self.share(cx, at, len, range))
    }

    /// Whether a part of `len` bytes is large enough to keep this String's buffer alive.
    fn worth_keeping(self, cx: &Mem, len: usize) -> bool {
        let factor = if len < SHORT { 16 } else { 256 };
        len.saturating_mul(factor) >= cx.buffer_size(self.buffer())
    }

    fn share(self, cx: &mut Mem, at: usize, len: usize, range: CodeRange) -> Str {
        if self.is_lent_to_native() || cell::header(self.value()).has(LOCKED) {
            // SAFETY: the bytes do not move or change while the copy is being allocated.
            let part = &unsafe { self.unguarded() }[at..at + len];
            // If there is no memory for a copy, the bytes are shared after all.
            if let Ok(copy) = Str::with_range(cx, part, self.encoding(), range) {
                return copy;
            }
        }
        if self.representation() == Representation::Owned && !cell::frozen(self.value()) {
            self.set_representation(Representation::Lent);
        }
        let (start, _) = self.span();
        let start = start.wrapping_add(at);
        Str::in_buffer(cx, Representation::Shared, self.buffer(), start, len, self.encoding(), range)
    }

    /// Replaces bytes, encoding and code range by those of another String (`String#replace`, `initialize_copy`); this
    /// one is not frozen.
    pub fn replace(self, cx: &mut Mem, other: Str) -> Result<(), Exhausted> {
        if self == other {
            return Ok(());
        }
        let (encoding, range): (EncodingId, CodeRange) = (other.encoding(), other.known_code_range());
        let len = other.len();
        if other.is_embedded()
            || len <= EMBED_SMALL
            || other.is_lent_to_native()
            || cell::header(other.value()).has(LOCKED)
        {
            // SAFETY: the other String is not this one, is on the stack and does not change.
            self.set_bytes(cx, unsafe { other.unguarded() })?;
        } else {
            if other.representation() == Representation::Owned && !cell::frozen(other.value()) {
                other.set_representation(Representation::Lent);
            }
            let (start, _) = other.span();
            self.adopt(cx, Representation::Shared, other.buffer(), start, len)?;
        }
        self.set_encoding(encoding);
        self.set_code_range(range);
        Ok(())
    }
}
