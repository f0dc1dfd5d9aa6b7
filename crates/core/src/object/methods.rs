//! An object's methods: respond_to?, methods as objects, singleton methods.

use abi::Value;
use object::{
    cell, class,
    method_entry::{self, Kind, Visibility},
};
use runtime::{
    Args, Cx, R, call, convert,
    error::ErrorClass,
    intrinsics, make,
    method_object::{self, MethodData},
    refinements, sym,
};

use crate::module::{
    definition,
    listing::{self, Wanted},
};

/// `methods(all = true) → array`: the names of the public and protected methods; only those of the singleton class if
/// `all` is false.
pub fn methods(cx: &mut Cx, args: Args) -> R {
    if args.opt(0).is_some_and(|all| !all.truthy()) {
        return singleton_list(cx, args.me(), false);
    }
    let class = class::class_of(cx, args.me());
    Ok(listing::of_class(cx, class, true, Wanted::PublicAndProtected))
}

/// `public_methods(all = true) → array`: the names of the public methods, including those of Object and Kernel unless
/// `all` is false.
pub fn public_methods(cx: &mut Cx, args: Args) -> R {
    list(cx, args, Wanted::Public)
}

/// `private_methods(all = true) → array`: the names of the private methods, including those of Object and Kernel unless
/// `all` is false.
pub fn private_methods(cx: &mut Cx, args: Args) -> R {
    list(cx, args, Wanted::Private)
}

/// `protected_methods(all = true) → array`: the names of the protected methods.
pub fn protected_methods(cx: &mut Cx, args: Args) -> R {
    list(cx, args, Wanted::Protected)
}

fn list(cx: &mut Cx, args: Args, wanted: Wanted) -> R {
    let class = class::class_of(cx, args.me());
    let all = args.opt(0).is_none_or(Value::truthy);
    if all {
        return Ok(listing::of_class(cx, class, true, wanted));
    }
    Ok(listing::up_to_real_class(cx, class, wanted))
}

/// `singleton_methods(all = true) → array`: the names of the object's own methods, with those of modules that extend it
/// and of a class's superclasses unless `all` is false.
pub fn singleton_methods(cx: &mut Cx, args: Args) -> R {
    singleton_list(cx, args.me(), args.opt(0).is_none_or(Value::truthy))
}

fn singleton_list(cx: &mut Cx, me: Value, all: bool) -> R {
    if let Some(singleton) = class::make::existing_singleton(cx, me) {
        return Ok(listing::of_singleton(cx, singleton, all));
    }
    // The singleton class of an object inherits the methods of the singleton class of the object's class.
    if all && class::is_class(me) {
        let class = class::class_of(cx, me);
        return Ok(listing::of_singleton(cx, class, true));
    }
    Ok(make::array(cx, &[]))
}

/// `respond_to?(name, include_all = false) → true or false`: whether a public method with the name exists, or any
/// method with `include_all`; if there is none, `respond_to_missing?` decides.
pub fn respond_to(cx: &mut Cx, args: Args) -> R {
    let name = convert::to_symbol(cx, args.at(0))?;
    let private = args.opt(1).is_some_and(Value::truthy);
    let class = class::class_of(cx, args.me());
    if refinements::find_for_caller(cx, class, name).is_some() {
        return Ok(Value::TRUE);
    }
    Ok(Value::bool(call::responds_basically(cx, args.me(), name, private)?))
}

/// `method(name) → method`: the method with this name as an object, including private ones; calls
/// `respond_to_missing?`. NameError if there is none.
pub fn method(cx: &mut Cx, args: Args) -> R {
    method_of(cx, args.me(), args.at(0), false)
}

/// `public_method(name) → method`: like `method`, but NameError for a private or protected one as well; calls
/// `respond_to_missing?`.
pub fn public_method(cx: &mut Cx, args: Args) -> R {
    method_of(cx, args.me(), args.at(0), true)
}

pub fn method_of(cx: &mut Cx, me: Value, name: Value, public: bool) -> R {
    let name = convert::to_symbol(cx, name)?;
    let class = class::class_of(cx, me);
    let entry = match refinements::find_for_caller(cx, class, name) {
        Some(refined) => refined,
        None => class::lookup::find_method(cx, class, name),
    };
    let hidden = !entry.is_undef() && public && method_entry::visibility(entry) != Visibility::Public;
    if entry.is_undef() || hidden {
        if !hidden
            && call::send_private(cx, me, sym::RESPOND_TO_MISSING, &[name.value(), Value::bool(!public)])?.truthy()
        {
            let data = MethodData { receiver: me, entry: Value::NIL, name, class, missing: true };
            return Ok(method_object::new(cx, data));
        }
        return Err(undefined(cx, class, name, hidden));
    }
    let entry = definition::resolve_zsuper(entry, cx);
    if entry.is_undef() {
        return Err(undefined(cx, class, name, false));
    }
    Ok(method_object::new(cx, MethodData { receiver: me, entry, name, class, missing: false }))
}

fn undefined(cx: &mut Cx, class: Value, name: object::Sym, hidden: bool) -> runtime::Unwind {
    let text = name.to_text(cx);
    let owner = runtime::define::class_name(cx, class);
    let message = if hidden {
        format!("method '{text}' for class '{owner}' is private")
    } else {
        format!("undefined method '{text}' for class '{owner}'")
    };
    cx.name_error(ErrorClass::NameError, &message, name, class)
}

/// `singleton_method(name) → method`: a method of the object's singleton class itself. NameError if there is none.
pub fn singleton_method(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    let name = convert::to_symbol(cx, args.at(0))?;
    if let Some(singleton) = class::make::existing_singleton(cx, me) {
        for module in class::ancestors::segment(singleton) {
            let entry = class::lookup::own_method(module, name);
            if !entry.is_undef() && method_entry::kind(entry) != Kind::Undefined {
                let data = MethodData { receiver: me, entry, name, class: singleton, missing: false };
                return Ok(method_object::new(cx, data));
            }
        }
    }
    let shown = call::inspect_text(cx, me)?;
    let text = name.to_text(cx);
    Err(cx.name_error(ErrorClass::NameError, &format!("undefined singleton method '{text}' for '{shown}'"), name, me))
}

/// `define_singleton_method(name, body = nil, &block) → symbol`: defines a public method of this object only, from the
/// block, a Proc or a Method. TypeError for integers, floats and symbols.
pub fn define_singleton_method(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    let singleton = intrinsics::singleton_class_of(cx, me)?;
    if cell::frozen(me) {
        cx.check_frozen_singleton(me)?;
    }
    let block = args.block_proc(cx)?;
    definition::define(cx, singleton, args.at(0), args.get(1), block, Visibility::Public)
}
