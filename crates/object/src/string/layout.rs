//! The layout of Strings.
//!
//! ```text
//! header bits  10-11 representation   12-18 encoding   19-20 code range   21-28 embedded length
//!              29 interned   30 chilled name
//!
//! embedded     +--------+---------------------------+
//!              | header | bytes ...                 |   no NUL at the end; at most EMBED_MAX bytes
//!              +--------+---------------------------+
//! others       +--------+--------+--------+--------+
//!              | header | length | start  | buffer |   start points into the buffer, anywhere
//!              +--------+--------+--------+--------+
//! indirect     +--------+--------+      +--------+--------+--------+
//!              | header |      --------->| length | start  | buffer |   outgrew a cell too small for three words
//!              +--------+--------+      +--------+--------+--------+
//! ```
//! A String takes the cell that fits its bytes, from 16 bytes on; one that grows later gets its three words in a small
//! buffer. One that is created empty takes 32 bytes. Indirect is not a separate representation: a value of the
//! otherwise unused embedded length marks it. Guarantees of the representations of the second form:
//!
//! - **owned**: no other String refers to the buffer.
//! - **lent**: Strings created from this one refer to the buffer, and see only bytes before this String's end. So it
//!   may still append in place, and drop bytes at its front; before any other change it makes a copy. (A parser that
//!   cuts pieces off a buffer while it is being filled never copies the rest.)
//! - **shared**: others see these bytes; only narrowing is possible without a copy.
//!
//! A frozen String stays owned when it is shared: it never changes.

use abi::{Type, Value};
use heap::{Buffer, Marker};

use crate::handle::handle;
use crate::payload::{self, Exhausted};
pub use crate::representation::Representation;
use crate::representation::{BUFFER, LEN, REPRESENTATION, START, WORDS, in_cell_or_buffer};
use crate::{Mem, cell};

handle! {
    /// A String: a value whose cell is known to be of that type.
    Str, |v| cell::is(v, Type::String), "a String"
}

pub(super) const ENCODING: u32 = 12;
pub(super) const CODE_RANGE: u32 = 19;
pub(super) const EMBEDDED_LEN: u32 = 21;
pub(super) const INTERNED: u32 = 1 << 29;
/// Frozen temporarily, while an IO::Buffer uses its bytes.
pub const LOCKED: u32 = 1 << 31;
/// A chilled String that is a Symbol's name; its warning has a different text.
pub const CHILLED_NAME: u32 = 1 << 30;

/// The maximum number of bytes in the cell itself: a cell of 256 bytes. Longer Strings have a buffer, which can be
/// shared.
pub(super) const EMBED_MAX: usize = 248;
/// The number of bytes that fit a cell with room for the three words.
pub(super) const EMBED_SMALL: usize = 24;
/// The value of the embedded length that means: the words are in a separate buffer.
const INDIRECT: u32 = 1;

/// The layout for generated machine code: bits of the header.
pub mod for_code {
    use super::Representation;
    use abi::Flags;

    pub const ENCODING: u64 = 0x7f << super::ENCODING;
    /// The bits for the encoding and for whether the bytes are in the cell: then they are those of the encoding alone.
    pub const FORM: u64 = ENCODING | 3 << super::REPRESENTATION;
    pub const EMBEDDED_LEN_SHIFT: u64 = super::EMBEDDED_LEN as u64;
    pub const CODE_RANGE: u64 = 3 << super::CODE_RANGE;
    /// The code range of a String that is known to have only ASCII characters.
    pub const ASCII: u64 = (text::CodeRange::SevenBit as u64) << super::CODE_RANGE;
    /// Bits of which none is set if the bytes may be changed where they are: they are in the cell or in a buffer that
    /// no other String refers to, and the String is neither frozen nor chilled.
    pub const NOT_WRITABLE: u64 = (Representation::Shared as u64) << super::REPRESENTATION
        | (Flags::FROZEN | Flags::CHILLED | super::LOCKED | super::INTERNED) as u64;
    // The bit of shared bytes is also set for lent ones, and not for those that no other String refers to.
    const _: () = assert!(
        Representation::Lent as u32 & Representation::Shared as u32 != 0
            && (Representation::Owned as u32 | Representation::Embedded as u32) & Representation::Shared as u32 == 0
    );
    /// The header of a String of one ASCII character, without the bits of its encoding.
    pub fn ascii_character() -> abi::Header {
        crate::Known::String.header(ASCII as u32 | 1 << super::EMBEDDED_LEN)
    }

    /// The embedded length of a String that is not embedded and whose words are in a separate buffer.
    pub const INDIRECT: u64 = super::INDIRECT as u64;
}

