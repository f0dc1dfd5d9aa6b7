//! What C gives: the one place where its pointers are followed. They are what the interface's documentation promises;
//! nothing can check them.

use std::ffi::{CStr, c_char, c_long};

use abi::Value;

/// `len` bytes. None at a null pointer.
pub fn bytes<'a>(start: *const c_char, len: c_long) -> &'a [u8] {
    if start.is_null() || len <= 0 {
        return &[];
    }
    // SAFETY: C passes the start of so many bytes, which it keeps during the call.
    unsafe { std::slice::from_raw_parts(start.cast(), len as usize) }
}

/// A string that ends with NUL, without it.
pub fn text<'a>(start: *const c_char) -> &'a [u8] {
    // SAFETY: C passes a string that ends with NUL, which it keeps during the call.
    if start.is_null() { &[] } else { unsafe { CStr::from_ptr(start) }.to_bytes() }
}

/// The same as Rust text.
pub fn name(start: *const c_char) -> String {
    String::from_utf8_lossy(text(start)).into_owned()
}

pub fn values<'a>(count: i32, start: *const Value) -> &'a [Value] {
    if start.is_null() || count <= 0 {
        return &[];
    }
    // SAFETY: C passes the start of so many values, on its stack or in memory that it keeps.
    unsafe { std::slice::from_raw_parts(start, count as usize) }
}

pub fn slice<'a, T>(count: usize, start: *const T) -> &'a [T] {
    if start.is_null() || count == 0 {
        return &[];
    }
    // SAFETY: C passes the start of so many elements.
    unsafe { std::slice::from_raw_parts(start, count) }
}

pub fn slice_mut<'a, T>(count: usize, start: *mut T) -> &'a mut [T] {
    if start.is_null() || count == 0 {
        return &mut [];
    }
    // SAFETY: C passes the start of so many elements, to be written.
    unsafe { std::slice::from_raw_parts_mut(start, count) }
}

pub fn read<T: Copy>(from: *const T) -> T {
    // SAFETY: C passes the address of a variable.
    unsafe { std::ptr::read_volatile(from) }
}

/// Writes to a variable of C, if it gave one.
pub fn write<T>(to: *mut T, value: T) {
    if !to.is_null() {
        // SAFETY: C passes the address of a variable.
        unsafe { std::ptr::write_volatile(to, value) }
    }
}

/// The elements of an Array that is not changed while the result is used, or whose elements are copied first.
pub fn elements(list: &Value) -> &[Value] {
    // SAFETY: the callers hand the elements on to calls, which copy them before anything runs, or read them at once.
    unsafe { object::array::Arr::of(*list).unguarded() }
}

/// The bytes of a String that is not changed while the result is used.
pub fn contents(string: &Value) -> &[u8] {
    // SAFETY: the callers read the bytes at once, or copy them.
    unsafe { object::string::Str::of(*string).unguarded() }
}
