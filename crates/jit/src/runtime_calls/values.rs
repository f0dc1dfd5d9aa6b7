//! Objects that compiled code makes, and what it reads and stores in them.

use std::panic::{AssertUnwindSafe, catch_unwind};

use abi::{Header, Scope, ShapeId, Type, Value};
use bytecode::Opcode;
use object::{
    array::Arr,
    cell,
    hash::{HashRef, KeyGuess},
};
use runtime::{
    Cx, call,
    code::{CallSite, ConstantSite, IvarSite, code, exits::MOST_WORDS, tier::Outcome},
    cx::Interrupts,
    instructions::{index, ivars, literals, operators},
    keys, literal_arguments, make,
};

use super::{ANY, fast, guarded, returned, unless_it_raises};
use crate::instruction;

pub unsafe extern "C" fn new_object(cx: *mut Cx, ty: u64, shape: u64) -> Outcome {
    // SAFETY: compiled code passes its own context.
    let cx = unsafe { &mut *cx };
    guarded(cx, |cx| {
        Ok(returned(object::shape::ivars::new_object(cx, Type::from_bits(ty as u8), ShapeId(shape as u32))))
    })
}

pub unsafe extern "C" fn empty_array(cx: *mut Cx, shape: u64, size: Value) -> Outcome {
    // SAFETY: compiled code passes its own context.
    let cx = unsafe { &mut *cx };
    let room = size.as_fixnum().and_then(|size| usize::try_from(size).ok());
    guarded(cx, |cx| Ok(returned(Arr::of_shape(cx, ShapeId(shape as u32), room.unwrap_or(0)).value())))
}

/// A larger Array is filled by the method.
const MOST_FILLED: usize = 1 << 16;

pub unsafe extern "C" fn filled_array(cx: *mut Cx, shape: u64, size: Value, value: Value) -> Value {
    fast(cx, |cx| {
        let size = size.as_fixnum().and_then(|size| usize::try_from(size).ok()).filter(|size| *size <= MOST_FILLED)?;
        let list = Arr::filled(cx, size, value).ok()?.value();
        cell::set_header(list, cell::header(list).with_shape(ShapeId(shape as u32)));
        Some(list)
    })
}

pub unsafe extern "C" fn new_array(cx: *mut Cx, values: *const Value, count: u64) -> Outcome {
    // SAFETY: compiled code passes its own context and words of the running frame's registers, which nothing changes
    // until they are copied.
    let (cx, values) = unsafe { (&mut *cx, std::slice::from_raw_parts(values, count as usize)) };
    guarded(cx, |cx| Ok(returned(make::array(cx, values))))
}

pub unsafe extern "C" fn joined_array(cx: *mut Cx, values: *const Value, count: u64, list: Value) -> Outcome {
    // SAFETY: compiled code passes its own context, and words of the running frame's registers or of a literal, which
    // nothing changes until they are copied.
    let (cx, values) = unsafe { (&mut *cx, std::slice::from_raw_parts(values, count as usize)) };
    guarded(cx, |cx| Ok(returned(make::joined_array(cx, values, Arr::of(list)))))
}

pub unsafe extern "C" fn has_key(cx: *mut Cx, hash: Value, key: Value) -> Value {
    fast(cx, |cx| index::has_key_fast(cx, HashRef::of(hash), key).map(Value::bool))
}

pub unsafe extern "C" fn fetch(cx: *mut Cx, hash: Value, key: Value, guess: &'static KeyGuess) -> Value {
    fast(cx, |cx| index::fetch_near(cx, HashRef::of(hash), key, guess).flatten())
}

pub unsafe extern "C" fn own_string(cx: *mut Cx, literal: Value) -> Outcome {
    // SAFETY: compiled code passes its own context.
    let cx = unsafe { &mut *cx };
    guarded(cx, |cx| Ok(returned(literal_arguments::copy(cx, literal))))
}

pub unsafe extern "C" fn allocate(cx: *mut Cx, class: Value) -> Outcome {
    // SAFETY: compiled code passes its own context.
    let cx = unsafe { &mut *cx };
    guarded(cx, |cx| call::special::allocate(cx, class).map(returned))
}

/// The write barrier for a reference that was stored in a cell.
pub unsafe extern "C" fn barrier(cx: *mut Cx, container: Value, value: Value) {
    // SAFETY: compiled code passes its own context.
    let cx = unsafe { &mut *cx };
    cx.barrier(container, value);
}

