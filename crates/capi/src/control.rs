//! Raising, rescuing, ensuring, throwing.

use std::ffi::{c_char, c_void};

use abi::Value;
use object::{class, string::Str, symbol::table::intern_text};
use runtime::{
    Cx, R, call,
    error::{self, ErrorClass},
    make,
    unwind::{Reason, Unwinding},
};
use text::EncodingId;

use crate::{
    border::{self, Place, call_words, send},
    given,
};

/// Reports a fatal error and ends the process.
pub fn beni_bug(text: *const c_char) {
    crate::border::bug(text)
}

pub fn rb_exc_raise(cx: &mut Cx, exception: Value) -> R<()> {
    if !class::is_known(cx, exception, runtime::Known::Exception) {
        return Err(cx.type_error("exception object expected"));
    }
    // An exception that rb_protect has caught, and C has not discarded, is the cause of the next one.
    let info = cx.error_info;
    if !cx.native_error.is_nil() {
        cx.error_info = cx.native_error;
    }
    let unwind = error::raise_exception(cx, exception);
    cx.error_info = info;
    Err(unwind)
}

/// A new exception created by `new`, which a program's class may override.
fn made(cx: &mut Cx, class: Value, message: Value) -> R {
    send(cx, class, "new", &[message])
}

pub fn rb_exc_new(cx: &mut Cx, class: Value, start: *const c_char, len: i64) -> R {
    let message = make::string(cx, given::bytes(start, len), EncodingId::BINARY);
    made(cx, class, message)
}

pub fn rb_exc_new_cstr(cx: &mut Cx, class: Value, message: *const c_char) -> R {
    let message = make::string(cx, given::text(message), EncodingId::BINARY);
    made(cx, class, message)
}

pub fn rb_exc_new_str(cx: &mut Cx, class: Value, message: Value) -> R {
    let message = runtime::convert::to_str(cx, message)?.value();
    made(cx, class, message)
}

fn errno() -> i32 {
    std::io::Error::last_os_error().raw_os_error().unwrap_or(0)
}

/// An instance of the Errno class, which SystemCallError.new chooses.
fn system(cx: &mut Cx, number: i32, message: Value) -> R {
    let class = cx.error_class(ErrorClass::SystemCallError);
    send(cx, class, "new", &[message, Value::fixnum(number as i64)])
}

fn message(cx: &mut Cx, text: *const c_char) -> Value {
    if text.is_null() { Value::NIL } else { make::string(cx, given::text(text), EncodingId::UTF_8) }
}

pub fn rb_syserr_new(cx: &mut Cx, number: i32, text: *const c_char) -> R {
    let message = message(cx, text);
    system(cx, number, message)
}

pub fn rb_syserr_new_str(cx: &mut Cx, number: i32, message: Value) -> R {
    system(cx, number, message)
}

fn fail(cx: &mut Cx, number: i32, message: Value) -> R<()> {
    let exception = system(cx, number, message)?;
    Err(error::raise_exception(cx, exception))
}

pub fn rb_sys_fail(cx: &mut Cx, text: *const c_char) -> R<()> {
    let number = errno();
    let message = message(cx, text);
    fail(cx, number, message)
}

pub fn rb_sys_fail_str(cx: &mut Cx, message: Value) -> R<()> {
    let number = errno();
    fail(cx, number, message)
}

pub fn rb_syserr_fail(cx: &mut Cx, number: i32, text: *const c_char) -> R<()> {
    let message = message(cx, text);
    fail(cx, number, message)
}

pub fn rb_syserr_fail_str(cx: &mut Cx, number: i32, message: Value) -> R<()> {
    fail(cx, number, message)
}

/// The exception extended by a module.
fn fail_as(cx: &mut Cx, module: Value, number: i32, message: Value) -> R<()> {
    let exception = system(cx, number, message)?;
    send(cx, exception, "extend", &[module])?;
    Err(error::raise_exception(cx, exception))
}

pub fn rb_mod_sys_fail(cx: &mut Cx, module: Value, text: *const c_char) -> R<()> {
    let number = errno();
    let message = message(cx, text);
    fail_as(cx, module, number, message)
}

