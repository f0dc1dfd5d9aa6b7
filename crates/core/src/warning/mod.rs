//! Warning: output of warnings, and enabled categories.

use abi::{Type, Value};
use object::{Known, Sym, cell, string::Str, symbol};
use runtime::{Args, Cx, Method, R, convert, define, error, keys, make};

pub const METHODS: &[Method] = &[Method::new("warn(message, category: nil)", warn)];

pub const SINGLETON: &[Method] =
    &[Method::new("[](category)", get), Method::new("[]=(category, on)", set), Method::new("categories", categories)];

pub fn define(cx: &mut Cx) {
    let object = cx.class(Known::Object);
    let module = define::define_module(cx, object, "Warning");
    cx.set_root(runtime::Root::Warning, module);
    define::define_methods(cx, module, METHODS);
    define::define_singleton_methods(cx, module, SINGLETON);
    let singleton = object::class::singleton_class(cx, module);
    let _ = object::class::ancestors::include(cx, singleton, module);
}

const CATEGORIES: &[&str] = &["deprecated", "experimental", "performance", "strict_unused_block"];

/// Whether the category is enabled; ArgumentError for an unknown one.
pub fn is_enabled(cx: &mut Cx, category: Sym) -> R<bool> {
    let name = category.to_text(cx);
    let options = &cx.vm().options;
    match name.as_str() {
        "deprecated" => Ok(options.warn_deprecated),
        "experimental" => Ok(options.warn_experimental),
        "performance" => Ok(options.warn_performance),
        "strict_unused_block" => Ok(options.warn_strict_unused_block),
        _ => Err(cx.argument_error(&format!("unknown category: {name}"))),
    }
}

fn category(cx: &mut Cx, v: Value) -> R<Sym> {
    match Sym::from_value(v) {
        Some(category) => Ok(category),
        None => {
            let got = error::describe_for_conversion(cx, v);
            Err(cx.type_error(&format!("wrong argument type {got} (expected Symbol)")))
        }
    }
}

/// `Warning.[](category) → true or false`: whether warnings of a category are shown. ArgumentError for an unknown one,
/// TypeError unless it is a Symbol.
fn get(cx: &mut Cx, args: Args) -> R {
    let category = category(cx, args.at(0))?;
    Ok(Value::bool(is_enabled(cx, category)?))
}

/// `Warning.[]=(category, on) → on`: sets whether warnings of a category are shown. ArgumentError for an unknown one,
/// TypeError unless it is a Symbol.
fn set(cx: &mut Cx, args: Args) -> R {
    let category = category(cx, args.at(0))?;
    is_enabled(cx, category)?;
    let on = args.at(1).truthy();
    let name = category.to_text(cx);
    let options = &mut cx.vm_mut().options;
    match name.as_str() {
        "deprecated" => options.warn_deprecated = on,
        "experimental" => options.warn_experimental = on,
        "performance" => options.warn_performance = on,
        _ => options.warn_strict_unused_block = on,
    }
    Ok(args.at(1))
}

/// `Warning.categories → array`: the categories as symbols.
fn categories(cx: &mut Cx, _: Args) -> R {
    let list = make::array(cx, &[]);
    for name in CATEGORIES {
        let name = symbol::table::intern_text(cx, name);
        make::push(cx, list, name.value());
    }
    Ok(list)
}

/// `warn(message, category: nil) → nil`: writes a message to `$stderr`, unless its category is disabled. TypeError
/// unless it is a String, ArgumentError for an unknown category. Programs redefine it.
fn warn(cx: &mut Cx, args: Args) -> R {
    let message = args.at(0);
    if !cell::is(message, Type::String) {
        let got = error::describe_for_conversion(cx, message);
        return Err(cx.type_error(&format!("wrong argument type {got} (expected String)")));
    }
    let name = symbol::table::intern_text(cx, "category");
    keys::only_keywords(cx, args.keywords(), &[name])?;
    let given = keys::keyword(cx, args.keywords(), name).or(Value::NIL);
    if !given.is_nil() {
        let category = convert::to_symbol(cx, given)?;
        if !is_enabled(cx, category)? {
            return Ok(Value::NIL);
        }
    }
    if !Str::of(message).encoding().is_ascii_compatible() {
        let name = Str::of(message).encoding().name();
        return Err(cx.raise(error::ErrorClass::CompatibilityError, &format!("ASCII incompatible encoding: {name}")));
    }
    crate::kernel::output::write_message(cx, message)?;
    Ok(Value::NIL)
}
