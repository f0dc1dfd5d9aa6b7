//! Environments: scopes that outlive their frames.
//!
//! ```text
//! header | scope (8 words, see abi::Scope) | outer environment | count (fixnum) | R0 | R1 | …
//! header bits: 10 lambda, 11 in a buffer, 12 isolated
//! ```
//! Registers that do not fit into the cell are in a buffer, whose address replaces R0.
//!
//! An environment is created when a block becomes an object or a binding is created. While the frame exists, `slots`
//! points to its registers ("open"); when it is popped, they are copied into the environment ("closed"). Programs never
//! see an environment.

use abi::{Header, Scope, Type, Value};
use heap::{BufferKind, MAX_CELL, Marker, Purpose, Trace};

use crate::{Known, Mem, cell, payload};

/// The first word of the scope.
pub const SCOPE: usize = 1;
const OUTER: usize = 9;
const COUNT: usize = 10;
const SLOTS: usize = 11;

/// Header flag: the registers have a buffer of their own.
pub const IN_BUFFER: u32 = 1 << 11;

/// Allocates an environment with `count` registers, all nil. Only their address and number are set.
fn allocate(cx: &mut Mem, count: usize, flags: u32) -> Value {
    let shape = Known::Environment.root_shape();
    let in_cell = 8 * (SLOTS + count) <= MAX_CELL;
    let v = if in_cell {
        cx.allocate(8 * (SLOTS + count), Header::new(Type::Environment, shape, flags))
    } else {
        let buffer = match cx.allocate_buffer(8 * count, BufferKind::Values) {
            Ok(buffer) => buffer,
            Err(error) => std::panic::resume_unwind(Box::new(error)),
        };
        let v = cx.allocate(8 * (SLOTS + 1), Header::new(Type::Environment, shape, flags | IN_BUFFER));
        // SAFETY: the cell is new and has this word.
        unsafe { cell::set_raw(v, SLOTS, buffer.bytes() as u64) };
        v
    };
    // SAFETY: the cell is new, and there is room for `count` registers.
    unsafe {
        cell::set_raw(v, COUNT, Value::fixnum(count as i64).0);
        std::slice::from_raw_parts_mut(registers(v), count).fill(Value::NIL);
    }
    v
}

/// The address of the registers of a closed environment.
#[inline(always)]
fn registers(v: Value) -> *mut Value {
    if cell::header(v).has(IN_BUFFER) {
        // SAFETY: the word holds the buffer's address.
        return unsafe { cell::raw(v, SLOTS) as *mut Value };
    }
    v.cell().wrapping_add(SLOTS).cast()
}

/// Tells the collector of writes to the buffer of `v`, if it has one: `count` registers from `first` on.
#[inline(always)]
fn wrote(cx: &mut Mem, v: Value, first: usize, count: usize) {
    if cell::header(v).has(IN_BUFFER) {
        // SAFETY: the word holds the buffer's address.
        let buffer = unsafe { payload::buffer_at(cell::raw(v, SLOTS)) };
        cx.remember_buffer(buffer, 8 * first..8 * (first + count));
    }
}

/// Creates an open environment for the live scope of a frame, of which `count` registers will be kept. `outer` is the
/// environment of the enclosing scope, or nil.
///
/// # Safety
/// `scope` is a live frame's.
pub unsafe fn open(cx: &mut Mem, scope: *mut Scope, outer: Value, count: usize) -> Value {
    let v = allocate(cx, count, 0);
    // SAFETY: `scope` is alive by this function's contract. Everything is filled before the next allocation.
    unsafe {
        let own = v.cell().add(SCOPE).cast::<Scope>();
        std::ptr::copy_nonoverlapping(scope, own, 1);
        (*own).environment = v;
        (*own).outer = if outer.is_nil() { std::ptr::null() } else { self::scope(outer) };
        cell::set_raw(v, OUTER, outer.0);
        (*scope).environment = v;
    }
    v
}

/// Header flag: a copy that is detached from the enclosing method.
const ISOLATED: u32 = 1 << 12;

/// A closed copy of `v` for a block that Ractors share: without method, block and `$~`. Of the registers it keeps only
/// those in `kept`, pairs of number and value; register 0 is `me`.
pub fn isolated(
    cx: &mut Mem,
    v: Value,
    outer: Value,
    me: Value,
    kept: &mut dyn Iterator<Item = (usize, Value)>,
) -> Value {
    let count = count(v);
    let copy = allocate(cx, count, ISOLATED);
    // SAFETY: there is room for `count` registers; all of the cell is filled before the next allocation.
    unsafe {
        let own = copy.cell().add(SCOPE).cast::<Scope>();
        *own = Scope {
            slots: registers(copy),
            outer: if outer.is_nil() { std::ptr::null() } else { self::scope(outer) },
            cref: (*self::scope(v)).cref,
            entry: Value::NIL,
            block: abi::BlockHandler::NONE,
            special: Value::NIL,
            code: (*self::scope(v)).code,
            environment: copy,
        };
        cell::set_raw(copy, OUTER, outer.0);
        if count > 0 {
            *registers(copy) = me;
        }
        for (register, value) in kept.filter(|(register, _)| (1..count).contains(register)) {
            *registers(copy).add(register) = value;
        }
    }
    cx.remember(copy);
    wrote(cx, copy, 0, count);
    copy
}

