//! Creating and raising exceptions from Rust.
//!
//! An exception is an object whose message, backtrace and cause are hidden instance variables (`sym::MEMO_…`).

pub mod classes;
mod exhausted;

pub use classes::ErrorClass;
pub use exhausted::{OrRaise, zeros};

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use abi::{FrameFlags, Type, Value};
use heap::{Cause, Request};
use object::{Sym, cell, class, method_entry, shape::ivars};

use crate::{
    Cx, R, Unwind, backtrace, literal_arguments::own, method_table::is_core, state::deep_recursion::CALLS_IN_CRUBY, sym,
};

/// The message of every NoMemoryError.
pub(crate) const NO_MEMORY: &str = "failed to allocate memory";

impl Cx {
    /// Raises SystemStackError when the native stack is nearly used up. Every native recursion calls it.
    #[inline(always)]
    pub fn check_native_stack(&mut self) -> crate::R<()> {
        let here = 0u8;
        if (&raw const here as usize) < self.native_bound() { Err(stack_overflow(self)) } else { Ok(()) }
    }

    /// Raises `class` with a message.
    #[cold]
    #[inline(never)]
    pub fn raise(&mut self, class: ErrorClass, message: &str) -> Unwind {
        let class = self.error_class(class);
        let message = crate::make::described(self, message);
        raise_new(self, class, message)
    }

    /// Raises `class` with a message of arbitrary bytes, in the given encoding.
    #[cold]
    pub fn raise_with_string(&mut self, class: ErrorClass, message: Value) -> Unwind {
        let class = self.error_class(class);
        raise_new(self, class, message)
    }

    #[cold]
    pub fn type_error(&mut self, message: &str) -> Unwind {
        self.raise(ErrorClass::TypeError, message)
    }

    #[cold]
    pub fn argument_error(&mut self, message: &str) -> Unwind {
        self.raise(ErrorClass::ArgumentError, message)
    }

    #[cold]
    pub fn index_error(&mut self, message: &str) -> Unwind {
        self.raise(ErrorClass::IndexError, message)
    }

    #[cold]
    pub fn range_error(&mut self, message: &str) -> Unwind {
        self.raise(ErrorClass::RangeError, message)
    }

    #[cold]
    pub fn runtime_error(&mut self, message: &str) -> Unwind {
        self.raise(ErrorClass::RuntimeError, message)
    }

    #[cold]
    pub fn not_implemented(&mut self, message: &str) -> Unwind {
        self.raise(ErrorClass::NotImplementedError, message)
    }

    #[cold]
    pub fn no_memory(&mut self) -> Unwind {
        self.raise(ErrorClass::NoMemoryError, NO_MEMORY)
    }

    /// ArgumentError for `given` arguments to a method that takes `required` to `most` (`None`: unlimited).
    #[cold]
    pub fn arity_error(&mut self, given: usize, required: usize, most: Option<usize>) -> Unwind {
        let expected = match most {
            None => format!("{required}+"),
            Some(most) if most == required => format!("{required}"),
            Some(most) => format!("{required}..{most}"),
        };
        self.argument_error(&format!("wrong number of arguments (given {given}, expected {expected})"))
    }

    /// NameError or a subclass, with `name` and `receiver`.
    #[cold]
    pub fn name_error(&mut self, class: ErrorClass, message: &str, name: Sym, receiver: Value) -> Unwind {
        self.name_error_as_given(class, message, name.value(), receiver)
    }

    /// Like `name_error`, but `name` is the object that the program passed.
    #[cold]
    pub fn name_error_as_given(&mut self, class: ErrorClass, message: &str, name: Value, receiver: Value) -> Unwind {
        let class = self.error_class(class);
        let message = crate::make::named(self, message);
        let exception = new_exception(self, class, message);
        let (name, receiver) = (own(self, name), own(self, receiver));
        ivars::set_hidden(self, exception, sym::MEMO_NAME, name);
        ivars::set_hidden(self, exception, sym::MEMO_RECEIVER, receiver);
        raise_exception(self, exception)
    }

    /// KeyError with `receiver` and `key`.
    #[cold]
    pub fn key_error(&mut self, message: Value, receiver: Value, key: Value) -> Unwind {
        let class = self.error_class(ErrorClass::KeyError);
        let exception = new_exception(self, class, message);
        let (receiver, key) = (own(self, receiver), own(self, key));
        ivars::set_hidden(self, exception, sym::MEMO_RECEIVER, receiver);
        ivars::set_hidden(self, exception, sym::MEMO_KEY, key);
        raise_exception(self, exception)
    }