in_cell_or_buffer!(Str of u8, EMBEDDED_LEN, |header: abi::Header| header.field(EMBEDDED_LEN, 8) == INDIRECT);

impl Str {
    /// The bytes, borrowed from the context. Everything that allocates, changes an object or runs Ruby needs the
    /// context, so none of it happens while the slice is used. Other code copies the bytes (`to_vector`, `to_text`,
    /// [`Str::held`]) or calls a function that tests them (`is`, `byte`, `contains_byte`).
    ///
    /// ```compile_fail,E0502
    /// fn changed_meanwhile(cx: &mut object::Mem, s: object::string::Str) {
    ///     let bytes = s.bytes(cx);
    ///     s.clear(cx);
    ///     assert!(bytes.is_empty());
    /// }
    /// ```
    /// ```compile_fail
    /// fn kept(cx: &object::Mem, s: object::string::Str) -> &'static [u8] {
    ///     s.bytes(cx)
    /// }
    /// ```
    #[inline(always)]
    pub fn bytes(self, _: &Mem) -> &[u8] {
        // SAFETY: the context is borrowed as long as the slice is used, so that nothing changes or frees the bytes.
        unsafe { self.unguarded() }
    }

    /// The result of `f` for the bytes. `f` has no context, so that it neither allocates nor runs Ruby.
    #[inline(always)]
    pub(super) fn with<T>(self, f: impl FnOnce(&[u8]) -> T) -> T {
        // SAFETY: the handle is on the stack. Only the files of this folder pass closures, and those capture no
        // context.
        f(unsafe { self.unguarded() })
    }

    /// The result of `f` for the bytes. Nothing changes the String meanwhile: a function pointer captures no context,
    /// and a `Copy` argument cannot be one. `f` is written as a closure that captures nothing.
    ///
    /// ```compile_fail,E0277
    /// fn changed_meanwhile(cx: &mut object::Mem, s: object::string::Str) {
    ///     s.read(cx, |bytes, cx| drop((bytes, cx)));
    /// }
    /// ```
    #[inline(always)]
    pub fn read<A: Copy + 'static, T>(self, argument: A, f: fn(&[u8], A) -> T) -> T {
        self.with(|bytes| f(bytes, argument))
    }

    /// A copy of the bytes.
    #[inline]
    pub fn to_vector(self) -> Vec<u8> {
        self.with(memory::copy)
    }

    /// The bytes as text for messages; bytes that are not UTF-8 become U+FFFD.
    pub fn to_text(self) -> String {
        let mut text = String::new();
        self.append_to(&mut text);
        text
    }

    /// Appends what `to_text` returns.
    pub fn append_to(self, text: &mut String) {
        memory::expect_work(self.len());
        self.with(|bytes| memory::append_lossy(text, bytes));
    }

    /// Whether the String has these bytes.
    #[inline]
    pub fn is(self, bytes: &[u8]) -> bool {
        self.with(|own| own == bytes)
    }

    /// Whether the other String has the same bytes, regardless of the encodings.
    #[inline]
    pub fn same_bytes(self, other: Str) -> bool {
        let ((own, len), (others, other_len)) = (self.span(), other.span());
        // Copies share their bytes until one of them changes.
        // SAFETY: both have `len` bytes.
        len == other_len && (own == others || unsafe { are_same(own, others, len) })
    }

    /// The byte at an index; `None` beyond the end.
    #[inline(always)]
    pub fn byte(self, index: usize) -> Option<u8> {
        self.with(|bytes| bytes.get(index).copied())
    }

    pub fn contains_byte(self, byte: u8) -> bool {
        self.with(|bytes| bytes.contains(&byte))
    }

    pub fn starts_with(self, prefix: &[u8]) -> bool {
        self.with(|bytes| bytes.starts_with(prefix))
    }

    pub fn ends_with(self, suffix: &[u8]) -> bool {
        self.with(|bytes| bytes.ends_with(suffix))
    }

    /// Whether all bytes are below 0x80, regardless of the encoding.
    pub fn is_all_ascii(self) -> bool {
        self.with(<[u8]>::is_ascii)
    }

    /// Whether the cell itself has room for `len` bytes.
    pub(super) fn cell_holds(self, len: usize) -> bool {
        len <= (payload::cell_bytes(self.0) - 8).min(EMBED_MAX)
    }

    /// The maximum length without another buffer.
    pub fn capacity(self, cx: &Mem) -> usize {
        self.room(cx)
    }

    /// The number of bytes that fit between the first byte and the end of the payload.
    pub(super) fn room(self, cx: &Mem) -> usize {
        if self.is_embedded() {
            (payload::cell_bytes(self.0) - 8).min(EMBED_MAX)
        } else {
            let buffer = self.buffer();
            buffer.bytes() as usize + cx.buffer_size(buffer) - self.span().0 as usize
        }
    }

    /// Gives a String its first payload, in a new cell with room for three words, which needs no barrier.
    #[inline]
    pub(super) fn set_payload(self, representation: Representation, buffer: Buffer, start: *mut u8, len: usize) {
        let header = cell::header(self.0);
        let header = header.with_field(REPRESENTATION, 2, representation as u32).with_field(EMBEDDED_LEN, 8, 0);
        cell::set_header(self.0, header);
        self.set_words(buffer, start, len);
    }

    /// Gives a String another payload; the String may have existed before the last allocation. If memory is exhausted,
    /// nothing has changed.
    pub(super) fn adopt(
        self,
        cx: &mut Mem,
        representation: Representation,
        buffer: Buffer,
        start: *mut u8,
        len: usize,
    ) -> Result<(), Exhausted> {
        let words = self.room_for_words(cx)?;
        self.discard(cx);
        let header = cell::header(self.0).with_field(REPRESENTATION, 2, representation as u32);
        if let Some(words) = words {
            cell::set_header(self.0, header.with_field(EMBEDDED_LEN, 8, INDIRECT));
            // SAFETY: the cell has a word after the header.
            unsafe { cell::set_raw(self.0, 1, words.bytes() as u64) };
            cx.barrier_buffer(self.0, words);
        } else {
            cell::set_header(self.0, header.with_field(EMBEDDED_LEN, 8, 0));
        }
        self.set_words(buffer, start, len);
        cx.barrier_buffer(self.0, buffer);
        Ok(())
    }

    /// Updates the words after the buffer has grown, and perhaps moved: the bytes start at its beginning.
    pub(super) fn moved(self, cx: &mut Mem, buffer: Buffer, len: usize) {
        debug_assert!(self.representation() == Representation::Owned);
        self.set_words(buffer, buffer.bytes(), len);
        cx.barrier_buffer(self.0, buffer);
    }

    /// The buffer for the three words, if the cell is too small for them.
    fn room_for_words(self, cx: &mut Mem) -> Result<Option<Buffer>, Exhausted> {
        if self.is_indirect() {
            return Ok(Some(self.words_buffer()));
        }
        if self.cell_holds(8 * WORDS) {
            return Ok(None);
        }
        Ok(Some(cx.allocate_buffer(8 * WORDS, heap::BufferKind::Bytes)?))
    }

    /// Makes the String empty and embedded; an owned buffer is freed immediately.
    pub(super) fn discard(self, cx: &mut Mem) {
        let buffer = (self.representation() == Representation::Owned).then(|| self.buffer());
        self.set_embedded(0);
        if let Some(buffer) = buffer {
            cx.release_buffer(buffer);
        }
    }

    /// Makes the String an embedded one of `len` bytes, which the caller writes.
    pub(super) fn set_embedded(self, len: usize) -> *mut u8 {
        let header = cell::header(self.0);
        let header = header
            .with_field(REPRESENTATION, 2, Representation::Embedded as u32)
            .with_field(EMBEDDED_LEN, 8, len as u32);
        cell::set_header(self.0, header);
        self.embedded_start()
    }
}

