//! `length`, `size` and `empty?` of Arrays and Strings.

use abi::Type;
use bytecode::Opcode;
use object::{Known, cell, string::for_code as layout};
use runtime::{basic_ops::BasicOp, code::tier::Seen};

use crate::{arithmetic::Operand, ir::Condition, natives, objects, registers::Kind, seam::Ssa, translate::Translator};

/// `length`, `size`, `empty?`: in line for Arrays and Strings. Another receiver is an exit if an Array is expected, and
/// the site has seen no method of another class.
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
    // Without a sample, as for a variable of an object that the unit creates, an Array is as likely as anything.
    let is_array = sample.is_none_or(|v| cell::is(v, Type::Array));
    let is_usual = match is_string {
        true => t.assume(|r| &mut r.string, op.bit()),
        false => is_array && t.assume(|r| &mut r.array, op.bit()),
    };
    if !is_usual {
        return t.operate(word, opcode, i.a, &[i.b]);
    }
    let v = t.read(i.b);
    if !is_string && sample.is_some() && seen == Seen::default() {
        let exit = t.exit(word);
        let (_, len) = objects::elements(t, i.b, v, exit);
        return write(t, i.a, opcode, len);
    }
    let register = t.r.at(i.a) as u16;
    let other = t.e.block_like_this();
    let in_line = |t: &mut Translator| {
        let len = match is_string {
            true => {
                objects::require_instance(t, i.b, v, Known::String, other);
                if opcode != Opcode::IsEmpty {
                    let header = t.e.load(v, 0);
                    let bits = t.e.and_constant(header, layout::CODE_RANGE);
                    let is_ascii = t.e.compare_constant(Condition::Equal, bits, layout::ASCII);
                    t.e.require(is_ascii, other);
                }
                natives::bytes_of(t, v).1
            }
            false => {
                objects::require_instance(t, i.b, v, Known::Array, other);
                objects::elements_of(t, v).1
            }
        };
        write(t, i.a, opcode, len);
        None
    };
    t.either(other, Some(register), in_line, |t| {
        t.operate(word, opcode, i.a, &[i.b]);
        None
    });
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
