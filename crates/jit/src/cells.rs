//! Cells that compiled code allocates in line, by a comparison and an addition.
//!
//! A cell is *fresh* from its allocation to the next call. Until then it is young and not frozen, so a store into it
//! needs neither a write barrier nor a test.

use abi::{Header, RuntimeCall, ShapeId, Type, Value};
use bytecode::Opcode;
use object::{
    Known,
    array::{Arr, for_code},
    float, range,
    string::Str,
};
use runtime::Cx;

use crate::{
    arithmetic::{Operand, kind, operand},
    ir::Condition,
    objects,
    registers::Kind,
    seam::{Block, Emitter, Ssa},
    translate::Translator,
    virtual_objects::{self, Content},
};

/// A cell with a header and `words` words, which the caller fills before anything else happens; goes to `slow` if the
/// run of free cells is used up.
pub fn take(e: &mut Emitter, context: Ssa, header: Header, words: usize, slow: Block) -> Ssa {
    let header = e.constant(header.0);
    take_with(e, context, header, words, slow)
}

/// The same with a header that is computed.
pub fn take_with(e: &mut Emitter, context: Ssa, header: Ssa, words: usize, slow: Block) -> Ssa {
    let source = heap::for_code::source(8 + 8 * words);
    let cell = e.load(context, Cx::MUTATOR + source.next);
    let behind = e.add_constant(cell, source.size as i64);
    let end = e.load(context, Cx::MUTATOR + source.end);
    let fits = e.compare(Condition::AboveEqual, end, behind);
    e.require(fits, slow);
    e.store(behind, context, Cx::MUTATOR + source.next);
    e.store(header, cell, 0);
    cell
}

/// Allocates a Float object with these bits and jumps to a block with it.
pub fn jump_with_float(e: &mut Emitter, context: Ssa, bits: Ssa, to: Block) {
    let slow = e.cold_block();
    let cell = take(e, context, float::HEADER, 1, slow);
    e.store(bits, cell, 8);
    e.jump(to, &[cell]);
    e.at(slow);
    let made = e.call(RuntimeCall::NewFloat, &[context, bits]);
    e.jump(to, &[made[0]]);
}

/// An object of a shape without instance variables.
pub fn object(t: &mut Translator, word: usize, ty: Type, shape: ShapeId) -> Ssa {
    let words = t.cx.world().shapes.get(shape).capacity as usize;
    let slow = t.e.cold_block();
    let cell = take(&mut t.e, t.context, Header::new(ty, shape, 0), words, slow);
    let undef = t.e.constant(Value::UNDEF.0);
    (1..=words).for_each(|n| t.e.store(undef, cell, 8 * n));
    let by_runtime = |t: &mut Translator| {
        t.save_behind(word);
        let [ty, shape] = [ty as u64, u64::from(shape.0)].map(|bits| t.e.constant(bits));
        let made = t.e.call(RuntimeCall::NewObject, &[t.context, ty, shape]);
        Some(t.value_if_returned(&made))
    };
    let made = t.either(slow, None, |_| Some(cell), by_runtime).unwrap_or(cell);
    t.e.fresh = Some(made);
    made
}

/// `[a, b]`: in line for a small number of elements.
pub fn array(t: &mut Translator, word: usize) {
    let i = t.code.instruction(word);
    if i.c as usize > for_code::MOST_IN_LINE {
        return objects::from_words(t, word, RuntimeCall::Collect, Known::Array);
    }
    if t.begins_virtual_object() {
        let elements: Vec<Content> =
            (i.b..i.b + i.c).map(|register| t.r.content(&mut t.e, t.context, register)).collect();
        if let Some(array) = virtual_objects::array(&mut t.e, &elements) {
            return t.r.write_object(i.a, array);
        }
    }
    let elements: Vec<Ssa> = (i.b..i.b + i.c).map(|register| t.read(register)).collect();
    let made = array_of(t, &elements, |t| {
        t.flush();
        let start = t.e.add_constant(t.r.base, t.r.byte(i.b) as i64);
        let count = t.e.constant(u64::from(i.c));
        t.fast_result(word, RuntimeCall::Collect, &[start, count])
    });
    t.write(i.a, made, Kind::Shape(Known::Array.root_shape().0));
}

/// A copy of an Array literal: in line for a small number of immediates.
pub fn copy_of_literal(t: &mut Translator, word: usize) {
    let i = t.code.instruction(word);
    let literal = Arr::from_value(t.code.literal(i.bc() as usize));
    let is_simple = |list: &Arr| list.len() <= for_code::MOST_IN_LINE && list.iter().all(Value::is_immediate);
    let Some(literal) = literal.filter(is_simple) else { return t.runtime(RuntimeCall::Instruction, word) };
    let elements: Vec<Ssa> = literal.iter().map(|v| t.e.constant(v.0)).collect();
    let made = array_of(t, &elements, |t| {
        t.flush();
        let v = t.call_runtime(RuntimeCall::Instruction, word);
        t.forget();
        v
    });
    t.write(i.a, made, Kind::Shape(Known::Array.root_shape().0));
}