/// Tracing of `Type::String`.
///
/// # Safety
/// `cell` is a live String.
pub unsafe fn trace(cell: *mut u64, marker: &mut Marker) {
    Str(Value::from_cell(cell)).trace_payload(marker);
}

/// Whether both runs of `len` bytes are equal. Up to sixteen bytes are compared in line, as two words that overlap: a
/// call of `memcmp` costs more, and most Strings are short.
///
/// # Safety
/// Both addresses are those of `len` initialized bytes.
#[inline(always)]
unsafe fn are_same(a: *const u8, b: *const u8, len: usize) -> bool {
    // SAFETY: every access is within the `len` bytes.
    unsafe {
        let words = |at: usize| (a.add(at).cast::<u64>().read_unaligned(), b.add(at).cast::<u64>().read_unaligned());
        let halves = |at: usize| (a.add(at).cast::<u32>().read_unaligned(), b.add(at).cast::<u32>().read_unaligned());
        match len {
            0 => true,
            1..4 => *a == *b && *a.add(len / 2) == *b.add(len / 2) && *a.add(len - 1) == *b.add(len - 1),
            4..8 => {
                let ((a, b), (a_end, b_end)) = (halves(0), halves(len - 4));
                (a ^ b) | (a_end ^ b_end) == 0
            }
            8..=16 => {
                let ((a, b), (a_end, b_end)) = (words(0), words(len - 8));
                (a ^ b) | (a_end ^ b_end) == 0
            }
            _ => *a == *b && std::slice::from_raw_parts(a, len) == std::slice::from_raw_parts(b, len),
        }
    }
}
