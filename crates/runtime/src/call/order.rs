//! The order of basic values and of Arrays of them, without running Ruby; of others by `<=>`.

use std::cmp::Ordering;

use abi::{Type, Value};
use object::{Known, Sym, array::Arr, cell, float, string::Str};

use super::{equality::is_plain_string, send, show::inspect_text};
use crate::{
    Cx, R,
    basic_ops::{BasicOp, Redefined},
    error, sym,
};

/// Arrays nested deeper are compared by calls, which also notice an Array that contains itself.
const DEEPEST: usize = 4;

/// `a <=> b`, if it is known without running Ruby; NaN is not comparable.
#[inline(always)]
pub fn known_order(redefined: &Redefined, a: Value, b: Value) -> Option<Ordering> {
    let bit = BasicOp::Compare.bit();
    if a.both_fixnum(b) {
        return if redefined.integer & bit == 0 { Some(a.fixnum_value().cmp(&b.fixnum_value())) } else { None };
    }
    if a.is_heap() && b.is_heap() && is_plain_string(a) && is_plain_string(b) {
        // SAFETY: the types were tested.
        let (a, b) = unsafe { (Str::new_unchecked(a), Str::new_unchecked(b)) };
        return if redefined.string & bit == 0 { Some(a.compare(b)) } else { None };
    }
    if let (Some(x), Some(y)) = (float::get(a), float::get(b)) {
        return if redefined.float & bit == 0 { x.partial_cmp(&y) } else { None };
    }
    if (redefined.integer | redefined.float) & bit != 0 {
        return None;
    }
    exact_number(a)?.partial_cmp(&exact_number(b)?)
}

/// Like [`known_order`], and also for Symbols and Arrays.
#[inline]
pub fn order_of(cx: &Cx, a: Value, b: Value) -> Option<Ordering> {
    let redefined = cx.vm().redefinitions();
    known_order(redefined, a, b).or_else(|| order_within(cx, redefined, a, b, 0))
}

/// The order of Symbols and Arrays. Elements are compared although they are identical: NaN is not comparable.
fn order_within(cx: &Cx, redefined: &Redefined, a: Value, b: Value, depth: usize) -> Option<Ordering> {
    let bit = BasicOp::Compare.bit();
    if let (Some(a), Some(b)) = (Sym::from_value(a), Sym::from_value(b)) {
        return (redefined.symbol & bit == 0).then(|| Str::of(a.name(cx)).compare(Str::of(b.name(cx))));
    }
    if !is_plain_array(a) || !is_plain_array(b) || depth == DEEPEST || redefined.array & bit != 0 {
        return None;
    }
    if a == b {
        return Some(Ordering::Equal);
    }
    let (a, b) = (Arr::of(a), Arr::of(b));
    let (a, b) = (a.elements(cx), b.elements(cx));
    for (a, b) in a.iter().zip(b) {
        let order = match known_order(redefined, *a, *b) {
            Some(order) => order,
            None => order_within(cx, redefined, *a, *b, depth + 1)?,
        };
        if order != Ordering::Equal {
            return Some(order);
        }
    }
    Some(a.len().cmp(&b.len()))
}

/// `a <=> b` as an ordering; ArgumentError "comparison of X with Y failed" for nil.
pub fn compare(cx: &mut Cx, a: Value, b: Value) -> R<Ordering> {
    if let Some(order) = order_of(cx, a, b) {
        return Ok(order);
    }
    let result = send(cx, a, sym::COMPARE, &[b])?;
    comparison_result(cx, result, a, b)
}

/// The result of `<=>` (or of a sort block) as an ordering.
pub fn comparison_result(cx: &mut Cx, result: Value, a: Value, b: Value) -> R<Ordering> {
    if result.is_fixnum() {
        return Ok(result.fixnum_value().cmp(&0));
    }
    if result.is_nil() {
        return Err(comparison_failed(cx, a, b));
    }
    let zero = Value::fixnum(0);
    if send(cx, result, sym::GREATER, &[zero])?.truthy() {
        return Ok(Ordering::Greater);
    }
    if send(cx, result, sym::LESS, &[zero])?.truthy() {
        return Ok(Ordering::Less);
    }
    Ok(Ordering::Equal)
}

