//! Creation of buffers; resizing, locking and freeing their memory.

use ::memory::{Grow, ToVector};
use abi::Flags;
use host::memory::FileMap;
use object::{
    cell, native,
    string::{self, Str},
};
use runtime::{
    Args, Cx, Method, R, Value, call, convert,
    error::{self, ErrorClass},
    make, sym, warning,
};
use text::encoding::EncodingId;

use super::{
    BufferState, check_range,
    memory::{self, Memory, allocate, flags_for, state},
    natural, part,
};
use crate::io::{data, read::to_io};

pub const METHODS: &[Method] = &[
    Method::new("initialize(size = DEFAULT_SIZE, flags = 0)", initialize).private(),
    Method::new("initialize_copy(source)", initialize_copy).private(),
    Method::new("slice(offset = 0, length = nil)", slice),
    Method::new("resize(size)", resize),
    Method::new("transfer", transfer),
    Method::new("free", free),
    Method::new("locked { }", locked),
];

pub const SINGLETON: &[Method] = &[
    Method::new("allocate", new_empty),
    Method::new("for(string) { |buffer| }", for_string),
    Method::new("string(length) { |buffer| }", new_string),
    Method::new("map(file, size = nil, offset = 0, flags = 0)", map),
];

/// `IO::Buffer.allocate → buffer`: a buffer without memory, which `initialize` allocates.
fn new_empty(cx: &mut Cx, args: Args) -> R {
    warn_experimental(cx)?;
    Ok(instance(cx, args.me(), BufferState::none()))
}

/// A buffer with a class and a state.
pub fn instance(cx: &mut Cx, class: Value, own: BufferState) -> Value {
    native::new(cx, class, Box::new(own))
}

/// Warns once that buffers are experimental.
fn warn_experimental(cx: &mut Cx) -> R<()> {
    const TOLD: runtime::Root = runtime::Root::IoBufferWarningGiven;
    if cx.root(TOLD).truthy() {
        return Ok(());
    }
    cx.set_root(TOLD, Value::TRUE);
    let text = "IO::Buffer is experimental and both the Ruby and C interface may change in the future!";
    warning::warn_experimental(cx, text)
}

fn flags_of(cx: &mut Cx, v: Value) -> R<u32> {
    Ok(natural(cx, v, "Flags")? as u32 & memory::GIVEN)
}

/// `IO::Buffer.new(size = DEFAULT_SIZE, flags = 0)`: zeroed memory, in separate pages from PAGE_SIZE on or according to
/// the flags. ArgumentError for a negative size, IO::Buffer::AllocationError without memory.
fn initialize(cx: &mut Cx, args: Args) -> R {
    let size = match args.opt(0) {
        Some(v) => natural(cx, v, "Size")?,
        None => memory::DEFAULT_SIZE,
    };
    let flags = match args.opt(1) {
        Some(v) => flags_of(cx, v)?,
        None => flags_for(size),
    };
    let made = allocate(cx, size, flags)?;
    *state(cx, args.me())? = made;
    Ok(args.me())
}

/// `initialize_copy(source) → self`: allocates new memory and copies the bytes of `source`.
fn initialize_copy(cx: &mut Cx, args: Args) -> R {
    let bytes = memory::with_bytes(cx, args.at(0), <[u8]>::to_vector)?;
    let mut made = allocate(cx, bytes.len(), flags_for(bytes.len()))?;
    if let Memory::Own(own) = &mut made.memory {
        *own = bytes;
    }
    *state(cx, args.me())? = made;
    Ok(args.me())
}

/// A buffer over a String's bytes.
fn on_string(cx: &mut Cx, class: Value, text: Value, flags: u32) -> R {
    warn_experimental(cx)?;
    let readonly = if cell::frozen(text) { memory::READONLY } else { 0 };
    let own = BufferState {
        memory: Memory::Text { start: 0 },
        source: text,
        size: Str::of(text).len(),
        flags: memory::EXTERNAL | flags | readonly,
        generation: 0,
    };
    Ok(instance(cx, class, own))
}

