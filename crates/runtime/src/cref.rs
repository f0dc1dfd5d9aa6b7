//! A lexical scope ("cref"): its module, the enclosing scope, the default visibility of methods defined in it, the
//! active refinements.
//!
//! ```text
//! Internal cell: header | module | outer or nil | visibility | refinements or nil | flags | successor or nil | object
//!
//! The object is that of an instance_eval whose singleton class has not been needed yet, otherwise nil: until then its
//! class is the module. `module_for_definitions` makes the singleton class.
//! `using` replaces the scope of the code that follows by a copy, the successor. What was defined before keeps it.
//! Visibility is a fixnum: 0 public, 1 private, 2 protected, 3 module_function.
//! ```

use abi::{Type, Value};
use object::{Known, cell};

use crate::Cx;

/// The word of the active refinements, which never changes once the scope is in use.
pub const REFINEMENTS: usize = 4;
const SUCCESSOR: usize = 6;
const OBJECT: usize = 7;
pub const VISIBILITY_MODULE_FUNCTION: i64 = 3;

pub fn new(cx: &mut Cx, module: Value, outer: Value) -> Value {
    let refinements = if outer.is_nil() { Value::NIL } else { self::refinements(outer) };
    let v = cx.allocate(64, Known::Internal.header(0));
    let zero = Value::fixnum(0);
    for (i, word) in [module, outer, zero, refinements, zero, Value::NIL, Value::NIL].into_iter().enumerate() {
        // SAFETY: 64 bytes are eight words.
        unsafe { cell::set_raw(v, i + 1, word.0) };
    }
    v
}

/// A copy of the scope.
pub fn copy(cx: &mut Cx, v: Value) -> Value {
    let copy = new(cx, module(v), outer(v));
    copy_rest(cx, v, copy);
    copy
}

/// Copies all but the module and the scope around.
fn copy_rest(cx: &mut Cx, v: Value, copy: Value) {
    set_visibility(copy, visibility(v));
    let active = refinements(v);
    set_refinements(cx, copy, active);
    // SAFETY: the flags are a fixnum.
    unsafe { cell::set_raw(copy, 5, word(v, 5).0) };
    set_object(cx, copy, object(v));
}

/// The object whose singleton class is to be made for definitions, or nil.
pub fn object(v: Value) -> Value {
    word(v, OBJECT)
}

pub fn set_object(cx: &mut Cx, v: Value, to: Value) {
    // SAFETY: a cref has eight words.
    unsafe { cell::store(cx, v, OBJECT, to) }
}

pub fn set_module(cx: &mut Cx, v: Value, to: Value) {
    // SAFETY: a cref has eight words.
    unsafe { cell::store(cx, v, 1, to) }
}

/// The same scope with another module in place of `from`; nil stays nil.
pub fn with_module(cx: &mut Cx, v: Value, from: Value, to: Value) -> Value {
    if v.is_nil() || !lies_in(v, from) {
        return v;
    }
    let around = with_module(cx, outer(v), from, to);
    let copy = new(cx, if module(v) == from { to } else { module(v) }, around);
    copy_rest(cx, v, copy);
    copy
}

fn lies_in(v: Value, wanted: Value) -> bool {
    let mut at = v;
    while !at.is_nil() {
        if module(at) == wanted {
            return true;
        }
        at = outer(at);
    }
    false
}

fn word(v: Value, i: usize) -> Value {
    debug_assert!(cell::is(v, Type::Internal));
    // SAFETY: a cref has eight words.
    unsafe { cell::word(v, i) }
}

#[inline(always)]
pub fn module(v: Value) -> Value {
    word(v, 1)
}

#[inline(always)]
pub fn outer(v: Value) -> Value {
    word(v, 2)
}

pub fn visibility(v: Value) -> i64 {
    word(v, 3).fixnum_value()
}

pub fn set_visibility(v: Value, visibility: i64) {
    // SAFETY: a fixnum is no reference.
    unsafe { cell::set_raw(v, 3, Value::fixnum(visibility).0) }
}

/// An array of [class, refinement, class, refinement …], innermost activation last, or nil.
#[inline]
pub fn refinements(v: Value) -> Value {
    word(v, REFINEMENTS)
}

pub fn set_refinements(cx: &mut Cx, v: Value, to: Value) {
    // SAFETY: a cref has eight words.
    unsafe { cell::store(cx, v, REFINEMENTS, to) }
}

/// The scope that took the place of this one when refinements were activated last; this one if none were.
pub fn newest(v: Value) -> Value {
    let mut newest = v;
    while word(newest, SUCCESSOR).is_heap() {
        newest = word(newest, SUCCESSOR);
    }
    newest
}

pub fn set_successor(cx: &mut Cx, v: Value, to: Value) {
    // SAFETY: a cref has eight words.
    unsafe { cell::store(cx, v, SUCCESSOR, to) }
}

/// Flag 1: from instance_eval or class_eval of a block; constant lookup skips it.
pub fn is_eval(v: Value) -> bool {
    word(v, 5).fixnum_value() & 1 != 0
}

pub fn set_eval(v: Value) {
    set_flag(v, 1);
}

/// Flag 2: from instance_eval of an object without singleton class; methods cannot be defined.
pub fn is_without_definitions(v: Value) -> bool {
    word(v, 5).fixnum_value() & 2 != 0
}

pub fn set_without_definitions(v: Value) {
    set_flag(v, 2);
}

/// Flag 4: from instance_eval; class variables are those of the enclosing scope.
pub fn is_of_object(v: Value) -> bool {
    word(v, 5).fixnum_value() & 4 != 0
}

pub fn set_of_object(v: Value) {
    set_flag(v, 4);
}

fn set_flag(v: Value, flag: i64) {
    // SAFETY: a fixnum is no reference.
    unsafe { cell::set_raw(v, 5, Value::fixnum(word(v, 5).fixnum_value() | flag).0) }
}
