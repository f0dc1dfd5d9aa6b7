//! Payloads in buffers: growth and exhaustion.

use abi::{Type, Value};
use heap::{Buffer, BufferKind, OutOfMemory};

use crate::array::Arr;
use crate::hash::HashRef;
use crate::string::Str;
use crate::{Mem, bigint, cell, structure};

/// Why a payload can't have the requested size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhausted {
    /// More than any object of its class may hold: ArgumentError (for strings `argument too big`, for arrays
    /// `array size too big`).
    TooBig,
    /// NoMemoryError.
    OutOfMemory,
}

impl From<OutOfMemory> for Exhausted {
    fn from(_: OutOfMemory) -> Exhausted {
        Exhausted::OutOfMemory
    }
}

/// The maximum number of bytes of a payload.
pub const MAX_BYTES: usize = i64::MAX as usize;

/// Payloads up to this size are doubled when they grow; larger ones grow by half.
const DOUBLED_BELOW: usize = 64 * 1024;

/// The number of bytes to allocate when a payload of `have` bytes must hold `needed`, so that appending has amortised
/// constant cost.
#[inline]
pub fn grown(have: usize, needed: usize) -> usize {
    let step = if have < DOUBLED_BELOW { have } else { have / 2 };
    heap::rounded_size(needed.max(have.saturating_add(step)))
}

/// A buffer that holds the `len` bytes from `start` on, with room for `bytes` in all. `start` may be inside of any live
/// payload.
///
/// # Safety
/// `len` bytes can be read at `start`, `len <= bytes`, and for `BufferKind::Values` they are values.
#[inline]
pub unsafe fn copied(
    cx: &mut Mem,
    kind: BufferKind,
    start: *const u8,
    len: usize,
    bytes: usize,
) -> Result<Buffer, Exhausted> {
    let buffer = cx.allocate_buffer(bytes, kind)?;
    // SAFETY: the buffer is new, so nothing overlaps, and has `bytes >= len` bytes.
    unsafe { std::ptr::copy_nonoverlapping(start, buffer.bytes(), len) };
    if kind == BufferKind::Values {
        written_to_new(cx, buffer, bytes, 0, len);
    }
    Ok(buffer)
}

/// Informs the collector of writes, `len` bytes from `at` on, to a buffer of values that was just allocated with
/// `bytes` bytes. Of large buffers only the written cards are scanned, even if they are new.
#[inline(always)]
pub fn written_to_new(cx: &mut Mem, buffer: Buffer, bytes: usize, at: usize, len: usize) {
    if bytes > heap::MAX_CELL {
        cx.remember_buffer(buffer, at..at + len);
    }
}

/// The buffer whose address is in a word.
///
/// # Safety
/// The word holds the address of a live buffer.
#[inline(always)]
pub unsafe fn buffer_at(word: u64) -> Buffer {
    debug_assert!(word != 0);
    // SAFETY: by this function's contract the word holds a live buffer's address, which is not 0.
    unsafe { Buffer::from_address(word as usize).unwrap_unchecked() }
}

/// The size of the cell itself, in bytes.
#[inline(always)]
pub fn cell_bytes(v: Value) -> usize {
    heap::Mutator::cell_size(v)
}

/// The number of bytes that a value uses: its cell, its own buffers and other cells, native memory. 0 for immediates.
///
/// A shared buffer counts for the object that owned it first.
pub fn memory_size(cx: &Mem, v: Value) -> usize {
    if !v.is_heap() {
        return 0;
    }
    let variables = crate::attachment::variables(cx, v).map_or(0, |fields| memory_size(cx, fields));
    variables + native_size(v) + own_fields_size(cx, v) + payload_size(cx, v)
}

/// The counted bytes of a buffer: the used ones if no smaller buffer could hold them; otherwise all, because the rest
/// is room to grow.
pub fn counted_size(cx: &Mem, buffer: Buffer, used: usize) -> usize {
    let size = cx.buffer_size(buffer);
    if heap::rounded_size(used) >= size { used.min(size) } else { size }
}

/// The cell and its buffers.
fn payload_size(cx: &Mem, v: Value) -> usize {
    match cell::header(v).ty() {
        Type::String => Str::of(v).memory_size(cx),
        Type::Array => Arr::of(v).memory_size(cx),
        Type::Hash => HashRef::of(v).memory_size(cx),
        Type::Struct => structure::memory_size(cx, v),
        Type::BigInteger => bigint::memory_size(cx, v),
        _ => cell_bytes(v),
    }
}

/// The number of bytes outside of the heap.
pub fn native_size(v: Value) -> usize {
    if crate::class::is_module(v) {
        // SAFETY: it is a class; the reference ends here.
        unsafe { crate::class::data::live_data(v) }.memsize()
    } else if crate::native::has_box(v) {
        crate::native::memsize(v)
    } else {
        0
    }
}

/// The size of an object's instance variables outside its cell.
fn own_fields_size(cx: &Mem, v: Value) -> usize {
    let header = cell::header(v);
    if !crate::shape::ivars::has_own_fields(header.ty()) {
        return 0;
    }
    let shape = cx.world().shapes.get(header.shape());
    let word = match (shape.complex, shape.count > shape.capacity) {
        (true, _) => 1,
        (false, true) => shape.capacity as usize,
        (false, false) => return 0,
    };
    // SAFETY: the first word of a complex object is its table, the last word of an overflowing one its Fields cell.
    memory_size(cx, unsafe { cell::word(v, word) })
}

/// The representation of a value: "embedded", "buffer", "shared", "linear", "indexed", "overflow", "table", "native",
/// or an empty string if there is only one. Reads only the header, so that it works for dead objects.
pub fn form(world: &crate::World, v: Value) -> &'static str {
    let header = cell::header(v);
    match header.ty() {
        Type::String => ["embedded", "buffer", "shared", "buffer"][Str::of(v).representation() as usize],
        Type::Array => ["embedded", "buffer", "shared", "buffer"][Arr::of(v).representation() as usize],
        Type::Hash => ["embedded", "linear", "indexed"][HashRef::of(v).representation() as usize],
        Type::Struct => {
            if structure::is_embedded(v) {
                "embedded"
            } else {
                "buffer"
            }
        }
        Type::BigInteger => {
            if bigint::is_embedded(v) {
                "embedded"
            } else {
                "buffer"
            }
        }
        Type::Object | Type::Exception => {
            let shape = world.shapes.get(header.shape());
            match (shape.complex, shape.count > shape.capacity) {
                (true, _) => "table",
                (false, true) => "overflow",
                (false, false) => "embedded",
            }
        }
        Type::Class | Type::Module => "native",
        _ if crate::native::has_box(v) => "native",
        _ => "",
    }
}

/// Which part of an Array or a String is removed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Removed {
    Nothing,
    /// All from a position on, perhaps the whole.
    End,
    Start,
    Middle,
}

impl Removed {
    /// The part of `count` elements at `at`, which lies within the `len` elements.
    pub fn of(at: usize, count: usize, len: usize) -> Removed {
        match (count, at) {
            (0, _) => Removed::Nothing,
            _ if at + count == len => Removed::End,
            (_, 0) => Removed::Start,
            _ => Removed::Middle,
        }
    }
}
