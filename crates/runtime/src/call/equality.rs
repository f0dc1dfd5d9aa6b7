//! Equality: of basic values without running Ruby, for single values and whole Arrays; of others by `==` and `eql?`.
//!
//! The loops stop at the first element whose `==` must be called, because the call may change the Array. The caller
//! restarts them after the call.

use abi::{Type, Value};
use object::{
    Known,
    array::Arr,
    cell, class, float,
    method_entry::{self, Kind},
    string::Str,
};

use super::send;
use crate::{
    Cx, R,
    basic_ops::{BasicOp, Redefined},
    sym,
};

/// A String with String's own methods: no subclass, no singleton class.
#[inline(always)]
pub fn is_plain_string(v: Value) -> bool {
    v.is_heap() && {
        let header = cell::header(v);
        header.ty() == Type::String && header.shape() == Known::String.root_shape()
    }
}

/// `a == b`, if it is known without running Ruby.
#[inline(always)]
pub fn known_equal(redefined: &Redefined, a: Value, b: Value) -> Option<bool> {
    let bit = BasicOp::Equal.bit();
    if a == b {
        // This includes the identical NaN, as in CRuby.
        return Some(true);
    }
    if a.both_fixnum(b) {
        return (redefined.integer & bit == 0).then_some(false);
    }
    if a.is_static_symbol() && (b.is_static_symbol() || b.is_fixnum()) {
        return (redefined.symbol & bit == 0).then_some(false);
    }
    if a.is_heap() && b.is_heap() && is_plain_string(a) && cell::is(b, Type::String) {
        // SAFETY: the types were tested.
        let (a, b) = unsafe { (Str::new_unchecked(a), Str::new_unchecked(b)) };
        return (redefined.string & bit == 0).then(|| a.equal(b));
    }
    if cell::is(a, Type::Symbol) {
        // Each name has only one Symbol.
        return (redefined.symbol & bit == 0).then_some(false);
    }
    known_equal_numbers(redefined, a, b)
}

/// `a == b` of an Integer and a Float, or of two Floats.
#[inline(always)]
fn known_equal_numbers(redefined: &Redefined, a: Value, b: Value) -> Option<bool> {
    let bit = BasicOp::Equal.bit();
    if a.is_fixnum() {
        let b = float::get(b)?;
        return (redefined.integer & bit == 0).then(|| equals_integer(b, a.fixnum_value()));
    }
    let a = float::get(a)?;
    if redefined.float & bit != 0 {
        return None;
    }
    if b.is_fixnum() { Some(equals_integer(a, b.fixnum_value())) } else { float::get(b).map(|b| a == b) }
}

/// Exact comparison: a Float cannot represent every large Integer.
#[inline(always)]
fn equals_integer(f: f64, n: i64) -> bool {
    n as f64 == f && (n as f64) as i64 == n
}

/// `a.eql?(b)`, if it is known without running Ruby.
#[inline(always)]
pub fn known_eql(redefined: &Redefined, a: Value, b: Value) -> Option<bool> {
    let bit = BasicOp::Eql.bit();
    if a == b {
        return Some(true);
    }
    if a.is_word() && b.is_immediate() {
        return Some(false);
    }
    if a.is_heap() && b.is_heap() && is_plain_string(a) && cell::is(b, Type::String) {
        // SAFETY: the types were tested.
        let (a, b) = unsafe { (Str::new_unchecked(a), Str::new_unchecked(b)) };
        return (redefined.string & bit == 0).then(|| a.equal(b));
    }
    if redefined.float & bit == 0
        && let Some(a) = float::get(a)
    {
        return Some(float::get(b).is_some_and(|b| a == b));
    }
    None
}

/// `a == b`
#[inline]
pub fn equal(cx: &mut Cx, a: Value, b: Value) -> R<bool> {
    if let Some(equal) = known_equal(cx.vm().redefinitions(), a, b) {
        return Ok(equal);
    }
    let class = class::class_of(cx, a);
    let entry = class::lookup::find_method(cx, class, sym::EQ);
    if !entry.is_undef()
        && method_entry::kind(entry) == Kind::Native
        && method_entry::owner(entry) == cx.class(Known::BasicObject)
    {
        // It is equal only to itself, which was tested above.
        return Ok(false);
    }
    Ok(send(cx, a, sym::EQ, &[b])?.truthy())
}