    /// The Errno class for `errno`, with `detail` after the system's message ("No such file or directory @ rb_sysopen -
    /// /x").
    #[cold]
    pub fn system_error(&mut self, errno: host::Errno, detail: &str) -> Unwind {
        let class = classes::errno_class(self, errno);
        let text = if detail.is_empty() {
            errno.message().to_string()
        } else {
            format!("{}{}{detail}", errno.message(), if detail.starts_with(" @") { "" } else { " - " })
        };
        let message = crate::make::text(self, &text);
        let exception = new_exception(self, class, message);
        ivars::set_hidden(self, exception, sym::MEMO_ERRNO, Value::fixnum(errno.0 as i64));
        raise_exception(self, exception)
    }
}

/// Whether `exception` is `cause` or a cause of it. Ends also if causes form a circle that it is not a part of.
pub fn is_among_causes(cx: &mut Cx, exception: Value, cause: Value) -> bool {
    // The mark follows at growing distances, so that a circle comes back to it.
    let (mut at, mut mark, mut left, mut distance) = (cause, Value::NIL, 1_usize, 1_usize);
    while !at.is_nil() && !at.is_undef() {
        if at == exception {
            return true;
        }
        left -= 1;
        if left == 0 {
            distance *= 2;
            (mark, left) = (at, distance);
        }
        at = ivars::get(cx, at, sym::MEMO_CAUSE);
        if at == mark {
            return false;
        }
    }
    false
}

/// An exception object; `initialize` is not called.
pub fn new_exception(cx: &mut Cx, class: Value, message: Value) -> Value {
    let root = class::root_shape(class);
    let exception = ivars::new_object(cx, Type::Exception, root);
    ivars::set_hidden(cx, exception, sym::MEMO_MESSAGE, message);
    exception
}

/// Raises a new exception. While calls are traced, Exception#initialize is called for its events.
fn raise_new(cx: &mut Cx, class: Value, message: Value) -> Unwind {
    let exception = new_exception(cx, class, message);
    if crate::trace::calls_are_traced(cx) {
        let entry = class::lookup::find_method(cx, class, sym::INITIALIZE);
        if entry.is_heap()
            && method_entry::owner(entry) == cx.class(object::Known::Exception)
            && is_core(entry)
            && let Err(unwind) = call_while_raising(cx, exception, sym::INITIALIZE, &[message])
        {
            return unwind;
        }
    }
    raise_exception(cx, exception)
}

/// Calls a method of the program.
fn send(cx: &mut Cx, receiver: Value, name: Sym, arguments: &[Value]) -> R {
    let send = cx.vm().upper.send;
    send(cx, receiver, name, arguments)
}

/// Raises an exception object: adds a backtrace and a cause if it has none.
pub fn raise_exception(cx: &mut Cx, exception: Value) -> Unwind {
    // Exception#exception is called for its events.
    if crate::trace::calls_are_traced(cx)
        && !is_overridden(cx, exception, sym::EXCEPTION)
        && let Err(unwind) = call_while_raising(cx, exception, sym::EXCEPTION, &[])
    {
        return unwind;
    }
    match keep_place(cx, exception, 0) {
        Ok(()) => raise_from_place(cx, exception),
        Err(unwind) => unwind,
    }
}

/// Raises an exception that already has a backtrace.
pub fn raise_from_place(cx: &mut Cx, exception: Value) -> Unwind {
    keep_cause(cx, exception);
    if let Err(unwind) = cx.event(crate::trace::RAISE, exception, Value::NIL) {
        return unwind;
    }
    if cx.debug() {
        let report = cx.vm().upper.report_raise;
        report(cx, exception);
    }
    cx.raise_object(exception)
}

/// Raises the exception that has ended a thread or fiber in the one that waits for it.
pub fn raise_again(cx: &mut Cx, exception: Value) -> Unwind {
    match cx.event(crate::trace::RAISE, exception, Value::NIL) {
        Ok(()) => cx.raise_object(exception),
        Err(unwind) => unwind,
    }
}

