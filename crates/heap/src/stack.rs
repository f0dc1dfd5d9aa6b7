//! A stack of words in its own pages: the collector's work list, which must grow without malloc and must not abort.

use std::ptr::NonNull;

use host::memory;

const STEP: usize = 64 * 1024;

/// Invariant: words below `length` are initialized, and `length <= committed <= reserved`.
pub struct Stack {
    words: *mut u64,
    length: usize,
    committed: usize,
    reserved: usize,
    /// An entry was lost for lack of memory; the collector must trace every marked cell again.
    pub overflowed: bool,
}

impl Stack {
    pub fn new(bytes: usize) -> host::Result<Stack> {
        let mut bytes = memory::round_to_pages(bytes.max(STEP));
        loop {
            match memory::reserve(bytes, memory::page_size()) {
                Ok(start) => {
                    let words = start.as_ptr().cast();
                    return Ok(Stack { words, length: 0, committed: 0, reserved: bytes / 8, overflowed: false });
                }
                Err(error) if bytes <= STEP => return Err(error),
                Err(_) => bytes = memory::round_to_pages(bytes / 2),
            }
        }
    }

    /// A stack without memory, used while the entries are in another.
    pub const fn empty() -> Stack {
        Stack { words: std::ptr::null_mut(), length: 0, committed: 0, reserved: 0, overflowed: false }
    }

    #[inline(always)]
    pub fn push(&mut self, word: u64) {
        if self.length == self.committed && !self.grow() {
            return;
        }
        // SAFETY: `length < committed`.
        unsafe { *self.words.add(self.length) = word };
        self.length += 1;
    }

    /// Pushes two words, or none.
    pub fn push_pair(&mut self, below: u64, top: u64) {
        if self.length + 2 > self.committed && !self.grow() {
            return;
        }
        self.push(below);
        self.push(top);
    }

    #[inline(always)]
    pub fn pop(&mut self) -> Option<u64> {
        if self.length == 0 {
            return None;
        }
        self.length -= 1;
        // SAFETY: the word at the old `length - 1` was pushed.
        Some(unsafe { *self.words.add(self.length) })
    }

    #[inline(always)]
    pub fn len(&self) -> usize {
        self.length
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    #[inline(always)]
    pub fn at(&self, index: usize) -> u64 {
        assert!(index < self.length);
        // SAFETY: every index below `length` was pushed.
        unsafe { *self.words.add(index) }
    }

    pub fn set(&mut self, index: usize, word: u64) {
        assert!(index < self.length);
        // SAFETY: asserted.
        unsafe { *self.words.add(index) = word };
    }

    pub fn clear(&mut self) {
        self.length = 0;
        self.overflowed = false;
    }

    pub fn clear_keeping_overflow(&mut self) {
        self.length = 0;
    }

    /// Returns pages that were used only by an unusually deep stack.
    pub fn trim(&mut self) {
        let keep = (self.length * 8).next_multiple_of(STEP).max(STEP);
        let committed = self.committed * 8;
        if committed > 2 * keep
            && let Some(start) = NonNull::new(self.words.cast::<u8>().wrapping_add(keep))
        {
            // SAFETY: the range is the unused end of this stack's committed pages. After a failure it keeps the memory,
            // which is harmless.
            let _ = unsafe { memory::decommit(start, committed - keep) };
            self.committed = keep / 8;
        }
    }

    #[cold]
    fn grow(&mut self) -> bool {
        let more = (self.committed * 8).clamp(STEP, 64 * STEP).min((self.reserved - self.committed) * 8);
        let start = NonNull::new(self.words.wrapping_add(self.committed).cast::<u8>());
        // SAFETY: the range follows the committed pages and ends inside the reservation.
        let grown = more > 0 && start.is_some_and(|start| unsafe { memory::commit(start, more).is_ok() });
        if grown {
            self.committed += more / 8;
        } else {
            self.overflowed = true;
        }
        grown
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        if let Some(start) = NonNull::new(self.words.cast::<u8>()) {
            // SAFETY: the reservation belongs to this stack alone.
            let _ = unsafe { memory::unmap(start, self.reserved * 8) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grows_page_by_page_and_reports_exhaustion() {
        let mut stack = Stack::new(2 * STEP).unwrap();
        for i in 0..STEP as u64 / 4 {
            stack.push(i);
        }
        assert!(!stack.overflowed);
        stack.push(0);
        assert!(stack.overflowed && stack.len() == STEP / 4);
        assert_eq!(stack.pop(), Some(STEP as u64 / 4 - 1));
        stack.clear();
        assert!(stack.is_empty() && stack.pop().is_none());
    }
}