pub fn rb_mod_sys_fail_str(cx: &mut Cx, module: Value, message: Value) -> R<()> {
    let number = errno();
    fail_as(cx, module, number, message)
}

pub fn rb_mod_syserr_fail(cx: &mut Cx, module: Value, number: i32, text: *const c_char) -> R<()> {
    let message = message(cx, text);
    fail_as(cx, module, number, message)
}

pub fn rb_mod_syserr_fail_str(cx: &mut Cx, module: Value, number: i32, message: Value) -> R<()> {
    fail_as(cx, module, number, message)
}

pub fn rb_readwrite_sys_fail(cx: &mut Cx, waiting: i32, text: *const c_char) -> R<()> {
    rb_readwrite_syserr_fail(cx, waiting, errno(), text)
}

/// Raises the Errno exception for a number, extended by IO::WaitReadable (`waiting` 0) or IO::WaitWritable (1).
pub fn rb_readwrite_syserr_fail(cx: &mut Cx, waiting: i32, number: i32, text: *const c_char) -> R<()> {
    let module = if waiting == 0 { "WaitReadable" } else { "WaitWritable" };
    let message = message(cx, text);
    let class = match number {
        11 => "EAGAIN",
        115 => "EINPROGRESS",
        _ => {
            let module = border::constant(cx, &format!("IO::{module}"))?;
            return fail_as(cx, module, number, message);
        }
    };
    let exception = border::send_to(cx, &format!("IO::{class}{module}"), "new", &[message])?;
    Err(runtime::error::raise_exception(cx, exception))
}

pub fn rb_notimplement(cx: &mut Cx) -> R<()> {
    let name = running_name(cx);
    Err(cx.not_implemented(&format!("{name}() function is unimplemented on this machine")))
}

pub fn rb_f_notimplement(cx: &mut Cx, _: i32, _: *const Value, _: Value, _: Value) -> R<()> {
    rb_notimplement(cx)
}

fn running_name(cx: &mut Cx) -> String {
    let entry = Place::now().method().map_or(Value::NIL, |frame| frame.scope.entry);
    if entry.is_heap() { object::method_entry::name(entry).to_text(cx) } else { String::new() }
}

pub fn rb_error_frozen(cx: &mut Cx, what: *const c_char) -> R<()> {
    let what = given::name(what);
    Err(cx.raise(ErrorClass::FrozenError, &format!("can't modify frozen {what}")))
}

pub fn rb_error_frozen_object(cx: &mut Cx, v: Value) -> R<()> {
    Err(cx.frozen_error(v))
}

pub fn rb_error_arity(cx: &mut Cx, given: i32, least: i32, most: i32) -> R<()> {
    Err(cx.arity_error(given.max(0) as usize, least.max(0) as usize, usize::try_from(most).ok()))
}

pub fn beni_name_error(cx: &mut Cx, message: Value, name: Value) -> R<()> {
    let text = String::from_utf8_lossy(Str::of(message).bytes(cx)).into_owned();
    Err(cx.name_error_as_given(ErrorClass::NameError, &text, name, Value::NIL))
}

/// `how`: 0 for a warning, 1 for one of `-w`, 16 and more for one of a category.
pub fn beni_warn(cx: &mut Cx, how: i32, message: Value) -> R<()> {
    let is_wanted = match how {
        1 | 32.. => cx.verbose() == Some(true),
        _ => cx.verbose().is_some(),
    };
    let options = &cx.vm().options;
    let is_on = match how % 16 * i32::from(how >= 16) {
        1 => options.warn_deprecated,
        2 => options.warn_experimental,
        3 => options.warn_performance,
        4 => options.warn_strict_unused_block,
        _ => true,
    };
    if !is_wanted || !is_on {
        return Ok(());
    }
    let text = String::from_utf8_lossy(Str::of(message).bytes(cx)).into_owned();
    runtime::warning::warn_here(cx, &text)
}

