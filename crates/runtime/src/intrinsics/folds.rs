//! Folds over all elements of an Array: sums, extremes, counts, `inject` with an operator.
//!
//! Fixnums, floats and strings are processed in specialised loops as long as their operators are not redefined; after a
//! call of Ruby the loop continues by index, because the Array may have changed.

use std::cmp::Ordering;

use abi::{Type, Value};
use object::{
    Known, Sym,
    array::Arr,
    bigint, cell, class, float,
    hash::HashRef,
    method_entry::{self, Kind},
    string::Str,
};

use crate::{
    Cx, R,
    basic_ops::{self, BasicOp},
    call, convert, equality,
    error::OrRaise,
    keys, order, sym,
};

/// `a + b`, without a call for numbers.
pub fn add(cx: &mut Cx, a: Value, b: Value) -> R {
    match add_numbers(cx, a, b) {
        Some(sum) => Ok(sum),
        None => call::send(cx, a, sym::PLUS, &[b]),
    }
}

/// The sum of two small integers or of two Floats, whose `+` is the core's own.
#[inline]
pub fn add_numbers(cx: &mut Cx, a: Value, b: Value) -> Option<Value> {
    let redefined = cx.vm().redefinitions();
    let plus = BasicOp::Plus.bit();
    if a.both_fixnum(b) && redefined.integer & plus == 0 {
        return Some(basic_ops::add_fixnums(cx, a, b));
    }
    if redefined.float & plus == 0
        && let (Some(x), Some(y)) = (float::get(a), float::get(b))
    {
        return Some(float::new(cx, x + y));
    }
    None
}

/// `a + b` of exact numbers. Integers are added without calling a method of the program, as in CRuby.
fn add_exact(cx: &mut Cx, a: Value, b: Value) -> R {
    if let (Some(x), Some(y)) = (bigint::to_i128(a), bigint::to_i128(b))
        && let Some(sum) = x.checked_add(y)
    {
        return Ok(bigint::from_i128(cx, sum));
    }
    add(cx, a, b)
}

/// The sum of an Array's elements as Array#sum computes it: exact while there are only Integers and Rationals, then
/// compensated (Kahan and Babuska) if the first other element or the initial value is a Float, with `+` from the first
/// other value on. An initial Float is added after the exact sum.
pub fn sum(cx: &mut Cx, list: Value, initial: Value) -> R {
    let len = |list: &Value| Arr::of(*list).len();
    if len(&list) == 0 {
        return Ok(initial);
    }
    let begins_with_float = convert::is_float(initial);
    let mut total = if begins_with_float { Value::fixnum(0) } else { initial };
    let mut i = 0;
    while is_exact(total) {
        (total, i) = add_integers(cx, list, i, total)?;
        match Arr::of(list).get(i) {
            Some(v) if is_exact(v) => total = add_exact(cx, total, v)?,
            _ => break,
        }
        i += 1;
    }
    if begins_with_float && i >= len(&list) {
        let sum = convert::to_f64(cx, initial)? + convert::to_f64(cx, total)?;
        return Ok(float::new(cx, sum));
    }
    let next_is_float = Arr::of(list).get(i).is_some_and(convert::is_float);
    if begins_with_float || (is_exact(total) && next_is_float) {
        let mut compensated = Compensated { sum: convert::to_f64(cx, total)?, compensation: 0.0 };
        if begins_with_float {
            compensated.add(convert::to_f64(cx, initial)?);
        }
        loop {
            i = compensated.add_run(cx, list, i);
            match Arr::of(list).get(i) {
                Some(v) if is_exact(v) => compensated.add(convert::to_f64(cx, v)?),
                _ => break,
            }
            i += 1;
        }
        // As in CRuby, the rounding error does not count if other objects follow.
        let is_end = i >= len(&list);
        total = float::new(cx, if is_end { compensated.total() } else { compensated.sum });
    }
    while let Some(v) = Arr::of(list).get(i) {
        total = add(cx, total, v)?;
        i += 1;
    }
    Ok(total)
}

/// Adds a run of small Integers from `from` on to an exact number; returns the sum and the index of the first other
/// element.
fn add_integers(cx: &mut Cx, list: Value, from: usize, total: Value) -> R<(Value, usize)> {
    if total.is_fixnum() {
        return Ok(fold_integers(cx, list, from, total, sym::PLUS));
    }
    let (sum, next) = fold_integers(cx, list, from, Value::fixnum(0), sym::PLUS);
    let total = if next == from { total } else { add_exact(cx, total, sum)? };
    Ok((total, next))
}

