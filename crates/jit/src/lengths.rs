//! `length`, `size` and `empty?` of Arrays and Strings.

use abi::{Type, Value};
use bytecode::Opcode;
use object::{Known, cell};
use runtime::{basic_ops::BasicOp, code::tier::Seen};

use crate::{
    arithmetic::Operand,
    ir::Condition,
    natives, objects,
    registers::Kind,
    seam::{Block, Ssa},
    translate::Translator,
    virtual_objects::Virtual,
};

/// `length`, `size`, `empty?`: in line for Arrays and Strings, where they are expected. Another receiver is an exit if
/// an Array is expected, and the site has seen no method of another class.
pub fn translate(t: &mut Translator, word: usize, opcode: Opcode) {
    let i = t.code.instruction(word);
    let op = match opcode {
        Opcode::IsEmpty => BasicOp::EmptyP,
        Opcode::Length => BasicOp::Length,
        _ => BasicOp::Size,
    };
    let seen = t.seen(word);
    let sample = t.sample(Operand::Register(i.b));
    let is_string =
        t.r.kind(i.b) == Kind::Shape(Known::String.root_shape().0) || sample.is_some_and(|v| cell::is(v, Type::String));
    // Without a sample, as for a variable of an object that the unit creates, both are likely.
    let may_be_string = (is_string || sample.is_none()) && t.assume(|r| &mut r.string, op.bit());
    let may_be_array =
        !is_string && sample.is_none_or(|v| cell::is(v, Type::Array)) && t.assume(|r| &mut r.array, op.bit());
    if may_be_array && let Some(elements) = t.r.object(i.b).and_then(Virtual::elements) {
        let len = elements.len();
        let answer = if opcode == Opcode::IsEmpty { Value::bool(len == 0) } else { Value::fixnum(len as i64) };
        return t.write_constant(i.a, answer);
    }
    let v = t.read(i.b);
    if may_be_array && sample.is_some() && seen == Seen::default() {
        let exit = t.exit(word);
        let (_, len) = objects::elements(t, i.b, v, exit);
        return write(t, i.a, opcode, len);
    }
    let of_string = |t: &mut Translator| match may_be_string {
        true => either(t, word, |t, other| of_string(t, word, v, other), |t| t.operate(word, opcode, i.a, &[i.b])),
        false => t.operate(word, opcode, i.a, &[i.b]),
    };
    match may_be_array {
        true => either(t, word, |t, other| of_array(t, word, v, other), of_string),
        false => of_string(t),
    }
}

/// Writes the length that `first` finds; if `first` goes to its block, `otherwise` sets the register.
fn either(
    t: &mut Translator,
    word: usize,
    first: impl FnOnce(&mut Translator, Block) -> Ssa,
    otherwise: impl FnOnce(&mut Translator),
) {
    let i = t.code.instruction(word);
    let register = t.r.at(i.a) as u16;
    let other = t.e.block_like_this();
    let in_line = |t: &mut Translator| {
        let len = first(t, other);
        write(t, i.a, i.op(), len);
        None
    };
    t.either(other, Some(register), in_line, |t| {
        otherwise(t);
        None
    });
}

/// The length of an Array; goes to `other` for other receivers.
fn of_array(t: &mut Translator, word: usize, v: Ssa, other: Block) -> Ssa {
    objects::require_instance(t, t.code.instruction(word).b, v, Known::Array, other);
    objects::elements_of(t, v).1
}

/// The length of a String, if that is its number of bytes or if only `empty?` is asked; goes to `other` otherwise.
fn of_string(t: &mut Translator, word: usize, v: Ssa, other: Block) -> Ssa {
    let i = t.code.instruction(word);
    objects::require_instance(t, i.b, v, Known::String, other);
    if i.op() != Opcode::IsEmpty {
        natives::require_ascii(t, v, other);
    }
    natives::bytes_of(t, v).1
}

/// Writes the result for a length.
fn write(t: &mut Translator, to: u16, opcode: Opcode, len: Ssa) {
    if opcode == Opcode::IsEmpty {
        let is_empty = t.e.compare_constant(Condition::Equal, len, 0);
        return t.write_bool(to, is_empty, true);
    }
    let n = objects::tagged(t, len);
    t.write(to, n, Kind::Fixnum);
}