pub fn rb_exc_set_backtrace_with_raising(cx: &mut Cx, exception: Value, backtrace: Value) -> R<()> {
    send(cx, exception, "set_backtrace", &[backtrace]).map(drop)
}

/// The states that `rb_protect` reports.
const RETURN: i32 = 1;
const BREAK: i32 = 2;
const RAISE: i32 = 6;
const THROW: i32 = 7;
const FATAL: i32 = 8;

/// Stops the unwinding in progress and writes its state; `rb_jump_tag` continues it. Returns the result, nil if there
/// is none.
pub fn caught(cx: &mut Cx, result: R, state: *mut i32) -> Value {
    let unwind = match result {
        Ok(v) => {
            given::write(state, 0);
            return v;
        }
        Err(unwind) => unwind,
    };
    let number = match cx.unwinding.reason {
        Reason::Return => RETURN,
        Reason::Break => BREAK,
        Reason::Throw => THROW,
        Reason::Kill | Reason::Abandon => FATAL,
        _ => RAISE,
    };
    if number == RAISE
        && let Ok(exception) = cx.take_exception(unwind)
    {
        cx.native_error = exception;
    } else {
        cx.native_unwinding = cx.pack_unwinding();
    }
    given::write(state, number);
    Value::NIL
}

pub fn rb_protect(cx: &mut Cx, body: *const c_void, data: Value, state: *mut i32) -> R {
    let place = Place::now();
    let result = call_words(cx, body, &[data.0], place, None);
    Ok(caught(cx, result, state))
}

pub fn rb_jump_tag(cx: &mut Cx, state: i32) -> R<()> {
    let kept = std::mem::replace(&mut cx.native_unwinding, Value::NIL);
    if state != RAISE && !kept.is_nil() {
        return Err(cx.unpack_unwinding(kept));
    }
    // From here on, a `rescue` in Ruby may stop the exception.
    let exception = std::mem::replace(&mut cx.native_error, Value::NIL);
    if exception.is_nil() {
        return Err(cx.runtime_error("rb_jump_tag without an exception"));
    }
    Err(cx.raise_object(exception))
}

/// Runs `f` while the unwinding in progress is suspended; it continues afterwards.
fn after(cx: &mut Cx, result: R, f: impl FnOnce(&mut Cx) -> R) -> R {
    match result {
        Ok(v) => f(cx).map(|_| v),
        Err(_) => {
            let (info, error) = (cx.error_info, cx.native_error);
            if let Some(exception) = cx.exception_under_way() {
                (cx.error_info, cx.native_error) = (exception, exception);
            }
            let kept = cx.pack_unwinding();
            let done = f(cx);
            (cx.error_info, cx.native_error) = (info, error);
            done?;
            Err(cx.unpack_unwinding(kept))
        }
    }
}

pub fn rb_ensure(cx: &mut Cx, body: *const c_void, data: Value, ensure: *const c_void, data2: Value) -> R {
    let place = Place::now();
    let result = call_words(cx, body, &[data.0], place, None);
    after(cx, result, |cx| call_words(cx, ensure, &[data2.0], place, None))
}

fn rescued(
    cx: &mut Cx,
    (body, data): (*const c_void, Value),
    (rescue, data2): (*const c_void, Value),
    classes: &[Value],
) -> R {
    let place = Place::now();
    let (info, error) = (cx.error_info, cx.native_error);
    let unwind = match call_words(cx, body, &[data.0], place, None) {
        Ok(v) => return Ok(v),
        Err(unwind) => unwind,
    };
    let exception = cx.take_exception(unwind)?;
    for wanted in classes {
        if !class::is_module(*wanted) {
            return Err(cx.type_error("class or module required for rescue clause"));
        }
        if !call::case_equal(cx, *wanted, exception)? {
            continue;
        }
        if rescue.is_null() {
            (cx.error_info, cx.native_error) = (info, error);
            return Ok(Value::NIL);
        }
        (cx.error_info, cx.native_error) = (exception, exception);
        let result = call_words(cx, rescue, &[data2.0, exception.0], place, None);
        (cx.error_info, cx.native_error) = (info, error);
        return result;
    }
    Err(cx.raise_object(exception))
}

