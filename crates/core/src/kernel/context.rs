//! The calling context: binding, caller, block_given?, eval, procs.

use abi::{Type, Value};
use object::{cell, method_entry, native, proc};
use runtime::{
    Args, Cx, R, backtrace,
    binding::{self, BindingData},
    call::block,
    convert, error, eval, make, reflect, warning,
};

use crate::{exception::location, module::evaluation, proc as procs};

/// `binding → binding`: a binding with the variables and self of the caller. RuntimeError if a native method calls it.
pub fn binding(cx: &mut Cx, _: Args) -> R {
    let caller = cx.frames().find(|frame| !std::ptr::eq(*frame, cx.frame));
    if caller.is_some_and(|frame| frame.flags & abi::FrameFlags::NATIVE != 0) {
        return Err(cx.runtime_error("Cannot create Binding object for non-Ruby caller"));
    }
    binding::of_caller(cx)
}

/// `block_given? → true or false`: whether the method around the call was given a block.
pub fn block_given(cx: &mut Cx, _: Args) -> R {
    let frame = cx.frames().find(|f| f.flags & abi::FrameFlags::NATIVE == 0);
    let given = frame.is_some_and(|f| !reflect::home(f).block.is_none());
    Ok(Value::bool(given))
}

/// `iterator? → true or false`: the old name of `block_given?`, of which it warns.
pub fn is_iterator(cx: &mut Cx, args: Args) -> R {
    warning::warn_deprecated(cx, "iterator? is deprecated; use block_given? instead")?;
    block_given(cx, args)
}

/// `local_variables → array`: the names of the caller's variables as symbols, including those of enclosing scopes.
pub fn local_variables(cx: &mut Cx, _: Args) -> R {
    let list = make::array(cx, &[]);
    for name in reflect::visible_locals(cx) {
        if !object::array::Arr::of(list).contains(name.value()) {
            make::push(cx, list, name.value());
        }
    }
    Ok(list)
}

/// `eval(source, binding = nil, file = nil, line = 1) → object`: evaluates a source in a binding, or in the caller's
/// scope with the receiver as self; with a file and a line for messages. SyntaxError, and TypeError for anything but a
/// Binding.
pub fn kernel_eval(cx: &mut Cx, args: Args) -> R {
    let source = args.str(cx, 0)?;
    let given = args.non_nil(1);
    let scope = match given {
        Some(binding) => {
            if native::get::<BindingData>(&binding).is_none() {
                let is_proc = cell::is(binding, Type::Proc);
                let got = if is_proc { "proc".to_owned() } else { error::class_name_of(cx, binding) };
                return Err(cx.type_error(&format!("wrong argument type {got} (expected binding)")));
            }
            binding
        }
        None => {
            let own = binding::of_caller(cx)?;
            let is_own = native::get::<BindingData>(&own).is_none_or(|data| data.receiver == args.me());
            if is_own { own } else { evaluation::as_self(cx, args.me())? }
        }
    };
    let place = evaluation::place(cx, args.from(2))?;
    let (bytes, encoding) = (source.to_vector(), source.encoding());
    let run = if given.is_some() { eval::eval_in_binding } else { eval::eval_in_caller };
    run(cx, scope, eval::EvalText { bytes: &bytes, encoding }, place)
}

/// `proc { … } → proc`: the block as a Proc. ArgumentError without one.
pub fn kernel_proc(cx: &mut Cx, args: Args) -> R {
    let block = args.block_proc(cx)?;
    if block.is_nil() { Err(cx.argument_error("tried to create Proc object without a block")) } else { Ok(block) }
}

/// `lambda { … } → proc`: the block as a lambda, which checks its arguments, and whose `return` only leaves the lambda.
/// ArgumentError unless the block is a literal or already a lambda.
pub fn kernel_lambda(cx: &mut Cx, args: Args) -> R {
    let handler = args.block(cx);
    let block = block::to_proc(cx, handler)?;
    if block.is_nil() {
        return Err(cx.argument_error("tried to create Proc object without a block"));
    }
    // A block that was passed to the caller is not a literal block of this call.
    let calling = cx.frames().find(|f| f.flags & abi::FrameFlags::NATIVE == 0 && !f.scope.code.is_nil());
    let is_literal = |frame: *mut abi::Frame| calling.is_some_and(|f| std::ptr::eq(f, frame));
    if reflect::frame_of_written(handler).is_some_and(is_literal) {
        cell::set_header(block, cell::header(block).with(proc::LAMBDA));
        return Ok(block);
    }
    if cell::is(block, Type::Proc) && !proc::is_lambda(block) && !procs::is_from_literal_lambda(block) {
        return Err(cx.argument_error("the lambda method requires a literal block"));
    }
    Ok(block)
}