/// Makes the exception that this thread is handling the cause of another, unless that has one or is a cause of it, or
/// is frozen.
pub fn keep_cause(cx: &mut Cx, exception: Value) {
    let cause = cx.error_info;
    if !cause.is_nil()
        && !cell::frozen(exception)
        && ivars::get(cx, exception, sym::MEMO_CAUSE).is_undef()
        && !is_among_causes(cx, exception, cause)
    {
        set_cause(cx, exception, cause);
    }
}

/// Sets the cause of an exception. An exception without a cause gets one when it is raised again, unless it is itself
/// the cause of another.
pub fn set_cause(cx: &mut Cx, exception: Value, cause: Value) {
    ivars::set_hidden(cx, exception, sym::MEMO_CAUSE, cause);
    if !cause.is_nil() && ivars::get(cx, cause, sym::MEMO_CAUSE).is_undef() {
        ivars::set_hidden(cx, cause, sym::MEMO_CAUSE, Value::NIL);
    }
}

/// Records the current position (without the `skip` innermost frames), unless the exception already has one or is
/// frozen. Calls a program's own `backtrace` before and its own `set_backtrace`; exceptions in these are discarded.
pub fn keep_place(cx: &mut Cx, exception: Value, skip: usize) -> Result<(), Unwind> {
    if crate::trace::calls_are_traced(cx) {
        end_of_raise(cx)?;
        // Exception#backtrace is called for its events.
        if !is_overridden(cx, exception, sym::BACKTRACE) {
            call_while_raising(cx, exception, sym::BACKTRACE, &[])?;
        }
    }
    if has_backtrace(cx, exception) {
        return Ok(());
    }
    if is_overridden(cx, exception, sym::BACKTRACE) && !call_while_raising(cx, exception, sym::BACKTRACE, &[])?.is_nil()
    {
        return Ok(());
    }
    if cell::frozen(exception) {
        return Ok(());
    }
    let locations = backtrace::capture_for_exception(cx, skip);
    ivars::set_hidden(cx, exception, sym::MEMO_LOCATIONS, locations);
    if !is_overridden(cx, exception, sym::SET_BACKTRACE) {
        // What was never set needs no place in the object.
        if !ivars::get(cx, exception, sym::MEMO_BACKTRACE).is_undef() {
            ivars::set_hidden(cx, exception, sym::MEMO_BACKTRACE, Value::UNDEF);
        }
        return Ok(());
    }
    // Without a call of super, there is no backtrace.
    ivars::set_hidden(cx, exception, sym::MEMO_BACKTRACE, Value::NIL);
    let lines = backtrace::to_array(cx, locations);
    call_while_raising(cx, exception, sym::SET_BACKTRACE, &[lines]).map(drop)
}

/// Fires the return event of `raise`, if that is running: it comes before those of placing the exception.
fn end_of_raise(cx: &mut Cx) -> Result<(), Unwind> {
    let frame = cx.frame();
    let (entry, is_native) = (frame.scope.entry, frame.flags & FrameFlags::NATIVE != 0);
    if is_native && entry.is_heap() && matches!(method_entry::original_name(entry).bytes(cx), b"raise" | b"fail") {
        cx.event(crate::trace::C_RETURN, Value::NIL, Value::NIL)?;
        cx.frame_mut().flags |= FrameFlags::RETURN_FIRED;
    }
    Ok(())
}

/// Calls a method of an exception that is being raised. The result is nil if the method raises.
fn call_while_raising(cx: &mut Cx, exception: Value, name: Sym, arguments: &[Value]) -> crate::R {
    if std::mem::replace(&mut cx.placing, true) {
        return Ok(Value::NIL);
    }
    let answer = send(cx, exception, name, arguments);
    cx.placing = false;
    match answer {
        Ok(answer) => Ok(answer),
        Err(unwind) => cx.take_exception(unwind).map(|_| Value::NIL),
    }
}

pub fn has_backtrace(cx: &mut Cx, exception: Value) -> bool {
    let set = ivars::get(cx, exception, sym::MEMO_BACKTRACE);
    if set.is_undef() { !ivars::get(cx, exception, sym::MEMO_LOCATIONS).is_undef() } else { !set.is_nil() }
}

fn is_overridden(cx: &mut Cx, exception: Value, name: Sym) -> bool {
    let class = class::class_of(cx, exception);
    let entry = class::lookup::find_method(cx, class, name);
    entry.is_heap() && !is_core(entry)
}