pub fn rb_rescue(cx: &mut Cx, body: *const c_void, data: Value, rescue: *const c_void, data2: Value) -> R {
    let class = cx.error_class(ErrorClass::StandardError);
    rescued(cx, (body, data), (rescue, data2), &[class])
}

pub fn beni_rescue(
    cx: &mut Cx,
    body: *const c_void,
    data: Value,
    rescue: *const c_void,
    data2: Value,
    count: i32,
    classes: *const Value,
) -> R {
    rescued(cx, (body, data), (rescue, data2), given::values(count, classes))
}

pub fn rb_catch(cx: &mut Cx, tag: *const c_char, body: *const c_void, data: Value) -> R {
    let tag = intern_text(cx, &given::name(tag)).value();
    rb_catch_obj(cx, tag, body, data)
}

pub fn rb_catch_obj(cx: &mut Cx, tag: Value, body: *const c_void, data: Value) -> R {
    let place = Place::now();
    let block = crate::block::native(cx, body, data, place);
    let (kernel, name) = (cx.vm().main_object, intern_text(cx, "catch"));
    call::send_with_block(cx, kernel, name, &[tag], abi::BlockHandler(block))
}

pub fn rb_throw(cx: &mut Cx, tag: *const c_char, value: Value) -> R<()> {
    let tag = intern_text(cx, &given::name(tag)).value();
    rb_throw_obj(cx, tag, value)
}

pub fn rb_throw_obj(cx: &mut Cx, tag: Value, value: Value) -> R<()> {
    let me = cx.vm().main_object;
    send(cx, me, "throw", &[tag, value]).map(drop)
}

pub fn rb_errinfo(cx: &mut Cx) -> Value {
    cx.native_error
}

pub fn rb_set_errinfo(cx: &mut Cx, exception: Value) -> R<()> {
    if !exception.is_nil() && !class::is_known(cx, exception, runtime::Known::Exception) {
        return Err(cx.type_error("assigning non-exception to ?!"));
    }
    cx.native_error = exception;
    Ok(())
}

pub fn rb_iter_break(cx: &mut Cx) -> R<()> {
    rb_iter_break_value(cx, Value::NIL)
}

pub fn rb_iter_break_value(cx: &mut Cx, value: Value) -> R<()> {
    let in_c = border::innermost_tag();
    if let Some(home) = innermost_block_home(cx, in_c.map(|(_, caller)| caller)) {
        return Err(cx.unwind(Reason::Break, value, Value::NIL, home));
    }
    match in_c {
        Some((tag, _)) => Err(cx.unwind(Reason::Throw, value, tag, std::ptr::null_mut())),
        None => Err(cx.raise(ErrorClass::LocalJumpError, "unexpected break")),
    }
}

/// The frame that passed the innermost running block of Ruby code, if that was called after `caller` was running.
fn innermost_block_home(cx: &Cx, caller: Option<*mut abi::Frame>) -> Option<*mut abi::Frame> {
    let is_inner = |frame: &&abi::Frame| caller.is_none_or(|caller| (std::ptr::from_ref(*frame)) < caller.cast_const());
    let is_block = |frame: &&abi::Frame| frame.flags & abi::FrameFlags::BLOCK != 0 && !frame.scope.outer.is_null();
    let outer = cx.frames().take_while(is_inner).find(is_block)?.scope.outer;
    cx.frame_of_scope(outer)
}

/// The result of a call whose block in C has this tag: the value that `rb_iter_break` threw, if it did.
pub fn broken_out(cx: &mut Cx, result: R, tag: Value) -> R {
    match result {
        Err(_) if cx.unwinding.reason == Reason::Throw && cx.unwinding.tag == tag => {
            Ok(std::mem::replace(&mut cx.unwinding, Unwinding::none()).value)
        }
        result => result,
    }
}

pub fn rb_exit(cx: &mut Cx, status: i32) -> R<()> {
    let me = cx.vm().main_object;
    send(cx, me, "exit", &[Value::fixnum(status as i64)]).map(drop)
}

