//! `[a, b].min` and `[a, b].max` of numbers, without the Array.

use abi::Value;
use bytecode::Instruction;
use runtime::{basic_ops::BasicOp, code::tier::Seen};

use crate::{
    arithmetic::{self, Operand},
    float_methods, intrinsics,
    ir::{Condition, FloatCondition, Origin},
    registers::Kind,
    translate::Translator,
};

/// Which of two numbers is wanted: the second one if it compares in this way with the first.
pub struct Wanted {
    op: BasicOp,
    fixnums: Condition,
    floats: FloatCondition,
    /// Holds for two Floats of which the first one is wanted. Neither holds for NaN.
    floats_otherwise: FloatCondition,
}

pub const LEAST: Wanted = Wanted {
    op: BasicOp::Min,
    fixnums: Condition::Less,
    floats: FloatCondition::Less,
    floats_otherwise: FloatCondition::GreaterEqual,
};

pub const GREATEST: Wanted = Wanted {
    op: BasicOp::Max,
    fixnums: Condition::Greater,
    floats: FloatCondition::Greater,
    floats_otherwise: FloatCondition::LessEqual,
};

/// The wanted one of two fixnums or Floats in adjacent registers, as in the running frame; others are exits. After such
/// exits by the runtime.
pub fn of_two(t: &mut Translator, word: usize, wanted: &Wanted) {
    let i = t.code.instruction(word);
    let are_own = t.assume(|r| &mut r.array, wanted.op.bit())
        && t.assume(|r| &mut r.integer, BasicOp::Compare.bit())
        && t.assume(|r| &mut r.float, BasicOp::Compare.bit());
    let registers = [i.b, i.b + 1];
    if are_own && t.seen(word) == Seen::default() {
        if registers.iter().all(|register| is_fixnum(t, *register)) {
            return of_fixnums(t, word, i, wanted);
        }
        if registers.iter().all(|register| float_methods::is_expected(t, *register)) {
            return of_floats(t, word, i, wanted);
        }
    }
    let v = intrinsics::quick(t, word, i);
    t.write(i.a, v, Kind::Any);
}

fn is_fixnum(t: &Translator, register: u16) -> bool {
    t.r.kind(register).is_fixnum() || t.sample(Operand::Register(register)).is_some_and(Value::is_fixnum)
}

fn of_fixnums(t: &mut Translator, word: usize, i: Instruction, wanted: &Wanted) {
    let exit = t.exit(word);
    let [first, second] = [i.b, i.b + 1].map(|register| arithmetic::require_fixnum(t, register, exit));
    // The tag does not change the order of the words.
    let is_second = t.e.compare(wanted.fixnums, second, first);
    let v = t.e.select(is_second, second, first);
    t.write(i.a, v, Kind::Fixnum);
}

fn of_floats(t: &mut Translator, word: usize, i: Instruction, wanted: &Wanted) {
    let exit = t.exit(word);
    let [first, second] = [i.b, i.b + 1].map(|register| {
        let double = float_methods::double(t, register, exit);
        t.r.learn_double(register, double);
        double
    });
    let (join, take_first, take_second) = (t.e.block(), t.e.block(), t.e.block());
    let result = t.e.parameter(join, Origin::Double);
    let is_second = t.e.compare_floats(wanted.floats, second, first);
    t.e.branch(is_second, take_second, take_first);
    t.e.at(take_second);
    t.e.jump(join, &[second]);
    t.e.at(take_first);
    let is_first = t.e.compare_floats(wanted.floats_otherwise, second, first);
    t.e.require(is_first, exit);
    t.e.jump(join, &[first]);
    t.e.at(join);
    t.r.write_double(i.a, result);
}
