//! Windows: the part of the VM stack that holds a call's receiver and arguments.

use abi::Value;

use crate::Cx;

/// Words of the VM stack: the receiver, positional arguments, then a hash of keywords or their values. The callee's
/// registers begin here, so that passing arguments copies nothing.
#[derive(Clone, Copy)]
pub struct Window(*mut Value);

impl Window {
    /// # Safety
    /// `base` lies among the running frame's registers or right above them, and room was checked for all words that are
    /// read or written through the window, which is not used after that frame was popped.
    #[inline(always)]
    pub unsafe fn new(base: *mut Value) -> Window {
        Window(base)
    }

    /// The registers of the running frame.
    #[inline(always)]
    pub fn of_frame(cx: &Cx) -> Window {
        Window(cx.frame().scope.slots)
    }

    #[inline(always)]
    pub fn base(self) -> *mut Value {
        self.0
    }

    #[inline(always)]
    pub fn receiver(self) -> Value {
        self.get(0)
    }

    /// Word `i`; the receiver is word 0.
    #[inline(always)]
    pub fn get(self, i: usize) -> Value {
        // SAFETY: by `new`'s contract the window has the word.
        unsafe { *self.0.add(i) }
    }

    #[inline(always)]
    pub fn set(self, i: usize, v: Value) {
        // SAFETY: by `new`'s contract the window has the word; the stack is a root and needs no barrier.
        unsafe { *self.0.add(i) = v }
    }

    /// Makes the words from `from` up to `to` nil.
    #[inline(always)]
    pub fn clear(self, from: usize, to: usize) {
        let set = |from: usize, count: usize| (from..from + count).for_each(|i| self.set(i, Value::NIL));
        // Four words at once are two instructions.
        let mut at = from;
        while at + 4 <= to {
            set(at, 4);
            at += 4;
        }
        if at + 2 <= to {
            set(at, 2);
            at += 2;
        }
        if at < to {
            set(at, 1);
        }
    }

    /// `count` words from `from` on. They stay where they are while the call lasts.
    #[inline(always)]
    pub fn slice(&self, from: usize, count: usize) -> &[Value] {
        // SAFETY: by `new`'s contract the window has the words as long as it is used.
        unsafe { std::slice::from_raw_parts(self.0.add(from), count) }
    }

    /// Copies values that lie elsewhere to the words from `at` on.
    #[inline(always)]
    pub fn copy_from(self, at: usize, values: &[Value]) {
        // SAFETY: by `new`'s contract the window has the words; `copy` allows an overlap.
        unsafe {
            match values {
                // A call of memmove for one word costs more than copying the word.
                [one] => *self.0.add(at) = *one,
                _ => std::ptr::copy(values.as_ptr(), self.0.add(at), values.len()),
            }
        }
    }

    /// Moves `count` words, which may overlap.
    pub fn shift(self, from: usize, to: usize, count: usize) {
        // SAFETY: by `new`'s contract the window has the words.
        unsafe { std::ptr::copy(self.0.add(from), self.0.add(to), count) }
    }

    /// The window whose receiver is this one's word `i`.
    #[inline(always)]
    pub fn from(self, i: usize) -> Window {
        // SAFETY: by `new`'s contract the window has the word.
        Window(unsafe { self.0.add(i) })
    }
}
