//! raise, catch and throw, exit: non-local exits.

use abi::{FrameFlags, Value};
use object::{Known, Sym, cell, class, hash::HashRef, method_entry, shape::ivars, symbol};
use runtime::{
    Args, Cx, R, Unwind,
    call::{self, block},
    convert,
    error::{self, ErrorClass},
    isolation::access,
    keys, make, method_table, reflect, sym,
    unwind::Reason,
};

/// `raise`, `raise message`, `raise class_or_exception, message, backtrace, cause: …`: raises `$!` again, a
/// RuntimeError, or the result of `exception`; `$!` becomes its cause. TypeError for an object without `exception`.
pub fn raise(cx: &mut Cx, args: Args) -> R {
    let exception = exception_of(cx, args)?;
    error::keep_place(cx, exception, 1)?;
    Err(error::raise_from_place(cx, exception))
}

/// The exception for raise's arguments, with its cause and backtrace.
pub fn exception_of(cx: &mut Cx, args: Args) -> R {
    let mut options = args.keywords().map(|given| keys::dup(cx, given)).filter(|rest| !HashRef::of(*rest).is_empty());
    let mut cause = Value::UNDEF;
    if let Some(given) = options {
        cause = keys::get_symbol(cx, given, sym::CAUSE);
        if !cause.is_undef() {
            if args.is_empty() && HashRef::of(given).len() == 1 {
                return Err(cx.argument_error("only cause is given with no arguments"));
            }
            keys::delete(cx, given, sym::CAUSE.value())?;
            options = (!HashRef::of(given).is_empty()).then_some(given);
        }
    }
    let count = args.len() + usize::from(options.is_some());
    if count > 3 {
        return Err(cx.arity_error(count, 0, Some(3)));
    }
    // Other keywords are one more argument, a Hash.
    let given = |i| if i == args.len() { options } else { args.opt(i) };
    let mut exception = match given(0) {
        None => {
            let current = cx.error_info;
            if !current.is_nil() {
                return Ok(current);
            }
            let class = cx.error_class(ErrorClass::RuntimeError);
            let message = make::text(cx, "");
            error::new_exception(cx, class, message)
        }
        Some(first) => make_exception(cx, first, given(1), given(2))?,
    };
    // A frozen exception keeps what it has. With a backtrace it is copied, so that it can have a cause.
    if cell::frozen(exception) {
        if !error::has_backtrace(cx, exception) {
            return Ok(exception);
        }
        exception = crate::object::copy::dup_object(cx, exception)?;
    }
    if !cause.is_undef() {
        set_cause(cx, exception, cause)?;
    }
    Ok(exception)
}

fn make_exception(cx: &mut Cx, first: Value, message: Option<Value>, trace: Option<Value>) -> R {
    if message.is_none()
        && !first.is_nil()
        && let Some(text) = convert::try_str(cx, first)?
    {
        // As in CRuby, a redefined `new` is not called.
        let class = cx.error_class(ErrorClass::RuntimeError);
        let exception = error::new_exception(cx, class, Value::NIL);
        call::send(cx, exception, sym::INITIALIZE, &[text.value()])?;
        return Ok(exception);
    }
    let Some(made) = call::send_if_responds(cx, first, sym::EXCEPTION, message.as_slice())? else {
        return Err(cx.type_error("exception class/object expected"));
    };
    if !class::is_known(cx, made, Known::Exception) {
        return Err(cx.type_error("exception object expected"));
    }
    if let Some(trace) = trace {
        call::send(cx, made, sym::SET_BACKTRACE, &[trace])?;
    }
    Ok(made)
}

fn set_cause(cx: &mut Cx, exception: Value, cause: Value) -> R<()> {
    if !cause.is_nil() && !class::is_known(cx, cause, Known::Exception) {
        return Err(cx.type_error("exception object expected"));
    }
    let there = ivars::get(cx, exception, sym::MEMO_CAUSE);
    if cause == exception || (cause.is_nil() && !there.is_undef()) {
        return Ok(());
    }
    if error::is_among_causes(cx, exception, cause) {
        let unwind = cx.argument_error("circular causes");
        crate::exception::backtraces::leave_out_innermost(cx);
        return Err(unwind);
    }
    error::set_cause(cx, exception, cause);
    Ok(())
}

