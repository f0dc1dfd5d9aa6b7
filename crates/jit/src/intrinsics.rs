//! Intrinsics: in line if the Ruby half of the core classes uses them for each element, all others by the runtime.

use abi::{Effects, RuntimeCall, Scope, Type, Value};
use bytecode::{Instruction, Intrinsic};
use object::{Known, cell, range};
use runtime::{call::arity::code_arity, code::tier::Seen};
use std::mem::offset_of;

use crate::{
    appends,
    arithmetic::Operand,
    bodies::{Passed, Place},
    cells::Ends,
    extremes,
    ir::Condition,
    ivars, objects, patterns,
    registers::Kind,
    seam::Ssa,
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
        Intrinsic::Undef => t.write_constant(i.a, Value::UNDEF),
        Intrinsic::IsUndef if let Kind::Constant(v) = t.r.kind(i.b) => {
            t.write_constant(i.a, Value::bool(v.is_undef()));
        }
        Intrinsic::IsUndef => {
            let v = t.read(i.b);
            let is_undef = t.e.compare_constant(Condition::Equal, v, Value::UNDEF.0);
            t.write_bool(i.a, is_undef, true);
        }
        _ if let Some(answer) = asked_of_block(t, which) => t.write_constant(i.a, answer),
        Intrinsic::IsSame => {
            let (a, b) = (t.read(i.b), t.read(i.b + 1));
            let is_same = t.e.compare(Condition::Equal, a, b);
            t.write_bool(i.a, is_same, true);
        }
        Intrinsic::NextIndex => {
            let index = t.read(i.b);
            let next = t.e.add_constant(index, 2);
            t.write(i.a, next, Kind::Fixnum);
        }
        Intrinsic::ToLong | Intrinsic::ToInteger => integer(t, word, i),
        Intrinsic::RangeBegin => range_end(t, i, 1, |ends| ends.begin, range::begin),
        Intrinsic::RangeEnd => range_end(t, i, 2, |ends| ends.end, range::end),
        Intrinsic::RangeIsExclusive => {
            let v = t.read(i.b);
            if let Some(ends) = t.ranges.get(&v) {
                return t.write_constant(i.a, Value::bool(ends.is_exclusive));
            }
            let header = t.e.load(v, 0);
            let bit = t.e.and_constant(header, u64::from(range::EXCLUSIVE));
            t.write_bool(i.a, bit, true);
        }
        _ if let Some(asked) = type_asked(which) => type_test(t, word, asked),
        Intrinsic::LesserNumber => extremes::of_two(t, word, &extremes::LEAST),
        Intrinsic::GreaterNumber => extremes::of_two(t, word, &extremes::GREATEST),
        Intrinsic::Deconstruct => patterns::deconstruct(t, word),
        Intrinsic::DeconstructKeys => patterns::deconstruct_keys(t, word),
        Intrinsic::ArrayAt => patterns::array_at(t, i),
        Intrinsic::HashFetchOrUndef => patterns::hash_fetch(t, word),
        Intrinsic::HashGet => patterns::hash_get(t, word),
        Intrinsic::DefinedInstanceVariable => {
            if !ivars::defined(t, word) {
                let v = by_runtime(t, word);
                t.write(i.a, v, Kind::Any);
            }
        }
        Intrinsic::ArrayPush => appends::push_intrinsic(t, word, i),
        Intrinsic::ArraySet => appends::set_intrinsic(t, word, i),
        _ if is_quick(which) => {
            let v = quick(t, word, i);
            t.write(i.a, v, result_of(which));
        }
        _ if which.effects().includes(Effects::RUNS_RUBY) => t.runtime(RuntimeCall::Instruction, word),
        _ => {
            let v = by_runtime(t, word);
            t.write(i.a, v, Kind::Any);
        }
    }
}

