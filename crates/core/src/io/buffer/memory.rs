//! The memory of a buffer: its own memory, a mapped file, a String, or a part of another buffer.

use ::memory::Grow;
use heap::Trace;
use host::memory::FileMap;
use object::{
    cell,
    native::{self, NativeData},
    string::{self, Str},
};
use runtime::{Cx, R, Unwind, Value, error, error::OrRaise, make};

pub const EXTERNAL: u32 = 1;
pub const INTERNAL: u32 = 2;
pub const MAPPED: u32 = 4;
pub const SHARED: u32 = 8;
pub const FILE: u32 = 16;
pub const LOCKED: u32 = 32;
pub const PRIVATE: u32 = 64;
pub const READONLY: u32 = 128;
/// The flags that programs may pass.
pub const GIVEN: u32 = 255;

pub const PAGE_SIZE: usize = 4096;
pub const DEFAULT_SIZE: usize = 64 << 10;

/// The roots that contain the classes.
pub const CLASS: runtime::Root = runtime::Root::IoBuffer;
pub const LOCKED_ERROR: runtime::Root = runtime::Root::IoBufferLockedError;
pub const ALLOCATION_ERROR: runtime::Root = runtime::Root::IoBufferAllocationError;
pub const ACCESS_ERROR: runtime::Root = runtime::Root::IoBufferAccessError;
pub const INVALIDATED_ERROR: runtime::Root = runtime::Root::IoBufferInvalidatedError;
pub const MASK_ERROR: runtime::Root = runtime::Root::IoBufferMaskError;

pub enum Memory {
    None,
    Own(Vec<u8>),
    /// Mapped from a file, or shared with forked processes.
    File(FileMap),
    /// `size` bytes of the String from `start` on.
    Text {
        start: usize,
    },
    /// `size` bytes of another buffer from `start` on, valid until that buffer's memory is replaced.
    Part {
        start: usize,
        generation: u64,
    },
}

#[derive(Trace)]
pub struct BufferState {
    #[trace(skip)]
    pub memory: Memory,
    /// The String or buffer that owns these bytes, or nil.
    pub source: Value,
    pub size: usize,
    pub flags: u32,
    /// The number of times that the memory was replaced.
    pub generation: u64,
}

impl NativeData for BufferState {
    object::one_vtable!(BufferState);

    fn memsize(&self) -> usize {
        match &self.memory {
            Memory::Own(bytes) => bytes.capacity(),
            Memory::File(_) => self.size,
            _ => 0,
        }
    }
}

impl BufferState {
    pub fn none() -> BufferState {
        BufferState { memory: Memory::None, source: Value::NIL, size: 0, flags: 0, generation: 0 }
    }

    pub fn is_null(&self) -> bool {
        matches!(self.memory, Memory::None)
    }

    /// Whether the memory is still valid.
    fn is_valid(&self) -> bool {
        match self.memory {
            Memory::Text { start } => start + self.size <= Str::of(self.source).len(),
            Memory::Part { start, generation } => native::get::<BufferState>(&self.source)
                .is_some_and(|of| !of.is_null() && of.generation == generation && start + self.size <= of.size),
            _ => true,
        }
    }

    pub fn is_locked(&self) -> bool {
        self.flags & LOCKED != 0
    }

    /// Releases its memory.
    pub fn release(&mut self) {
        *self = BufferState { generation: self.generation + 1, ..BufferState::none() };
    }
}

/// The state of an IO::Buffer; TypeError for anything else.
pub fn state(cx: &mut Cx, v: Value) -> R<&mut BufferState> {
    native::get_mut_or::<BufferState, _, _>(cx, v, |cx| not_a_buffer(cx, v))
}

fn not_a_buffer(cx: &mut Cx, v: Value) -> Unwind {
    let got = error::describe_for_conversion(cx, v);
    cx.type_error(&format!("wrong argument type {got} (expected IO::Buffer)"))
}

/// Raises an error of one of the classes above.
pub fn raise(cx: &mut Cx, class: runtime::Root, message: &str) -> Unwind {
    let class = cx.root(class);
    let message = make::text(cx, message);
    let exception = error::new_exception(cx, class, message);
    error::raise_exception(cx, exception)
}