/// `a.eql?(b)`
pub fn eql(cx: &mut Cx, a: Value, b: Value) -> R<bool> {
    if let Some(equal) = known_eql(cx.vm().redefinitions(), a, b) {
        return Ok(equal);
    }
    Ok(send(cx, a, sym::EQL, &[b])?.truthy())
}

/// The outcome of a loop that does not run Ruby.
enum Scan {
    Found(usize),
    /// The element at this index must be compared by a call of its method.
    NeedsCall(usize),
    End,
}

/// The first index from `from` on whose element `== v`.
pub fn index_of(cx: &mut Cx, list: Value, v: Value, from: usize) -> R<Option<usize>> {
    let mut i = from;
    loop {
        match scan_forward(cx, list, v, i) {
            Scan::Found(at) => return Ok(Some(at)),
            Scan::End => return Ok(None),
            Scan::NeedsCall(at) => {
                if let Some(element) = Arr::of(list).get(at)
                    && equal(cx, element, v)?
                {
                    return Ok(Some(at));
                }
                i = at + 1;
            }
        }
    }
}

fn scan_forward(cx: &Cx, list: Value, v: Value, from: usize) -> Scan {
    let redefined = cx.vm().redefinitions();
    let list = Arr::of(list);
    let elements = list.elements(cx);
    if v.is_fixnum() && redefined.integer & BasicOp::Equal.bit() == 0 {
        // Among fixnums this is a search for a word.
        for (i, element) in elements.iter().enumerate().skip(from) {
            if *element == v {
                return Scan::Found(i);
            }
            if !element.is_fixnum() {
                match known_equal(redefined, *element, v) {
                    Some(true) => return Scan::Found(i),
                    Some(false) => {}
                    None => return Scan::NeedsCall(i),
                }
            }
        }
        return Scan::End;
    }
    for (i, element) in elements.iter().enumerate().skip(from) {
        match known_equal(redefined, *element, v) {
            Some(true) => return Scan::Found(i),
            Some(false) => {}
            None => return Scan::NeedsCall(i),
        }
    }
    Scan::End
}

/// The last index whose element `== v`.
pub fn last_index_of(cx: &mut Cx, list: Value, v: Value) -> R<Option<usize>> {
    let mut end = Arr::of(list).len();
    while end > 0 {
        let i = end - 1;
        let Some(element) = Arr::of(list).get(i) else {
            end = Arr::of(list).len();
            continue;
        };
        let equal = match known_equal(cx.vm().redefinitions(), element, v) {
            Some(equal) => equal,
            None => equal(cx, element, v)?,
        };
        if equal {
            return Ok(Some(i));
        }
        end = i;
    }
    Ok(None)
}

/// How elements are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum By {
    Equal,
    Eql,
}

/// The result of comparing two Arrays as far as possible without running Ruby.
pub enum Runs {
    Same,
    Differ,
    /// The elements at this index must be compared by a call.
    NeedsCall(usize),
}

/// Compares two Arrays from an index on, as far as possible without running Ruby.
pub fn compare_runs(cx: &Cx, a: Value, b: Value, from: usize, by: By) -> Runs {
    /// The number of elements compared at a time.
    const CHUNK: usize = 16;
    let (a, b) = (Arr::of(a), Arr::of(b));
    let (a, b) = (a.elements(cx), b.elements(cx));
    if a.len() != b.len() {
        return Runs::Differ;
    }
    if a.as_ptr() == b.as_ptr() {
        return Runs::Same;
    }
    let redefined = cx.vm().redefinitions();
    let mut i = from;
    while i < a.len() {
        let end = (i + CHUNK).min(a.len());
        // Identical elements are equal, NaN too.
        if a[i..end].iter().zip(&b[i..end]).fold(0, |differing, (a, b)| differing | (a.0 ^ b.0)) == 0 {
            i = end;
            continue;
        }
        while i < end {
            if a[i] != b[i] {
                let known = match by {
                    By::Equal => known_equal(redefined, a[i], b[i]),
                    By::Eql => known_eql(redefined, a[i], b[i]),
                };
                match known {
                    Some(true) => {}
                    Some(false) => return Runs::Differ,
                    None => return Runs::NeedsCall(i),
                }
            }
            i += 1;
        }
    }
    Runs::Same
}
