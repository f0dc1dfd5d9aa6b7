//! Reading through C's pointers; only this module dereferences them. They are assumed to be what the interface's
//! documentation requires, which cannot be checked.

use std::ffi::{CStr, c_char, c_long};

use abi::Value;

/// `len` bytes; empty for a null pointer.
#[inline(always)]
pub fn bytes<'a>(start: *const c_char, len: c_long) -> &'a [u8] {
    if start.is_null() || len <= 0 {
        return &[];
    }
    // SAFETY: C passes the start of this many bytes, which it keeps during the call.
    unsafe { std::slice::from_raw_parts(start.cast(), len as usize) }
}

/// The bytes of a NUL-terminated string, without the NUL.
#[inline]
pub fn text<'a>(start: *const c_char) -> &'a [u8] {
    // SAFETY: C passes a NUL-terminated string, which it keeps during the call.
    if start.is_null() { &[] } else { unsafe { CStr::from_ptr(start) }.to_bytes() }
}

/// A NUL-terminated string as Rust text.
pub fn name(start: *const c_char) -> String {
    String::from_utf8_lossy(text(start)).into_owned()
}

#[inline(always)]
pub fn values<'a>(count: i32, start: *const Value) -> &'a [Value] {
    if start.is_null() || count <= 0 {
        return &[];
    }
    // SAFETY: C passes the start of this many values, on its stack or in memory that it keeps.
    unsafe { std::slice::from_raw_parts(start, count as usize) }
}

#[inline(always)]
pub fn slice<'a, T>(count: usize, start: *const T) -> &'a [T] {
    if start.is_null() || count == 0 {
        return &[];
    }
    // SAFETY: C passes the start of this many elements.
    unsafe { std::slice::from_raw_parts(start, count) }
}

#[inline(always)]
pub fn slice_mut<'a, T>(count: usize, start: *mut T) -> &'a mut [T] {
    if start.is_null() || count == 0 {
        return &mut [];
    }
    // SAFETY: C passes the start of this many writable elements.
    unsafe { std::slice::from_raw_parts_mut(start, count) }
}

#[inline(always)]
pub fn read<T: Copy>(from: *const T) -> T {
    // SAFETY: C passes the address of a variable.
    unsafe { std::ptr::read_volatile(from) }
}

/// Writes to a variable of C, unless the pointer is null.
#[inline(always)]
pub fn write<T>(to: *mut T, value: T) {
    if !to.is_null() {
        // SAFETY: C passes the address of a variable.
        unsafe { std::ptr::write_volatile(to, value) }
    }
}
