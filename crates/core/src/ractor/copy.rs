//! Deep copies of messages: shareable objects are shared, all others are cloned, each object once.

use abi::Type;
use object::{
    array::Arr,
    cell, class,
    hash::{self, HashRef},
    native, proc, range,
    shape::ivars,
    structure,
};
use runtime::{
    Cx, R, Value,
    binding::BindingData,
    call,
    concurrency::sharing,
    define,
    error::OrRaise,
    error::{self, ErrorClass},
    keys, make,
    special::MatchInfo,
    sym,
};

/// A deep copy of an object, in which shareable objects are not copied.
///
/// # Errors
/// Ractor::Error if `clone` fails, with the exception as its cause, or "can not copy … object." for objects with native
/// references to others.
pub fn deep_copy(cx: &mut Cx, v: Value) -> R {
    let known = hash::new_identity(cx);
    copied(cx, v, known)
}

/// `known` maps originals to their copies.
fn copied(cx: &mut Cx, v: Value, known: Value) -> R {
    if sharing::is_shareable(cx, v) {
        return Ok(v);
    }
    let there = hash::identity_get(known, v);
    if !there.is_undef() {
        return Ok(there);
    }
    cx.check_native_stack()?;
    let copy = cloned(cx, v)?;
    let is_block = cell::is(v, Type::Proc) && !cell::header(v).has(proc::FROM_SYMBOL);
    if is_block || sharing::is_never_shared(cx, v) || native::get::<BindingData>(&v).is_some() {
        return Err(cannot_copy(cx, v));
    }
    hash::identity_store(cx, known, v, copy);
    replace_children(cx, copy, &mut |cx, child| copied(cx, child, known))?;
    Ok(copy)
}

/// Calls `clone`, which the program may have redefined.
fn cloned(cx: &mut Cx, v: Value) -> R {
    let copy = match call::send_private(cx, v, sym::CLONE, &[]) {
        Ok(copy) => copy,
        Err(unwind) => {
            let cause = cx.take_exception(unwind)?;
            let standard_error = cx.error_class(ErrorClass::StandardError);
            if !class::is_a(cx, cause, standard_error) {
                return Err(error::raise_exception(cx, cause));
            }
            let class = class::class_of(cx, v);
            let text = format!("can't clone unshareable instance of {}", define::class_name(cx, class));
            let (class, text) = (cx.error_class(ErrorClass::RactorError), make::text(cx, &text));
            let exception = error::new_exception(cx, class, text);
            ivars::set_hidden(cx, exception, sym::MEMO_CAUSE, cause);
            return Err(error::raise_exception(cx, exception));
        }
    };
    if copy == v {
        return Err(cx.raise(ErrorClass::RactorError, "#clone returned self"));
    }
    Ok(copy)
}

/// A function that maps an object to its replacement.
pub type Replace<'a> = &'a mut dyn FnMut(&mut Cx, Value) -> R;

/// Replaces the references of `v` by others, even if it is frozen.
pub fn replace_children(cx: &mut Cx, v: Value, replace: Replace<'_>) -> R<()> {
    for name in ivars::names(cx, v) {
        let old = ivars::get(cx, v, name);
        let new = replace(cx, old)?;
        if new != old {
            ivars::set(cx, v, name, new);
        }
    }
    match cell::header(v).ty() {
        Type::Array => replace_elements(cx, v, replace),
        Type::Hash => replace_entries(cx, v, replace),
        Type::Struct => replace_members(cx, v, replace),
        Type::Range => {
            let (begin, end) = (replace(cx, range::begin(v))?, replace(cx, range::end(v))?);
            range::initialize(cx, v, begin, end, range::is_exclusive(v));
            Ok(())
        }
        Type::Match => {
            if let Some(info) = native::get::<MatchInfo>(&v) {
                let string = info.string;
                let new = replace(cx, string)?;
                if let Some(info) = native::get_mut::<MatchInfo>(cx, v) {
                    info.string = new;
                }
            }
            Ok(())
        }
        Type::Object | Type::Exception | Type::String => Ok(()),
        _ => check_others(cx, v),
    }
}

fn replace_elements(cx: &mut Cx, v: Value, replace: Replace<'_>) -> R<()> {
    let mut i = 0;
    while let Some(old) = Arr::of(v).get(i) {
        let new = replace(cx, old)?;
        if new != old {
            Arr::of(v).set(cx, i, new).or_raise(cx)?;
        }
        i += 1;
    }
    Ok(())
}

fn replace_members(cx: &mut Cx, v: Value, replace: Replace<'_>) -> R<()> {
    let mut i = 0;
    while let Some(old) = structure::get(v, i) {
        let new = replace(cx, old)?;
        structure::set(cx, v, i, new);
        i += 1;
    }
    Ok(())
}

fn replace_entries(cx: &mut Cx, v: Value, replace: Replace<'_>) -> R<()> {
    let table = HashRef::of(v);
    let old = table.default();
    let default = replace(cx, old)?;
    if default != old {
        table.set_default(cx, default).map_err(|failure| keys::raise_table_error(cx, failure))?;
    }
    let mut changed = false;
    let mut at = 0;
    while let Some((next, key, value)) = table.next(at) {
        let new_key = replace(cx, key)?;
        if new_key != key {
            table.set_key_at(cx, next - 1, new_key);
            changed = true;
        }
        let new_value = replace(cx, value)?;
        table.set_value_at(cx, next - 1, new_value);
        at = next;
    }
    // The new keys may have other hashes, in particular keys compared by identity.
    if changed {
        let done = table.rehash(cx);
        keys::raise(cx, done)?;
    }
    Ok(())
}

/// Checks a native box or pair of numbers, whose contents cannot be replaced.
fn check_others(cx: &mut Cx, v: Value) -> R<()> {
    let children = sharing::children(cx, v);
    let mut i = 0;
    while let Some(child) = Arr::of(children).get(i) {
        if !sharing::is_shareable(cx, child) && !is_variable(cx, v, child) {
            return Err(cannot_copy(cx, v));
        }
        i += 1;
    }
    Ok(())
}

fn cannot_copy(cx: &mut Cx, v: Value) -> runtime::Unwind {
    let class = error::class_name_of(cx, v);
    cx.raise(ErrorClass::RactorError, &format!("can not copy {class} object."))
}

fn is_variable(cx: &mut Cx, v: Value, child: Value) -> bool {
    let names = ivars::names(cx, v);
    names.into_iter().any(|name| ivars::get(cx, v, name) == child)
}
