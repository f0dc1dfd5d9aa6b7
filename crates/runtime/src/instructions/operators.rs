//! Operators on basic types, and the ordinary call for other operands.

use crate::{
    Cx, R,
    basic_ops::{self, BasicOp},
    call::{self, Action, Call, Window, site::Cached},
    code::{
        Code,
        sites::{JumpKey, shape_key},
    },
    literal_arguments,
    method_table::Method,
    sym,
};
use abi::{BlockHandler, Flags, Type, Value};
use bytecode::Instruction;
use object::{Known, Sym, array::Arr, bigint, cell, float, string::Str};

/// Makes the call of an operator without a fast path for its operands: copies them into the call's window, then calls.
#[inline(never)]
pub fn call_operator(
    cx: &mut Cx,
    code: &Code,
    registers: Window,
    extension: Instruction,
    destination: u32,
    operands: &[Value],
) -> R<Action> {
    let site = &code.calls[extension.bc() as usize];
    let window = registers.from(extension.a as usize);
    for (i, v) in operands.iter().enumerate() {
        window.set(i, *v);
    }
    if code.is_traced() {
        let fire = cx.vm().hooks.event;
        fire(cx, crate::trace::S_CALL, Value::fixnum(extension.a as i64), Value::fixnum(extension.bc() as i64))?;
    }
    let count = site.arguments as usize;
    if code.internal
        && let name = if site.name == sym::NEQ { sym::EQ } else { site.name }
        && let Some(row) = basic_ops::own_operation(cx, window.receiver(), name)
    {
        // SAFETY: native entries are made from rows of static tables.
        let row = unsafe { &*row.cast::<Method>() };
        let lent = match site.literal_arguments {
            0 => 0,
            _ => literal_arguments::unshare(cx, site, window, row.facts.borrowed),
        };
        let v = call::native::run_own(cx, row, window, count, lent)?;
        // BasicObject#!= calls the program's `==`; that of a basic class does not.
        let is_opposite = site.name == sym::NEQ;
        return Ok(Action::Value(if is_opposite { Value::bool(!v.truthy()) } else { v }));
    }
    // Methods of operators are native most often.
    if let Some(cache) = site.first(shape_key(window.receiver()))
        && cache.kind() == Cached::Native
        && site.literal_arguments == 0
    {
        let row = call::site::native_row(cache);
        return call::native::run_positional(cx, cache.entry(), row, window, count, 0, 0).map(Action::Value);
    }
    call::site::call(cx, site, &Call::positional(window, count, BlockHandler::NONE, destination))
}

/// Both numbers, if one is a Float and the other a Float or fixnum.
#[inline(always)]
pub fn floats(a: Value, b: Value) -> Option<(f64, f64)> {
    if a.is_flonum() && b.is_flonum() {
        return Some((a.flonum_value(), b.flonum_value()));
    }
    if a.is_heap() && !cell::is(a, Type::Float) {
        return None;
    }
    floats_slow(a, b)
}

#[inline(never)]
fn floats_slow(a: Value, b: Value) -> Option<(f64, f64)> {
    let (x, y) = (basic_ops::as_float(a), basic_ops::as_float(b));
    match (x, y) {
        (Some(x), Some(y)) => Some((x, y)),
        // If the left operand is an Integer, Integer's method is called. The redefinition check for Float does not
        // cover it, so an ordinary call is made.
        (Some(x), None) if b.is_fixnum() && b.fixnum_value().unsigned_abs() < 1 << 53 => {
            Some((x, b.fixnum_value() as f64))
        }
        _ => None,
    }
}

/// `a == b` without running Ruby.
#[inline(always)]
pub fn equal_fast(cx: &Cx, a: Value, b: Value) -> Option<bool> {
    let redefined = &cx.vm().redefined;
    if a.both_fixnum(b) {
        return if redefined.integer & BasicOp::Equal.bit() == 0 { Some(a == b) } else { None };
    }
    if a.is_flonum() && b.is_flonum() {
        return if redefined.float & BasicOp::Equal.bit() == 0 { Some(a == b) } else { None };
    }
    equal_other(cx, a, b)
}