/// What an intrinsic asks of the running method's block, if that is a literal one of a body in the unit.
fn asked_of_block(t: &Translator, which: Intrinsic) -> Option<Value> {
    let Place::Body(number) = t.scope_of(0) else { return None };
    let Passed::Literal { code, .. } = t.bodies[number].block else { return None };
    // That of `&:name` is a lambda for programs.
    if code.kind != bytecode::Kind::Block || code.parameters.of_symbol {
        return None;
    }
    let arity = code_arity(code, false);
    match which {
        Intrinsic::BlockTakesTwo => Some(Value::bool(arity == 2)),
        Intrinsic::BlockTakesPair => Some(Value::bool(arity > 1)),
        Intrinsic::BlockArity => Some(Value::fixnum(arity)),
        Intrinsic::BlockIsLambda | Intrinsic::BlockTakesApart => Some(Value::FALSE),
        _ => None,
    }
}

/// Runs an intrinsic that runs no Ruby in the runtime; returns its result.
pub fn by_runtime(t: &mut Translator, word: usize) -> Ssa {
    let i = t.code.instruction(word);
    t.flush();
    t.save_behind(word);
    let number = t.e.constant(u64::from(i.c));
    let arguments = t.e.add_constant(t.r.base, t.r.byte(i.b) as i64);
    let outcome = t.e.call(RuntimeCall::Intrinsic, &[t.context, number, arguments]);
    let v = t.value_if_returned(&outcome);
    t.forget();
    v
}

/// A conversion to an Integer: small integers are returned as they are.
fn integer(t: &mut Translator, word: usize, i: Instruction) {
    let v = t.read(i.b);
    if t.r.kind(i.b).is_fixnum() {
        return t.write(i.a, v, Kind::Fixnum);
    }
    let other = t.e.cold_block();
    let bit = t.e.and_constant(v, 1);
    t.e.require(bit, other);
    let v = t.either(other, None, |_| Some(v), |t| Some(t.by_instruction(word))).unwrap_or(v);
    t.write(i.a, v, Kind::Any);
}

/// Runs an intrinsic that reads no frame in the runtime; returns its result.
pub fn quick(t: &mut Translator, word: usize, i: Instruction) -> Ssa {
    t.flush();
    let number = t.e.constant(u64::from(i.c));
    let arguments = t.e.add_constant(t.r.base, t.r.byte(i.b) as i64);
    let v = t.fast_result(word, RuntimeCall::QuickIntrinsic, &[number, arguments]);
    t.r.forget_values();
    v
}

/// What is known of the result of an intrinsic.
fn result_of(which: Intrinsic) -> Kind {
    match which {
        Intrinsic::ArraySlice | Intrinsic::ArrayWithCapacity | Intrinsic::HashPairAt => {
            Kind::Shape(Known::Array.root_shape().0)
        }
        Intrinsic::HashNew => Kind::Shape(Known::Hash.root_shape().0),
        Intrinsic::HashSize | Intrinsic::HashEnter => Kind::Fixnum,
        _ => Kind::Any,
    }
}

/// Does the intrinsic read no frame, and raise only NoMemoryError, before any effect?
fn is_quick(which: Intrinsic) -> bool {
    use Intrinsic::*;
    matches!(
        which,
        ArrayPush
            | ArrayPrepare
            | ArraySet
            | ArrayWithCapacity
            | ArraySlice
            | AddToFloats
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
            | IsKindOf
            | ClassOf
            | RangeCount
            | RangeEachIsOwn
            | HiddenGet
            | StructAt
            | LesserNumber
            | GreaterNumber
    )
}

/// The element of an Array; undef for an index beyond its end.
fn element_or_undef(t: &mut Translator, to: u16, arguments: u16) {
    let (list, index) = (t.read(arguments), t.read(arguments + 1));
    let (start, len) = objects::elements_of(t, list);
    let at = t.e.shift_right(index, 1);
    let beyond = t.e.cold_block();
    let result = objects::element_or(t, start, len, at, beyond, |t| t.e.constant(Value::UNDEF.0));
    let sample = t.sample(Operand::Register(arguments)).and_then(object::array::Arr::from_value).and_then(|a| a.get(0));
    t.write(to, result, Kind::Any);
    t.r.guess(to, sample);
}

/// One of the ends of a Range; it is known if compiled code created the Range.
fn range_end(
    t: &mut Translator,
    i: Instruction,
    place: usize,
    known: fn(&Ends) -> (Ssa, Kind),
    of: fn(Value) -> Value,
) {
    let v = t.read(i.b);
    let sample = t.sample(Operand::Register(i.b)).filter(|v| cell::is(*v, Type::Range)).map(of);
    let (end, kind) = match t.ranges.get(&v).map(known) {
        Some(end) => end,
        None => (t.e.load(v, 8 * place), Kind::Any),
    };
    t.write(i.a, end, kind);
    if kind == Kind::Any {
        t.r.guess(i.a, sample);
    }
}

