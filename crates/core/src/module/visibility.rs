//! public, private, protected, module_function; visibility of class methods and constants.

use abi::{Type, Value};
use object::{
    Sym,
    array::Arr,
    cell,
    class::{self, class_data, constants},
    method_entry::{self, Entry, Kind, Visibility},
};
use runtime::{
    Args, Cx, R, constants::cref, convert, default_visibility, define, error::ErrorClass, intrinsics, make,
    redefinition, reflect, warning,
};

/// `public(*names) → object`: makes methods public, by name or in one array; without names it applies to the following
/// definitions in the same body. It returns its argument, several of them as an array, nil without any.
pub fn public(cx: &mut Cx, args: Args) -> R {
    set(cx, args.me(), args.all(), 0)
}

/// `private(*names) → object`: makes methods private, by name or in one array; without names it applies to the
/// following definitions in the same body. It returns its argument, several of them as an array, nil without any.
pub fn private(cx: &mut Cx, args: Args) -> R {
    set(cx, args.me(), args.all(), 1)
}

/// `protected(*names) → object`: makes methods protected, by name or in one array; without names it applies to the
/// following definitions in the same body. It returns its argument, several of them as an array, nil without any.
pub fn protected(cx: &mut Cx, args: Args) -> R {
    set(cx, args.me(), args.all(), 2)
}

fn of_mode(mode: i64) -> Visibility {
    match mode {
        0 => Visibility::Public,
        2 => Visibility::Protected,
        _ => Visibility::Private,
    }
}

/// `mode`: 0 public, 1 private, 2 protected. Without names it applies to the following definitions in the same body.
pub fn set(cx: &mut Cx, module: Value, names: &[Value], mode: i64) -> R {
    if names.is_empty() {
        set_default(cx, mode)?;
        return Ok(Value::NIL);
    }
    for_each_name(cx, names, |cx, name| set_method(cx, module, name, of_mode(mode)))?;
    result(cx, names)
}

/// nil, the only argument, or an array of all.
fn result(cx: &mut Cx, names: &[Value]) -> R {
    match names {
        [] => Ok(Value::NIL),
        [one] => Ok(*one),
        many => Ok(make::array(cx, many)),
    }
}

fn set_default(cx: &mut Cx, mode: i64) -> R<()> {
    if let Some(frame) = reflect::definition_frame(cx) {
        default_visibility::set(frame, mode);
        return Ok(());
    }
    let name = match mode {
        0 => "public",
        1 => "private",
        2 => "protected",
        _ => "module_function",
    };
    warning::warn_here(
        cx,
        &format!("calling {name} without arguments inside a method may not have the intended effect"),
    )
}

/// The names, or those in a single array argument.
fn for_each_name(cx: &mut Cx, names: &[Value], mut f: impl FnMut(&mut Cx, Sym) -> R<()>) -> R<()> {
    if let [one] = names
        && let Some(list) = array_of(cx, *one)?
    {
        let mut i = 0;
        while let Some(name) = Arr::of(list).get(i) {
            let name = convert::to_symbol(cx, name)?;
            f(cx, name)?;
            i += 1;
        }
        return Ok(());
    }
    for name in names {
        let name = convert::to_symbol(cx, *name)?;
        f(cx, name)?;
    }
    Ok(())
}

/// Changes one method: its own entry, or a new entry that refers to the inherited method.
pub fn set_method(cx: &mut Cx, module: Value, name: Sym, visibility: Visibility) -> R<()> {
    cx.check_frozen(module)?;
    let own = class::lookup::own_method(module, name);
    let mut entry = class::lookup::find_method(cx, module, name);
    if entry.is_undef() && cell::is(module, Type::Module) {
        let behind = intrinsics::behind_module(cx, module);
        entry = class::lookup::find_method(cx, behind, name);
    }
    if entry.is_undef() {
        return Err(intrinsics::undefined_method(cx, module, name));
    }
    if method_entry::visibility(entry) == visibility && method_entry::owner(entry) != module {
        return Ok(());
    }
    let made = if !own.is_undef() && !method_entry::is_undefined(own) {
        Entry { visibility, ..method_entry::read(own) }
    } else {
        Entry::of(module, name, Kind::ZSuper, visibility)
    };
    let passes_on = made.kind == Kind::ZSuper && own.is_undef();
    let made = method_entry::new(cx, made);
    define::add_method(cx, module, name, made);
    if passes_on { redefinition::added_hook(cx, module, name) } else { Ok(()) }
}

