//! An object's class, singleton class and modules.

use abi::{Type, Value};
use object::{cell, class};
use runtime::{Args, Cx, R, call, error, intrinsics, sym};

/// `class → class`: the class that the object was created by; singleton classes are skipped.
pub fn class(cx: &mut Cx, args: Args) -> R {
    Ok(class::real_class(cx, args.me()))
}

/// `singleton_class → class`: the class with the object's own methods, created if it does not exist yet. TypeError for
/// integers, floats and symbols; nil, true and false return their class.
pub fn singleton_class(cx: &mut Cx, args: Args) -> R {
    crate::string::modify::warn_if_chilled(cx, args.me())?;
    intrinsics::singleton_class_of(cx, args.me())
}

fn check_module(cx: &mut Cx, v: Value) -> R<()> {
    if class::is_module(v) { Ok(()) } else { Err(cx.type_error("class or module required")) }
}

/// `instance_of?(class) → true or false`: whether the object's class is exactly this one. TypeError unless it is a
/// class or module.
pub fn is_instance_of(cx: &mut Cx, args: Args) -> R {
    check_module(cx, args.at(0))?;
    Ok(Value::bool(class::real_class(cx, args.me()) == args.at(0)))
}

/// `kind_of?(class)`, `is_a?(class) → true or false`: whether the object's class is this one or has it among its
/// ancestors. TypeError unless it is a class or module.
pub fn is_kind_of(cx: &mut Cx, args: Args) -> R {
    check_module(cx, args.at(0))?;
    Ok(Value::bool(class::is_a(cx, args.me(), args.at(0))))
}

/// `extend(module, *modules) → self`: calls `extend_object` and `extended` of each module, the last one first.
/// TypeError for a class, ArgumentError without a module.
pub fn extend(cx: &mut Cx, args: Args) -> R {
    for module in args.all() {
        if !cell::is(*module, Type::Module) {
            let got = error::describe_for_conversion(cx, *module);
            return Err(cx.type_error(&format!("wrong argument type {got} (expected Module)")));
        }
        if class::flags(*module).refinement {
            return Err(cx.type_error("wrong argument type refinement (expected Module)"));
        }
    }
    for module in args.all().iter().rev() {
        call::send_private(cx, *module, sym::EXTEND_OBJECT, &[args.me()])?;
        call::send_private(cx, *module, sym::EXTENDED, &[args.me()])?;
    }
    Ok(args.me())
}
