//! IO::Buffer: bytes outside of the heap, or those of a String or file, for input and output without an intermediate
//! String.
//!
//! - `memory`: where the bytes are and whether they may be used; `lifetime`: creating, resizing, locking and freeing;
//!   `values`: numbers in it; `copying`: strings, copies, masks; `show`: inspect, hexdump; `transfer`: read and write.

mod copying;
pub mod lifetime;
pub mod memory;
mod show;
mod transfer;
mod values;

use object::symbol::table::intern_text;
use runtime::{Args, Cx, Known, Method, R, Value, convert, define, error::ErrorClass};

use memory::{BufferState, state};

const METHODS: &[Method] = &[
    Method::new("size", size),
    Method::new("valid?", is_valid),
    Method::new("null?", is_null),
    Method::new("empty?", is_empty),
    // `external?` (memory owned by another object), `internal?` (allocated), `mapped?` (by pages, or from a file),
    // `shared?` (with other processes), `locked?` (it may not be freed or resized), `private?` (changes do not reach
    // the file), `readonly?`.
    Method::new("external?", |cx, args| has_flag(cx, args, memory::EXTERNAL)),
    Method::new("internal?", |cx, args| has_flag(cx, args, memory::INTERNAL)),
    Method::new("mapped?", |cx, args| has_flag(cx, args, memory::MAPPED)),
    Method::new("shared?", |cx, args| has_flag(cx, args, memory::SHARED)),
    Method::new("locked?", |cx, args| has_flag(cx, args, memory::LOCKED)),
    Method::new("private?", |cx, args| has_flag(cx, args, memory::PRIVATE)),
    Method::new("readonly?", |cx, args| has_flag(cx, args, memory::READONLY)),
];

const NUMBERS: &[(&str, i64)] = &[
    ("PAGE_SIZE", memory::PAGE_SIZE as i64),
    ("DEFAULT_SIZE", memory::DEFAULT_SIZE as i64),
    ("EXTERNAL", memory::EXTERNAL as i64),
    ("INTERNAL", memory::INTERNAL as i64),
    ("MAPPED", memory::MAPPED as i64),
    ("SHARED", memory::SHARED as i64),
    ("LOCKED", memory::LOCKED as i64),
    ("PRIVATE", memory::PRIVATE as i64),
    ("READONLY", memory::READONLY as i64),
    ("LITTLE_ENDIAN", 4),
    ("BIG_ENDIAN", 8),
    ("HOST_ENDIAN", 4),
    ("NETWORK_ENDIAN", 8),
];

pub fn define(cx: &mut Cx) {
    let (io, object) = (cx.class(Known::Io), cx.class(Known::Object));
    let class = define::define_class(cx, io, "Buffer", object);
    for methods in [METHODS, lifetime::METHODS, values::METHODS, copying::METHODS, show::METHODS, transfer::METHODS] {
        define::define_methods(cx, class, methods);
    }
    for methods in [lifetime::SINGLETON, values::SINGLETON] {
        define::define_singleton_methods(cx, class, methods);
    }
    let comparable = define::class_or_module_named(cx, "Comparable");
    object::class::ancestors::include(cx, class, comparable).expect("a module of its own");
    for (name, value) in NUMBERS {
        let name = intern_text(cx, name);
        define::set_constant(cx, class, name, Value::fixnum(*value));
    }
    let errors = [
        (memory::LOCKED_ERROR, "LockedError", ErrorClass::RuntimeError),
        (memory::ALLOCATION_ERROR, "AllocationError", ErrorClass::RuntimeError),
        (memory::ACCESS_ERROR, "AccessError", ErrorClass::RuntimeError),
        (memory::INVALIDATED_ERROR, "InvalidatedError", ErrorClass::RuntimeError),
        (memory::MASK_ERROR, "MaskError", ErrorClass::ArgumentError),
    ];
    for (root, name, above) in errors {
        let above = cx.error_class(above);
        let made = define::define_class(cx, class, name, above);
        cx.set_root(root, made);
    }
    cx.set_root(memory::CLASS, class);
}

/// `size → integer`: the length in bytes; 0 after `free`.
fn size(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(state(cx, args.me())?.size as i64))
}

/// `valid? → true or false`: whether the memory still exists; a slice loses it if its source is freed or resized.
fn is_valid(cx: &mut Cx, args: Args) -> R {
    state(cx, args.me())?;
    Ok(Value::bool(memory::is_valid(args.me())))
}

/// `null? → true or false`: whether it has no memory, as after `free` and `transfer`.
fn is_null(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(state(cx, args.me())?.is_null()))
}

/// `empty? → true or false`: whether the length is 0.
fn is_empty(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(state(cx, args.me())?.size == 0))
}

fn has_flag(cx: &mut Cx, args: Args, flag: u32) -> R {
    Ok(Value::bool(state(cx, args.me())?.flags & flag != 0))
}

/// An argument that must not be negative: ArgumentError "Offset can't be negative!".
fn natural(cx: &mut Cx, v: Value, what: &str) -> R<usize> {
    if let Some(n) = v.as_fixnum().and_then(|n| usize::try_from(n).ok()) {
        return Ok(n);
    }
    if !convert::is_integer(v) {
        return Err(cx.type_error("not an Integer"));
    }
    let int = crate::numeric::ops::int(&v);
    if !int.is_negative() && int.magnitude_bits() == 64 {
        let bytes = numeric::big::to_le_bytes(int, 8);
        return Ok(bytes.try_into().map_or(usize::MAX, usize::from_le_bytes));
    }
    let n = convert::to_i64(cx, v)?;
    usize::try_from(n).map_err(|_| cx.argument_error(&format!("{what} can't be negative!")))
}

/// The part of a buffer given by two arguments, offset and length (nil or missing: up to the end).
fn part(cx: &mut Cx, buffer: Value, offset: Option<Value>, length: Option<Value>) -> R<(usize, usize)> {
    let offset = match offset.filter(|v| !v.is_nil()) {
        Some(v) => natural(cx, v, "Offset")?,
        None => 0,
    };
    let length = match length.filter(|v| !v.is_nil()) {
        Some(v) => natural(cx, v, "Length")?,
        None => {
            let size = state(cx, buffer)?.size;
            size.checked_sub(offset)
                .ok_or_else(|| cx.argument_error("The given offset is bigger than the buffer size!"))?
        }
    };
    Ok((offset, length))
}

/// ArgumentError unless the part lies within the buffer.
fn check_range(cx: &mut Cx, buffer: Value, offset: usize, length: usize) -> R<()> {
    let size = state(cx, buffer)?.size;
    if offset.checked_add(length).is_some_and(|end| end <= size) {
        return Ok(());
    }
    Err(cx.argument_error("Specified offset+length is bigger than the buffer size!"))
}
