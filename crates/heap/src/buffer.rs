//! `Buffer`: a part of the collected heap without a header, for the payload of objects.

use std::ptr::NonNull;

use crate::layout::Kind;

/// The address of a buffer's first byte, 8-aligned. Small ones are cells of blocks, large ones have pages of their own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(transparent)]
pub struct Buffer(NonNull<u8>);

impl Buffer {
    /// The buffer that begins at an address; `None` for 0.
    ///
    /// # Safety
    /// A live buffer begins at the address, or it is 0.
    #[inline(always)]
    pub unsafe fn from_address(address: usize) -> Option<Buffer> {
        NonNull::new(address as *mut u8).map(Buffer)
    }

    #[inline(always)]
    pub fn address(self) -> usize {
        self.0.as_ptr() as usize
    }

    #[inline(always)]
    pub fn bytes(self) -> *mut u8 {
        self.0.as_ptr()
    }

    #[inline(always)]
    pub fn words(self) -> *mut abi::Value {
        self.0.as_ptr().cast()
    }
}

/// The contents of a buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BufferKind {
    /// Bytes; never scanned.
    Bytes,
    /// `Value`s, zero if unused: scanned as a whole.
    Values,
}

impl BufferKind {
    #[inline(always)]
    pub(crate) fn kind(self) -> Kind {
        match self {
            BufferKind::Bytes => Kind::Bytes,
            BufferKind::Values => Kind::Values,
        }
    }
}

/// Out of memory: the size is absurd, or an emergency collection did not free enough.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfMemory;

impl std::fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("failed to allocate memory")
    }
}

impl std::error::Error for OutOfMemory {}
