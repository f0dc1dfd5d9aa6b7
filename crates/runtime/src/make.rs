//! Creating common objects. If memory is exhausted the heap unwinds, and the boundary of native methods turns that into
//! NoMemoryError.

use abi::{Header, Value};
use object::{
    Known, Mem,
    array::Arr,
    cell,
    string::{Str, intern},
};
use text::encoding::EncodingId;

/// Leaves the native method with NoMemoryError.
#[cold]
fn exhausted() -> ! {
    std::panic::resume_unwind(Box::new(heap::OutOfMemory))
}

/// A String of Rust text, UTF-8.
pub fn text(cx: &mut Mem, text: &str) -> Value {
    Str::text(cx, text).unwrap_or_else(|_| exhausted()).value()
}

/// A String of text that describes an object, or of a message: BINARY, as CRuby's formats of ASCII are, unless it
/// contains other characters.
pub fn described(cx: &mut Mem, text: &str) -> Value {
    let encoding = if text.is_ascii() { EncodingId::BINARY } else { EncodingId::UTF_8 };
    string(cx, text.as_bytes(), encoding)
}

/// A String like the name of a class, and the message about a name: US-ASCII, unless it contains other characters.
pub fn named(cx: &mut Mem, text: &str) -> Value {
    let encoding = if text.is_ascii() { EncodingId::US_ASCII } else { EncodingId::UTF_8 };
    string(cx, text.as_bytes(), encoding)
}

/// A String of bytes.
pub fn string(cx: &mut Mem, bytes: &[u8], encoding: EncodingId) -> Value {
    Str::new(cx, bytes, encoding).unwrap_or_else(|_| exhausted()).value()
}

/// A String of the bytes of a list, which do not exist twice meanwhile.
pub fn string_of_list(cx: &mut Mem, bytes: Vec<u8>, encoding: EncodingId) -> Value {
    Str::of_list(cx, bytes, encoding).unwrap_or_else(|_| exhausted()).value()
}

/// A frozen, interned String of Rust text.
pub fn interned(cx: &mut Mem, text: &str) -> Value {
    intern::intern_text(cx, text)
}

/// An Array of these elements.
pub fn array(cx: &mut Mem, elements: &[Value]) -> Value {
    Arr::new(cx, elements).unwrap_or_else(|_| exhausted()).value()
}

/// An Array of values and the elements of a list.
pub fn joined_array(cx: &mut Mem, values: &[Value], list: Arr) -> Value {
    // SAFETY: the list is on the stack, and an allocation changes no Array.
    let elements = unsafe { list.unguarded() };
    Arr::joined(cx, &[values, elements]).unwrap_or_else(|_| exhausted()).value()
}

/// An Array of at most `len` values from an iterator, which neither allocates nor runs Ruby.
pub fn collected(cx: &mut Mem, len: usize, values: impl Iterator<Item = Value>) -> Value {
    Arr::collected(cx, len, values).unwrap_or_else(|_| exhausted()).value()
}

/// An Array of class Array with the same elements.
pub fn copy(cx: &mut Mem, list: Arr) -> Value {
    list.dup(cx).unwrap_or_else(|_| exhausted()).value()
}

pub fn push(cx: &mut Mem, array: Value, v: Value) {
    Arr::of(array).push(cx, v).unwrap_or_else(|_| exhausted());
}

/// A frozen Rational or Complex with two parts: `header | first | second`.
pub fn pair(cx: &mut Mem, known: Known, first: Value, second: Value) -> Value {
    let v = cx.allocate(24, Header::new(known.instances(), known.root_shape(), abi::Flags::FROZEN));
    // SAFETY: 24 bytes are three words.
    unsafe {
        cell::set_raw(v, 1, first.0);
        cell::set_raw(v, 2, second.0);
    }
    v
}

/// The parts of a Rational or Complex.
#[inline(always)]
pub fn pair_parts(v: Value) -> (Value, Value) {
    assert!(cell::is(v, abi::Type::Rational) || cell::is(v, abi::Type::Complex));
    // SAFETY: `pair` makes cells of three words.
    unsafe { (cell::word(v, 1), cell::word(v, 2)) }
}
