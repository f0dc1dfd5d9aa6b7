//! Pattern matching and other helpers of compiled code.

use abi::{BlockHandler, Type, Value};
use bytecode::Intrinsic;
use object::{Known, Sym, array::Arr, cell, class, hash::HashRef, native, shape::ivars, string::Str};

use crate::{
    Cx, R, call,
    error::{self, ErrorClass},
    keys, make, refinements, special, sym,
};

pub fn run(cx: &mut Cx, which: Intrinsic, arguments: &'static [Value]) -> R {
    let a = |i: usize| arguments[i];
    match which {
        Intrinsic::Deconstruct => deconstruct(cx, a(0)),
        Intrinsic::DeconstructKeys => deconstruct_keys(cx, a(0), a(1)),
        Intrinsic::HashFetchOrUndef => Ok(keys::get(cx, a(0), a(1))?.unwrap_or(Value::UNDEF)),
        Intrinsic::HashExcept => hash_except(cx, a(0), a(1)),
        Intrinsic::ArraySlice => Ok(array_slice(cx, a(0), a(1).fixnum_value(), a(2).fixnum_value())),
        Intrinsic::ArrayLength => Ok(Value::fixnum(Arr::of(a(0)).len() as i64)),
        Intrinsic::ArrayAt => Ok(array_at(a(0), a(1).fixnum_value())),
        Intrinsic::ArrayUnlessEmpty => {
            let elements = if HashRef::of(a(0)).is_empty() { &[] } else { arguments };
            Ok(make::array(cx, elements))
        }
        Intrinsic::HashSize => Ok(Value::fixnum(HashRef::of(a(0)).len() as i64)),
        Intrinsic::RaiseNoMatchingPattern => {
            let shown = call::inspect_text(cx, a(0))?;
            Err(cx.raise(ErrorClass::NoMatchingPatternError, &shown))
        }
        Intrinsic::RaiseNoMatchingPatternKey => Err(no_matching_key(cx, a(0), a(1), a(2))),
        Intrinsic::FrozenKey => {
            if cell::is(a(0), Type::String) && !cell::frozen(a(0)) {
                return Ok(Str::of(a(0)).frozen_dup(cx).value());
            }
            Ok(a(0))
        }
        Intrinsic::NamedCaptures => Ok(named_captures(cx, a(0), a(1))),
        Intrinsic::ObjectClass => Ok(cx.class(Known::Object)),
        Intrinsic::StandardErrorClass => Ok(cx.error_class(ErrorClass::StandardError)),
        Intrinsic::SourceEncoding => {
            let lists = cx.root("encodings");
            Ok(if lists.is_nil() {
                Value::NIL
            } else {
                Arr::of(lists).get(a(0).fixnum_value() as usize).unwrap_or(Value::NIL)
            })
        }
        Intrinsic::ArrayElementOrUndef => Ok(Arr::of(a(0)).get(a(1).fixnum_value() as usize).unwrap_or(Value::UNDEF)),
        Intrinsic::NextIndex => Ok(Value::fixnum(a(0).fixnum_value() + 1)),
        Intrinsic::RaisePatternFailure => Err(pattern_failure(cx, arguments)?),
        other => Err(cx.not_implemented(&format!("intrinsic {}", other.name()))),
    }
}

/// Calls the method if the object responds to it, refined ones included; `None` otherwise.
fn ask(cx: &mut Cx, v: Value, name: Sym, arguments: &[Value]) -> R<Option<Value>> {
    let class = class::class_of(cx, v);
    if cx.vm().refinements_used
        && let Some(refined) = refinements::find(cx, cx.frame().scope.cref, class, name)
    {
        return call::invoke::call_entry(cx, refined, v, arguments, None, BlockHandler::NONE).map(Some);
    }
    let there = if call::is_native_method(cx, v, sym::RESPOND_TO) {
        call::responds_basically(cx, v, name, true)?
    } else {
        call::send(cx, v, sym::RESPOND_TO, &[name.value()])?.truthy()
    };
    if there { call::send(cx, v, name, arguments).map(Some) } else { Ok(None) }
}

