//! Intrinsics: those that the Ruby half of the core classes uses for each element in line, all others by the runtime.

use abi::{Effects, RuntimeCall, Scope, Value};
use bytecode::Intrinsic;
use std::mem::offset_of;

use crate::{
    arithmetic::Operand,
    bodies::{Passed, Place},
    ir::Condition,
    objects,
    registers::Kind,
    translate::Translator,
};

/// Translates the intrinsic at a word.
pub fn translate(t: &mut Translator, word: usize) {
    let i = t.code.instruction(word);
    let which = Intrinsic::from_u16(i.c);
    match which {
        Intrinsic::ArrayLength => {
            let list = t.read(i.b);
            let (_, len) = objects::elements_of(t, list);
            let n = objects::tagged(t, len);
            t.write(i.a, n, Kind::Fixnum);
        }
        Intrinsic::ArrayElementOrUndef => element_or_undef(t, i.a, i.b),
        Intrinsic::BlockGiven if let Kind::Constant(depth) = t.r.kind(i.b) => {
            let scope = match t.scope_of(depth.fixnum_value() as usize) {
                Place::Outer(scope) => scope,
                Place::Body(number) => {
                    let given = matches!(t.bodies[number].block, Passed::Literal { .. });
                    return t.write_constant(i.a, Value::bool(given));
                }
            };
            let scope = t.outer_scope(scope);
            let block = t.e.load(scope, offset_of!(Scope, block));
            let given = t.e.compare_constant(Condition::NotEqual, block, Value::NIL.0);
            t.write_bool(i.a, given, true);
        }
        Intrinsic::IsUndef => {
            let v = t.read(i.b);
            let is_undef = t.e.compare_constant(Condition::Equal, v, Value::UNDEF.0);
            t.write_bool(i.a, is_undef, true);
        }
        _ if is_quick(which) => {
            t.flush();
            let number = t.e.constant(u64::from(i.c));
            let arguments = t.e.add_constant(t.r.base, t.r.byte(i.b) as i64);
            let v = t.fast_result(word, RuntimeCall::QuickIntrinsic, &[number, arguments]);
            t.r.forget_values();
            t.write(i.a, v, Kind::Any);
        }
        _ if which.effects().includes(Effects::RUNS_RUBY) => t.runtime(RuntimeCall::Instruction, word),
        _ => {
            t.flush();
            t.save_behind(word);
            let number = t.e.constant(u64::from(i.c));
            let arguments = t.e.add_constant(t.r.base, t.r.byte(i.b) as i64);
            let outcome = t.e.call(RuntimeCall::Intrinsic, &[t.context, number, arguments]);
            let v = t.value_if_returned(&outcome);
            t.forget();
            t.write(i.a, v, Kind::Any);
        }
    }
}

/// Does it look at no frame, and raise only for want of memory and before any effect?
fn is_quick(which: Intrinsic) -> bool {
    use Intrinsic::*;
    matches!(
        which,
        ArrayPush
            | ArraySet
            | ArrayWithCapacity
            | ArrayAt
            | ArraySlice
            | ArrayTruncate
            | ArrayEachIsOwn
            | PackValues
            | HashEnter
            | HashLeave
            | HashNext
            | HashSize
            | HashKeyAt
            | HashValueAt
            | HashPairAt
            | HashSetAt
            | HashNew
            | HashLike
            | HashEachIsOwn
            | NextIndex
            | IsSame
            | IsArray
            | IsHash
            | IsInteger
            | IsFloat
            | IsString
            | IsRange
            | IsSymbol
            | IsProc
            | IsKindOf
            | ClassOf
            | RangeBegin
            | RangeEnd
            | RangeIsExclusive
            | RangeCount
            | HiddenGet
            | StructAt
    )
}

/// The element of an Array, undef from its end on.
fn element_or_undef(t: &mut Translator, to: u16, arguments: u16) {
    let (list, index) = (t.read(arguments), t.read(arguments + 1));
    let (start, len) = objects::elements_of(t, list);
    let at = t.e.shift_right(index, 1);
    let (join, result) = t.e.join();
    let (within, beyond) = (t.e.block(), t.e.cold_block());
    let fits = t.e.compare(Condition::Below, at, len);
    t.e.branch(fits, within, beyond);
    t.e.at(within);
    let v = t.e.load_indexed(start, at);
    t.e.jump(join, &[v]);
    t.e.at(beyond);
    let undef = t.e.constant(Value::UNDEF.0);
    t.e.jump(join, &[undef]);
    t.e.at(join);
    let sample = t.sample(Operand::Register(arguments)).and_then(object::array::Arr::from_value).and_then(|a| a.get(0));
    t.write(to, result, Kind::Any);
    t.r.guess(to, sample);
}
