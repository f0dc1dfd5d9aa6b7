//! Names of modules.

use abi::Value;
use object::{
    cell,
    class::{self, class_data, class_data_mut},
    string::Str,
};
use runtime::{Args, Cx, R, define, make};
use text::inspect::{NameKind, name_kind};

/// `name → string or nil`: the path of the constant that the module was first assigned to, frozen; nil for an anonymous
/// module.
pub fn name(_: &mut Cx, args: Args) -> R {
    Ok(class::name(args.me()))
}

/// `to_s`, `inspect → string`: the name; for a singleton class `#<Class:…>` with its object, for an anonymous module
/// its address.
pub fn to_s(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    let data = class_data(cx, me);
    if data.flags.singleton {
        let attached = data.attached;
        let inner = if class::is_module(attached) {
            runtime::call::inspect_text(cx, attached)?
        } else {
            define::any_to_text(cx, attached)
        };
        return Ok(make::named(cx, &format!("#<Class:{inner}>")));
    }
    if !data.name.is_nil() && !data.flags.refinement {
        return Ok(Str::of(data.name).dup(cx).value());
    }
    if data.flags.refinement {
        let (refined, owner) = (data.rare().refined, data.rare().refinement_owner);
        let (refined, owner) = (define::class_name(cx, refined), define::class_name(cx, owner));
        return Ok(make::described(cx, &format!("#<refinement:{refined}@{owner}>")));
    }
    let name = define::class_name(cx, me);
    Ok(make::described(cx, &name))
}

/// `set_temporary_name(name) → self`: names an anonymous module with a text that is not a constant's path, or removes
/// the name for nil. RuntimeError if it has a permanent name, ArgumentError for a constant's path.
pub fn set_temporary_name(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    let data = class_data(cx, me);
    if !data.name.is_nil() && !data.temporary_name {
        return Err(cx.runtime_error("can't change permanent name"));
    }
    if args.at(0).is_nil() {
        class_data_mut(cx, me).name = Value::NIL;
        define::name_inner(cx, me);
        return Ok(me);
    }
    let name = args.str(cx, 0)?;
    if name.is_empty() {
        return Err(cx.argument_error("empty class/module name"));
    }
    if is_constant_path(name.value()) {
        return Err(cx.argument_error("the temporary name must not be a constant path to avoid confusion"));
    }
    let bytes = name.to_vector();
    let encoding = name.encoding();
    let copy = make::string(cx, &bytes, encoding);
    Str::of(copy).freeze();
    let data = class_data_mut(cx, me);
    data.name = copy;
    data.temporary_name = true;
    define::name_inner(cx, me);
    Ok(me)
}

fn is_constant_path(name: Value) -> bool {
    debug_assert!(cell::is(name, abi::Type::String));
    let name = Str::of(name);
    let bytes = name.to_vector();
    let text = memory::lossy_text(&bytes);
    text.strip_prefix("::")
        .unwrap_or(&text)
        .split("::")
        .all(|part| matches!(name_kind(name.encoding(), part.as_bytes()), Some(NameKind::Constant)))
}