/// `module_function(*names) → object`: copies methods to the singleton class as public ones and makes the methods
/// themselves private; without names this applies to the following definitions. Undefined for classes.
pub fn module_function(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    if class::is_class(me) {
        return Err(cx.type_error("module_function must be called for modules"));
    }
    if args.is_empty() {
        set_default(cx, cref::VISIBILITY_MODULE_FUNCTION)?;
        return Ok(Value::NIL);
    }
    for_each_name(cx, args.all(), |cx, name| {
        set_method(cx, me, name, Visibility::Private)?;
        let entry = class::lookup::find_method(cx, me, name);
        let entry = if entry.is_undef() {
            let object = cx.class(object::Known::Object);
            class::lookup::find_method(cx, object, name)
        } else {
            entry
        };
        let entry = super::definition::resolve_zsuper(entry, cx);
        if entry.is_undef() {
            return Err(intrinsics::undefined_method(cx, me, name));
        }
        let singleton = class::singleton_class(cx, me);
        let copy = Entry {
            owner: singleton,
            found_in: singleton,
            name,
            visibility: Visibility::Public,
            ..method_entry::read(entry)
        };
        let copy = method_entry::new(cx, copy);
        define::add_method(cx, singleton, name, copy);
        redefinition::added_hook(cx, singleton, name)
    })?;
    result(cx, args.all())
}

/// `private_class_method(*names) → self`: makes methods of the module itself private, by name or in one array.
/// NameError if there is no such method.
pub fn private_class_method(cx: &mut Cx, args: Args) -> R {
    class_methods(cx, args, Visibility::Private)
}

/// `public_class_method(*names) → self`: makes methods of the module itself public, by name or in one array. NameError
/// if there is no such method.
pub fn public_class_method(cx: &mut Cx, args: Args) -> R {
    class_methods(cx, args, Visibility::Public)
}

fn class_methods(cx: &mut Cx, args: Args, visibility: Visibility) -> R {
    let singleton = class::singleton_class(cx, args.me());
    for_each_name(cx, args.all(), |cx, name| set_method(cx, singleton, name, visibility))?;
    Ok(args.me())
}

/// `private_constant(*names) → self`: makes constants accessible only without a scope (`Name`, not `Module::Name`).
/// NameError if the module itself has no such constant.
pub fn private_constant(cx: &mut Cx, args: Args) -> R {
    change_constants(cx, args, "private_constant", |c| c.private = true)
}

/// `public_constant(*names) → self`: reverts `private_constant`. NameError if the module itself has no such constant.
pub fn public_constant(cx: &mut Cx, args: Args) -> R {
    change_constants(cx, args, "public_constant", |c| c.private = false)
}

/// `deprecate_constant(*names) → self`: makes uses of the constants warn, if warnings of the category `:deprecated` are
/// enabled. NameError if the module itself has no such constant.
pub fn deprecate_constant(cx: &mut Cx, args: Args) -> R {
    change_constants(cx, args, "deprecate_constant", |c| c.deprecated = true)
}

fn change_constants(cx: &mut Cx, args: Args, name: &str, change: fn(&mut constants::Constant)) -> R {
    let me = args.me();
    if args.is_empty() && cx.verbose() == Some(true) {
        warning::warn_here(cx, &format!("{name} with no argument is just ignored"))?;
    }
    for name in args.all() {
        let name = super::constants::constant_name(cx, me, *name)?;
        cx.check_frozen(me)?;
        if !constants::update(cx, me, name, change) {
            let (text, owner) = (name.to_text(cx), define::class_name(cx, me));
            let message = format!("constant {owner}::{text} not defined");
            return Err(cx.name_error(ErrorClass::NameError, &message, name, me));
        }
    }
    let _ = class_data(cx, me);
    Ok(me)
}

/// The argument as a list of names, if it is an array.
fn array_of(cx: &mut Cx, v: Value) -> R<Option<Value>> {
    if Sym::from_value(v).is_some() || cell::is(v, Type::String) {
        Ok(None)
    } else {
        Ok(convert::try_ary(cx, v)?.map(Arr::value))
    }
}