fn deconstruct(cx: &mut Cx, v: Value) -> R {
    let Some(list) = ask(cx, v, sym::DECONSTRUCT, &[])? else { return Ok(Value::NIL) };
    if !cell::is(list, Type::Array) {
        return Err(cx.type_error("deconstruct must return Array"));
    }
    Ok(list)
}

fn deconstruct_keys(cx: &mut Cx, v: Value, wanted: Value) -> R {
    let Some(table) = ask(cx, v, sym::DECONSTRUCT_KEYS, &[wanted])? else { return Ok(Value::NIL) };
    if !cell::is(table, Type::Hash) {
        return Err(cx.type_error("deconstruct_keys must return Hash"));
    }
    Ok(table)
}

/// Why a pattern did not match, as the intrinsic's documentation numbers the reasons.
fn pattern_failure(cx: &mut Cx, arguments: &[Value]) -> R<crate::Unwind> {
    let subject = call::inspect_text(cx, arguments[0])?;
    let mut shown = Vec::new();
    for v in &arguments[2..5] {
        shown.push(if v.is_undef() { String::new() } else { call::inspect_text(cx, *v)? });
    }
    let (a, b, c) = (&shown[0], &shown[1], &shown[2]);
    let reason = match arguments[1].fixnum_value() {
        0 => format!("{a} === {b} does not return true"),
        1 => format!("{a} length mismatch (given {b}, expected {c})"),
        2 => format!("{a} length mismatch (given {b}, expected {c}+)"),
        3 => format!("{a} does not respond to #deconstruct"),
        4 => format!("{a} does not respond to #deconstruct_keys"),
        5 => format!("{a} does not match to find pattern"),
        6 => return Ok(no_matching_key(cx, arguments[0], arguments[3], arguments[2])),
        7 => format!("rest of {a} is not empty"),
        8 => format!("{a} is not empty"),
        _ => "guard clause does not return true".into(),
    };
    Ok(cx.raise(ErrorClass::NoMatchingPatternError, &format!("{subject}: {reason}")))
}

fn hash_except(cx: &mut Cx, table: Value, without: Value) -> R {
    let copy = keys::dup(cx, table);
    for key in Arr::of(without).elements().iter().copied() {
        keys::delete(cx, copy, key)?;
    }
    Ok(copy)
}

fn array_slice(cx: &mut Cx, list: Value, from: i64, count: i64) -> Value {
    let length = Arr::of(list).len() as i64;
    let from = from.clamp(0, length);
    let count = count.clamp(0, length - from);
    Arr::of(list).slice(cx, from as usize, count as usize).map_or(Value::NIL, |a| a.value())
}

fn array_at(list: Value, index: i64) -> Value {
    let index = if index < 0 { index + Arr::of(list).len() as i64 } else { index };
    if index < 0 { Value::NIL } else { Arr::of(list).get(index as usize).unwrap_or(Value::NIL) }
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

/// Values of named groups, in the order of `names`; all nil without a match.
fn named_captures(cx: &mut Cx, m: Value, names: Value) -> Value {
    let result = make::array(cx, &[]);
    for name in Arr::of(names).elements() {
        let value = match native::get::<special::MatchInfo>(m) {
            None => Value::NIL,
            Some(info) => {
                let program = special::program_of(info.regexp);
                let groups = program.groups_named(Sym::of(*name).bytes(cx)).unwrap_or(&[]);
                let range = groups.iter().rev().find_map(|g| info.captures.get(*g));
                range.map_or(Value::NIL, |(start, end)| {
                    Str::of(info.string).slice(cx, start, end - start).map_or(Value::NIL, |s| s.value())
                })
            }
        };
        make::push(cx, result, value);
    }
    result
}
