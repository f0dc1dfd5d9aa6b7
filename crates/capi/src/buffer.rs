//! IO::Buffer.

use std::ffi::c_void;
use std::ptr::NonNull;

use abi::Value;
use core_classes::io::buffer::{
    lifetime,
    memory::{self, BufferState, Memory},
};
use host::memory::FileMap;
use runtime::{Cx, R};

use crate::{
    border::{pin, send, send_to},
    given,
    numeric::rb_uint2inum,
};

/// A buffer over C's memory, or over new memory if there is no address.
pub fn rb_io_buffer_new(cx: &mut Cx, base: *mut c_void, size: usize, flags: i32) -> R {
    let flags = flags as u32 & memory::GIVEN;
    let own = match NonNull::new(base.cast::<u8>()) {
        Some(start) => {
            // SAFETY: C passes readable memory of this size, which it keeps until the buffer is freed.
            let map = unsafe { FileMap::foreign(start, size, flags & memory::READONLY == 0) };
            BufferState { memory: Memory::File(map), size, flags, ..BufferState::none() }
        }
        None => memory::allocate(cx, size, flags)?,
    };
    let class = cx.root(memory::CLASS);
    Ok(pin(lifetime::instance(cx, class, own)))
}

pub fn rb_io_buffer_map(cx: &mut Cx, io: Value, size: usize, offset: i64, flags: i32) -> R {
    let (size, offset) = (rb_uint2inum(cx, size as u64)?, Value::fixnum(offset));
    send_to(cx, "IO::Buffer", "map", &[io, size, offset, Value::fixnum(flags as i64)])
}

pub fn rb_io_buffer_lock(cx: &mut Cx, buffer: Value) -> R {
    let state = memory::state(cx, buffer)?;
    if state.is_locked() {
        return Err(memory::raise(cx, memory::LOCKED_ERROR, "Buffer already locked!"));
    }
    state.flags |= memory::LOCKED;
    Ok(buffer)
}

/// Unlocks the buffer; returns whether it was locked.
pub fn rb_io_buffer_try_unlock(cx: &mut Cx, buffer: Value) -> R<i32> {
    let state = memory::state(cx, buffer)?;
    let was_locked = state.is_locked();
    state.flags &= !memory::LOCKED;
    Ok(was_locked as i32)
}

pub fn rb_io_buffer_unlock(cx: &mut Cx, buffer: Value) -> R {
    if rb_io_buffer_try_unlock(cx, buffer)? == 0 {
        return Err(memory::raise(cx, memory::LOCKED_ERROR, "Buffer not locked!"));
    }
    Ok(buffer)
}

pub fn rb_io_buffer_free_locked(cx: &mut Cx, buffer: Value) -> R {
    rb_io_buffer_unlock(cx, buffer)?;
    memory::state(cx, buffer)?.release();
    Ok(buffer)
}

/// Returns the flags; writes the address and size, which are 0 if the memory was freed.
pub fn rb_io_buffer_get_bytes(cx: &mut Cx, buffer: Value, base: *mut *mut c_void, size: *mut usize) -> R<i32> {
    let state = memory::state(cx, buffer)?;
    let flags = state.flags as i32;
    let (address, length) = if state.is_null() || !memory::is_valid(buffer) {
        (std::ptr::null(), 0)
    } else {
        memory::with_bytes(cx, buffer, |bytes| (bytes.as_ptr(), bytes.len()))?
    };
    given::write(base, address.cast_mut().cast());
    given::write(size, length);
    Ok(flags)
}

/// The address and size for C, both 0 without memory.
fn located(address: *const u8, length: usize) -> (*const u8, usize) {
    if length == 0 { (std::ptr::null(), 0) } else { (address, length) }
}

pub fn rb_io_buffer_get_bytes_for_reading(
    cx: &mut Cx,
    buffer: Value,
    base: *mut *const c_void,
    size: *mut usize,
) -> R<()> {
    let (address, length) = memory::with_bytes(cx, buffer, |bytes| located(bytes.as_ptr(), bytes.len()))?;
    given::write(base, address.cast());
    given::write(size, length);
    Ok(())
}

pub fn rb_io_buffer_get_bytes_for_writing(
    cx: &mut Cx,
    buffer: Value,
    base: *mut *mut c_void,
    size: *mut usize,
) -> R<()> {
    let (address, length) = memory::with_bytes_mut(cx, buffer, |bytes| located(bytes.as_mut_ptr(), bytes.len()))?;
    given::write(base, address.cast_mut().cast());
    given::write(size, length);
    Ok(())
}

pub fn rb_io_buffer_resize(cx: &mut Cx, buffer: Value, size: usize) -> R<()> {
    let size = rb_uint2inum(cx, size as u64)?;
    send(cx, buffer, "resize", &[size]).map(drop)
}

pub fn rb_io_buffer_clear(cx: &mut Cx, buffer: Value, byte: u8, offset: usize, length: usize) -> R<()> {
    let (offset, length) = (rb_uint2inum(cx, offset as u64)?, rb_uint2inum(cx, length as u64)?);
    send(cx, buffer, "clear", &[Value::fixnum(byte as i64), offset, length]).map(drop)
}

pub fn rb_io_buffer_read(cx: &mut Cx, buffer: Value, io: Value, length: usize, offset: usize) -> R {
    let (length, offset) = (rb_uint2inum(cx, length as u64)?, rb_uint2inum(cx, offset as u64)?);
    send(cx, buffer, "read", &[io, length, offset])
}

pub fn rb_io_buffer_write(cx: &mut Cx, buffer: Value, io: Value, length: usize, offset: usize) -> R {
    let (length, offset) = (rb_uint2inum(cx, length as u64)?, rb_uint2inum(cx, offset as u64)?);
    send(cx, buffer, "write", &[io, length, offset])
}

pub fn rb_io_buffer_pread(cx: &mut Cx, buffer: Value, io: Value, from: i64, length: usize, offset: usize) -> R {
    let (length, offset) = (rb_uint2inum(cx, length as u64)?, rb_uint2inum(cx, offset as u64)?);
    send(cx, buffer, "pread", &[io, Value::fixnum(from), length, offset])
}

pub fn rb_io_buffer_pwrite(cx: &mut Cx, buffer: Value, io: Value, from: i64, length: usize, offset: usize) -> R {
    let (length, offset) = (rb_uint2inum(cx, length as u64)?, rb_uint2inum(cx, offset as u64)?);
    send(cx, buffer, "pwrite", &[io, Value::fixnum(from), length, offset])
}