/// ArgumentError "comparison of Integer with nil failed".
pub fn comparison_failed(cx: &mut Cx, a: Value, b: Value) -> crate::Unwind {
    let first = error::class_name_of(cx, a);
    let second = if b.is_immediate() || float::is(b) {
        match inspect_text(cx, b) {
            Ok(text) => text,
            Err(unwind) => return unwind,
        }
    } else {
        error::class_name_of(cx, b)
    };
    cx.argument_error(&format!("comparison of {first} with {second} failed"))
}

/// An Array with Array's own methods: no subclass, no singleton class.
#[inline(always)]
pub fn is_plain_array(v: Value) -> bool {
    v.is_heap() && {
        let header = cell::header(v);
        header.ty() == Type::Array && header.shape() == Known::Array.root_shape()
    }
}

/// The common type of values that can be sorted without running Ruby.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Plain {
    Integers,
    /// Floats except NaN, and Integers that a Float represents exactly.
    Numbers,
    Strings,
    Symbols,
}

/// What an Array consists of, if it can be sorted without running Ruby.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Keys {
    Single(Plain),
    /// Arrays. At each index, their elements have a common type; this is that of the first index.
    Rows(Option<Plain>),
}

/// The types that occur among values.
mod seen {
    pub const EXACT_INTEGER: u8 = 1;
    pub const LARGE_INTEGER: u8 = 2;
    pub const FLOAT: u8 = 4;
    pub const STRING: u8 = 8;
    pub const SYMBOL: u8 = 16;
    pub const OTHER: u8 = 32;
}

fn type_seen(v: Value) -> u8 {
    if v.is_fixnum() {
        return if exact_number(v).is_some() { seen::EXACT_INTEGER } else { seen::LARGE_INTEGER };
    }
    if is_plain_string(v) {
        seen::STRING
    } else if cell::is(v, Type::Symbol) || v.is_static_symbol() {
        seen::SYMBOL
    } else if exact_number(v).is_some() {
        seen::FLOAT
    } else {
        seen::OTHER
    }
}

impl Plain {
    /// `None` for several types that have no common order, or if `<=>` was redefined.
    fn of(redefined: &Redefined, seen: u8) -> Option<Plain> {
        let own = |bits: u64| bits & BasicOp::Compare.bit() == 0;
        match seen {
            seen::STRING => own(redefined.string).then_some(Plain::Strings),
            seen::SYMBOL => own(redefined.symbol).then_some(Plain::Symbols),
            _ if seen & !(seen::EXACT_INTEGER | seen::LARGE_INTEGER) == 0 => {
                own(redefined.integer).then_some(Plain::Integers)
            }
            _ if seen & !(seen::EXACT_INTEGER | seen::FLOAT) == 0 => {
                own(redefined.integer | redefined.float).then_some(Plain::Numbers)
            }
            _ => None,
        }
    }

    /// A number whose order is that of the values. Only for numbers, equal ranks mean equal values.
    #[inline(always)]
    fn rank(self, cx: &Cx, v: Value) -> u64 {
        match self {
            Plain::Integers => v.fixnum_value() as u64 ^ 1 << 63,
            Plain::Numbers => {
                // Adding zero turns the negative zero, which equals the positive one, into that.
                let bits = (exact_number(v).unwrap_or_default() + 0.0).to_bits();
                if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
            }
            Plain::Strings => leading_bytes(Str::of(v).bytes(cx)),
            Plain::Symbols => Sym::from_value(v).map_or(0, |symbol| leading_bytes(symbol.bytes(cx))),
        }
    }
}