/// A type that an intrinsic tests for, and the mask and bits that identify its immediates.
struct Asked {
    ty: Type,
    immediate: Option<(u64, u64)>,
}

impl Asked {
    /// Is it known whether a value of the kind is of the type?
    fn of_kind(&self, kind: Kind) -> Option<bool> {
        match kind {
            Kind::Constant(v) => Some(self.of_value(v)),
            Kind::Fixnum => Some(self.ty == Type::BigInteger),
            Kind::Flonum => Some(self.ty == Type::Float),
            Kind::Shape(shape) if shape == Known::Array.root_shape().0 => Some(self.ty == Type::Array),
            Kind::Shape(shape) if shape == Known::Hash.root_shape().0 => Some(self.ty == Type::Hash),
            Kind::Shape(shape) if shape == Known::String.root_shape().0 => Some(self.ty == Type::String),
            Kind::Shape(shape) if shape == Known::Range.root_shape().0 => Some(self.ty == Type::Range),
            Kind::Shape(_) | Kind::Cell | Kind::Any => None,
        }
    }

    fn of_value(&self, v: Value) -> bool {
        self.immediate.is_some_and(|(mask, bits)| v.0 & mask == bits) || cell::is(v, self.ty)
    }
}

fn type_asked(which: Intrinsic) -> Option<Asked> {
    let heap = |ty| Some(Asked { ty, immediate: None });
    match which {
        Intrinsic::IsInteger => Some(Asked { ty: Type::BigInteger, immediate: Some((1, 1)) }),
        Intrinsic::IsFloat => Some(Asked { ty: Type::Float, immediate: Some((3, 2)) }),
        Intrinsic::IsSymbol => Some(Asked { ty: Type::Symbol, immediate: Some((0xff, Value::static_symbol(0).0)) }),
        Intrinsic::IsArray => heap(Type::Array),
        Intrinsic::IsHash => heap(Type::Hash),
        Intrinsic::IsString => heap(Type::String),
        Intrinsic::IsRange => heap(Type::Range),
        _ => None,
    }
}

/// Tests the type of a value. If the value in the running frame is of the type, this is expected, and other values are
/// exits.
fn type_test(t: &mut Translator, word: usize, asked: Asked) {
    let i = t.code.instruction(word);
    if let Some(known) = asked.of_kind(t.r.kind(i.b)) {
        return t.write_constant(i.a, Value::bool(known));
    }
    let v = t.read(i.b);
    let sample = t.sample(Operand::Register(i.b));
    if t.seen(word) == Seen::default() && sample.is_some_and(|v| asked.of_value(v)) {
        let exit = t.exit(word);
        match asked.immediate.filter(|_| sample.is_some_and(Value::is_immediate)) {
            Some((mask, bits)) => {
                let tag = t.e.and_constant(v, mask);
                let fits = t.e.compare_constant(Condition::Equal, tag, bits);
                t.e.require(fits, exit);
                if asked.ty == Type::BigInteger {
                    t.r.learn(i.b, Kind::Fixnum);
                }
            }
            None => objects::require_type(t, v, asked.ty, exit),
        }
        return t.write_constant(i.a, Value::TRUE);
    }
    let (join, result) = t.e.join();
    let (yes, no) = (t.e.block(), t.e.block());
    if let Some((mask, bits)) = asked.immediate {
        let other = t.e.block();
        let tag = t.e.and_constant(v, mask);
        let fits = t.e.compare_constant(Condition::Equal, tag, bits);
        t.e.branch(fits, yes, other);
        t.e.at(other);
    }
    objects::require_type(t, v, asked.ty, no);
    t.e.jump(yes, &[]);
    for (block, answer) in [(yes, Value::TRUE), (no, Value::FALSE)] {
        t.e.at(block);
        let answer = t.e.constant(answer.0);
        t.e.jump(join, &[answer]);
    }
    t.e.at(join);
    t.write(i.a, result, Kind::Any);
}
