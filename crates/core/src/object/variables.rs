//! Instance variables by name, and `inspect`, which shows them.

use abi::Value;
use object::{Sym, array::Arr, class, shape::ivars, string::Str};
use runtime::{
    Args, Cx, R, call, convert, define,
    error::{self, ErrorClass, OrRaise},
    isolation::access,
    make,
};
use text::inspect::{NameKind, name_kind};

/// The argument as the name of an instance variable; NameError for an invalid one.
pub fn variable_name(cx: &mut Cx, receiver: Value, v: Value) -> R<Sym> {
    let name = convert::to_symbol(cx, v)?;
    let text = Str::of(name.name(cx));
    if matches!(name_kind(text.encoding(), text.bytes(cx)), Some(NameKind::Instance)) {
        return Ok(name);
    }
    let shown = name.to_text(cx);
    let message = format!("'{shown}' is not allowed as an instance variable name");
    Err(cx.name_error_as_given(ErrorClass::NameError, &message, v, receiver))
}

/// Names that are visible to programs.
pub fn visible_names(cx: &mut Cx, v: Value) -> Vec<Sym> {
    let mut names = ivars::names(cx, v);
    names.retain(|name| name.bytes(cx).first() == Some(&b'@'));
    names
}

/// `instance_variables → array`: the names as symbols, in the order of their first assignment.
pub fn instance_variables(cx: &mut Cx, args: Args) -> R {
    let names = visible_names(cx, args.me());
    let list = Arr::collected(cx, names.len(), names.iter().map(|name| name.value()));
    Ok(list.or_raise(cx)?.value())
}

/// `instance_variable_get(name) → object or nil`: the value of an instance variable, nil if it is not set. NameError
/// for a name without `@`.
pub fn get(cx: &mut Cx, args: Args) -> R {
    let name = variable_name(cx, args.me(), args.at(0))?;
    let value = ivars::get(cx, args.me(), name);
    access::check_read(cx, args.me(), name, value)?;
    Ok(value.or(Value::NIL))
}

/// `instance_variable_set(name, value) → value`: sets an instance variable. NameError for a name without `@`.
pub fn set(cx: &mut Cx, args: Args) -> R {
    let name = variable_name(cx, args.me(), args.at(0))?;
    cx.check_frozen(args.me())?;
    access::check_write(cx, args.me())?;
    crate::string::modify::warn_if_chilled(cx, args.me())?;
    ivars::set(cx, args.me(), name, args.at(1));
    Ok(args.at(1))
}

/// `instance_variable_defined?(name) → true or false`: whether the instance variable is set, even to nil. NameError for
/// a name without `@`.
pub fn is_defined(cx: &mut Cx, args: Args) -> R {
    let name = variable_name(cx, args.me(), args.at(0))?;
    Ok(Value::bool(!ivars::get(cx, args.me(), name).is_undef()))
}

/// `remove_instance_variable(name) → object`: removes an instance variable and returns its value. NameError if it is
/// not set.
pub fn remove(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    let name = variable_name(cx, me, args.at(0))?;
    cx.check_frozen(me)?;
    access::check_write(cx, me)?;
    let value = ivars::remove(cx, me, name);
    if value.is_undef() {
        let (shown, described) = (name.to_text(cx), error::describe_for_conversion(cx, me));
        let _ = described;
        let inspected = call::inspect_text(cx, me)?;
        let message = format!("instance variable {shown} not defined for {inspected}");
        return Err(cx.name_error(ErrorClass::NameError, &message, name, me));
    }
    Ok(value)
}

/// `to_s → string`: the class and an address, such as `#<Object:0x…>`.
pub fn to_s(cx: &mut Cx, args: Args) -> R {
    Ok(convert::any_to_s(cx, args.me()).value())
}

/// `inspect → string`: `to_s` with the instance variables; a private `instance_variables_to_inspect` may select them.
pub fn inspect(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    let names = names_to_inspect(cx, me)?;
    if names.is_empty() {
        return Ok(convert::any_to_s(cx, me).value());
    }
    let class = class::real_class(cx, me);
    let head = format!("#<{}:0x{:016x}", define::class_name(cx, class), me.0);
    let shown = crate::thread::locals::guard_inspect(cx, me, |cx| {
        let result = make::described(cx, &head);
        for (i, name) in names.iter().enumerate() {
            let value = ivars::get(cx, me, *name);
            if value.is_undef() {
                continue;
            }
            let inner = convert::inspect(cx, value)?;
            let separator = if i == 0 { " " } else { ", " };
            let label = format!("{separator}{}=", name.to_text(cx));
            let text = make::described(cx, &label);
            append(cx, result, text)?;
            append(cx, result, inner.value())?;
        }
        let end = make::described(cx, ">");
        append(cx, result, end)?;
        Ok(result)
    })?;
    match shown {
        Some(shown) => Ok(shown),
        None => Ok(make::described(cx, &format!("{head} ...>"))),
    }
}

fn append(cx: &mut Cx, to: Value, text: Value) -> R<()> {
    use runtime::error::OrRaise;
    Str::of(to).append_str(cx, Str::of(text)).or_raise(cx)
}

fn names_to_inspect(cx: &mut Cx, me: Value) -> R<Vec<Sym>> {
    let all = visible_names(cx, me);
    let hook = object::symbol::table::intern_text(cx, "instance_variables_to_inspect");
    let class = class::class_of(cx, me);
    let entry = class::lookup::find_method(cx, class, hook);
    if entry.is_undef() || call::is_core(entry) {
        return Ok(all);
    }
    let wanted = call::send_private(cx, me, hook, &[])?;
    if wanted.is_nil() {
        return Ok(all);
    }
    let Some(list) = object::array::Arr::from_value(wanted) else {
        let got = error::class_name_of(cx, wanted);
        return Err(cx.type_error(&format!(
            "Expected #instance_variables_to_inspect to return an Array or nil, but it returned {got}"
        )));
    };
    Ok(all.into_iter().filter(|name| list.contains(name.value())).collect())
}
