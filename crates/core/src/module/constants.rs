//! Constants by name.

use abi::{Type, Value};
use object::{
    Known, Sym, cell,
    class::{self, ancestors, class_data, constants},
    string::Str,
    symbol,
};
use runtime::{
    Args, Cx, R, call,
    constants::{assign, cref, find_in_ancestors, uninitialized},
    convert, define,
    error::ErrorClass,
    make, reflect, sym,
};
use text::{
    CodeRange,
    inspect::{NameKind, name_kind},
};

pub fn is_constant_name(text: Str) -> bool {
    text.read(text.encoding(), |name, encoding| matches!(name_kind(encoding, name), Some(NameKind::Constant)))
}

/// The argument as a constant's name: NameError "wrong constant name x".
pub fn constant_name(cx: &mut Cx, module: Value, v: Value) -> R<Sym> {
    let name = convert::to_symbol(cx, v)?;
    if is_constant_name(Str::of(name.name(cx))) { Ok(name) } else { Err(wrong_name(cx, module, name)) }
}

fn wrong_name(cx: &mut Cx, module: Value, name: Sym) -> runtime::Unwind {
    let text = name.to_text(cx);
    cx.name_error(ErrorClass::NameError, &format!("wrong constant name {text}"), name, module)
}

/// The parts of `"A::B"`, or the single name; a `None` at the front means a leading `::`.
fn path_of(cx: &mut Cx, module: Value, v: Value) -> R<(bool, Vec<Sym>)> {
    if Sym::from_value(v).is_some() {
        return Ok((false, vec![constant_name(cx, module, v)?]));
    }
    // A String may be a path: no Symbol is created for the whole path.
    let text = convert::to_str(cx, v)?.value();
    let encoding = Str::of(text).encoding();
    let bytes = Str::of(text).held(cx);
    let mut rest = &bytes[..];
    let from_top = rest.starts_with(b"::");
    if from_top {
        rest = &rest[2..];
    }
    let mut parts = Vec::new();
    loop {
        let end = rest.windows(2).position(|w| w == b"::");
        let part = &rest[..end.unwrap_or(rest.len())];
        let is_broken = Str::of(text).code_range() == CodeRange::Broken;
        if is_broken || !matches!(name_kind(encoding, part), Some(NameKind::Constant)) {
            if is_broken {
                return Err(convert::invalid_symbol(cx, Str::of(text)));
            }
            let whole = convert::to_symbol(cx, text)?;
            return Err(wrong_name(cx, module, whole));
        }
        parts.push(symbol::intern(cx, part, encoding));
        match end {
            Some(end) => rest = &rest[end + 2..],
            None => return Ok((from_top, parts)),
        }
    }
}

/// `const_get(name, inherit = true) → object`: a constant by its name or a path such as `A::B`; `inherit` false skips
/// ancestors and Object. It may autoload and call `const_missing`. NameError for a name that is not valid for a
/// constant, TypeError if a part is not a module.
pub fn get(cx: &mut Cx, args: Args) -> R {
    let inherit = args.opt(1).is_none_or(Value::truthy);
    if let Some(name) = Sym::from_value(args.at(0)) {
        // An existing constant has a valid name, unless an extension defined it.
        if cx.vm().extensions.trace.is_some() {
            constant_name(cx, args.me(), args.at(0))?;
        }
        if let Some(value) = find_one(cx, args.me(), name, inherit, false)? {
            return Ok(value);
        }
        let name = constant_name(cx, args.me(), args.at(0))?;
        return call::send(cx, args.me(), sym::CONST_MISSING, &[name.value()]);
    }
    let (from_top, parts) = path_of(cx, args.me(), args.at(0))?;
    let mut at = if from_top { cx.class(Known::Object) } else { args.me() };
    for (i, name) in parts.into_iter().enumerate() {
        if !class::is_module(at) {
            let shown = call::inspect_text(cx, at)?;
            return Err(cx.type_error(&format!("{shown} does not refer to class/module")));
        }
        at = get_one(cx, at, name, inherit, i > 0)?;
    }
    Ok(at)
}

