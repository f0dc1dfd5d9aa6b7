//! The parts of interpolated Strings. A small integer stays what it is until the parts are concatenated.

use abi::{RuntimeCall, Type, Value};
use bytecode::Opcode;
use runtime::{basic_ops::BasicOp, code::tier::Seen};

use crate::{
    arithmetic::{self, Operand},
    objects,
    registers::Kind,
    translate::Translator,
};

/// `v.to_s`, if `v` is no String.
pub fn to_string(t: &mut Translator, word: usize) {
    let i = t.code.instruction(word);
    let is_known = t.r.kind(i.b).is_fixnum();
    let is_expected =
        || t.seen(word) == Seen::default() && t.sample(Operand::Register(i.b)).is_some_and(Value::is_fixnum);
    if (is_known || is_expected()) && keeps_numbers(t) {
        let v = match is_known {
            true => t.read(i.b),
            false => {
                let exit = t.exit(word);
                arithmetic::require_fixnum(t, i.b, exit)
            }
        };
        return t.write(i.a, v, Kind::Fixnum);
    }
    objects::unless_of_type(t, Type::String, i.b, i.a, |t| t.operate(word, Opcode::ToString, i.a, &[i.b]));
}

/// Replaces the result of `to_s` if it is no String.
pub fn any_to_string(t: &mut Translator, word: usize) {
    let i = t.code.instruction(word);
    if t.r.kind(i.a).is_fixnum() && t.read(i.a) == t.read(i.b) && keeps_numbers(t) {
        return;
    }
    objects::unless_of_type(t, Type::String, i.a, i.a, |t| t.runtime(RuntimeCall::Instruction, word));
}

/// Whether the program has not replaced Integer#to_s.
fn keeps_numbers(t: &mut Translator) -> bool {
    t.assume(|r| &mut r.integer, BasicOp::ToS.bit())
}
