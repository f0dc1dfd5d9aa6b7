//! Pattern matching.

use abi::{BlockHandler, Type, Value};
use object::{Known, Sym, array::Arr, cell, class, hash::HashRef, shape::ivars, symbol::table::intern_text};

use crate::{
    Cx, R, call,
    error::{self, ErrorClass},
    keys, make, refinements, sym,
};

/// Calls the method if the object responds to it; refined methods count. `None` otherwise.
fn call_if_responds(cx: &mut Cx, v: Value, name: Sym, arguments: &[Value]) -> R<Option<Value>> {
    let class = class::class_of(cx, v);
    if cx.vm().refinements_used
        && let Some(refined) = refinements::find(cx, cx.frame().scope.cref, class, name)
    {
        return call::call_entry(cx, refined, v, arguments, None, BlockHandler::NONE).map(Some);
    }
    let there = if call::is_native_method(cx, v, sym::RESPOND_TO) {
        call::responds_basically(cx, v, name, false)?
    } else {
        call::send(cx, v, sym::RESPOND_TO, &[name.value()])?.truthy()
    };
    if there { call::send(cx, v, name, arguments).map(Some) } else { Ok(None) }
}

pub fn deconstruct(cx: &mut Cx, [v]: [Value; 1]) -> R {
    let Some(list) = call_if_responds(cx, v, sym::DECONSTRUCT, &[])? else { return Ok(Value::NIL) };
    if !cell::is(list, Type::Array) {
        return Err(cx.type_error("deconstruct must return Array"));
    }
    Ok(list)
}

pub fn deconstruct_keys(cx: &mut Cx, [v, wanted]: [Value; 2]) -> R {
    let Some(table) = call_if_responds(cx, v, sym::DECONSTRUCT_KEYS, &[wanted])? else { return Ok(Value::NIL) };
    if !cell::is(table, Type::Hash) {
        return Err(cx.type_error("deconstruct_keys must return Hash"));
    }
    Ok(table)
}

/// The error for a pattern that did not match. The intrinsic's documentation numbers the reasons.
fn pattern_failure(cx: &mut Cx, arguments: [Value; 5]) -> R<crate::Unwind> {
    let subject = call::inspect_text(cx, arguments[0])?;
    let reason = arguments[1].fixnum_value();
    if reason == 6 {
        return Ok(no_matching_key(cx, arguments[0], arguments[3], arguments[2]));
    }
    // The registers of the other operands were not set: they may still refer to objects that died.
    let used = match reason {
        0 => 2,
        1 | 2 => 3,
        3..=8 => 1,
        _ => 0,
    };
    let [mut a, mut b, mut c] = [const { String::new() }; 3];
    for (text, v) in [&mut a, &mut b, &mut c].into_iter().zip(&arguments[2..2 + used]) {
        if !v.is_undef() {
            *text = call::inspect_text(cx, *v)?;
        }
    }
    let reason = match reason {
        0 => format!("{a} === {b} does not return true"),
        1 => format!("{a} length mismatch (given {b}, expected {c})"),
        2 => format!("{a} length mismatch (given {b}, expected {c}+)"),
        3 => format!("{a} does not respond to #deconstruct"),
        4 => format!("{a} does not respond to #deconstruct_keys"),
        5 => format!("{a} does not match to find pattern"),
        7 => format!("rest of {a} is not empty"),
        8 => format!("{a} is not empty"),
        _ => "guard clause does not return true".into(),
    };
    Ok(cx.raise(ErrorClass::NoMatchingPatternError, &format!("{subject}: {reason}")))
}

pub fn hash_fetch_or_undef(cx: &mut Cx, [table, key]: [Value; 2]) -> R {
    if is_of_subclass(cx, table) {
        let has_key = intern_text(cx, "key?");
        if overrides(cx, table, &[has_key, sym::AREF]) {
            let there = call::send(cx, table, has_key, &[key])?.truthy();
            return if there { call::send(cx, table, sym::AREF, &[key]) } else { Ok(Value::UNDEF) };
        }
    }
    Ok(keys::get(cx, table, key)?.unwrap_or(Value::UNDEF))
}

/// The rest of a Hash: a copy without these keys.
pub fn hash_except(cx: &mut Cx, [table, without]: [Value; 2]) -> R {
    let delete = intern_text(cx, "delete");
    let overrides = is_of_subclass(cx, table) && overrides(cx, table, &[sym::DUP, delete]);
    let copy = if overrides { call::send(cx, table, sym::DUP, &[])? } else { keys::dup(cx, table) };
    for key in Arr::of(without).iter() {
        if overrides {
            call::send(cx, copy, delete, &[key])?;
        } else {
            keys::delete(cx, copy, key)?;
        }
    }
    if cell::is(copy, Type::Hash) { Ok(copy) } else { Err(cx.type_error("dup of a Hash must return a Hash")) }
}

fn is_of_subclass(cx: &mut Cx, table: Value) -> bool {
    class::class_of(cx, table) != cx.class(Known::Hash)
}

/// Whether the class has one of these methods of its own.
fn overrides(cx: &mut Cx, table: Value, names: &[Sym]) -> bool {
    names.iter().any(|name| !call::is_native_method(cx, table, *name))
}

pub fn array_slice(cx: &mut Cx, [list, from, count]: [Value; 3]) -> Value {
    let length = Arr::of(list).len() as i64;
    let from = from.fixnum_value().clamp(0, length);
    let count = count.fixnum_value().clamp(0, length - from);
    Arr::of(list).slice(cx, from as usize, count as usize).map_or(Value::NIL, |a| a.value())
}

pub fn array_at(_: &mut Cx, [list, index]: [Value; 2]) -> Value {
    let index = index.fixnum_value();
    let index = if index < 0 { index + Arr::of(list).len() as i64 } else { index };
    if index < 0 { Value::NIL } else { Arr::of(list).get(index as usize).unwrap_or(Value::NIL) }
}

pub fn array_unless_empty(cx: &mut Cx, [table]: [Value; 1]) -> Value {
    let elements: &[Value] = if HashRef::of(table).is_empty() { &[] } else { &[table] };
    make::array(cx, elements)
}

pub fn raise_no_matching_pattern(cx: &mut Cx, [v]: [Value; 1]) -> R {
    // The value itself is the message.
    let class = cx.error_class(ErrorClass::NoMatchingPatternError);
    let exception = crate::error::new_exception(cx, class, v);
    Err(crate::error::raise_exception(cx, exception))
}

pub fn raise_pattern_failure(cx: &mut Cx, arguments: [Value; 5]) -> R {
    Err(pattern_failure(cx, arguments)?)
}

pub fn raise(cx: &mut Cx, [class, message]: [Value; 2]) -> R {
    let exception = call::send(cx, class, sym::NEW, &[message])?;
    Err(error::raise_exception(cx, exception))
}

fn no_matching_key(cx: &mut Cx, v: Value, key: Value, table: Value) -> crate::Unwind {
    let (shown, shown_key) = match (call::inspect_text(cx, v), call::inspect_text(cx, key)) {
        (Ok(v), Ok(k)) => (v, k),
        (Err(unwind), _) | (_, Err(unwind)) => return unwind,
    };
    let class = cx.error_class(ErrorClass::NoMatchingPatternKeyError);
    let message = make::text(cx, &format!("{shown}: key not found: {shown_key}"));
    let exception = error::new_exception(cx, class, message);
    ivars::set_hidden(cx, exception, sym::MEMO_KEY, key);
    ivars::set_hidden(cx, exception, sym::MEMO_RECEIVER, table);
    error::raise_exception(cx, exception)
}
