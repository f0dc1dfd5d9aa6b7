//! Which basic operations a program redefined, and their shared implementations on basic types.

use abi::Value;
use object::{Known, Sym, bigint, cell, class, float, method_entry};

pub use crate::redefined::{BasicOp, Redefined};
use crate::{Cx, sym};

const NAMES: &[(Sym, BasicOp)] = &[
    (sym::PLUS, BasicOp::Plus),
    (sym::MINUS, BasicOp::Minus),
    (sym::TIMES, BasicOp::Times),
    (sym::DIVIDE, BasicOp::Divide),
    (sym::MODULO, BasicOp::Modulo),
    (sym::AND, BasicOp::And),
    (sym::OR, BasicOp::Or),
    (sym::XOR, BasicOp::Xor),
    (sym::SHIFT_LEFT, BasicOp::ShiftLeft),
    (sym::SHIFT_RIGHT, BasicOp::ShiftRight),
    (sym::LESS, BasicOp::Less),
    (sym::LESS_EQUAL, BasicOp::LessEqual),
    (sym::GREATER, BasicOp::Greater),
    (sym::GREATER_EQUAL, BasicOp::GreaterEqual),
    (sym::EQ, BasicOp::Equal),
    (sym::NEQ, BasicOp::NotEqual),
    (sym::COMPARE, BasicOp::Compare),
    (sym::NOT, BasicOp::Not),
    (sym::UMINUS, BasicOp::Negate),
    (sym::NIL_P, BasicOp::NilP),
    (sym::EMPTY_P, BasicOp::EmptyP),
    (sym::LENGTH, BasicOp::Length),
    (sym::SIZE, BasicOp::Size),
    (sym::SUCC, BasicOp::Succ),
    (sym::AREF, BasicOp::Aref),
    (sym::ASET, BasicOp::Aset),
    (sym::EQQ, BasicOp::CaseEqual),
    (sym::MATCH, BasicOp::Match),
    (sym::FREEZE, BasicOp::Freeze),
    (sym::TO_S, BasicOp::ToS),
    (sym::TO_PROC, BasicOp::ToProc),
    (sym::HASH, BasicOp::Hash),
    (sym::EQL, BasicOp::Eql),
    (sym::CALL, BasicOp::Call),
    (sym::DEFAULT, BasicOp::Default),
    (sym::MIN, BasicOp::Min),
    (sym::MAX, BasicOp::Max),
];

/// Whether calls of that method of that class have a fast path that redefining it disables.
pub fn has_fast_path(cx: &Cx, class: Value, name: Sym) -> bool {
    let has_operation = |known| known != Known::Proc || name == sym::CALL;
    NAMES.iter().any(|(known, _)| *known == name)
        && CLASSES.iter().any(|(known, _)| cx.class(*known) == class && has_operation(*known))
}

/// A method with that name was defined in or removed from `class`, or entered its ancestors.
pub fn method_changed(cx: &mut Cx, class: Value, name: Sym) {
    if !cx.vm().redefined.armed {
        return;
    }
    let Some((_, op)) = NAMES.iter().find(|(n, _)| *n == name) else { return };
    let data = class::class_data(cx, class);
    // If a refinement has the method, calls must look it up.
    mark(cx, if data.flags.refinement { data.rare().refined } else { class }, op.bit());
}

/// A module was prepended to or included in `class`: every operation that it has counts as redefined there.
pub fn ancestors_changed(cx: &mut Cx, class: Value, module: Value) {
    if !cx.vm().redefined.armed {
        return;
    }
    for (name, op) in NAMES {
        if class::ancestors::each(module).any(|m| !class::lookup::own_method(m, *name).is_undef()) {
            mark(cx, class, op.bit());
        }
    }
}

/// A method with that name is about to be defined in or removed from `class`.
pub fn method_changes(cx: &mut Cx, class: Value, name: Sym) {
    if NAMES.iter().any(|(known, _)| *known == name) {
        ancestors_change(cx, class);
    }
}