fn is_exact(v: Value) -> bool {
    convert::is_integer(v) || cell::is(v, Type::Rational)
}

/// A sum of floats and its accumulated rounding error.
struct Compensated {
    sum: f64,
    compensation: f64,
}

impl Compensated {
    /// Adds the floats and small integers from `from` on; returns the index of the first other element.
    fn add_run(&mut self, cx: &Cx, list: Value, from: usize) -> usize {
        let list = Arr::of(list);
        let elements = list.elements(cx);
        let mut i = from;
        while let Some(v) = elements.get(i) {
            if v.is_flonum() {
                self.add(v.flonum_value());
            } else if let Some(n) = v.as_fixnum() {
                self.add(n as f64);
            } else if let Some(f) = float::get(*v) {
                self.add(f);
            } else {
                break;
            }
            i += 1;
        }
        i
    }

    #[inline(always)]
    fn add(&mut self, x: f64) {
        let total = self.sum + x;
        if !total.is_finite() {
            return self.add_beyond(x);
        }
        if self.sum.abs() >= x.abs() {
            self.compensation += (self.sum - total) + x;
        } else {
            self.compensation += (x - total) + self.sum;
        }
        self.sum = total;
    }

    /// Adds a number if it or the sum is infinite or NaN, or if the sum overflows.
    #[cold]
    fn add_beyond(&mut self, x: f64) {
        if self.sum.is_nan() {
        } else if x.is_nan() {
            self.sum = x;
        } else if x.is_infinite() {
            let opposite = self.sum.is_infinite() && x.is_sign_negative() != self.sum.is_sign_negative();
            self.sum = if opposite { f64::NAN } else { x };
            if opposite {
                self.compensation = 0.0;
            }
        } else if self.sum.is_finite() {
            let total = self.sum + x;
            self.compensation +=
                if self.sum.abs() >= x.abs() { (self.sum - total) + x } else { (x - total) + self.sum };
            self.sum = total;
        }
    }

    /// Not a number if finite numbers have overflowed, as in CRuby.
    fn total(&self) -> f64 {
        self.sum + self.compensation
    }
}

/// Adds a number to a sum of Floats and its rounding error, which are the elements of an Array. Returns whether the
/// value is a real number.
pub fn add_to_floats(cx: &mut Cx, state: Arr, v: Value) -> R<bool> {
    let x = match float::get(v) {
        Some(x) => x,
        None if is_exact(v) => convert::to_f64(cx, v)?,
        None => return Ok(false),
    };
    let float_at = |i| float::get(state.at(i)).unwrap_or(0.0);
    let mut compensated = Compensated { sum: float_at(0), compensation: float_at(1) };
    compensated.add(x);
    let Compensated { sum, compensation } = compensated;
    if let (Some(sum), Some(compensation)) = (Value::try_flonum(sum), Value::try_flonum(compensation)) {
        let store = |elements: &mut [Value]| elements.copy_from_slice(&[sum, compensation]);
        state.permute(cx, store).or_raise(cx)?;
        return Ok(true);
    }
    let sum = float::new(cx, sum);
    state.set(cx, 0, sum).or_raise(cx)?;
    let compensation = float::new(cx, compensation);
    state.set(cx, 1, compensation).or_raise(cx)?;
    Ok(true)
}

/// Folds the elements from an index on: `memo.operation(element)`.
pub fn fold(cx: &mut Cx, list: Value, from: usize, memo: Value, operation: Sym) -> R {
    let (mut memo, mut i) = (memo, from);
    loop {
        (memo, i) = fold_integers(cx, list, i, memo, operation);
        (memo, i) = fold_floats(cx, list, i, memo, operation);
        let Some(v) = Arr::of(list).get(i) else { return Ok(memo) };
        memo = call::send_public(cx, memo, operation, &[v])?;
        i += 1;
    }
}

/// Continues while memo and elements are fixnums and the operator is Integer's own; returns the memo, and the index to
/// continue from.
fn fold_integers(cx: &mut Cx, list: Value, from: usize, memo: Value, operation: Sym) -> (Value, usize) {
    let Some(start) = memo.as_fixnum() else { return (memo, from) };
    let redefined = cx.vm().redefinitions().integer;
    let own = |op: BasicOp| redefined & op.bit() == 0;
    let (n, i) = match operation {
        sym::PLUS if own(BasicOp::Plus) => run_of_integers(cx, list, from, start, i64::checked_add),
        sym::MINUS if own(BasicOp::Minus) => run_of_integers(cx, list, from, start, i64::checked_sub),
        sym::TIMES if own(BasicOp::Times) => run_of_integers(cx, list, from, start, i64::checked_mul),
        sym::AND if own(BasicOp::And) => run_of_integers(cx, list, from, start, |a, b| Some(a & b)),
        sym::OR if own(BasicOp::Or) => run_of_integers(cx, list, from, start, |a, b| Some(a | b)),
        sym::XOR if own(BasicOp::Xor) => run_of_integers(cx, list, from, start, |a, b| Some(a ^ b)),
        _ => return (memo, from),
    };
    (bigint::from_i64(cx, n), i)
}

