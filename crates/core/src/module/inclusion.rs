//! include, prepend, extend and the list of ancestors.

use abi::{Type, Value};
use object::{
    cell,
    class::{self, ancestors},
};
use runtime::{Args, Cx, R, basic_ops, call, error, intrinsics, make, sym};

fn check_module(cx: &mut Cx, v: Value, what: &str) -> R<()> {
    if !cell::is(v, Type::Module) {
        let got = error::describe_for_conversion(cx, v);
        return Err(cx.type_error(&format!("wrong argument type {got} (expected Module)")));
    }
    if class::flags(v).refinement {
        return Err(cx.type_error(&format!("Cannot {what} refinement")));
    }
    Ok(())
}

/// `include(*modules) → self`: inserts the modules after the receiver among the ancestors through `append_features`,
/// the first argument first, and calls `included` of each. TypeError for a class, ArgumentError for a module that
/// includes the receiver.
pub fn include(cx: &mut Cx, args: Args) -> R {
    include_all(cx, args.me(), args.all())
}

/// `include(module, …)`: calls `append_features` and `included` of each module, the last module first.
pub fn include_all(cx: &mut Cx, me: Value, modules: &[Value]) -> R {
    mix_in(cx, me, modules, [sym::APPEND_FEATURES, sym::INCLUDED])
}

/// `prepend(*modules) → self`: inserts the modules before the receiver among the ancestors through `prepend_features`,
/// and calls `prepended` of each. TypeError for a class.
pub fn prepend(cx: &mut Cx, args: Args) -> R {
    mix_in(cx, args.me(), args.all(), [sym::PREPEND_FEATURES, sym::PREPENDED])
}

fn mix_in(cx: &mut Cx, me: Value, modules: &[Value], calls: [object::Sym; 2]) -> R {
    if class::flags(me).refinement {
        let what = if calls[0] == sym::APPEND_FEATURES { "include" } else { "prepend" };
        return Err(cx.type_error(&format!("Refinement#{what} has been removed")));
    }
    if modules.is_empty() {
        return Err(cx.argument_error("wrong number of arguments (given 0, expected 1+)"));
    }
    for module in modules {
        check_module(cx, *module, if calls[0] == sym::APPEND_FEATURES { "include" } else { "prepend" })?;
    }
    for module in modules.iter().rev() {
        call::send_private(cx, *module, calls[0], &[me])?;
        call::send_private(cx, *module, calls[1], &[me])?;
    }
    Ok(me)
}

/// `append_features(target) → self`: the effect of `include` for one module. ArgumentError if the target is the module
/// itself or one that it includes.
pub fn append_features(cx: &mut Cx, args: Args) -> R {
    let (module, target) = (args.me(), args.at(0));
    check_target(cx, target)?;
    check_module(cx, module, "include")?;
    basic_ops::ancestors_change(cx, target);
    if ancestors::include(cx, target, module).is_err() {
        return Err(cx.argument_error("cyclic include detected"));
    }
    basic_ops::ancestors_changed(cx, target, module);
    Ok(module)
}

/// `prepend_features(target) → self`: the effect of `prepend` for one module. ArgumentError if the target is the module
/// itself or one that it includes.
pub fn prepend_features(cx: &mut Cx, args: Args) -> R {
    let (module, target) = (args.me(), args.at(0));
    check_target(cx, target)?;
    check_module(cx, module, "prepend")?;
    basic_ops::ancestors_change(cx, target);
    if ancestors::prepend(cx, target, module).is_err() {
        return Err(cx.argument_error("cyclic prepend detected"));
    }
    basic_ops::ancestors_changed(cx, target, module);
    Ok(module)
}

fn check_target(cx: &mut Cx, target: Value) -> R<()> {
    if !class::is_module(target) {
        let got = error::describe_for_conversion(cx, target);
        return Err(cx.type_error(&format!("wrong argument type {got} (expected Class or Module)")));
    }
    cx.check_frozen(target)
}

/// `extend_object(target) → object`: the effect of `extend` for one module: includes it in the object's singleton
/// class.
pub fn extend_object(cx: &mut Cx, args: Args) -> R {
    let (module, target) = (args.me(), args.at(0));
    check_module(cx, module, "include")?;
    cx.check_frozen_singleton(target)?;
    let singleton = intrinsics::singleton_class_of(cx, target)?;
    if ancestors::include(cx, singleton, module).is_err() {
        return Err(cx.argument_error("cyclic include detected"));
    }
    Ok(target)
}

/// `ancestors → array`: the module and its included and prepended modules and superclasses, up to BasicObject, in the
/// order of method lookup.
pub fn all(cx: &mut Cx, args: Args) -> R {
    let (me, list) = (args.me(), make::array(cx, &[]));
    // Those of a refined class are left out, those of a refined module are not.
    let alone = class::flags(me).refinement && class::is_class(class::refined(me));
    let all: Vec<u64> = match alone {
        true => ancestors::each(me).map(|v| v.0).collect(),
        false => ancestors::reported(cx, me).map(|v| v.0).collect(),
    };
    for v in all {
        make::push(cx, list, Value(v));
    }
    Ok(list)
}

/// `included_modules → array`: the ancestors that are modules but not classes.
pub fn included_modules(cx: &mut Cx, args: Args) -> R {
    let list = make::array(cx, &[]);
    let me = args.me();
    let all: Vec<u64> =
        ancestors::reported(cx, me).filter(|v| *v != me && cell::is(*v, Type::Module)).map(|v| v.0).collect();
    for v in all {
        make::push(cx, list, Value(v));
    }
    Ok(list)
}

/// `include?(module) → true or false`: whether a module is among the ancestors. TypeError unless it is a module and not
/// a class.
pub fn is_included(cx: &mut Cx, args: Args) -> R {
    if !cell::is(args.at(0), Type::Module) {
        let got = error::describe_for_conversion(cx, args.at(0));
        return Err(cx.type_error(&format!("wrong argument type {got} (expected Module)")));
    }
    let there = args.me() != args.at(0) && ancestors::reported(cx, args.me()).any(|m| m == args.at(0));
    Ok(Value::bool(there))
}
