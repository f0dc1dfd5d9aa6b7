//! Stores of elements behind the last one of an Array: in line while there is room in its cell or its own buffer.

use abi::{Flags, RuntimeCall, Type, Value};
use bytecode::{Instruction, Opcode};
use heap::for_code::buffers;
use object::{Known, array::for_code as layout, cell, representation::for_code as payload};
use runtime::{Cx, code::exits::Reason};

use crate::{
    arithmetic::{Operand, kind, operand},
    intrinsics,
    ir::{Binary, Condition},
    ivars,
    objects::{self, embedded_len, require_instance},
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
fn in_cell(t: &mut Translator, list: Ssa, (value, kind): (Ssa, Kind), other: Block) {
    let found = embedded(t, list, other);
    let has_room = t.e.compare(Condition::Below, found.len, found.capacity);
    t.e.require(has_room, other);
    let longer = t.e.add_constant(found.header, 1 << layout::EMBEDDED_LEN_SHIFT);
    t.e.store(longer, list, 0);
    t.e.store_indexed(value, found.first, found.len);
    ivars::barrier(t, list, value, kind);
}

/// Appends an element to an Array whose elements are in a buffer of its own; goes to `other`, without any effect,
/// unless the buffer has room.
fn in_buffer(t: &mut Translator, list: Ssa, (value, kind): (Ssa, Kind), other: Block) {
    let header = t.e.load(list, 0);
    let bits = t.e.and_constant(header, payload::REPRESENTATION | u64::from(Flags::FROZEN));
    let fits = t.e.compare_constant(Condition::Equal, bits, payload::OWNED);
    t.e.require(fits, other);
    let is_indirect = t.e.and_constant(header, layout::INDIRECT);
    let words = objects::words_of(t, list, is_indirect);
    let [len, start, buffer] = [payload::LEN, payload::START, payload::BUFFER].map(|word| t.e.load(words, 8 * word));
    let bytes = t.e.binary_constant(Binary::ShiftLeft, len, 3);
    let end = t.e.add(start, bytes);
    let (in_arena, large, room) = (t.e.block(), t.e.cold_block(), t.e.block());
    let arenas_end = t.e.load(t.context, Cx::MUTATOR + buffers::ARENAS_END);
    let is_in_arena = t.e.compare(Condition::Below, buffer, arenas_end);
    t.e.branch(is_in_arena, in_arena, large);
    t.e.at(in_arena);
    let arena = t.e.and_constant(buffer, (buffers::ARENA_BYTES as u64).wrapping_neg());
    let block = t.e.binary_constant(Binary::ShiftRightUnsigned, buffer, buffers::BLOCK_SHIFT as u64);
    let block = t.e.and_constant(block, (buffers::ARENA_BYTES >> buffers::BLOCK_SHIFT) as u64 - 1);
    let offset = t.e.binary_constant(Binary::ShiftLeft, block, buffers::DESCRIPTION_SHIFT as u64);
    let description = t.e.add(arena, offset);
    let size = t.e.load32(description, buffers::CELL_SIZE);
    let limit = t.e.add(buffer, size);
    let has_room = t.e.compare(Condition::Below, end, limit);
    t.e.require(has_room, other);
    t.e.jump(room, &[]);
    // The rest of a page that has elements is part of a large buffer.
    t.e.at(large);
    let in_page = t.e.and_constant(end, 0xfff);
    t.e.require(in_page, other);
    let has_elements = t.e.compare(Condition::Below, buffer, end);
    t.e.require(has_elements, other);
    t.e.jump(room, &[]);
    t.e.at(room);
    let longer = t.e.add_constant(len, 1);
    t.e.store(longer, words, 8 * payload::LEN);
    t.e.store(value, end, 0);
    ivars::barrier_with(t, (value, kind), true, |t| t.e.element_barrier(list, end));
}

/// Appends an element to an Array; goes to `other`, without any effect, unless there is room.
pub fn append(t: &mut Translator, list: Ssa, value: (Ssa, Kind), other: Block) {
    let elsewhere = t.e.block();
    let first = |t: &mut Translator| {
        in_cell(t, list, value, elsewhere);
        None
    };
    t.either(elsewhere, None, first, |t| {
        in_buffer(t, list, value, other);
        None
    });
}

/// `list << v`, which is expected to be a direct instance of Array.
pub fn push(t: &mut Translator, word: usize, to: u16, list: Operand, value: Operand) {
    let other = t.e.cold_block();
    let operands = [operand(t, list), operand(t, value)];
    let (kind_of_list, kind) = (kind(t, list), kind(t, value));
    let in_line = |t: &mut Translator| {
        if let Operand::Register(register) = list {
            require_instance(t, register, operands[0], Known::Array, other);
        }
        append(t, operands[0], (operands[1], kind), other);
        Some(operands[0])
    };
    let is_array = kind_of_list == Kind::Shape(Known::Array.root_shape().0);
    let by_runtime = |t: &mut Translator| match is_array {
        true => {
            // Only to a frozen Array nothing is appended: the interpreter raises the exception.
            let exit = t.exit_for(word, Reason::LeftToInterpreter);
            let v = t.e.call(RuntimeCall::Push, &[t.context, operands[0], operands[1]])[0];
            let is_done = t.e.compare_constant(Condition::NotEqual, v, Value::UNDEF.0);
            t.e.require(is_done, exit);
            Some(v)
        }
        false => Some(t.fast_result(word, RuntimeCall::Push, &operands)),
    };
    if let Some(v) = t.either(other, None, in_line, by_runtime) {
        t.write(to, v, Kind::Any);
    }
}

/// The intrinsic that appends to an Array.
pub fn push_intrinsic(t: &mut Translator, word: usize, i: Instruction) {
    let (list, value, kind) = (t.read(i.b), t.read(i.b + 1), t.r.kind(i.b + 1));
    let other = t.e.cold_block();
    let in_line = |t: &mut Translator| {
        append(t, list, (value, kind), other);
        Some(list)
    };
    either_by_runtime(t, word, i, other, in_line);
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

/// `receiver << "literal"`. A String copies the literal's bytes; for other receivers than Strings and Arrays a new
/// String is made first.
pub fn literal(t: &mut Translator, word: usize) {
    let i = t.code.instruction(word);
    let is_other = |v| !cell::is(v, Type::String) && !cell::is(v, Type::Array);
    if t.sample(Operand::Register(i.b)).is_some_and(is_other) {
        return t.runtime(RuntimeCall::Instruction, word);
    }
    let (receiver, literal) = (t.read(i.b), objects::literal(t, i.c));
    let opcode = t.e.constant(Opcode::ShiftLeftLiteral as u64);
    t.fast_or_slow(word, Some(i.a), RuntimeCall::Operate, &[opcode, receiver, literal]);
}