/// `catch(tag) { |tag| … } → object`: the result of the block, or the value of a `throw` of this tag, which is compared
/// by identity. The default tag is a new Object.
pub fn catch(cx: &mut Cx, args: Args) -> R {
    let block = args.block(cx);
    if block.is_none() {
        return Err(block::no_block(cx));
    }
    let Some(tag) = args.opt(0) else {
        let class = cx.class(Known::Object);
        let tag = call::send(cx, class, sym::NEW, &[])?;
        let name = symbol::table::intern_text(cx, "__catch");
        let with_tag = class::lookup::find_method(cx, class, name);
        return call::call_entry(cx, with_tag, args.me(), &[tag], None, block);
    };
    match call::yield_one(cx, block, tag) {
        Err(_) if cx.unwinding.reason == Reason::Throw && cx.unwinding.tag == tag => {
            let value = cx.unwinding.value;
            cx.unwinding = runtime::unwind::Unwinding::none();
            Ok(value)
        }
        result => result,
    }
}

/// Whether a catch of that tag is active in this fiber.
fn is_caught(cx: &Cx, tag: Value) -> bool {
    cx.frames().any(|f| {
        f.flags & FrameFlags::NATIVE != 0
            && !f.scope.entry.is_nil()
            // A `catch` without a tag calls itself with one.
            && f.registers > 1
            && reflect::frame_register(f, 1) == tag
            && is_catch(f.scope.entry)
    })
}

fn is_catch(entry: Value) -> bool {
    method_entry::kind(entry) == method_entry::Kind::Native
        && std::ptr::fn_addr_eq(method_table::row(entry).function, catch as runtime::Function)
}

/// `throw(tag, value = nil)`: leaves the innermost `catch` of this tag with the value. UncaughtThrowError if there is
/// none.
pub fn throw(cx: &mut Cx, args: Args) -> R {
    let (tag, value) = (args.at(0), args.opt(1).unwrap_or(Value::NIL));
    if is_caught(cx, tag) {
        return Err(cx.unwind(Reason::Throw, value, tag, std::ptr::null_mut()));
    }
    let class = cx.error_class(ErrorClass::UncaughtThrowError);
    let message = make::text(cx, "uncaught throw %p");
    let exception = error::new_exception(cx, class, message);
    ivars::set_hidden(cx, exception, sym::MEMO_TAG, tag);
    ivars::set_hidden(cx, exception, sym::MEMO_VALUE, value);
    Err(error::raise_exception(cx, exception))
}

/// SystemExit with that status.
fn system_exit(cx: &mut Cx, status: i64, message: Value) -> Unwind {
    let class = cx.error_class(ErrorClass::SystemExit);
    let exception = error::new_exception(cx, class, message);
    ivars::set_hidden(cx, exception, sym::MEMO_STATUS, Value::fixnum(status));
    if let Err(unwind) = error::keep_place(cx, exception, 0) {
        return unwind;
    }
    error::raise_from_place(cx, exception)
}

/// 0 for true, 1 for false, otherwise an Integer.
pub fn exit_status(cx: &mut Cx, v: Option<Value>) -> R<i64> {
    match v {
        None | Some(Value::TRUE) => Ok(0),
        Some(Value::FALSE) => Ok(1),
        Some(v) => Ok(convert::to_i32(cx, v)? as i64),
    }
}

/// `exit(status = true)`: raises SystemExit with a status; true is 0, false 1.
pub fn exit(cx: &mut Cx, args: Args) -> R {
    let status = exit_status(cx, args.opt(0))?;
    let message = make::text(cx, "exit");
    Err(system_exit(cx, status, message))
}

/// `exit!(status = false)`: ends the process immediately, without running `ensure` clauses and `at_exit` blocks.
pub fn exit_now(cx: &mut Cx, args: Args) -> R {
    let status = exit_status(cx, Some(args.opt(0).unwrap_or(Value::FALSE)))?;
    runtime::sampling::process_ends(cx);
    host::process::exit_immediately(status as i32)
}

/// `abort(message = nil)`: writes the message, or the current exception, to the standard error output and raises
/// SystemExit with status 1.
pub fn abort(cx: &mut Cx, args: Args) -> R {
    let message = match args.opt(0) {
        Some(message) => {
            let message = convert::to_str(cx, message)?;
            super::output::write_line_to(cx, "$stderr", message.value())?;
            message.value()
        }
        None => {
            let current = cx.error_info;
            if !current.is_nil() {
                crate::exception::report::print(cx, current)?;
            }
            make::text(cx, "exit")
        }
    };
    Err(system_exit(cx, 1, message))
}

/// `at_exit(&block) → proc`: registers a block to be called at the end of the program, in reverse order of
/// registration. ArgumentError without one.
pub fn at_exit(cx: &mut Cx, args: Args) -> R {
    let block = args.block_proc(cx)?;
    if block.is_nil() {
        return Err(cx.argument_error("called without a block"));
    }
    access::check_main(cx, "can not call at_exit from non-main Ractors")?;
    cx.vm_mut().at_exit.push(runtime::RootValue(block));
    Ok(block)
}

/// The Symbol with a text.
pub fn name(cx: &mut Cx, text: &str) -> Sym {
    symbol::table::intern_text(cx, text)
}
