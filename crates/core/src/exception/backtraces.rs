//! Backtraces of exceptions.

use abi::{Type, Value};
use object::{array::Arr, cell, shape::ivars};
use runtime::{Args, Cx, R, backtrace, make, sym};

use super::{field, location};

/// `backtrace → array or nil`: the lines of the backtrace; nil before the exception was raised.
pub fn backtrace(cx: &mut Cx, args: Args) -> R {
    of(cx, args.me())
}

/// The lines of an exception's backtrace, created on first use.
pub fn of(cx: &mut Cx, exception: Value) -> R {
    let set = ivars::get(cx, exception, sym::MEMO_BACKTRACE);
    if location::is_list(set) {
        return Ok(location::to_lines(cx, set));
    }
    if !set.is_undef() {
        return Ok(set);
    }
    let locations = ivars::get(cx, exception, sym::MEMO_LOCATIONS);
    if locations.is_undef() || locations.is_nil() {
        return Ok(Value::NIL);
    }
    let name = object::symbol::table::intern_text(cx, "__lines");
    let there = ivars::get(cx, exception, name);
    if !there.is_undef() {
        return Ok(there);
    }
    let lines = backtrace::to_array(cx, locations);
    ivars::set_hidden(cx, exception, name, lines);
    Ok(lines)
}

/// `backtrace_locations → array or nil`: the backtrace as locations; nil before the exception was raised, and if
/// `set_backtrace` received strings.
pub fn backtrace_locations(cx: &mut Cx, args: Args) -> R {
    let set = ivars::get(cx, args.me(), sym::MEMO_BACKTRACE);
    if location::is_list(set) {
        return Ok(set);
    }
    if !set.is_undef() {
        return Ok(Value::NIL);
    }
    let locations = field(cx, args.me(), sym::MEMO_LOCATIONS);
    if locations.is_nil() {
        return Ok(Value::NIL);
    }
    let name = object::symbol::table::intern_text(cx, "__location_list");
    let there = ivars::get(cx, args.me(), name);
    if !there.is_undef() {
        return Ok(there);
    }
    let list = location::to_array(cx, locations);
    ivars::set_hidden(cx, args.me(), name, list);
    Ok(list)
}

/// `set_backtrace(backtrace) → array or nil`: sets lines, locations or nil as the backtrace; a single line may replace
/// an array. TypeError for anything else.
pub fn set_backtrace(cx: &mut Cx, args: Args) -> R {
    set(cx, args.me(), args.at(0))
}

/// Sets the backtrace to an Array of Strings or of locations, to one String, or to nil.
pub fn set(cx: &mut Cx, exception: Value, trace: Value) -> R {
    let checked = checked(cx, trace)?;
    cx.check_frozen(exception)?;
    ivars::set_hidden(cx, exception, sym::MEMO_BACKTRACE, checked);
    Ok(checked)
}

/// An Array of Strings or of locations, one String as such an Array, or nil; otherwise TypeError.
pub fn checked(cx: &mut Cx, trace: Value) -> R {
    if cell::is(trace, Type::String) {
        return Ok(make::array(cx, &[trace]));
    }
    if !trace.is_nil() {
        check(cx, trace)?;
    }
    Ok(trace)
}

/// TypeError unless it is a list of lines or of locations.
pub fn check(cx: &mut Cx, trace: Value) -> R<()> {
    if location::is_list(trace) || is_text_list(trace) {
        return Ok(());
    }
    Err(cx.type_error("backtrace must be an Array of String or an Array of Thread::Backtrace::Location"))
}

fn is_text_list(v: Value) -> bool {
    cell::is(v, Type::Array) && Arr::of(v).iter().all(|line| cell::is(line, Type::String))
}

/// Removes the innermost frame from the backtrace of the current exception, which a method raised that backtraces omit
/// (const_missing).
pub fn leave_out_innermost(cx: &mut Cx) {
    if let Some(exception) = cx.exception_under_way() {
        let locations = ivars::get(cx, exception, sym::MEMO_LOCATIONS);
        if !locations.is_heap() || !backtrace::drop_innermost(cx, locations) {
            let locations = backtrace::capture_for_exception(cx, 1);
            ivars::set_hidden(cx, exception, sym::MEMO_LOCATIONS, locations);
        }
    }
}