/// `IO::Buffer.for(string) { |buffer| } → buffer or object`: a read-only buffer over a copy of the string's bytes. With
/// a block one over the string itself, which the block may change through it and which is locked while the block runs.
fn for_string(cx: &mut Cx, args: Args) -> R {
    let text = args.str(cx, 0)?;
    if args.block(cx).is_none() {
        let copy = if cell::frozen(text.value()) { text } else { text.frozen_dup(cx) };
        return on_string(cx, args.me(), copy.value(), memory::READONLY);
    }
    yield_on(cx, args, text.value())
}

/// `IO::Buffer.string(length) { |buffer| } → string`: a new String of `length` bytes that the block sets through a
/// buffer.
fn new_string(cx: &mut Cx, args: Args) -> R {
    let length = convert::to_i64(cx, args.at(0))?;
    let Ok(length) = usize::try_from(length) else {
        return Err(cx.argument_error("negative string size (or size too big)"));
    };
    let zeros = error::zeros(cx, length)?;
    let text = make::string(cx, &zeros, EncodingId::BINARY);
    yield_on(cx, args, text)?;
    Ok(text)
}

/// Yields a buffer on a locked String.
fn yield_on(cx: &mut Cx, args: Args, text: Value) -> R {
    if args.block(cx).is_none() {
        return Err(cx.raise(ErrorClass::LocalJumpError, "no block given"));
    }
    let (buffer, block) = (on_string(cx, args.me(), text, 0)?, args.block(cx));
    let locks = !cell::frozen(text);
    if locks {
        cell::set_header(text, cell::header(text).with(Flags::FROZEN | string::LOCKED));
    }
    let result = call::yield_one(cx, block, buffer);
    if locks {
        cell::set_header(text, cell::header(text).without(Flags::FROZEN | string::LOCKED));
    }
    let own = state(cx, buffer)?;
    if !own.is_locked() {
        own.release();
    }
    result
}

/// `IO::Buffer.map(file, size = nil, offset = 0, flags = 0) → buffer`: a part of a file as memory. ArgumentError for an
/// empty file or a part beyond its end, SystemCallError if mapping fails.
fn map(cx: &mut Cx, args: Args) -> R {
    let io = match args.at(0) {
        v if call::responds(cx, v, sym::TO_IO, false)? => to_io(cx, v)?,
        v => {
            let got = error::class_name_of(cx, v);
            return Err(cx.type_error(&format!("expected IO or #fileno, {got} given")));
        }
    };
    data::flush(cx, io)?;
    let fd = data::fd_of(cx, io)?;
    let whole = match host::fs::fstat(fd) {
        Ok(stat) => stat.size as usize,
        Err(errno) => return Err(cx.system_error(errno, "")),
    };
    let size = args.non_nil(1).map(|v| natural(cx, v, "Size")).transpose()?;
    match size {
        None if whole == 0 => return Err(cx.argument_error("Invalid negative or zero file size!")),
        Some(0) => return Err(cx.argument_error("Size can't be zero!")),
        Some(size) if size > whole => {
            let message = format!("Size ({size}) can't be larger than file size ({whole})");
            return Err(cx.argument_error(&message));
        }
        _ => {}
    }
    let offset = match args.opt(2) {
        Some(v) => convert::to_i64(cx, v)?,
        None => 0,
    };
    let Ok(from) = usize::try_from(offset) else {
        return Err(cx.argument_error(&format!("Offset ({offset}) can't be negative!")));
    };
    if size.map_or(from >= whole, |size| from > whole - size) {
        // Offsets are multiples of the page size.
        let message = match size {
            Some(size) => {
                let last = (whole - size) / memory::PAGE_SIZE * memory::PAGE_SIZE;
                format!("Offset ({from}) can't be larger than {last} for requested size ({size})")
            }
            None => format!("Offset ({from}) can't be larger than file size ({whole})"),
        };
        return Err(cx.argument_error(&message));
    }
    let size = size.unwrap_or(whole - from);
    let given = match args.opt(3) {
        Some(v) => flags_of(cx, v)?,
        None => 0,
    };
    warn_experimental(cx)?;
    let (writable, private) = (given & memory::READONLY == 0, given & memory::PRIVATE != 0);
    let map = match FileMap::new(fd, offset, size, writable, !private) {
        Ok(map) => map,
        Err(errno) => return Err(cx.system_error(errno, "io_buffer_map_file:mmap")),
    };
    let kept = given & (memory::READONLY | memory::PRIVATE);
    let whose = if private { 0 } else { memory::EXTERNAL | memory::SHARED };
    let flags = memory::MAPPED | memory::FILE | kept | whose;
    let own = BufferState { memory: Memory::File(map), size, flags, ..BufferState::none() };
    Ok(instance(cx, args.me(), own))
}