/// One step of a path; with `nested` (after the first step) Object's constants are not found through other classes.
fn get_one(cx: &mut Cx, module: Value, name: Sym, inherit: bool, nested: bool) -> R {
    match find_one(cx, module, name, inherit, nested)? {
        Some(value) => Ok(value),
        None => call::send(cx, module, sym::CONST_MISSING, &[name.value()]),
    }
}

fn find_one(cx: &mut Cx, module: Value, name: Sym, inherit: bool, nested: bool) -> R<Option<Value>> {
    if !inherit {
        return match constants::own(module, name) {
            Some(_) => runtime::constants::own_value(cx, module, name),
            None => Ok(None),
        };
    }
    let object = cx.class(Known::Object);
    Ok(match find_in_ancestors(cx, module, name)? {
        Some(_) if nested && module != object && only_in_object(cx, module, name) => None,
        Some(value) => Some(value),
        None if cell::is(module, Type::Module) && !nested => find_in_ancestors(cx, object, name)?,
        None => None,
    })
}

fn only_in_object(cx: &Cx, module: Value, name: Sym) -> bool {
    let object = cx.class(Known::Object);
    constants::find(module, name).is_some_and(|(place, _)| place == object || ancestors::inherits(object, place))
}

/// `const_set(name, value) → value`: sets a constant, with a warning if it exists; an anonymous module gets its name.
/// NameError for a name that is not valid for a constant.
pub fn set(cx: &mut Cx, args: Args) -> R {
    let name = constant_name(cx, args.me(), args.at(0))?;
    assign(cx, args.me(), name, args.at(1))?;
    Ok(args.at(1))
}

/// `const_defined?(name, inherit = true) → true or false`: whether a constant with the name or the path exists; a
/// registered `autoload` counts, except in the thread that is loading it.
pub fn is_defined(cx: &mut Cx, args: Args) -> R {
    let inherit = args.opt(1).is_none_or(Value::truthy);
    // An existing constant has a valid name, unless an extension defined it.
    if let Some(name) = Sym::from_value(args.at(0))
        && cx.vm().extensions.trace.is_none()
        && let Some((place, constant)) = place_of(cx, args.me(), name, inherit, false)
        && runtime::autoload::exists(cx, place, name, &constant)
    {
        return Ok(Value::TRUE);
    }
    let (from_top, parts) = path_of(cx, args.me(), args.at(0))?;
    let mut at = if from_top { cx.class(Known::Object) } else { args.me() };
    let last = parts.len() - 1;
    for (i, name) in parts.into_iter().enumerate() {
        match place_of(cx, at, name, inherit, i > 0) {
            Some((place, constant)) if runtime::autoload::exists(cx, place, name, &constant) => {}
            _ => return Ok(Value::FALSE),
        }
        if i == last {
            break;
        }
        at = get_one(cx, at, name, inherit, i > 0)?;
        if !class::is_module(at) {
            let shown = call::inspect_text(cx, at)?;
            return Err(cx.type_error(&format!("{shown} does not refer to class/module")));
        }
    }
    Ok(Value::TRUE)
}

/// The constant and the module that contains it.
fn place_of(
    cx: &mut Cx,
    module: Value,
    name: Sym,
    inherit: bool,
    nested: bool,
) -> Option<(Value, constants::Constant)> {
    if !inherit {
        return constants::own(module, name).map(|c| (module, c));
    }
    let object = cx.class(Known::Object);
    let found = constants::find(module, name);
    match found {
        Some((place, _)) if nested && place == object && module != object => None,
        Some(found) => Some(found),
        None if cell::is(module, Type::Module) && !nested => constants::find(object, name),
        None => None,
    }
}

/// `constants(inherit = true) → array`: the names of the public constants, including those of ancestors below Object
/// unless `inherit` is false.
pub fn list(cx: &mut Cx, args: Args) -> R {
    let inherit = args.opt(0).is_none_or(Value::truthy);
    let me = args.me();
    let list = make::array(cx, &[]);
    collect(cx, list, me, inherit);
    Ok(list)
}