/// Stops before an overflow.
#[inline(always)]
fn run_of_integers(
    cx: &Cx,
    list: Value,
    from: usize,
    start: i64,
    step: impl Fn(i64, i64) -> Option<i64>,
) -> (i64, usize) {
    let list = Arr::of(list);
    let elements = list.elements(cx);
    let (mut n, mut i) = (start, from);
    while let Some(v) = elements.get(i) {
        let Some(next) = v.as_fixnum().and_then(|v| step(n, v)) else { break };
        n = next;
        i += 1;
    }
    (n, i)
}

/// Like `fold_integers`, for floats with `+` and `*`.
fn fold_floats(cx: &mut Cx, list: Value, from: usize, memo: Value, operation: Sym) -> (Value, usize) {
    let Some(start) = float::get(memo) else { return (memo, from) };
    let redefined = cx.vm().redefinitions().float;
    let own = |op: BasicOp| redefined & op.bit() == 0;
    let (f, i) = match operation {
        sym::PLUS if own(BasicOp::Plus) => run_of_floats(cx, list, from, start, |a, b| a + b),
        sym::TIMES if own(BasicOp::Times) => run_of_floats(cx, list, from, start, |a, b| a * b),
        _ => return (memo, from),
    };
    if i == from { (memo, from) } else { (float::new(cx, f), i) }
}

#[inline(always)]
fn run_of_floats(cx: &Cx, list: Value, from: usize, start: f64, step: impl Fn(f64, f64) -> f64) -> (f64, usize) {
    let list = Arr::of(list);
    let elements = list.elements(cx);
    let (mut f, mut i) = (start, from);
    while let Some(x) = elements.get(i).and_then(|v| float::get(*v)) {
        f = step(f, x);
        i += 1;
    }
    (f, i)
}

/// The smallest (`wanted` is Less) or largest element by `<=>`, the first one of several; nil for an empty Array.
pub fn extreme(cx: &mut Cx, list: Value, wanted: Ordering) -> R {
    extreme_by(cx, list, wanted, |cx, best, v| Ok(call::compare(cx, best, v)? == wanted.reverse()))
}

/// Like `extreme`, but each element is asked to compare itself with the best one before it, as CRuby's instruction for
/// `[a, b].max` does.
pub fn extreme_of_literal(cx: &mut Cx, list: Value, wanted: Ordering) -> R {
    extreme_by(cx, list, wanted, |cx, best, v| Ok(call::compare(cx, v, best)? == wanted))
}

fn extreme_by(cx: &mut Cx, list: Value, wanted: Ordering, is_better: impl Fn(&mut Cx, Value, Value) -> R<bool>) -> R {
    let Some(mut best) = Arr::of(list).get(0) else { return Ok(Value::NIL) };
    let mut i = 1;
    loop {
        (best, i) = extreme_of_run(cx, list, i, best, wanted);
        let Some(v) = Arr::of(list).get(i) else { return Ok(best) };
        if is_better(cx, best, v)? {
            best = v;
        }
        i += 1;
    }
}

/// Continues while the elements are fixnums.
#[inline(always)]
fn extreme_fixnum(
    elements: &[Value],
    from: usize,
    best: Value,
    is_better: impl Fn(i64, i64) -> bool,
) -> (Value, usize) {
    let (mut best, mut i) = (best, from);
    for v in elements.get(from..).unwrap_or_default() {
        if !v.is_fixnum() {
            break;
        }
        // The tag does not change the order of the words.
        best = if is_better(v.0 as i64, best.0 as i64) { *v } else { best };
        i += 1;
    }
    (best, i)
}

