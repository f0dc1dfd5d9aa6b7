//! A snapshot of a String's bytes, for code that runs Ruby while it reads them.

use std::ops::Deref;

use super::layout::Str;
use crate::Mem;

/// The maximum number of bytes that are copied to the stack.
const FEW: usize = 56;

/// Bytes that do not change, even if the String that they were taken from does.
pub struct Held(Content);

enum Content {
    Few {
        len: u8,
        bytes: [u8; FEW],
    },
    /// A frozen String.
    Frozen(Str),
}

impl Str {
    /// The present bytes: a copy on the stack, or a frozen String that shares them.
    pub fn held(self, cx: &mut Mem) -> Held {
        memory::expect_work(self.len());
        self.held_for_output(cx)
    }

    /// Like `held`, for code that needs no memory for work on the bytes: it passes them to the system.
    pub fn held_for_output(self, cx: &mut Mem) -> Held {
        let len = self.len();
        if len > FEW {
            return Held(Content::Frozen(self.frozen_dup(cx)));
        }
        let mut bytes = [0; FEW];
        bytes[..len].copy_from_slice(self.bytes(cx));
        Held(Content::Few { len: len as u8, bytes })
    }
}

impl Deref for Held {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match &self.0 {
            Content::Few { len, bytes } => &bytes[..*len as usize],
            // SAFETY: the String is frozen, and `drop` keeps it on the stack until nothing borrows from here.
            Content::Frozen(string) => unsafe { string.unguarded() },
        }
    }
}

impl Drop for Held {
    #[inline]
    fn drop(&mut self) {
        if let Content::Frozen(string) = &self.0 {
            std::hint::black_box(string);
        }
    }
}