/// The first eight bytes as a number.
#[inline(always)]
fn leading_bytes(bytes: &[u8]) -> u64 {
    if let Some(first) = bytes.first_chunk() {
        return u64::from_be_bytes(*first);
    }
    // Shorter texts are read in overlapping parts.
    let end = 64 - 8 * bytes.len() as u32;
    match (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        (Some(first), Some(last)) => {
            u64::from(u32::from_be_bytes(*first)) << 32 | u64::from(u32::from_be_bytes(*last)) << end
        }
        _ => match bytes {
            [] => 0,
            [first, .., last] => {
                let middle = u64::from(bytes[bytes.len() / 2]) << (56 - 8 * (bytes.len() / 2));
                u64::from(*first) << 56 | middle | u64::from(*last) << end
            }
            [byte] => u64::from(*byte) << 56,
        },
    }
}

/// A number whose order is that of Strings, as far as it differs; `None` for other objects and for Strings of a
/// subclass.
#[inline(always)]
pub fn rank_of_string(cx: &Cx, v: Value) -> Option<u64> {
    (v.is_heap() && is_plain_string(v)).then(|| leading_bytes(Str::of(v).bytes(cx)))
}

impl Keys {
    /// `None` if comparing the values may run Ruby, or raise an error.
    pub fn of(cx: &Cx, values: &[Value]) -> Option<Keys> {
        /// Columns that are looked at; longer rows are compared by `<=>`.
        const COLUMNS: usize = 8;
        let redefined = cx.vm().redefinitions();
        let (first, rest) = values.split_first()?;
        if !is_plain_array(*first) {
            let seen = rest.iter().fold(type_seen(*first), |seen, v| seen | type_seen(*v));
            return Plain::of(redefined, seen).map(Keys::Single);
        }
        if redefined.array & BasicOp::Compare.bit() != 0 {
            return None;
        }
        let (mut columns, mut has_empty) = ([0; COLUMNS], false);
        for row in values {
            if !is_plain_array(*row) {
                return None;
            }
            let row = Arr::of(*row);
            let row = row.elements(cx);
            has_empty |= row.is_empty();
            for (i, v) in row.iter().enumerate() {
                *columns.get_mut(i)? |= type_seen(*v);
            }
        }
        let mut known = columns.iter().filter(|seen| **seen != 0).map(|seen| Plain::of(redefined, *seen));
        let first = known.next().flatten();
        (first.is_some() && known.all(|column| column.is_some())).then_some(Keys::Rows(first.filter(|_| !has_empty)))
    }

    /// The indices of the values in their order; equal values keep theirs.
    pub fn sorted(self, cx: &Cx, values: &[Value]) -> Vec<usize> {
        let rank = |v: Value| match self {
            Keys::Single(plain) => plain.rank(cx, v),
            Keys::Rows(first) => first.map_or(0, |plain| plain.rank(cx, Arr::of(v).at(0))),
        };
        let rank_decides = matches!(self, Keys::Single(Plain::Integers | Plain::Numbers));
        let mut order = memory::collect(values.iter().enumerate().map(|(i, v)| (rank(*v), i)));
        if rank_decides {
            order.sort_unstable();
        } else {
            order.sort_unstable_by(|(a, i), (b, j)| {
                let by_value = || order_of(cx, values[*i], values[*j]).unwrap_or(Ordering::Equal);
                a.cmp(b).then_with(by_value).then(i.cmp(j))
            });
        }
        order.into_iter().map(|(_, i)| i).collect()
    }
}

/// The value of a Float other than NaN, or of an Integer that a Float represents exactly.
#[inline(always)]
fn exact_number(v: Value) -> Option<f64> {
    match v.as_fixnum() {
        Some(n) => (n.unsigned_abs() <= 1 << 53).then_some(n as f64),
        None => float::get(v).filter(|f| !f.is_nan()),
    }
}