fn collect(cx: &mut Cx, list: Value, module: Value, inherit: bool) {
    let object = cx.class(Known::Object);
    let mut seen = std::collections::HashSet::new();
    let places: Vec<u64> = ancestors::each(module).map(|m| m.0).collect();
    for place in places.into_iter().map(Value) {
        if (!inherit && place != module) || (place == object && module != object) {
            if place == object {
                break;
            }
            continue;
        }
        let names: Vec<Sym> = class_data(cx, place).constants().keys().copied().collect();
        for name in names {
            if constants::own(place, name).is_some_and(|c| !c.private) && seen.insert(name.value().0) {
                make::push(cx, list, name.value());
            }
        }
    }
}

/// `Module.constants(inherit = true) → array`: the names of the constants that the caller can use without a scope; with
/// an argument those of Module itself.
pub fn singleton_list(cx: &mut Cx, args: Args) -> R {
    let list = make::array(cx, &[]);
    if !args.is_empty() || args.me() != cx.class(Known::Module) {
        collect(cx, list, args.me(), args.opt(0).is_none_or(Value::truthy));
        return Ok(list);
    }
    let mut at = reflect::caller(cx).map_or(Value::NIL, |f| f.scope.cref);
    let all = make::array(cx, &[]);
    while !at.is_nil() {
        // A block of class_eval changes where methods are defined, not where constants are looked up.
        if !cref::is_eval(at) {
            let module = cref::module(at);
            collect(cx, all, module, true);
        }
        at = cref::outer(at);
    }
    let object = cx.class(Known::Object);
    collect(cx, all, object, true);
    let mut seen = std::collections::HashSet::new();
    for name in object::array::Arr::of(all).iter() {
        if seen.insert(name.0) {
            make::push(cx, list, name);
        }
    }
    Ok(list)
}

/// `const_missing(name)`: NameError; programs redefine it to create constants on demand.
pub fn missing(cx: &mut Cx, args: Args) -> R {
    let name = convert::to_symbol(cx, args.at(0))?;
    let unwind = uninitialized(cx, args.me(), name);
    crate::exception::backtraces::leave_out_innermost(cx);
    Err(unwind)
}

/// `const_source_location(name, inherit = true) → array or nil`: the path and the line of the definition; `[]` for
/// constants that no program defined, nil if there is none.
pub fn source_location(cx: &mut Cx, args: Args) -> R {
    let inherit = args.opt(1).is_none_or(Value::truthy);
    let (from_top, parts) = path_of(cx, args.me(), args.at(0))?;
    let mut at = if from_top { cx.class(Known::Object) } else { args.me() };
    let last = parts.len() - 1;
    for (i, name) in parts.into_iter().enumerate() {
        let Some((_, constant)) = place_of(cx, at, name, inherit, i > 0) else { return Ok(Value::NIL) };
        if i == last {
            if constant.file.is_nil() {
                return Ok(make::array(cx, &[]));
            }
            return Ok(make::array(cx, &[constant.file, Value::fixnum(constant.line as i64)]));
        }
        at = get_one(cx, at, name, inherit, i > 0)?;
        if !class::is_module(at) {
            let shown = call::inspect_text(cx, at)?;
            return Err(cx.type_error(&format!("{shown} does not refer to class/module")));
        }
    }
    Ok(Value::NIL)
}

/// `remove_const(name) → object`: removes a constant of the module itself and returns its value, nil for one that was
/// not loaded yet. NameError if the module itself has no such constant.
pub fn remove(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    let name = convert::to_symbol(cx, args.at(0))?;
    if !is_constant_name(Str::of(name.name(cx))) {
        let text = name.to_text(cx);
        return Err(cx.name_error(
            ErrorClass::NameError,
            &format!("'{text}' is not allowed as a constant name"),
            name,
            me,
        ));
    }
    cx.check_frozen(me)?;
    match constants::remove(cx, me, name) {
        Some(constant) => {
            if constant.deprecated {
                runtime::warning::warn_deprecated_constant(cx, me, name)?;
            }
            Ok(constant.value.or(Value::NIL))
        }
        None => {
            let (text, owner) = (name.to_text(cx), define::class_name(cx, me));
            let message = format!("constant {owner}::{text} not defined");
            Err(cx.name_error(ErrorClass::NameError, &message, name, me))
        }
    }
}