/// Level and length of `caller(start = 1, length = nil)`, `caller(range)`; `depth` counts the available frames.
pub fn span(cx: &mut Cx, args: Args, default: i64, depth: impl Fn(&mut Cx) -> usize) -> R<Option<(usize, usize)>> {
    let Some(first) = args.opt(0) else { return Ok(Some((default as usize, usize::MAX))) };
    if cell::is(first, Type::Range) {
        let begin = match object::range::begin(first) {
            Value::NIL => 0,
            v => convert::to_i64(cx, v)?,
        };
        let end = match object::range::end(first) {
            Value::NIL => -1,
            v => convert::to_i64(cx, v)?,
        };
        if begin < 0 {
            return Err(cx.argument_error(&format!("negative level ({begin})")));
        }
        let exclusive = object::range::is_exclusive(first) && !object::range::end(first).is_nil();
        let length = if end < 0 {
            // A position from the end requires the number of all frames.
            let total = depth(cx) as i64;
            (total + end + !exclusive as i64 - begin).max(0)
        } else {
            (end - begin + !exclusive as i64).max(0)
        };
        return Ok(Some((begin as usize, length as usize)));
    }
    let start = convert::to_i64(cx, first)?;
    if start < 0 {
        return Err(cx.argument_error(&format!("negative level ({start})")));
    }
    let length = match args.non_nil(1) {
        None => usize::MAX,
        Some(v) => {
            let n = convert::to_i64(cx, v)?;
            if n < 0 {
                return Err(cx.argument_error(&format!("negative size ({n})")));
            }
            n as usize
        }
    };
    Ok(Some((start as usize, length)))
}

/// The number of frames in a backtrace taken in the caller.
fn depth(cx: &mut Cx) -> usize {
    backtrace::depth(cx, 1, usize::MAX)
}

/// The frames from `start` above the caller of this method; `None` past the outermost.
/// A list is empty, whatever the level, if the given length is 0.
fn captured(cx: &mut Cx, args: Args, start: usize, length: usize) -> Option<Value> {
    let trace = backtrace::capture(cx, 1 + start, length);
    let is_nothing_wanted = length == 0 && args.non_nil(1).is_some();
    // A trace with a frame in it tells that the stack has more than the skipped ones.
    let is_empty = native::get::<backtrace::Backtrace>(&trace).is_none_or(|trace| trace.is_empty());
    let is_past_all = is_empty && !is_nothing_wanted && start > backtrace::depth(cx, 1, start);
    (!is_past_all).then_some(trace)
}

/// `caller(start = 1, length = nil) → array or nil`: the backtrace as strings, beginning `start` frames above; nil if
/// the stack has fewer frames.
pub fn caller(cx: &mut Cx, args: Args) -> R {
    let Some((start, length)) = span(cx, args, 1, depth)? else { return Ok(Value::NIL) };
    match captured(cx, args, start, length) {
        Some(trace) => Ok(backtrace::to_array(cx, trace)),
        None => Ok(Value::NIL),
    }
}

/// `caller_locations(start = 1, length = nil) → array or nil`: the backtrace as Thread::Backtrace::Location, beginning
/// `start` frames above; nil if the stack has fewer frames.
pub fn caller_locations(cx: &mut Cx, args: Args) -> R {
    let Some((start, length)) = span(cx, args, 1, depth)? else { return Ok(Value::NIL) };
    if length == 1
        && let Some(place) = backtrace::location(cx, 1 + start)
    {
        let place = location::alone(cx, place);
        return Ok(make::array(cx, &[place]));
    }
    let trace = captured(cx, args, start, length);
    Ok(trace.map_or(Value::NIL, |trace| location::to_array(cx, trace)))
}

/// Passes the locations that `caller_locations` returns to `each`. Only after the first one are the others found.
pub fn each_caller(cx: &mut Cx, args: Args, mut each: impl FnMut(&mut Cx, Value) -> R) -> R<()> {
    let Some((start, length)) = span(cx, args, 1, depth)? else { return Ok(()) };
    let Some(first) = backtrace::location(cx, 1 + start).filter(|_| length > 0) else { return Ok(()) };
    let first = location::alone(cx, first);
    each(cx, first)?;
    if length == 1 {
        return Ok(());
    }
    let Some(others) = captured(cx, args, start + 1, length - 1) else { return Ok(()) };
    let count = native::get::<backtrace::Backtrace>(&others).map_or(0, |trace| trace.len());
    for index in 0..count {
        let place = location::at(cx, others, index);
        each(cx, place)?;
    }
    Ok(())
}

/// `__method__ → symbol or nil`: the name with which the running method was defined; nil outside of methods.
pub fn current_method(cx: &mut Cx, _: Args) -> R {
    Ok(running_entry(cx).map_or(Value::NIL, |entry| method_entry::original_name(entry).value()))
}

/// `__callee__ → symbol or nil`: the name by which the running method was called, possibly an alias; nil outside of
/// methods.
pub fn current_callee(cx: &mut Cx, _: Args) -> R {
    Ok(running_entry(cx).map_or(Value::NIL, |entry| method_entry::name(entry).value()))
}

fn running_entry(cx: &Cx) -> Option<Value> {
    let entry = reflect::caller(cx)?.scope.entry;
    (!entry.is_nil()).then_some(entry)
}

/// `__dir__ → string or nil`: the resolved directory of the calling file; nil in code of `eval` without a file.
pub fn directory(cx: &mut Cx, _: Args) -> R {
    let Some(source) = backtrace::caller_source(cx) else { return Ok(Value::NIL) };
    let Some(path) = source.real_path() else {
        if source.path.starts_with("(eval at ") {
            return Ok(Value::NIL);
        }
        let directory = match source.path.rsplit_once('/') {
            Some(("", _)) => "/",
            Some((directory, _)) => directory,
            None => ".",
        };
        return Ok(make::text(cx, directory));
    };
    let directory = std::path::Path::new(path).parent().map_or("/".into(), |p| p.to_string_lossy().into_owned());
    Ok(make::text(cx, &directory))
}