/// An Array of these elements, at most [`for_code::MOST_IN_LINE`]; created by the runtime if no free cell is available.
pub fn array_of(t: &mut Translator, elements: &[Ssa], by_runtime: impl FnOnce(&mut Translator) -> Ssa) -> Ssa {
    let slow = t.e.cold_block();
    let cell = array_in_line(t, elements, slow);
    t.either(slow, None, |_| Some(cell), |t| Some(by_runtime(t))).unwrap_or(cell)
}

/// An Array of these elements, at most [`for_code::MOST_IN_LINE`]; goes to `slow` if no free cell is available.
pub fn array_in_line(t: &mut Translator, elements: &[Ssa], slow: Block) -> Ssa {
    let (header, words) = for_code::new(elements.len());
    let cell = take(&mut t.e, t.context, header, words, slow);
    for (n, v) in elements.iter().enumerate() {
        t.e.store(*v, cell, 8 * (n + 1));
    }
    cell
}

/// A new String for a literal: in line if it is short.
pub fn string(t: &mut Translator, word: usize) {
    let i = t.code.instruction(word);
    let cell = &t.code.literals[i.bc() as usize];
    let image = Str::of(cell.get()).image_of_dup(t.code.string_flags);
    let place = t.e.constant(cell.as_ptr() as u64);
    let by_runtime = |t: &mut Translator| {
        let (literal, flags) = (t.e.load(place, 0), t.e.constant(u64::from(t.code.string_flags)));
        Some(t.fast_result(word, RuntimeCall::NewString, &[literal, flags]))
    };
    let made = match image {
        None => by_runtime(t),
        Some((header, words)) => {
            let slow = t.e.cold_block();
            let cell = take(&mut t.e, t.context, header, words.len(), slow);
            for (n, word) in words.into_iter().enumerate() {
                let word = t.e.constant(word);
                t.e.store(word, cell, 8 * (n + 1));
            }
            t.either(slow, None, |_| Some(cell), by_runtime)
        }
    };
    if let Some(made) = made {
        t.write(i.a, made, Kind::Shape(Known::String.root_shape().0));
    }
}

/// A new empty Array of a shape, with room for as many elements as `size` says: in line if that is known.
pub fn empty_array(t: &mut Translator, word: usize, shape: ShapeId, size: Operand) -> Ssa {
    let room = match kind(t, size) {
        Kind::Constant(v) => usize::try_from(v.as_fixnum().unwrap_or(0)).ok(),
        _ => None,
    };
    let by_runtime = |t: &mut Translator| {
        let size = operand(t, size);
        t.save_behind(word);
        let shape = t.e.constant(u64::from(shape.0));
        let made = t.e.call(RuntimeCall::EmptyArray, &[t.context, shape, size]);
        t.value_if_returned(&made)
    };
    let Some(room) = room.filter(|room| *room <= for_code::MOST_ROOM) else { return by_runtime(t) };
    let slow = t.e.cold_block();
    let (header, words) = for_code::empty(shape, room);
    let cell = take(&mut t.e, t.context, header, words, slow);
    t.either(slow, None, |_| Some(cell), |t| Some(by_runtime(t))).unwrap_or(cell)
}

/// The ends of a Range that compiled code has created.
#[derive(Clone, Copy)]
pub struct Ends {
    pub begin: (Ssa, Kind),
    pub end: (Ssa, Kind),
    pub is_exclusive: bool,
}

/// `first..last`: in line for small integers and nil.
pub fn range(t: &mut Translator, word: usize) {
    let i = t.code.instruction(word);
    let is_exclusive = i.op() == Opcode::NewRangeExclusive;
    let ends = [i.b, i.c].map(|register| (t.read(register), t.r.kind(register)));
    let slow = t.e.cold_block();
    for (v, kind) in ends {
        if !kind.is_fixnum() && kind != Kind::Constant(Value::NIL) {
            let bit = t.e.and_constant(v, 1);
            t.e.require(bit, slow);
        }
    }
    let cell = take(&mut t.e, t.context, range::header(is_exclusive), 2, slow);
    for (n, (v, _)) in ends.into_iter().enumerate() {
        t.e.store(v, cell, 8 * (n + 1));
    }
    let by_runtime = |t: &mut Translator| {
        t.flush();
        let v = t.call_runtime(RuntimeCall::Instruction, word);
        t.forget();
        Some(v)
    };
    let made = t.either(slow, None, |_| Some(cell), by_runtime).unwrap_or(cell);
    t.write(i.a, made, Kind::Shape(Known::Range.root_shape().0));
    let [begin, end] = ends;
    t.ranges.insert(made, Ends { begin, end, is_exclusive });
}