/// `slice(offset = 0, length = nil) → buffer`: a buffer over a part of this one's memory, which becomes invalid
/// together with it. ArgumentError for a part beyond the end.
fn slice(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    let (offset, length) = part(cx, me, args.opt(0), args.opt(1))?;
    check_range(cx, me, offset, length)?;
    let own = state(cx, me)?;
    let (memory, source) = match own.memory {
        Memory::None => (Memory::None, me),
        Memory::Text { start } => (Memory::Text { start: start + offset }, own.source),
        Memory::Part { start, generation } => (Memory::Part { start: start + offset, generation }, own.source),
        _ => (Memory::Part { start: offset, generation: own.generation }, me),
    };
    let made = BufferState { memory, source, size: length, flags: own.flags & memory::READONLY, generation: 0 };
    let class = object::class::real_class(cx, me);
    Ok(instance(cx, class, made))
}

/// `resize(size) → self`: keeps the bytes that fit, and fills new space with zeros. AccessError for memory that the
/// buffer does not own, LockedError while locked.
fn resize(cx: &mut Cx, args: Args) -> R {
    let size = natural(cx, args.at(0), "Size")?;
    let own = state(cx, args.me())?;
    if own.is_locked() {
        return Err(memory::raise(cx, memory::LOCKED_ERROR, "Cannot resize locked buffer!"));
    }
    if !own.is_null() && own.flags & memory::EXTERNAL != 0 {
        return Err(memory::raise(cx, memory::ACCESS_ERROR, "Cannot resize external buffer!"));
    }
    let generation = own.generation + 1;
    if let Memory::Own(bytes) = &mut own.memory
        && size > 0
    {
        let more = size.saturating_sub(bytes.len());
        if bytes.try_reserve_exact(more).is_err() {
            return Err(memory::raise(cx, memory::ALLOCATION_ERROR, "Could not allocate buffer!"));
        }
        bytes.set_length(size, 0);
        own.size = size;
        own.generation = generation;
        return Ok(args.me());
    }
    let kept = if own.is_null() { Vec::new() } else { memory::with_bytes(cx, args.me(), <[u8]>::to_vector)? };
    let mut made = allocate(cx, size, flags_for(size))?;
    if let Memory::Own(bytes) = &mut made.memory {
        let count = kept.len().min(size);
        bytes[..count].copy_from_slice(&kept[..count]);
    }
    made.generation = generation;
    *state(cx, args.me())? = made;
    Ok(args.me())
}

/// `transfer → buffer`: a new buffer that takes over the memory of this one. LockedError while locked.
fn transfer(cx: &mut Cx, args: Args) -> R {
    let own = state(cx, args.me())?;
    if own.is_locked() {
        return Err(memory::raise(cx, memory::LOCKED_ERROR, "Cannot transfer ownership of locked buffer!"));
    }
    let next = BufferState { generation: own.generation + 1, ..BufferState::none() };
    let taken = std::mem::replace(own, next);
    let class = object::class::real_class(cx, args.me());
    Ok(instance(cx, class, taken))
}

/// `free → self`: frees the memory; its slices become invalid. LockedError while locked.
fn free(cx: &mut Cx, args: Args) -> R {
    let own = state(cx, args.me())?;
    if own.is_locked() {
        return Err(memory::raise(cx, memory::LOCKED_ERROR, "Buffer is locked!"));
    }
    own.release();
    Ok(args.me())
}

/// `locked { } → object`: calls the block, during which the memory cannot be freed or resized. LockedError if it is
/// locked already.
fn locked(cx: &mut Cx, args: Args) -> R {
    let own = state(cx, args.me())?;
    if own.is_locked() {
        return Err(memory::raise(cx, memory::LOCKED_ERROR, "Buffer already locked!"));
    }
    own.flags |= memory::LOCKED;
    let block = args.block(cx);
    let result = call::yield_one(cx, block, args.me());
    state(cx, args.me())?.flags &= !memory::LOCKED;
    result
}