/// The ancestors of `class` or its basic operations are about to change: records the core's own operations before.
pub fn ancestors_change(cx: &mut Cx, class: Value) {
    let vm = cx.vm();
    if !vm.redefined.armed || vm.own_operations.is_resolved() {
        return;
    }
    let is_basic = |(known, _): &(Known, Field)| class::ancestors::inherits(cx.class(*known), class);
    if !CLASSES.iter().any(is_basic) {
        return;
    }
    for (known, _) in CLASSES {
        let (class, mut rows) = (cx.class(known), [std::ptr::null(); BasicOp::COUNT]);
        for (name, op) in NAMES {
            let entry = class::lookup::find_method(cx, class, *name);
            if !entry.is_undef() && method_entry::kind(entry) == method_entry::Kind::Native {
                rows[*op as usize] = method_entry::native(entry).cast();
            }
        }
        cx.vm_mut().own_operations.add_class(rows);
    }
}

/// The table row of the core's own method for an operation on this receiver, if the program has changed that method.
/// Operators in Ruby halves call it, so that loops and conditions there call no method of the program. Comparing and
/// converting elements still calls the program's methods, as in CRuby.
pub fn own_operation(cx: &Cx, receiver: Value, name: Sym) -> Option<*const ()> {
    if !cx.vm().own_operations.is_resolved() {
        return None;
    }
    let (_, op) = NAMES.iter().find(|(known, _)| *known == name).filter(|(_, op)| op.bit() & INSTRUCTIONS != 0)?;
    let class = CLASSES.iter().position(|(known, _)| is_instance(receiver, *known))?;
    let (mut redefined, field) = (*cx.vm().redefinitions(), CLASSES[class].1);
    let is_changed = (*field(&mut redefined) | redefined.object) & op.bit() != 0;
    is_changed.then(|| cx.vm().own_operations.get(class, *op))?
}

fn is_instance(v: Value, known: Known) -> bool {
    if v.is_heap() {
        return cell::header(v).shape() == known.root_shape();
    }
    class::immediate_class(v) == known
}

type Field = fn(&mut Redefined) -> &mut u64;

/// The classes with fast paths, and the operations of theirs that are redefined.
const CLASSES: [(Known, Field); 11] = [
    (Known::Integer, |r| &mut r.integer),
    (Known::Float, |r| &mut r.float),
    (Known::String, |r| &mut r.string),
    (Known::Array, |r| &mut r.array),
    (Known::Hash, |r| &mut r.hash),
    (Known::Symbol, |r| &mut r.symbol),
    (Known::Symbol, |r| &mut r.immediate),
    (Known::NilClass, |r| &mut r.immediate),
    (Known::TrueClass, |r| &mut r.immediate),
    (Known::FalseClass, |r| &mut r.immediate),
    (Known::Proc, |r| &mut r.proc),
];

fn mark(cx: &mut Cx, changed: Value, bit: u64) {
    // The jumps for `a != b` are those for `==`.
    let bit = if bit == BasicOp::NotEqual.bit() { bit | BasicOp::Equal.bit() } else { bit };
    let is_changed = CLASSES.map(|(known, _)| {
        let class = cx.class(known);
        class == changed || class::ancestors::inherits(class, changed)
    });
    let vm = cx.vm_mut();
    let before = vm.redefined;
    for redefined in [Some(&mut vm.redefined), vm.redefined_before_tracing.as_mut()].into_iter().flatten() {
        for ((known, field), _) in CLASSES.iter().zip(is_changed).filter(|(_, is_changed)| *is_changed) {
            *field(redefined) |= bit;
            // The instruction for `hash[key]` finds the value for a missing key itself.
            if *known == Known::Hash && bit == BasicOp::Default.bit() {
                *field(redefined) |= BasicOp::Aref.bit();
            }
        }
        redefined.object |= bit;
    }
    // Many classes define `==` or `[]`: only the first one changes what code may assume.
    if vm.redefined != before {
        cx.vm().refresh_compiled();
    }
}

/// Operations for which only instructions have a fast path. Marking them as redefined makes them calls, which can be
/// traced.
const INSTRUCTIONS: u64 = {
    use BasicOp::*;
    let all = [
        Plus, Minus, Times, Divide, Modulo, And, Or, Xor, ShiftLeft, ShiftRight, Less, LessEqual, Greater,
        GreaterEqual, Equal, NotEqual, Not, Negate, NilP, EmptyP, Length, Size, Succ, Aref, Aset, Match,
    ];
    let (mut bits, mut i) = (0, 0);
    while i < all.len() {
        bits |= all[i].bit();
        i += 1;
    }
    bits
};

