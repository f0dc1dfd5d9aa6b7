//! `string[index]`: a character of a String that is known to have only ASCII characters.

use abi::Header;
use object::{Known, cell, string::for_code as layout};
use runtime::basic_ops::BasicOp;

use crate::{
    arithmetic::Operand, cells, ir::Binary, natives, objects::require_instance, registers::Kind, translate::Translator,
};
use bytecode::Opcode;

/// `receiver[key]` if a String and a small Integer are expected: in line for a character within the String; everything
/// else is left to the operator. False if other operands are expected.
pub fn index(t: &mut Translator, word: usize) -> bool {
    let i = t.code.instruction(word);
    let shape = Known::String.root_shape();
    let is_string = match t.r.kind(i.b) {
        Kind::Shape(known) => known == shape.0,
        _ => t.sample(Operand::Register(i.b)).is_some_and(|v| v.is_heap() && cell::header(v).shape() == shape),
    };
    let is_integer = match t.r.kind(i.c) {
        Kind::Any => t.sample(Operand::Register(i.c)).is_some_and(|key| key.is_fixnum()),
        kind => kind.is_fixnum(),
    };
    if !is_string || !is_integer || !t.assume(|r| &mut r.string, BasicOp::Aref.bit()) {
        return false;
    }
    let (v, register) = (t.read(i.b), t.r.at(i.a) as u16);
    let other = t.e.block_like_this();
    let in_line = |t: &mut Translator| {
        require_instance(t, i.b, v, Known::String, other);
        let header = natives::require_ascii(t, v, other);
        let byte = natives::byte_at(t, v, i.c, other);
        let Header(own) = layout::ascii_character();
        let encoding = t.e.and_constant(header, layout::ENCODING);
        let own = t.e.binary_constant(Binary::Or, encoding, own);
        let character = cells::take_with(&mut t.e, t.context, own, 1, other);
        t.e.store(byte, character, 8);
        t.write(i.a, character, Kind::Shape(shape.0));
        None
    };
    t.either(other, Some(register), in_line, |t| {
        t.operate(word, Opcode::Index, i.a, &[i.b, i.c]);
        None
    });
    true
}