fn equal_other(cx: &Cx, a: Value, b: Value) -> Option<bool> {
    if a.is_heap() {
        return equal_strings(cx, a, b).or_else(|| differs_from_immediate(cx, a, b).then_some(false));
    }
    if is_single(a) {
        return if cx.vm().redefined.immediate & BasicOp::Equal.bit() == 0 { Some(a == b) } else { None };
    }
    None
}

/// Whether the value is nil, true, false or a Symbol that is an immediate.
#[inline(always)]
fn is_single(v: Value) -> bool {
    v.is_static_symbol() || v.is_nil() || v == Value::TRUE || v == Value::FALSE
}

/// Whether `a` is a String, an Array or a Hash, not of a subclass, and `b` is nil, true, false or a Symbol. These have
/// no `to_str`, `to_ary` or `to_hash`; if a program defines it, their own `==` decides.
fn differs_from_immediate(cx: &Cx, a: Value, b: Value) -> bool {
    let redefined = &cx.vm().redefined;
    let shape = cell::header(a).shape();
    let of_class = match shape {
        _ if shape == Known::String.root_shape() => redefined.string,
        _ if shape == Known::Array.root_shape() => redefined.array,
        _ if shape == Known::Hash.root_shape() => redefined.hash,
        _ => return false,
    };
    is_single(b) && (of_class | redefined.immediate) & BasicOp::Equal.bit() == 0
}

/// `a == b` of Strings, where `a` is not of a subclass.
#[inline(always)]
pub fn equal_strings(cx: &Cx, a: Value, b: Value) -> Option<bool> {
    let (a, b) = strings(a, b)?;
    (cx.vm().redefined.string & BasicOp::Equal.bit() == 0).then(|| a.equal(b))
}

/// `a != b`, returned as whether they are equal. `None` if `!=` or `==` is redefined.
#[inline(always)]
pub fn not_equal_fast(cx: &Cx, a: Value, b: Value) -> Option<bool> {
    let redefined = &cx.vm().redefined;
    let any = redefined.integer | redefined.float | redefined.string | redefined.immediate;
    if any & BasicOp::NotEqual.bit() != 0 { None } else { equal_fast(cx, a, b) }
}

/// Whether `!v` is Ruby's own method. Once any class has a `!` of its own, this is known only of nil, true, false and
/// Symbols.
#[inline(always)]
pub fn plain_not(cx: &Cx, v: Value) -> bool {
    is_plain(cx, BasicOp::Not, v)
}

/// Whether `v.nil?` is Ruby's own method, under the same condition as for `plain_not`.
#[inline(always)]
pub fn plain_is_nil(cx: &Cx, v: Value) -> bool {
    is_plain(cx, BasicOp::NilP, v)
}

#[inline(always)]
fn is_plain(cx: &Cx, op: BasicOp, v: Value) -> bool {
    let redefined = &cx.vm().redefined;
    redefined.object & op.bit() == 0 || is_single(v) && redefined.immediate & op.bit() == 0
}

/// The result of an operator on Integers of at most two words each; `None` if the operands or the result are not.
#[inline(never)]
pub fn in_two_words(cx: &mut Cx, op: BasicOp, a: Value, b: Value, of: fn(i128, i128) -> Option<i128>) -> Option<Value> {
    if cx.vm().redefined.integer & op.bit() != 0 {
        return None;
    }
    let result = of(bigint::to_i128(a)?, bigint::to_i128(b)?)?;
    Some(bigint::from_i128(cx, result))
}

/// `a / b` of fixnums or floats; `None` for anything else and for division by zero.
#[inline(always)]
pub fn divide_fast(cx: &mut Cx, a: Value, b: Value) -> Option<Value> {
    let redefined = &cx.vm().redefined;
    if a.both_fixnum(b) && redefined.integer & BasicOp::Divide.bit() == 0 {
        return basic_ops::divide_fixnums(cx, a, b);
    }
    match floats(a, b) {
        Some((x, y)) if redefined.float & BasicOp::Divide.bit() == 0 => Some(float::new(cx, x / y)),
        Some(_) => None,
        None => in_two_words(cx, BasicOp::Divide, a, b, |a, b| Some(divide_down(a, b)?.0)),
    }
}

