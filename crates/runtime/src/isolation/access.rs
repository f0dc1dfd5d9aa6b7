//! Access checks of Ractors other than the main one, which must not access state that other Ractors could change.

use abi::{Flags, Value};
use object::{Sym, cell, class, proc, shape::ivars};

use super::shareable::is_shareable;
use crate::{Cx, R, code::code, error::ErrorClass, naming::class_name, sym};

fn refuse<T>(cx: &mut Cx, message: &str) -> R<T> {
    Err(cx.raise(ErrorClass::RactorIsolationError, message))
}

/// For operations restricted to the main Ractor.
pub fn check_main(cx: &mut Cx, message: &str) -> R<()> {
    if cx.isolated { refuse(cx, message) } else { Ok(()) }
}

/// Variables that are local to a Ractor, thread or method, and variables that never change.
const OWN_GLOBALS: &[&[u8]] = &[
    b"$stdin", b"$stdout", b"$stderr", b"$VERBOSE", b"$DEBUG", b"$-W", b"$-p", b"$-l", b"$-a", b"$$", b"$?", b"$~",
    b"$&", b"$`", b"$'", b"$+", b"$_", b"$@", b"$!",
];

/// Whether the running method is written in Ruby and part of the core library.
fn runs_ruby_half(cx: &Cx) -> bool {
    let body = cx.frame().scope.code;
    cell::is(body, abi::Type::InstructionSequence) && code(&body).internal
}

/// A program reads or sets a global variable. Ruby halves are exempt, like native code.
#[cold]
pub fn check_global(cx: &mut Cx, name: Sym) -> R<()> {
    let name = cx.global_name(name);
    if OWN_GLOBALS.contains(&name.bytes(cx)) || runs_ruby_half(cx) {
        return Ok(());
    }
    let text = name.to_text(cx);
    refuse(cx, &format!("can not access global variable {text} from non-main Ractor"))
}

/// Checks a constant's value that was found in `module`. Ruby halves are exempt, like native code.
#[cold]
pub fn check_constant(cx: &mut Cx, module: Value, name: Sym, value: Value) -> R<()> {
    if runs_ruby_half(cx) || is_shareable(cx, value) {
        return Ok(());
    }
    let (owner, text) = (class_name(cx, module), name.to_text(cx));
    refuse(cx, &format!("can not access non-shareable objects in constant {owner}::{text} by non-main Ractor."))
}

/// Checks a value that is assigned to a constant.
#[cold]
pub fn check_new_constant(cx: &mut Cx, value: Value) -> R<()> {
    if is_shareable(cx, value) {
        return Ok(());
    }
    refuse(cx, "can not set constants with non-shareable objects by non-main Ractors")
}

/// Checks the value of a class variable of `class` that is read.
pub fn check_class_variable(cx: &mut Cx, class: Value, name: Sym, value: Value) -> R<()> {
    if !cx.isolated || is_shareable(cx, value) {
        return Ok(());
    }
    let (text, owner) = (name.to_text(cx), class_name(cx, class));
    refuse(cx, &format!("can not read non-shareable class variable {text} from non-main Ractors ({owner})"))
}

/// Checks the setting of a class variable of `class`.
pub fn check_new_class_variable(cx: &mut Cx, class: Value, name: Sym) -> R<()> {
    if !cx.isolated {
        return Ok(());
    }
    let (text, owner) = (name.to_text(cx), class_name(cx, class));
    refuse(cx, &format!("can not set class variables from non-main Ractors ({text} from {owner})"))
}

const OF_SHAREABLE: &str = "can not access instance variables of shareable objects from non-main Ractors";

/// Whether all Ractors see the object although it may change; false for classes.
fn is_shared_and_mutable(v: Value) -> bool {
    v.is_heap() && cell::header(v).has(Flags::SHAREABLE) && !cell::frozen(v)
}

/// Checks the reading of an instance variable (`value`: undef if it is not set).
#[inline]
pub fn check_read(cx: &mut Cx, v: Value, name: Sym, value: Value) -> R<()> {
    if cx.isolated { check_read_slow(cx, v, name, value) } else { Ok(()) }
}

#[cold]
fn check_read_slow(cx: &mut Cx, v: Value, name: Sym, value: Value) -> R<()> {
    if class::is_module(v) {
        if value.is_undef() || is_shareable(cx, value) {
            return Ok(());
        }
        let (text, owner) = (name.to_text(cx), class_name(cx, v));
        let what = "can not get unshareable values from instance variables of classes/modules from non-main Ractors";
        return refuse(cx, &format!("{what} ({text} from {owner})"));
    }
    if is_shared_and_mutable(v) { refuse(cx, OF_SHAREABLE) } else { Ok(()) }
}

/// Checks the setting or removal of an instance variable.
#[inline]
pub fn check_write(cx: &mut Cx, v: Value) -> R<()> {
    if cx.isolated { check_write_slow(cx, v) } else { Ok(()) }
}

#[cold]
fn check_write_slow(cx: &mut Cx, v: Value) -> R<()> {
    if class::is_module(v) {
        return refuse(cx, "can not set instance variables of classes/modules by non-main Ractors");
    }
    if is_shared_and_mutable(v) { refuse(cx, OF_SHAREABLE) } else { Ok(()) }
}

/// Checks the call of a method defined by a Proc: RuntimeError if the Proc could run in another Ractor at the same
/// time.
#[inline]
pub fn check_method_body(cx: &mut Cx, entry: Value) -> R<()> {
    let body = object::method_entry::body(entry);
    if cx.isolated || (cell::is(body, abi::Type::Proc) && cell::header(body).has(proc::METHOD_OF_RACTOR)) {
        check_method_body_slow(cx, body)
    } else {
        Ok(())
    }
}

#[cold]
fn check_method_body_slow(cx: &mut Cx, body: Value) -> R<()> {
    let is_own = !cell::is(body, abi::Type::Proc)
        || (cx.isolated && cell::header(body).has(proc::METHOD_OF_RACTOR) && is_method_of(cx, body))
        || (cell::is(proc::code(body), abi::Type::InstructionSequence) && code(&proc::code(body)).internal);
    if is_own || is_shareable(cx, body) {
        return Ok(());
    }
    Err(cx.runtime_error("defined with an un-shareable Proc in a different Ractor"))
}

/// Notes that the running Ractor, which is not the main one, defines a method with a Proc.
pub fn defines_method_with(cx: &mut Cx, body: Value) {
    cell::set_header(body, cell::header(body).with(proc::METHOD_OF_RACTOR));
    let ractor = cx.ractor;
    ivars::set_hidden(cx, body, sym::MEMO_RACTOR, ractor);
}

/// Whether the running Ractor is the one that defined a method with the Proc.
fn is_method_of(cx: &mut Cx, body: Value) -> bool {
    ivars::get(cx, body, sym::MEMO_RACTOR) == cx.ractor
}