pub fn rb_memerror(cx: &mut Cx) -> R<()> {
    Err(cx.no_memory())
}

pub fn rb_interrupt(cx: &mut Cx) -> R<()> {
    Err(cx.raise(ErrorClass::Interrupt, ""))
}

pub fn rb_num_zerodiv(cx: &mut Cx) -> R<()> {
    Err(cx.raise(ErrorClass::ZeroDivisionError, "divided by 0"))
}

pub fn rb_out_of_int(cx: &mut Cx, n: i64) -> R<()> {
    let size = if n < 0 { "small" } else { "big" };
    Err(cx.range_error(&format!("integer {n} too {size} to convert to 'int'")))
}

pub fn rb_cmperr(cx: &mut Cx, a: Value, b: Value) -> R<()> {
    Err(call::comparison_failed(cx, a, b))
}

pub fn rb_invalid_str(cx: &mut Cx, text: *const c_char, kind: *const c_char) -> R<()> {
    let (text, kind) = (given::name(text), given::name(kind));
    Err(cx.argument_error(&format!("invalid value for {kind}: {text:?}")))
}

pub fn rb_make_exception(cx: &mut Cx, count: i32, argv: *const Value) -> R {
    let arguments = given::values(count, argv);
    let name = intern_text(cx, "exception");
    let Some((first, rest)) = arguments.split_first() else { return Ok(Value::NIL) };
    if arguments.len() > 3 {
        return Err(cx.arity_error(arguments.len(), 0, Some(3)));
    }
    if arguments.len() == 1 && object::cell::is(*first, abi::Type::String) {
        let class = cx.error_class(ErrorClass::RuntimeError);
        return send(cx, class, "new", &[*first]);
    }
    let own = &rest[..rest.len().min(1)];
    let made = call::send_if_responds(cx, *first, name, own)?;
    match made {
        Some(exception) if class::is_known(cx, exception, runtime::Known::Exception) => {
            if let Some(backtrace) = rest.get(1) {
                send(cx, exception, "set_backtrace", &[*backtrace])?;
            }
            Ok(exception)
        }
        Some(_) => Err(cx.type_error("exception object expected")),
        None => Err(cx.type_error("exception class/object expected")),
    }
}

pub fn rb_backtrace(cx: &mut Cx) -> R<()> {
    let lines = border::send_to(cx, "Kernel", "caller", &[Value::fixnum(0)])?;
    let me = cx.vm().main_object;
    send(cx, me, "puts", &[lines]).map(drop)
}

pub fn rb_bug_reporter_add(_: &mut Cx, function: *const c_void, data: *mut c_void) -> R<i32> {
    Ok(crate::reporters::add(function, data).into())
}

pub fn rb_set_end_proc(cx: &mut Cx, function: *const c_void, data: Value) -> R<()> {
    let block = crate::block::end_proc(cx, function, data);
    cx.vm_mut().at_exit.push(runtime::RootValue(block));
    Ok(())
}

pub fn rb_exec_recursive(cx: &mut Cx, function: *const c_void, v: Value, data: Value) -> R {
    let place = Place::now();
    let call = |cx: &mut Cx, again: u64| call_words(cx, function, &[v.0, data.0, again], place, None);
    guarded(cx, v, call)
}

pub fn rb_exec_recursive_paired(cx: &mut Cx, function: *const c_void, v: Value, _: Value, data: Value) -> R {
    rb_exec_recursive(cx, function, v, data)
}

/// Calls with 1 if the running method is already visiting the object.
fn guarded(cx: &mut Cx, v: Value, call: impl Fn(&mut Cx, u64) -> R) -> R {
    let entry = Place::now().method().map_or(Value::NIL, |frame| frame.scope.entry);
    let name = if entry.is_heap() { object::method_entry::original_name(entry) } else { intern_text(cx, "recursive") };
    match runtime::recursion::enter(cx, name, v)? {
        None => call(cx, 1),
        Some(depth) => {
            let result = call(cx, 0);
            runtime::recursion::leave(cx, depth);
            result
        }
    }
}
