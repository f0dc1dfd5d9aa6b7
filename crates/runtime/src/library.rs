//! Constants of the built-in libraries. Programs may have defined them differently before the library is loaded, and
//! may change or remove them afterwards. These functions check everything that a library defines or looks up by name.

use abi::{Type, Value};
use object::{
    Known, cell,
    class::{self, constants as own_constants},
    symbol,
};

use crate::{Cx, R, Unwind, call, constants, define, error, sym};

/// A class of a library, created if it is missing. TypeError if the constant is not a class or has another superclass.
pub fn class(cx: &mut Cx, scope: Value, name: &str, superclass: Value) -> R {
    let Some(value) = defined(cx, scope, name)? else { return Ok(define::define_class(cx, scope, name, superclass)) };
    if !class::is_class(value) {
        return Err(is_not(cx, scope, name, "class", value));
    }
    let above = class::superclass(value);
    if above.is_nil() || class::non_singleton(above) != superclass {
        let shown = full_name(cx, scope, name);
        return Err(cx.type_error(&format!("superclass mismatch for class {shown}")));
    }
    Ok(value)
}

/// A module of a library, created if it is missing. TypeError if the constant is not a module.
pub fn module(cx: &mut Cx, scope: Value, name: &str) -> R {
    let Some(value) = defined(cx, scope, name)? else { return Ok(define::define_module(cx, scope, name)) };
    if !class::is_module(value) || class::is_class(value) {
        return Err(is_not(cx, scope, name, "module", value));
    }
    Ok(value)
}

/// A class or module of a loaded library, by its path from Object. NameError if it no longer exists, TypeError if it is
/// no longer a class or module.
pub fn loaded(cx: &mut Cx, path: &[&str]) -> R {
    let mut scope = cx.class(Known::Object);
    for name in path {
        let symbol = symbol::table::intern_text(cx, name);
        let own = own_constants::own(scope, symbol).map(|constant| constant.value).filter(|value| !value.is_undef());
        let value = match own {
            Some(value) => value,
            None => constants::lookup_from(cx, scope, symbol)?,
        };
        if !class::is_module(value) {
            return Err(cx.type_error(&format!("{} is not a class/module", path.join("::"))));
        }
        scope = value;
    }
    Ok(scope)
}

/// An exception class of a loaded library. TypeError if it is no longer an exception class.
pub fn error_class(cx: &mut Cx, path: &[&str]) -> R {
    let found = loaded(cx, path)?;
    let exception = cx.class(Known::Exception);
    if class::is_class(found) && class::ancestors::inherits(found, exception) {
        return Ok(found);
    }
    Err(cx.type_error("exception class/object expected"))
}

/// Raises an error of a library's class, created with `new`. TypeError if `new` does not return an exception.
#[cold]
pub fn raise(cx: &mut Cx, path: &[&str], arguments: &[Value]) -> Unwind {
    match error_class(cx, path).and_then(|class| new_error(cx, class, arguments)) {
        Ok(exception) => error::raise_exception(cx, exception),
        Err(unwind) => unwind,
    }
}

/// An exception of a class that was looked up, created with `new`. TypeError if `new` does not return an exception.
pub fn new_error(cx: &mut Cx, class: Value, arguments: &[Value]) -> R {
    let made = call::send(cx, class, sym::NEW, arguments)?;
    if cell::is(made, Type::Exception) { Ok(made) } else { Err(cx.type_error("exception class/object expected")) }
}

fn defined(cx: &mut Cx, scope: Value, name: &str) -> R<Option<Value>> {
    if !class::is_module(scope) {
        let shown = call::inspect_text(cx, scope)?;
        return Err(cx.type_error(&format!("{shown} is not a class/module")));
    }
    let symbol = symbol::table::intern_text(cx, name);
    // A pending autoload does not count: its file is calling this.
    Ok(own_constants::own(scope, symbol).map(|constant| constant.value).filter(|value| !value.is_undef()))
}

/// TypeError "A::B is not a class (Integer)".
#[cold]
fn is_not(cx: &mut Cx, scope: Value, name: &str, what: &str, value: Value) -> Unwind {
    let shown = full_name(cx, scope, name);
    let class = error::class_name_of(cx, value);
    cx.type_error(&format!("{shown} is not a {what} ({class})"))
}

fn full_name(cx: &mut Cx, scope: Value, name: &str) -> String {
    if scope == cx.class(Known::Object) {
        return name.to_string();
    }
    format!("{}::{name}", define::class_name(cx, scope))
}