/// Whether it is a copy that is detached from the enclosing method.
pub fn is_isolated(v: Value) -> bool {
    cell::header(v).has(ISOLATED)
}

/// The scope inside an environment.
#[inline(always)]
pub fn scope(v: Value) -> *mut Scope {
    debug_assert!(cell::is(v, Type::Environment));
    // SAFETY: an environment's cell has a scope from its second word on.
    unsafe { v.cell().add(SCOPE).cast() }
}

/// The number of its registers.
pub fn count(v: Value) -> usize {
    // SAFETY: the word holds a fixnum.
    unsafe { cell::word(v, COUNT).fixnum_value() as usize }
}

/// The environment of the enclosing scope, or nil.
pub fn outer(v: Value) -> Value {
    // SAFETY: the word holds a value.
    unsafe { cell::word(v, OUTER) }
}

pub fn is_open(v: Value) -> bool {
    // SAFETY: the scope is inside the live cell.
    unsafe { (*scope(v)).slots != registers(v) }
}

/// Header bit: the environment of a lambda that has returned. A `return` in a block inside it has no target any more.
const LAMBDA: u32 = 1 << 10;

pub fn note_lambda(v: Value) {
    cell::set_header(v, cell::header(v).with(LAMBDA));
}

/// Whether it is the environment of a lambda that has returned.
pub fn was_lambda(v: Value) -> bool {
    cell::header(v).has(LAMBDA)
}

/// Copies the registers from the frame that is being popped, and state that the frame acquired (`$~`, a block that
/// became a Proc).
///
/// # Safety
/// `frame_scope` is the scope for which it was created, still alive.
pub unsafe fn close(cx: &mut Mem, v: Value, frame_scope: *const Scope) {
    // SAFETY: by this function's contract.
    unsafe {
        let own = scope(v);
        (*own).special = (*frame_scope).special;
        if (*own).block.frame().is_some() {
            (*own).block = (*frame_scope).block;
        }
        leave_stack(v);
    }
    cx.remember(v);
    wrote(cx, v, 0, count(v));
}

/// Copies the registers of an open environment from the stack into it.
///
/// # Safety
/// `slots` points to at least as many registers as the environment has.
unsafe fn leave_stack(v: Value) {
    // SAFETY: by this function's contract; the cell, or its buffer, has room for them.
    unsafe {
        let own = scope(v);
        std::ptr::copy_nonoverlapping((*own).slots, registers(v), count(v));
        (*own).slots = registers(v);
        // A block that never became an object disappears with the frame that passed it.
        if (*own).block.frame().is_some() {
            (*own).block = abi::BlockHandler::NONE;
        }
    }
}

/// Closes an environment whose frame will never run again, because its fiber is dead. Called while a collection drops
/// dead objects: the environment may be dead itself. What its registers refer to was marked with it, and all that
/// survives is of one age, so that no barrier is needed.
///
/// # Safety
/// The cell is intact, as are the registers of the frame.
pub unsafe fn close_of_dead_fiber(v: Value) {
    if is_open(v) {
        // SAFETY: by this function's contract.
        unsafe { leave_stack(v) };
    }
}

/// Sets slot `index` of any scope: with the barrier if it belongs to a closed environment.
///
/// # Safety
/// The scope is alive and has that slot.
#[inline(always)]
pub unsafe fn set_slot(cx: &mut Mem, scope: *const Scope, index: usize, to: Value) {
    // SAFETY: by this function's contract the scope is alive and has the slot.
    unsafe {
        *(*scope).slots.add(index) = to;
        let environment = (*scope).environment;
        if environment.is_heap() {
            cx.barrier(environment, to);
            wrote(cx, environment, index, 1);
        }
    }
}

/// # Safety
/// `cell` is a live environment.
pub unsafe fn trace(cell: *mut u64, marker: &mut Marker) {
    // SAFETY: the layout at the head of the file; the slots of an open one are registers on a stack that is mapped.
    unsafe {
        let own = cell.add(SCOPE).cast::<Scope>();
        (*own).cref.trace(marker);
        (*own).entry.trace(marker);
        (*own).block.0.trace(marker);
        (*own).special.trace(marker);
        (*own).code.trace(marker);
        marker.slot(cell.add(OUTER).cast());
        let count = Value(*cell.add(COUNT)).fixnum_value() as usize;
        // The registers of an open one are visited, too: its stack is not if the fiber is dead, or if the thread was
        // left behind by a fork. Walks of references do without, since a verification would miss barriers there.
        let v = Value::from_cell(cell);
        if is_open(v) && marker.purpose() != Purpose::Visit {
            marker.stale_slots((*own).slots, count);
        }
        if cell::header(v).has(IN_BUFFER) {
            marker.buffer(payload::buffer_at(*cell.add(SLOTS)));
        } else {
            marker.values(cell.add(SLOTS).cast(), count);
        }
    }
}