/// `a % b`, with the same restrictions.
#[inline(always)]
pub fn modulo_fast(cx: &mut Cx, a: Value, b: Value) -> Option<Value> {
    let redefined = &cx.vm().redefined;
    if a.both_fixnum(b) && redefined.integer & BasicOp::Modulo.bit() == 0 {
        return basic_ops::modulo_fixnums(a, b);
    }
    match floats(a, b) {
        Some((x, y)) if y != 0.0 && redefined.float & BasicOp::Modulo.bit() == 0 => {
            Some(float::new(cx, basic_ops::modulo_floats(x, y)))
        }
        Some(_) => None,
        None => in_two_words(cx, BasicOp::Modulo, a, b, |a, b| Some(divide_down(a, b)?.1)),
    }
}

/// The quotient, rounded down, and the remainder, which has the sign of the divisor; `None` for zero and for an
/// overflow.
fn divide_down(a: i128, b: i128) -> Option<(i128, i128)> {
    let quotient = a.checked_div(b)?;
    let rest = a - quotient * b;
    Some(if rest != 0 && (rest < 0) != (b < 0) { (quotient - 1, rest + b) } else { (quotient, rest) })
}

/// Both Strings, where `a` is not of a subclass.
#[inline(always)]
fn strings(a: Value, b: Value) -> Option<(Str, Str)> {
    let plain = a.is_heap() && cell::header(a).shape() == Known::String.root_shape() && cell::is(b, Type::String);
    // SAFETY: the types were tested.
    plain.then(|| unsafe { (Str::new_unchecked(a), Str::new_unchecked(b)) })
}

/// `a + b` of Strings or Arrays; `None` for anything else, and if the method would raise an error.
#[inline(never)]
pub fn add_sequences(cx: &mut Cx, a: Value, b: Value) -> Option<Value> {
    let redefined = &cx.vm().redefined;
    if let Some((a, b)) = strings(a, b) {
        let own = redefined.string & BasicOp::Plus.bit() == 0;
        return if own { Some(a.plus(cx, b).ok()?.value()) } else { None };
    }
    let plain = a.is_heap() && cell::header(a).shape() == Known::Array.root_shape() && cell::is(b, Type::Array);
    if !plain || redefined.array & BasicOp::Plus.bit() != 0 {
        return None;
    }
    // SAFETY: the types were tested.
    let (a, b) = unsafe { (Arr::new_unchecked(a), Arr::new_unchecked(b)) };
    Some(a.plus(cx, b).ok()?.value())
}

/// `a << b` of Strings, if `a` may be changed without checks and keeps its encoding: `b` has the same, or is ASCII.
#[inline(never)]
fn append_string(cx: &mut Cx, a: Value, b: Value) -> Option<Value> {
    if cx.vm().redefined.string & BasicOp::ShiftLeft.bit() != 0 {
        return None;
    }
    let (to, more) = strings(a, b)?;
    let is_open = cell::header(a).flags() & (Flags::FROZEN | Flags::CHILLED) == 0;
    if is_open && to.append_str_in_place(cx, more) {
        return Some(a);
    }
    let are_compatible = || to.encoding().is_ascii_compatible() && more.encoding().is_ascii_compatible();
    if !is_open || to.encoding() != more.encoding() && !(are_compatible() && more.is_ascii()) {
        return None;
    }
    to.append_str(cx, more).ok()?;
    Some(a)
}

/// `a << b` of fixnums, of an Array itself, or of Strings.
#[inline(always)]
pub fn shift_left_fast(cx: &mut Cx, a: Value, b: Value) -> R<Option<Value>> {
    let redefined = &cx.vm().redefined;
    if a.both_fixnum(b) && redefined.integer & BasicOp::ShiftLeft.bit() == 0 {
        return Ok(basic_ops::shift_left_fixnum(a.fixnum_value(), b.fixnum_value()));
    }
    if is_plain_array(a) && redefined.array & BasicOp::ShiftLeft.bit() == 0 {
        return Ok(push(cx, a, b));
    }
    Ok(append_string(cx, a, b))
}

/// Whether it is a direct instance of Array that is not frozen.
#[inline(always)]
fn is_plain_array(v: Value) -> bool {
    v.is_heap() && cell::header(v).shape() == Known::Array.root_shape() && !cell::frozen(v)
}

