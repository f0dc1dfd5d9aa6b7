//! Byte strings for libc: terminated copies, on the stack if they are short.

use memory::{Grow, ToVector};
use std::ffi::{CStr, CString, c_char};
use std::mem::MaybeUninit;

use crate::{Errno, Result};

/// Longer strings take the heap.
const ON_STACK: usize = 384;

/// Runs `body` on a terminated copy of `bytes`. A NUL among them is `EINVAL`; Ruby reports it earlier, as an
/// ArgumentError.
pub(crate) fn with_c_string<T>(bytes: &[u8], body: impl FnOnce(&CStr) -> Result<T>) -> Result<T> {
    if bytes.len() >= ON_STACK {
        return body(&owned(bytes)?);
    }
    let mut buffer = [MaybeUninit::<u8>::uninit(); ON_STACK];
    buffer[..bytes.len()].write_copy_of_slice(bytes);
    buffer[bytes.len()].write(0);
    // SAFETY: the first `bytes.len() + 1` bytes were just written.
    let terminated = unsafe { std::slice::from_raw_parts(buffer.as_ptr().cast::<u8>(), bytes.len() + 1) };
    body(CStr::from_bytes_with_nul(terminated).map_err(|_| Errno(libc::EINVAL))?)
}

/// A terminated copy on the heap.
pub(crate) fn owned(bytes: &[u8]) -> Result<CString> {
    let mut copy = memory::with_capacity(bytes.len() + 1);
    copy.append_slice(bytes);
    CString::new(copy).map_err(|_| Errno(libc::EINVAL))
}

/// The bytes that libc's pointer leads to; none for a null pointer.
///
/// # Safety
/// The pointer must be null or lead to a terminated string.
pub(crate) unsafe fn bytes_at(pointer: *const c_char) -> Vec<u8> {
    if pointer.is_null() {
        return Vec::new();
    }
    // SAFETY: this function's contract is that of the call.
    unsafe { CStr::from_ptr(pointer) }.to_bytes().to_vector()
}