/// The write barrier for a reference that was stored at `slot`, in a buffer.
pub unsafe extern "C" fn buffer_barrier(cx: *mut Cx, buffer: u64, slot: *mut Value) {
    // SAFETY: compiled code passes its own context, the address of a live object's buffer, and one of its slots.
    unsafe { (*cx).write_buffer(object::payload::buffer_at(buffer), slot, *slot) }
}

/// The write barrier for a reference that was stored at `slot`, as an element of an Array.
pub unsafe extern "C" fn element_barrier(cx: *mut Cx, list: Value, slot: *mut Value) {
    // SAFETY: compiled code passes its own context, an Array, and the place of one of its elements.
    unsafe { Arr::new_unchecked(list).stored(&mut *cx, slot) }
}

pub unsafe extern "C" fn operate<const OPCODE: u16>(cx: *mut Cx, opcode: u64, a: Value, b: Value) -> Value {
    let opcode = Opcode::from_u16(if OPCODE == ANY { opcode as u16 } else { OPCODE });
    fast(cx, |cx| instruction::fast(cx, opcode, &[a, b, Value::UNDEF]).ok().flatten())
}

pub unsafe extern "C" fn new_string(cx: *mut Cx, literal: Value, flags: u64) -> Value {
    fast(cx, |cx| Some(literals::new_literal_string(cx, literal, flags as u32)))
}

pub unsafe extern "C" fn collect(cx: *mut Cx, values: *const Value, count: u64) -> Value {
    // SAFETY: compiled code passes words of the running frame's registers, which nothing changes until they are copied.
    let values = unsafe { std::slice::from_raw_parts(values, count as usize) };
    fast(cx, |cx| Some(make::array(cx, values)))
}

pub unsafe extern "C" fn slice(cx: *mut Cx, list: Value, at: u64, count: u64) -> Value {
    fast(cx, |cx| Some(Arr::of(list).slice(cx, at as usize, count as usize).ok()?.value()))
}

pub unsafe extern "C" fn new_hash(cx: *mut Cx, pairs: *const Value, count: u64) -> Value {
    // SAFETY: compiled code passes words of the running frame's registers, which nothing changes until they are copied.
    let pairs = unsafe { std::slice::from_raw_parts(pairs, count as usize) };
    fast(cx, |cx| unless_it_raises(cx, |cx| literals::new_hash(cx, pairs)))
}

pub unsafe extern "C" fn keyword_hash(cx: *mut Cx, site: *const CallSite, values: *const Value, which: u64) -> Value {
    // SAFETY: compiled code passes a site of its own code, and words of the running frame's registers, as many as the
    // site has keywords.
    let (names, values) = unsafe {
        let names = (*site).keywords();
        (names, std::slice::from_raw_parts(values, names.len()))
    };
    let chosen = || names.iter().zip(values).enumerate().filter(|(n, _)| which & 1 << n != 0).map(|(_, pair)| pair);
    fast(cx, |cx| {
        unless_it_raises(cx, |cx| {
            let made = HashRef::new(cx).value();
            for (name, value) in chosen() {
                keys::store_symbol(cx, made, *name, *value)?;
            }
            Ok(made)
        })
    })
}

pub unsafe extern "C" fn concatenate(cx: *mut Cx, values: *const Value, count: u64) -> Value {
    // SAFETY: compiled code passes words of the running frame's registers, which nothing changes until they are copied.
    let values = unsafe { std::slice::from_raw_parts(values, count as usize) };
    fast(cx, |cx| unless_it_raises(cx, |cx| literals::concat(cx, values)))
}

pub unsafe extern "C" fn are_equal(cx: *mut Cx, a: Value, b: Value) -> Value {
    // SAFETY: compiled code passes its own context.
    if let Some(equal) = operators::equal_strings(unsafe { &*cx }, a, b) {
        return Value::bool(equal);
    }
    fast(cx, |cx| operators::equal_fast(cx, a, b).map(Value::bool))
}

pub unsafe extern "C" fn is_instance(cx: *mut Cx, module: Value, v: Value) -> Value {
    fast(cx, |cx| Some(Value::bool(object::class::is_a(cx, v, module))))
}

pub unsafe extern "C" fn jump_table(cx: *mut Cx, own: Value, literal: u64, v: Value) -> u64 {
    // SAFETY: compiled code passes its own context.
    let cx = unsafe { &mut *cx };
    let found = catch_unwind(AssertUnwindSafe(|| operators::jump_table(cx, code(&own), literal as usize, v)));
    found.ok().flatten().map_or(u64::MAX, u64::from)
}