/// Appends to a direct instance of Array, and returns that. `None` if it is not one, is frozen, or if there is no
/// memory.
#[inline(always)]
pub fn push(cx: &mut Cx, list: Value, v: Value) -> Option<Value> {
    if !is_plain_array(list) {
        return None;
    }
    // SAFETY: only Arrays have this shape.
    unsafe { Arr::new_unchecked(list) }.push(cx, v).is_ok().then_some(list)
}

/// `a << literal` with a String literal: an Array gets a copy of the literal.
#[inline]
pub fn shift_left_literal(cx: &mut Cx, a: Value, literal: Value) -> Option<Value> {
    if !cell::is(a, Type::Array) {
        return append_string(cx, a, literal);
    }
    if !is_plain_array(a) || cx.vm().redefined.array & BasicOp::ShiftLeft.bit() != 0 {
        return None;
    }
    let own = super::literals::new_literal_string(cx, literal, Flags::CHILLED);
    push(cx, a, own)
}

/// `v.to_s` of symbols, small integers and nil in interpolations. A small integer stays what it is: its digits are
/// written when the parts are concatenated. A refinement's method counts as a redefinition.
#[inline]
pub fn to_s_fast(cx: &mut Cx, v: Value) -> Option<Value> {
    if v.is_fixnum() && cx.vm().redefined.integer & BasicOp::ToS.bit() == 0 {
        return Some(v);
    }
    if let Some(s) = Sym::from_value(v)
        && cx.vm().redefined.symbol & BasicOp::ToS.bit() == 0
    {
        return Some(s.name(cx));
    }
    if v.is_nil() && cx.vm().redefined.immediate & BasicOp::ToS.bit() == 0 {
        return Some(crate::convert::constant_text(cx, crate::Root::NilText, ""));
    }
    None
}

/// Whether the result of `v.to_s` is a String, or a small integer that [`to_s_fast`] left as it is.
#[inline]
pub fn is_text(cx: &Cx, result: Value, v: Value) -> bool {
    cell::is(result, Type::String)
        || result.is_fixnum() && result == v && cx.vm().redefined.integer & BasicOp::ToS.bit() == 0
}

/// `pattern === v` for immediates and strings.
#[inline(always)]
pub fn case_equal_fast(cx: &Cx, pattern: Value, v: Value) -> Option<bool> {
    // Like a jump through a table, a test of a literal is not a call even while calls are traced.
    let redefined = cx.vm().redefined_before_tracing.as_ref().unwrap_or(&cx.vm().redefined);
    let bits = BasicOp::CaseEqual.bit() | BasicOp::Equal.bit();
    if pattern.is_fixnum() && v.is_word() {
        return if redefined.integer & bits == 0 { Some(pattern == v) } else { None };
    }
    if pattern.is_static_symbol() || pattern.is_nil() || pattern == Value::TRUE || pattern == Value::FALSE {
        return if redefined.immediate & bits == 0 { Some(pattern == v) } else { None };
    }
    if pattern.is_heap() && cell::header(pattern).shape() == Known::String.root_shape() && cell::is(v, Type::String) {
        // SAFETY: the types were tested.
        let (pattern, v) = unsafe { (Str::new_unchecked(pattern), Str::new_unchecked(v)) };
        return if redefined.string & bits == 0 { Some(pattern.equal(v)) } else { None };
    }
    None
}

/// The target of a `case` of literals for `v`.
pub fn jump_table(cx: &mut Cx, code: &Code, literal: usize, v: Value) -> Option<u32> {
    // A jump is not a call, even while calls are traced.
    let redefined = cx.vm().redefined_before_tracing.as_ref().unwrap_or(&cx.vm().redefined);
    let bits = BasicOp::CaseEqual.bit() | BasicOp::Equal.bit();
    if (redefined.integer | redefined.string | redefined.immediate) & bits != 0 {
        return None;
    }
    let table = code.jump_tables().iter().find(|t| t.literal == literal)?;
    let key = match Str::from_value(v) {
        Some(s) => object::string::intern::find_interned(cx, s.bytes(cx), s.encoding())?.value(),
        None => v,
    };
    table.targets.get(&JumpKey(key)).copied()
}
