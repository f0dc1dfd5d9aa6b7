//! The common part of the layouts of String and Array: the representation in the header's bits, which says where the
//! bytes or elements are, and the three words of those in a buffer.

/// Where the bytes or elements are, and which other objects see them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Representation {
    /// In the cell itself.
    Embedded = 0,
    /// In a buffer that no other object refers to.
    Owned = 1,
    /// In a buffer of which other objects see the same part.
    Shared = 2,
    /// In a buffer of which other objects see only what is before this object's end.
    Lent = 3,
}

/// The layout for generated machine code.
pub mod for_code {
    /// The header's bits of the representation: none for embedded payloads.
    pub const REPRESENTATION: u64 = 3 << super::REPRESENTATION;
    /// These bits of a payload in a buffer that no other object refers to.
    pub const OWNED: u64 = (super::Representation::Owned as u64) << super::REPRESENTATION;
    /// The words of a payload in a buffer.
    pub const LEN: usize = super::LEN;
    pub const START: usize = super::START;
    pub const BUFFER: usize = super::BUFFER;
}

/// The first bit of the representation in the header.
pub(crate) const REPRESENTATION: u32 = 10;

// The words of a representation with a buffer.
pub(crate) const LEN: usize = 0;
pub(crate) const START: usize = 1;
pub(crate) const BUFFER: usize = 2;
pub(crate) const WORDS: usize = 3;

/// Defines how a handle finds its bytes or elements. `$embedded_len`: the first of the 8 bits with the embedded length.
/// `$is_elsewhere`: whether the header of an object that is not embedded says that the three words are in a separate
/// buffer.
macro_rules! in_cell_or_buffer {
    ($handle:ident of $element:ty, $embedded_len:ident, $is_elsewhere:expr) => {
        impl $handle {
            #[inline(always)]
            pub fn representation(self) -> Representation {
                match cell::header(self.0).field(REPRESENTATION, 2) {
                    0 => Representation::Embedded,
                    1 => Representation::Owned,
                    2 => Representation::Shared,
                    _ => Representation::Lent,
                }
            }

            #[inline(always)]
            pub fn is_embedded(self) -> bool {
                self.representation() == Representation::Embedded
            }

            /// The number of bytes or elements.
            #[inline(always)]
            pub fn len(self) -> usize {
                self.span().1
            }

            #[inline(always)]
            pub fn is_empty(self) -> bool {
                self.len() == 0
            }

            /// Whether other objects may see the same bytes or elements.
            pub fn is_shared(self) -> bool {
                matches!(self.representation(), Representation::Shared | Representation::Lent)
            }

            /// The bytes of the heap that it uses: its cell, and its buffers unless they belong to another object.
            pub fn memory_size(self, cx: &Mem) -> usize {
                let payload = match self.representation() {
                    Representation::Embedded | Representation::Shared => 0,
                    Representation::Owned | Representation::Lent => {
                        let (start, len) = self.span();
                        let used = start as usize - self.buffer().address() + len * size_of::<$element>();
                        payload::counted_size(cx, self.buffer(), used)
                    }
                };
                let words = if self.is_indirect() { heap::rounded_size(8 * WORDS) } else { 0 };
                payload::cell_bytes(self.0) + payload + words
            }

            /// The bytes or elements, for callers that need the context at the same time.
            ///
            /// # Safety
            /// As long as the slice is used, the collector can see a reference to the object, and the object does not
            /// change.
            #[inline(always)]
            pub unsafe fn unguarded<'a>(self) -> &'a [$element] {
                let (start, len) = self.span();
                // SAFETY: `span` returns where they are; the rest is this function's contract.
                unsafe { std::slice::from_raw_parts(start, len) }
            }

            /// Whether its three words are in a separate buffer.
            #[inline(always)]
            pub(super) fn is_indirect(self) -> bool {
                !self.is_embedded() && $is_elsewhere(cell::header(self.0))
            }

            /// The first byte or element, and the length.
            #[inline(always)]
            pub(super) fn span(self) -> (*mut $element, usize) {
                let header = cell::header(self.0);
                if header.field(REPRESENTATION, 2) == Representation::Embedded as u32 {
                    (self.embedded_start(), header.field($embedded_len, 8) as usize)
                } else {
                    let words = self.words();
                    // SAFETY: all other representations have these words.
                    unsafe { (*words.add(START) as *mut $element, *words.add(LEN) as usize) }
                }
            }

            #[inline(always)]
            pub(super) fn embedded_start(self) -> *mut $element {
                self.0.cell().wrapping_add(1).cast()
            }

            /// The address of length, start and buffer; only for those with a buffer.
            #[inline(always)]
            fn words(self) -> *mut u64 {
                let first = self.0.cell().wrapping_add(1);
                if $is_elsewhere(cell::header(self.0)) {
                    // SAFETY: the header says that the address of the words is there.
                    unsafe { *first as *mut u64 }
                } else {
                    first
                }
            }

            #[inline(always)]
            pub(super) fn buffer(self) -> Buffer {
                debug_assert!(!self.is_embedded());
                // SAFETY: one that is not embedded has its buffer's address there.
                unsafe { payload::buffer_at(*self.words().add(BUFFER)) }
            }

            /// Sets the length; the bytes or elements up to it are initialized, or about to be.
            #[inline(always)]
            pub(super) fn set_len(self, len: usize) {
                let header = cell::header(self.0);
                if header.field(REPRESENTATION, 2) == Representation::Embedded as u32 {
                    cell::set_header(self.0, header.with_field($embedded_len, 8, len as u32));
                } else {
                    // SAFETY: the word is there in all other representations, and a length is no reference.
                    unsafe { *self.words().add(LEN) = len as u64 }
                }
            }

            /// Moves the start; only for those with a buffer.
            #[inline(always)]
            pub(super) fn set_start(self, start: *mut $element) {
                debug_assert!(!self.is_embedded());
                // SAFETY: the word is there. It points into the buffer that the next word keeps alive, so it needs no
                // barrier.
                unsafe { *self.words().add(START) = start as u64 }
            }

            #[inline(always)]
            pub(super) fn set_representation(self, representation: Representation) {
                let header = cell::header(self.0);
                cell::set_header(self.0, header.with_field(REPRESENTATION, 2, representation as u32));
            }

            /// Fills the three words, wherever they are.
            #[inline]
            fn set_words(self, buffer: Buffer, start: *mut $element, len: usize) {
                let words = self.words();
                // SAFETY: the cell, or the buffer that it refers to, has room for three words.
                unsafe {
                    *words.add(LEN) = len as u64;
                    *words.add(START) = start as u64;
                    *words.add(BUFFER) = buffer.bytes() as u64;
                }
            }

            /// The separate buffer for the three words of a String or Array.
            fn words_buffer(self) -> Buffer {
                // SAFETY: the first word of one that is indirect is the address of its words.
                unsafe { payload::buffer_at(cell::raw(self.0, 1)) }
            }

            /// Tracing of its type.
            fn trace_payload(self, marker: &mut Marker) {
                if self.is_embedded() {
                    return;
                }
                if self.is_indirect() {
                    marker.buffer(self.words_buffer());
                }
                marker.buffer(self.buffer());
            }
        }
    };
}

pub(crate) use in_cell_or_buffer;