/// SystemStackError if the recursion is deeper than CRuby allows and has kept much memory alive since it was less deep.
pub fn check_deep_recursion(cx: &mut Cx) -> R<()> {
    if backtrace::depth(cx, 0, CALLS_IN_CRUBY + 1) <= CALLS_IN_CRUBY {
        let bytes = cx.vm().heap.old_bytes();
        cx.recursion_limit.allow(bytes);
        return Ok(());
    }
    cx.collect(Request::full(Cause::OldBytes));
    let bytes = cx.vm().heap.old_bytes();
    if cx.recursion_limit.is_exceeded(bytes) { Err(stack_overflow(cx)) } else { Ok(()) }
}

/// SystemStackError. No method of the program and no trace point is called: it could recur without an end, as raising
/// itself uses the reserve of the stack.
#[cold]
pub fn stack_overflow(cx: &mut Cx) -> Unwind {
    let bound = cx.native_bound();
    cx.set_native_bound(0);
    let made = catch_unwind(AssertUnwindSafe(|| overflow(cx)));
    cx.set_native_bound(bound);
    // Memory may be exhausted: the long backtraces need much of it.
    let exception = made.unwrap_or_else(|payload| resume_unwind(payload));
    cx.raise_object(exception)
}

/// The exception of a stack overflow, with its place and cause.
fn overflow(cx: &mut Cx) -> Value {
    let class = cx.error_class(ErrorClass::SystemStackError);
    let message = crate::make::named(cx, "stack level too deep");
    let exception = new_exception(cx, class, message);
    let locations = backtrace::capture_for_exception(cx, 0);
    ivars::set_hidden(cx, exception, sym::MEMO_LOCATIONS, locations);
    ivars::set_hidden(cx, exception, sym::MEMO_BACKTRACE, Value::UNDEF);
    keep_cause(cx, exception);
    exception
}

/// The name of `v`'s class for messages.
pub fn class_name_of(cx: &mut Cx, v: Value) -> String {
    let class = class::real_class(cx, v);
    shown_name(cx, class)
}

/// The name of a class or module for messages: the text of its `to_s` if the program has defined one.
pub fn shown_name(cx: &mut Cx, module: Value) -> String {
    if class::make::existing_singleton(cx, module).is_some()
        && is_overridden(cx, module, sym::TO_S)
        && let Ok(shown) = send(cx, module, sym::TO_S, &[])
        && object::cell::is(shown, Type::String)
    {
        return object::string::Str::of(shown).to_text();
    }
    crate::naming::class_name(cx, module)
}

/// "nil", "true", "an instance of Foo", "class Foo", "module Foo", "main:Object": the receiver in the message of a
/// NoMethodError.
pub fn describe_receiver(cx: &mut Cx, v: Value) -> String {
    if v.is_nil() {
        return "nil".into();
    }
    if v == Value::TRUE || v == Value::FALSE {
        return if v.truthy() { "true".into() } else { "false".into() };
    }
    if v == cx.vm().main_object {
        return "main".into();
    }
    if class::is_class(v) {
        return format!("class {}", crate::naming::class_name(cx, v));
    }
    if class::is_module(v) {
        return format!("module {}", crate::naming::class_name(cx, v));
    }
    if v.is_heap() && class::make::existing_singleton(cx, v).is_some() {
        return crate::naming::any_to_text(cx, v);
    }
    format!("an instance of {}", class_name_of(cx, v))
}

/// "nil", "true", "false" or the class: how conversion errors name a value.
pub fn describe_for_conversion(cx: &mut Cx, v: Value) -> String {
    match v {
        Value::NIL => "nil".into(),
        Value::TRUE => "true".into(),
        Value::FALSE => "false".into(),
        _ => class_name_of(cx, v),
    }
}

/// The result; `None` if it is an exception of `class`, which ends here.
pub fn rescued<T>(cx: &mut Cx, result: R<T>, class: ErrorClass) -> R<Option<T>> {
    match result {
        Ok(v) => Ok(Some(v)),
        Err(unwind) => {
            let exception = cx.take_exception(unwind)?;
            if is_error(cx, exception, class) { Ok(None) } else { Err(cx.raise_object(exception)) }
        }
    }
}

/// Whether the exception is an instance of `class`.
pub fn is_error(cx: &Cx, exception: Value, class: ErrorClass) -> bool {
    class::is_a(cx, exception, cx.error_class(class))
}