/// While calls of native methods are traced, operators on basic types and attribute methods are ordinary calls.
pub fn trace_calls(cx: &mut Cx, on: bool) {
    let vm = cx.vm_mut();
    match (on, vm.redefined_before_tracing.take()) {
        (true, Some(before)) => vm.redefined_before_tracing = Some(before),
        (true, None) => {
            vm.redefined_before_tracing = Some(vm.redefined);
            let r = &mut vm.redefined;
            CLASSES.iter().for_each(|(_, field)| *field(r) |= INSTRUCTIONS);
            r.object |= INSTRUCTIONS;
            class::lookup::invalidate_all(cx);
            cx.vm().refresh_compiled();
        }
        (false, Some(before)) => {
            vm.redefined = before;
            class::lookup::invalidate_all(cx);
            cx.vm().refresh_compiled();
        }
        (false, None) => {}
    }
}

/// The number of a Float or flonum.
#[inline(always)]
pub fn as_float(v: Value) -> Option<f64> {
    if v.is_flonum() {
        Some(v.flonum_value())
    } else if cell::is(v, abi::Type::Float) {
        Some(float::value(v))
    } else {
        None
    }
}

/// `a + b` of fixnums.
#[inline(always)]
pub fn add_fixnums(cx: &mut Cx, a: Value, b: Value) -> Value {
    // Tagged: (2a+1) + (2b+1) - 1 = 2(a+b) + 1.
    match (a.0 as i64).checked_add(b.0 as i64 - 1) {
        Some(sum) => Value(sum as u64),
        None => bigint::from_i64(cx, a.fixnum_value() + b.fixnum_value()),
    }
}

/// `a - b` of fixnums.
#[inline(always)]
pub fn subtract_fixnums(cx: &mut Cx, a: Value, b: Value) -> Value {
    match (a.0 as i64).checked_sub(b.0 as i64 - 1) {
        Some(difference) => Value(difference as u64),
        None => bigint::from_i64(cx, a.fixnum_value() - b.fixnum_value()),
    }
}

/// `a * b` of fixnums.
#[inline(always)]
pub fn multiply_fixnums(cx: &mut Cx, a: Value, b: Value) -> Value {
    match a.fixnum_value().checked_mul(b.fixnum_value()) {
        Some(product) => bigint::from_i64(cx, product),
        None => bigint::from_i128(cx, a.fixnum_value() as i128 * b.fixnum_value() as i128),
    }
}

/// Floored division of fixnums; `None` for a divisor of zero.
#[inline(always)]
pub fn divide_fixnums(cx: &mut Cx, a: Value, b: Value) -> Option<Value> {
    let (a, b) = (a.fixnum_value(), b.fixnum_value());
    if b == 0 {
        return None;
    }
    let quotient = a / b;
    let quotient = if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient };
    Some(bigint::from_i64(cx, quotient))
}

/// Floored remainder of fixnums; `None` for a divisor of zero.
#[inline(always)]
pub fn modulo_fixnums(a: Value, b: Value) -> Option<Value> {
    let (a, b) = (a.fixnum_value(), b.fixnum_value());
    if b == 0 {
        return None;
    }
    let remainder = a % b;
    Some(Value::fixnum(if remainder != 0 && (remainder < 0) != (b < 0) { remainder + b } else { remainder }))
}

/// `a << b` of fixnums if the result is a fixnum.
#[inline(always)]
pub fn shift_left_fixnum(a: i64, b: i64) -> Option<Value> {
    if (0..62).contains(&b) {
        let shifted = a << b;
        if shifted >> b == a {
            return Value::try_fixnum(shifted);
        }
    } else if b < 0 {
        return Some(Value::fixnum(a >> (-b).min(63)));
    }
    None
}

/// `a >> b` of fixnums if the result is a fixnum.
#[inline(always)]
pub fn shift_right_fixnum(a: i64, b: i64) -> Option<Value> {
    if b >= 0 { Some(Value::fixnum(a >> b.min(63))) } else { shift_left_fixnum(a, -b) }
}

/// Ruby's `%` on floats.
#[inline]
pub fn modulo_floats(a: f64, b: f64) -> f64 {
    if b.is_infinite() && a.is_finite() {
        return if a == 0.0 || (a < 0.0) == (b < 0.0) { a } else { b };
    }
    let remainder = a % b;
    if remainder != 0.0 && (remainder < 0.0) != (b < 0.0) { remainder + b } else { remainder }
}