/// `autoload(name, path) → nil`: `require`s the path when the constant of this module is first used. ArgumentError for
/// an empty path, NameError for a name that is not valid for a constant.
pub fn autoload(cx: &mut Cx, args: Args) -> R {
    set_autoload(cx, args.me(), args.at(0), args.at(1))
}

/// `autoload_relative(name, path) → nil`: like `autoload`, with a path relative to the directory of the calling file.
/// LoadError in code without a file.
pub fn autoload_relative(cx: &mut Cx, args: Args) -> R {
    set_autoload_relative(cx, args.me(), args.at(0), args.at(1))
}

pub fn set_autoload_relative(cx: &mut Cx, module: Value, name: Value, path: Value) -> R {
    let without_file = "cannot infer basepath (autoload_relative called without file context)";
    let path = crate::features::load::beside_caller(cx, path, without_file)?;
    let path = make::text(cx, &path);
    set_autoload(cx, module, name, path)
}

pub fn set_autoload(cx: &mut Cx, module: Value, name: Value, path: Value) -> R {
    let symbol = convert::to_symbol(cx, name)?;
    if !is_constant_name(Str::of(symbol.name(cx))) {
        let text = symbol.to_text(cx);
        let message = format!("autoload must be constant name: {text}");
        return Err(cx.name_error(ErrorClass::NameError, &message, symbol, module));
    }
    let path = crate::module::path_argument(cx, path)?;
    if Str::of(path).is_empty() {
        return Err(cx.argument_error("empty feature name"));
    }
    if constants::own(module, symbol).is_some_and(|c| !c.value.is_undef() || c.is_core_on_demand()) {
        return Ok(Value::NIL);
    }
    cx.check_frozen(module)?;
    let path = Str::of(path).frozen_dup(cx).value();
    let mut constant = constants::Constant::new(Value::UNDEF);
    constant.autoload = path;
    if let Some((file, line)) = runtime::backtrace::caller_position(cx) {
        constant.file = make::interned(cx, &file);
        constant.line = line;
    }
    constants::set(cx, module, symbol, constant);
    call::send_private(cx, module, sym::CONST_ADDED, &[symbol.value()])?;
    Ok(Value::NIL)
}

/// `autoload?(name, inherit = true) → string or nil`: the path registered by `autoload` for a constant whose file is
/// neither loaded nor being loaded.
pub fn autoload_path(cx: &mut Cx, args: Args) -> R {
    path_of_autoload(cx, args.me(), args.at(0), args.opt(1).is_none_or(Value::truthy))
}

pub fn path_of_autoload(cx: &mut Cx, module: Value, name: Value, inherit: bool) -> R {
    let name = convert::to_symbol(cx, name)?;
    let found = if inherit { constants::find(module, name) } else { constants::own(module, name).map(|c| (module, c)) };
    match found {
        Some((_, c)) if c.is_core_on_demand() => Ok(Value::NIL),
        Some((place, c)) if c.value.is_undef() && runtime::autoload::is_pending(cx, place, name, c.autoload) => {
            Ok(Str::of(c.autoload).dup(cx).value())
        }
        _ => Ok(Value::NIL),
    }
}

/// `Module.nesting → array`: the modules around the call, the innermost first.
pub fn nesting(cx: &mut Cx, _: Args) -> R {
    let list = make::array(cx, &[]);
    let mut at = reflect::caller(cx).map_or(Value::NIL, |f| f.scope.cref);
    while !at.is_nil() && !cref::outer(at).is_nil() {
        if !cref::is_eval(at) {
            make::push(cx, list, cref::module(at));
        }
        at = cref::outer(at);
    }
    Ok(list)
}