/// Zeroed memory for a new buffer, of the kind given by the flags.
pub fn allocate(cx: &mut Cx, size: usize, flags: u32) -> R<BufferState> {
    if size == 0 {
        return Ok(BufferState::none());
    }
    if flags & (MAPPED | SHARED) == MAPPED | SHARED {
        return match FileMap::shared(size) {
            Ok(map) => Ok(BufferState { memory: Memory::File(map), size, flags, ..BufferState::none() }),
            Err(errno) => Err(cx.system_error(errno, "io_buffer_map_memory:mmap")),
        };
    }
    let mut bytes = Vec::new();
    if flags & (INTERNAL | MAPPED) == 0 || bytes.try_reserve_exact(size).is_err() {
        return Err(raise(cx, ALLOCATION_ERROR, "Could not allocate buffer!"));
    }
    bytes.set_length(size, 0);
    Ok(BufferState { memory: Memory::Own(bytes), size, flags, ..BufferState::none() })
}

/// The kind of memory for a buffer of that size.
pub fn flags_for(size: usize) -> u32 {
    if size >= PAGE_SIZE { MAPPED } else { INTERNAL }
}

/// Whether the memory is still valid.
pub fn is_valid(v: Value) -> bool {
    native::get::<BufferState>(&v).is_some_and(BufferState::is_valid)
}

/// Calls `f` with the bytes; with an empty slice for a buffer without memory.
pub fn with_bytes<T>(cx: &mut Cx, v: Value, f: impl FnOnce(&[u8]) -> T) -> R<T> {
    let Some(own) = native::get::<BufferState>(&v) else { return Err(not_a_buffer(cx, v)) };
    if !own.is_valid() {
        return Err(raise(cx, INVALIDATED_ERROR, "Buffer has been invalidated!"));
    }
    Ok(match &own.memory {
        Memory::None => f(&[]),
        Memory::Own(bytes) => f(bytes),
        Memory::File(map) => f(map.bytes()),
        Memory::Text { start } => f(&Str::of(own.source).bytes(cx)[*start..*start + own.size]),
        Memory::Part { start, .. } => {
            let range = *start..*start + own.size;
            match native::get::<BufferState>(&own.source).map(|of| &of.memory) {
                Some(Memory::Own(bytes)) => f(&bytes[range]),
                Some(Memory::File(map)) => f(&map.bytes()[range]),
                _ => f(&[]),
            }
        }
    })
}

/// Calls `f` with the bytes for modification.
pub fn with_bytes_mut<T>(cx: &mut Cx, v: Value, f: impl FnOnce(&mut [u8]) -> T) -> R<T> {
    check_writable(cx, v)?;
    let own = state(cx, v)?;
    let size = own.size;
    match &mut own.memory {
        Memory::None => Ok(f(&mut [])),
        Memory::Own(bytes) => Ok(f(bytes)),
        Memory::File(map) => Ok(f(map.bytes_mut().unwrap_or(&mut []))),
        Memory::Text { start } => {
            let (range, source) = (*start..*start + size, own.source);
            match Str::of(source).bytes_mut(cx) {
                Ok(bytes) => Ok(f(&mut bytes[range])),
                Err(exhausted) => Err(exhausted).or_raise(cx),
            }
        }
        Memory::Part { start, .. } => {
            let (range, source) = (*start..*start + size, own.source);
            match &mut state(cx, source)?.memory {
                Memory::Own(bytes) => Ok(f(&mut bytes[range])),
                Memory::File(map) => Ok(f(&mut map.bytes_mut().unwrap_or(&mut [])[range])),
                _ => Ok(f(&mut [])),
            }
        }
    }
}

/// AccessError or InvalidatedError if the buffer cannot be written to.
pub fn check_writable(cx: &mut Cx, v: Value) -> R<()> {
    let own = state(cx, v)?;
    let of_frozen = own.source.is_heap() && cell::frozen(own.source) && !cell::header(own.source).has(string::LOCKED);
    if own.flags & READONLY != 0 || of_frozen {
        return Err(raise(cx, ACCESS_ERROR, "Buffer is not writable!"));
    }
    if !is_valid(v) {
        return Err(raise(cx, INVALIDATED_ERROR, "Buffer is invalid!"));
    }
    Ok(())
}
