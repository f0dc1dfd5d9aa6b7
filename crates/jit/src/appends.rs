//! Stores of elements behind the last one of an Array: in line while the elements are in its cell and there is room.

use abi::{Flags, RuntimeCall};
use bytecode::Instruction;
use object::{Known, array::for_code as layout, representation::for_code as payload};

use crate::{
    arithmetic::{Operand, kind, operand},
    intrinsics,
    ir::Condition,
    ivars,
    objects::{embedded_len, require_instance},
    registers::Kind,
    seam::{Block, Ssa},
    translate::Translator,
};

/// The elements of an Array whose cell holds them.
struct Embedded {
    header: Ssa,
    first: Ssa,
    len: Ssa,
    capacity: Ssa,
}

/// Goes to `other` if the elements are in a buffer, or if the Array is frozen.
fn embedded(t: &mut Translator, list: Ssa, other: Block) -> Embedded {
    let header = t.e.load(list, 0);
    let bits = t.e.and_constant(header, payload::REPRESENTATION | u64::from(Flags::FROZEN));
    let fits = t.e.compare_constant(Condition::Equal, bits, 0);
    t.e.require(fits, other);
    let len = embedded_len(t, header, layout::EMBEDDED_LEN_SHIFT);
    let capacity = embedded_len(t, header, layout::CAPACITY_SHIFT);
    Embedded { header, first: t.e.add_constant(list, 8), len, capacity }
}

/// Appends an element to an Array; goes to `other`, without any effect, unless its cell has room.
pub fn in_cell(t: &mut Translator, list: Ssa, (value, kind): (Ssa, Kind), other: Block) {
    let found = embedded(t, list, other);
    let has_room = t.e.compare(Condition::Below, found.len, found.capacity);
    t.e.require(has_room, other);
    let longer = t.e.add_constant(found.header, 1 << layout::EMBEDDED_LEN_SHIFT);
    t.e.store(longer, list, 0);
    t.e.store_indexed(value, found.first, found.len);
    ivars::barrier(t, list, value, kind);
}

/// `list << v`, which is expected to be a direct instance of Array.
pub fn push(t: &mut Translator, word: usize, to: u16, list: Operand, value: Operand) {
    let other = t.e.cold_block();
    let operands = [operand(t, list), operand(t, value)];
    let kind = kind(t, value);
    let append = |t: &mut Translator| {
        if let Operand::Register(register) = list {
            require_instance(t, register, operands[0], Known::Array, other);
        }
        in_cell(t, operands[0], (operands[1], kind), other);
        Some(operands[0])
    };
    let by_runtime = |t: &mut Translator| Some(t.fast_result(word, RuntimeCall::Push, &operands));
    if let Some(v) = t.either(other, None, append, by_runtime) {
        t.write(to, v, Kind::Any);
    }
}

/// The intrinsic that appends to an Array.
pub fn push_intrinsic(t: &mut Translator, word: usize, i: Instruction) {
    let (list, value, kind) = (t.read(i.b), t.read(i.b + 1), t.r.kind(i.b + 1));
    let other = t.e.cold_block();
    let append = |t: &mut Translator| {
        in_cell(t, list, (value, kind), other);
        Some(list)
    };
    either_by_runtime(t, word, i, other, append);
}

/// The intrinsic that stores an element of an Array: in line if it is one of the elements in the cell, or the next one.
pub fn set_intrinsic(t: &mut Translator, word: usize, i: Instruction) {
    let (list, index, value, kind) = (t.read(i.b), t.read(i.b + 1), t.read(i.b + 2), t.r.kind(i.b + 2));
    let other = t.e.cold_block();
    let store = |t: &mut Translator| {
        let found = embedded(t, list, other);
        let at = t.e.shift_right(index, 1);
        let has_room = t.e.compare(Condition::Below, at, found.capacity);
        t.e.require(has_room, other);
        let is_adjacent = t.e.compare(Condition::BelowEqual, at, found.len);
        t.e.require(is_adjacent, other);
        let longer = t.e.add_constant(found.header, 1 << layout::EMBEDDED_LEN_SHIFT);
        let is_next = t.e.compare(Condition::Equal, at, found.len);
        let header = t.e.select(is_next, longer, found.header);
        t.e.store(header, list, 0);
        t.e.store_indexed(value, found.first, at);
        ivars::barrier(t, list, value, kind);
        Some(value)
    };
    either_by_runtime(t, word, i, other, store);
}

/// Writes the result of `first`, or of the intrinsic in the runtime if `first` goes to `other`.
fn either_by_runtime(
    t: &mut Translator,
    word: usize,
    i: Instruction,
    other: Block,
    first: impl FnOnce(&mut Translator) -> Option<Ssa>,
) {
    let by_runtime = |t: &mut Translator| Some(intrinsics::quick(t, word, i));
    if let Some(v) = t.either(other, None, first, by_runtime) {
        t.write(i.a, v, Kind::Any);
    }
}