pub unsafe extern "C" fn get_element<const LENT: bool>(cx: *mut Cx, receiver: Value, key: Value) -> Value {
    fast(cx, |cx| index::get_with::<LENT>(cx, receiver, key))
}

pub unsafe extern "C" fn set_element<const LENT: bool>(
    cx: *mut Cx,
    receiver: Value,
    key: Value,
    value: Value,
) -> Value {
    fast(cx, |cx| index::set_with::<LENT>(cx, receiver, key, value).then_some(value))
}

pub unsafe extern "C" fn get_near(cx: *mut Cx, receiver: Value, key: Value, guess: &'static KeyGuess) -> Value {
    fast(cx, |cx| index::get_near(cx, receiver, key, guess))
}

pub unsafe extern "C" fn set_near(
    cx: *mut Cx,
    receiver: Value,
    key: Value,
    value: Value,
    guess: &'static KeyGuess,
) -> Value {
    fast(cx, |cx| index::set_near(cx, receiver, key, value, guess).then_some(value))
}

pub unsafe extern "C" fn push(cx: *mut Cx, list: Value, value: Value) -> Value {
    fast(cx, |cx| operators::push(cx, list, value))
}

pub unsafe extern "C" fn set_slot(cx: *mut Cx, scope: *const Scope, slot: u64, value: Value) {
    // SAFETY: compiled code passes its own context, and a slot of a scope around its frame.
    unsafe { object::environment::set_slot(&mut *cx, scope, slot as usize, value) }
}

pub unsafe extern "C" fn get_ivar(cx: *mut Cx, site: *const IvarSite, me: Value) -> Value {
    // SAFETY: compiled code passes a site of its own code, which lives as long as that.
    let site = unsafe { &*site };
    fast(cx, |cx| ivars::get_by_shape(cx, me, site))
}

pub unsafe extern "C" fn set_ivar(cx: *mut Cx, site: *const IvarSite, me: Value, value: Value) -> Value {
    // SAFETY: compiled code passes a site of its own code, which lives as long as that.
    let site = unsafe { &*site };
    fast(cx, |cx| ivars::set_by_shape(cx, me, site, value).then_some(value))
}

pub unsafe extern "C" fn constant(_: *mut Cx, site: *const ConstantSite, scope: Value) -> Value {
    // SAFETY: compiled code passes a site of its own code, which lives as long as that.
    unsafe { (*site).cached(scope).unwrap_or(Value::UNDEF) }
}

pub unsafe extern "C" fn new_float(cx: *mut Cx, bits: u64) -> Value {
    // SAFETY: compiled code passes its own context.
    boxed(unsafe { &mut *cx }, f64::from_bits(bits))
}

/// A Float object, or a flonum.
pub fn boxed(cx: &mut Cx, x: f64) -> Value {
    in_reserve_if_exhausted(cx, |cx| object::float::new(cx, x))
}

pub unsafe extern "C" fn new_undefined_cell(cx: *mut Cx, header: u64, words: u64) -> Value {
    let undefined = [Value::UNDEF; MOST_WORDS];
    // SAFETY: compiled code passes its own context.
    new_cell(unsafe { &mut *cx }, Header(header), &undefined[..words as usize])
}

/// A new cell with these words behind the header.
pub fn new_cell(cx: &mut Cx, header: Header, words: &[Value]) -> Value {
    in_reserve_if_exhausted(cx, |cx| {
        let v = cx.allocate(8 + 8 * words.len(), header);
        for (n, word) in words.iter().enumerate() {
            // SAFETY: the cell is new and has these words; nothing has run since it was allocated.
            unsafe { cell::set_raw(v, 1 + n, word.0) };
        }
        v
    })
}

/// Allocates a small object where compiled code cannot raise an exception. If memory is exhausted, the object is in the
/// heap's reserve, which the failed allocation has opened, and the next safepoint raises NoMemoryError. There is one
/// before the reserve is used up: code without loops and calls allocates some hundred objects at most.
fn in_reserve_if_exhausted(cx: &mut Cx, allocate: impl Fn(&mut Cx) -> Value) -> Value {
    let mut attempt = || catch_unwind(AssertUnwindSafe(|| allocate(cx))).ok();
    if let Some(v) = attempt() {
        return v;
    }
    let made = attempt();
    cx.interrupt(Interrupts::EXHAUSTED);
    made.unwrap_or_else(|| {
        // Programs that rescue NoMemoryError and keep all objects use it up in the end.
        eprintln!("failed to allocate memory");
        std::process::exit(1)
    })
}