/// Continues while no Ruby code needs to run.
fn extreme_of_run(cx: &Cx, list: Value, from: usize, best: Value, wanted: Ordering) -> (Value, usize) {
    let redefined = cx.vm().redefinitions();
    let list = Arr::of(list);
    let elements = list.elements(cx);
    let (mut best, mut i) = (best, from);
    if best.is_fixnum() && redefined.integer & BasicOp::Compare.bit() == 0 {
        (best, i) = match wanted {
            Ordering::Less => extreme_fixnum(elements, i, best, |a, b| a < b),
            _ => extreme_fixnum(elements, i, best, |a, b| a > b),
        };
    }
    if best.is_flonum() && redefined.float & BasicOp::Compare.bit() == 0 {
        let mut most = best.flonum_value();
        while let Some(v) = elements.get(i).filter(|v| v.is_flonum()) {
            let x = v.flonum_value();
            if (wanted == Ordering::Less && x < most) || (wanted == Ordering::Greater && x > most) {
                (best, most) = (*v, x);
            }
            i += 1;
        }
    }
    if redefined.string & BasicOp::Compare.bit() == 0
        && let Some(mut most) = order::rank_of_string(cx, best)
    {
        while let Some((v, rank)) = elements.get(i).and_then(|v| Some((*v, order::rank_of_string(cx, *v)?))) {
            let order = rank.cmp(&most).then_with(|| Str::of(v).compare(Str::of(best)));
            if order == wanted {
                (best, most) = (v, rank);
            }
            i += 1;
        }
    }
    while let Some(v) = elements.get(i) {
        match order::known_order(redefined, *v, best) {
            Some(order) if order == wanted => best = *v,
            Some(_) => {}
            None => break,
        }
        i += 1;
    }
    (best, i)
}

/// Whether any element's match with `pattern` (undef: its truthiness) equals `wanted`.
pub fn any(cx: &mut Cx, list: Value, pattern: Value, wanted: bool) -> R<bool> {
    if pattern.is_undef() {
        let list = Arr::of(list);
        let mut elements = list.elements(cx).iter();
        return Ok(if wanted { elements.any(|v| v.truthy()) } else { elements.any(|v| !v.truthy()) });
    }
    if is_plain_module(cx, pattern) {
        let list = Arr::of(list);
        return Ok(list.elements(cx).iter().any(|v| class::is_a(cx, *v, pattern) == wanted));
    }
    let mut i = 0;
    while let Some(v) = Arr::of(list).get(i) {
        if call::case_equal(cx, pattern, v)? == wanted {
            return Ok(true);
        }
        i += 1;
    }
    Ok(false)
}

/// A class or module whose `===` is Module's own.
fn is_plain_module(cx: &mut Cx, v: Value) -> bool {
    if !cell::is(v, Type::Class) && !cell::is(v, Type::Module) {
        return false;
    }
    let of = class::class_of(cx, v);
    let entry = class::lookup::find_method(cx, of, sym::EQQ);
    !entry.is_undef()
        && method_entry::kind(entry) == Kind::Native
        && method_entry::owner(entry) == cx.class(Known::Module)
}

/// The number of elements that equal the value.
pub fn count_of(cx: &mut Cx, list: Value, v: Value) -> R {
    let (mut count, mut from) = (0, 0);
    while let Some(at) = equality::index_of(cx, list, v, from)? {
        count += 1;
        from = at + 1;
    }
    Ok(Value::fixnum(count))
}

/// Counts the occurrences of each element.
pub fn tally(cx: &mut Cx, list: Value) -> R {
    let table = HashRef::new(cx).value();
    let mut i = 0;
    while let Some(v) = Arr::of(list).get(i) {
        count(cx, table, v)?;
        i += 1;
    }
    Ok(table)
}

/// Counts a value in a table of counts, all of which are small integers.
pub fn count(cx: &mut Cx, table: Value, v: Value) -> R<()> {
    let table = HashRef::of(table);
    let found = table.find_or_store(cx, v, Value::fixnum(1));
    if let Some(at) = keys::raise(cx, found)?
        && let Some((_, count)) = table.entry_at(at)
    {
        table.set_value_at(cx, at, Value::fixnum(count.fixnum_value() + 1));
    }
    Ok(())
}

/// `list.to_h` of elements that are pairs.
pub fn to_h(cx: &mut Cx, list: Value) -> R {
    let made = HashRef::with_capacity(cx, Arr::of(list).len());
    let table = made.map_err(|e| keys::raise_table_error(cx, e))?.value();
    let mut i = 0;
    while let Some(v) = Arr::of(list).get(i) {
        let Some(pair) = convert::try_ary(cx, v)? else {
            let name = crate::error::class_name_of(cx, v);
            return Err(cx.type_error(&format!("wrong element type {name} at {i} (expected array)")));
        };
        let &[key, value] = pair.elements(cx) else {
            return Err(cx.argument_error(&format!("wrong array length at {i} (expected 2, was {})", pair.len())));
        };
        keys::store(cx, table, key, value)?;
        i += 1;
    }
    Ok(table)
}
