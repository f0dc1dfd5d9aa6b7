//! Constant lookup: lexical, through ancestors, by autoload and const_missing.

use abi::{Type, Value};
use object::{
    Known, Sym, cell,
    class::{self, constants},
};

pub use crate::cref;
use crate::{Cx, R, call, concurrency::ractor, define, error::ErrorClass, isolation, sym};

/// `NAME` in the lexical scope `scope`.
pub fn lookup_lexical(cx: &mut Cx, scope: Value, name: Sym) -> R {
    if let Some(value) = find_lexical(cx, scope, name)? {
        return Ok(value);
    }
    let module = innermost_module(scope);
    call::send(cx, module, sym::CONST_MISSING, &[name.value()])
}

/// The constant in the modules of the lexical scopes themselves, without the outermost one.
fn own_of_scopes(scope: Value, name: Sym) -> Option<constants::Constant> {
    let mut at = scope;
    while !at.is_nil() && !cref::outer(at).is_nil() {
        if !cref::is_eval(at)
            && let Some(constant) = constants::own(cref::module(at), name)
        {
            return Some(constant);
        }
        at = cref::outer(at);
    }
    None
}

/// The value without autoload or warnings, to determine whether a lookup can be cached.
pub fn find_lexical_quietly(cx: &mut Cx, scope: Value, name: Sym) -> Option<Value> {
    if let Some(constant) = own_of_scopes(scope, name) {
        return (!constant.deprecated).then_some(constant.value);
    }
    let object = cx.class(Known::Object);
    let module = innermost_module(scope);
    let found = constants::find(module, name).or_else(|| constants::find(object, name));
    found.filter(|(_, c)| !c.deprecated).map(|(_, c)| c.value)
}

/// Whether a scope or an ancestor other than Object has the constant, so that it hides that of Object.
pub fn is_nested(cx: &mut Cx, scope: Value, name: Sym) -> bool {
    let object = cx.class(Known::Object);
    own_of_scopes(scope, name).is_some()
        || constants::find(innermost_module(scope), name).is_some_and(|(place, _)| place != object)
}

/// Whether the constant exists, loaded or with a pending autoload.
pub fn exists_lexically(cx: &mut Cx, scope: Value, name: Sym) -> bool {
    let mut at = scope;
    while !at.is_nil() && !cref::outer(at).is_nil() {
        let module = cref::module(at);
        if !cref::is_eval(at)
            && constants::own(module, name).is_some_and(|c| crate::autoload::exists(cx, module, name, &c))
        {
            return true;
        }
        at = cref::outer(at);
    }
    let module = innermost_module(scope);
    let is_in = |cx: &mut Cx, module: Value| {
        constants::find(module, name).is_some_and(|(place, c)| crate::autoload::exists(cx, place, name, &c))
    };
    let object = cx.class(Known::Object);
    is_in(cx, module) || cell::is(module, Type::Module) && is_in(cx, object)
}

fn innermost_module(scope: Value) -> Value {
    let mut scope = scope;
    while cref::is_eval(scope) && !cref::outer(scope).is_nil() {
        scope = cref::outer(scope);
    }
    cref::module(scope)
}

/// Like `lexical`, without const_missing.
pub fn find_lexical(cx: &mut Cx, scope: Value, name: Sym) -> R<Option<Value>> {
    let mut at = scope;
    while !at.is_nil() && !cref::outer(at).is_nil() {
        if !cref::is_eval(at) {
            let module = cref::module(at);
            if let Some(constant) = constants::own(module, name)
                && let Some(value) = resolve(cx, module, name, constant)?
            {
                return Ok(Some(value));
            }
        }
        at = cref::outer(at);
    }
    let module = innermost_module(scope);
    if let Some(value) = find_in_ancestors(cx, module, name)? {
        return Ok(Some(value));
    }
    let object = cx.class(Known::Object);
    if cell::is(module, Type::Module) { find_in_ancestors(cx, object, name) } else { Ok(None) }
}

/// The constant in a module or its ancestors (private ones too).
pub fn find_in_ancestors(cx: &mut Cx, module: Value, name: Sym) -> R<Option<Value>> {
    for place in class::ancestors::each_for_constants(module) {
        if let Some(constant) = constants::own(place, name)
            && let Some(value) = resolve(cx, place, name, constant)?
        {
            return Ok(Some(value));
        }
    }
    Ok(None)
}

/// The constant's value; runs a pending autoload. `None` if that did not define it.
fn resolve(cx: &mut Cx, module: Value, name: Sym, constant: constants::Constant) -> R<Option<Value>> {
    let exists = !constant.value.is_undef() && !crate::autoload::is_loading_elsewhere(cx, module, name);
    let value =
        if exists { Some(constant.value) } else { ractor::as_main(cx, |cx| crate::autoload::load(cx, module, name))? };
    // Loading the file may have deprecated the constant or made it private.
    let known = if exists { Some(constant) } else { constants::own(module, name) };
    if known.is_some_and(|known| known.deprecated) {
        crate::warning::warn_deprecated_constant(cx, module, name)?;
    }
    if cx.isolated
        && let Some(value) = value
    {
        isolation::access::check_constant(cx, module, name, value)?;
    }
    Ok(value)
}

/// The value of a constant of this module itself; autoloaded if necessary.
pub fn own_value(cx: &mut Cx, module: Value, name: Sym) -> R<Option<Value>> {
    match constants::own(module, name) {
        Some(constant) => resolve(cx, module, name, constant),
        None => Ok(None),
    }
}

/// `scope::NAME`.
pub fn lookup_from(cx: &mut Cx, scope: Value, name: Sym) -> R {
    if !class::is_module(scope) {
        let shown = call::inspect_text(cx, scope)?;
        return Err(cx.type_error(&format!("{shown} is not a class/module")));
    }
    let object = cx.class(Known::Object);
    for place in class::ancestors::each_for_constants(scope) {
        let Some(constant) = constants::own(place, name) else { continue };
        if place == object && scope != object && class::is_class(scope) {
            break; // `Foo::String` does not find Object's.
        }
        let value = if constant.private { None } else { resolve(cx, place, name, constant)? };
        if constant.private || (value.is_some() && constants::own(place, name).is_some_and(|c| c.private)) {
            cx.set_root(PRIVATE_REFERENCE, place);
            let answer = call::send(cx, scope, sym::CONST_MISSING, &[name.value()]);
            cx.set_root(PRIVATE_REFERENCE, Value::NIL);
            return answer;
        }
        if let Some(value) = value {
            return Ok(value);
        }
    }
    call::send(cx, scope, sym::CONST_MISSING, &[name.value()])
}

/// The root with the module whose private constant was referenced, during a call of const_missing for it.
const PRIVATE_REFERENCE: crate::Root = crate::Root::PrivateConstantOwner;

/// "private constant M::X referenced": only M itself may reference it with a scope.
pub fn private_reference(cx: &mut Cx, module: Value, name: Sym) -> crate::Unwind {
    let (owner, text) = (define::class_name(cx, module), name.to_text(cx));
    let message = format!("private constant {owner}::{text} referenced");
    cx.name_error(ErrorClass::NameError, &message, name, module)
}

/// The exception of the default const_missing.
pub fn uninitialized(cx: &mut Cx, module: Value, name: Sym) -> crate::Unwind {
    let private = cx.root(PRIVATE_REFERENCE);
    if !private.is_nil() {
        cx.set_root(PRIVATE_REFERENCE, Value::NIL);
        return private_reference(cx, private, name);
    }
    let text = name.to_text(cx);
    let object = cx.class(Known::Object);
    let message = if module == object {
        format!("uninitialized constant {text}")
    } else {
        match shown_name(cx, module) {
            Ok(shown) => format!("uninitialized constant {shown}::{text}"),
            Err(unwind) => return unwind,
        }
    };
    cx.name_error(ErrorClass::NameError, &message, name, module)
}

/// The result of the module's own `name`, otherwise of its `inspect`.
fn shown_name(cx: &mut Cx, module: Value) -> R<String> {
    let name = call::send(cx, module, sym::NAME, &[])?;
    match object::string::Str::from_value(name) {
        Some(name) => Ok(name.to_text()),
        None => call::inspect_text(cx, module),
    }
}

/// The warning that what the running code defines does not belong to the refinement whose body it is.
pub fn warn_in_refinement(cx: &mut Cx) -> R<()> {
    let me = crate::reflect::frame_self(cx.frame());
    if class::is_module(me) && class::flags(me).refinement {
        let text = "not defined at the refinement, but at the outer class/module";
        crate::warning::warn_here(cx, text)?;
    }
    Ok(())
}

/// `scope::NAME = value`
pub fn assign(cx: &mut Cx, scope: Value, name: Sym, value: Value) -> R<()> {
    if !class::is_module(scope) {
        let shown = call::inspect_text(cx, scope)?;
        return Err(cx.type_error(&format!("{shown} is not a class/module")));
    }
    cx.check_frozen(scope)?;
    if cx.isolated {
        isolation::access::check_new_constant(cx, value)?;
    }
    if let Some(old) = constants::own(scope, name)
        && !old.value.is_undef()
    {
        crate::warning::warn_reassigned_constant(cx, scope, name, old)?;
    }
    define::set_constant(cx, scope, name, value);
    if cx.vm().redefined.armed {
        call::send_private(cx, scope, sym::CONST_ADDED, &[name.value()])?;
    }
    Ok(())
}

/// Class variables: found in the class of the lexical scope and its ancestors.
pub mod class_variables {
    use super::*;
    use object::class::class_variables;

    /// The class that `@@x` in `scope` belongs to.
    pub fn holder(cx: &mut Cx, scope: Value) -> R {
        let mut at = scope;
        while !cref::outer(at).is_nil() && is_passed_by(at) {
            at = cref::outer(at);
        }
        if cref::outer(at).is_nil() && cx.vm().redefined.armed && cref::module(at) == cx.class(Known::Object) {
            return Err(cx.runtime_error("class variable access from toplevel"));
        }
        Ok(cref::module(at))
    }

    /// Scopes of evaluated code and singleton classes of objects have no class variables of their own.
    fn is_passed_by(scope: Value) -> bool {
        cref::is_eval(scope) || cref::is_of_object(scope) || class::flags(cref::module(scope)).singleton
    }

    /// The module that has the variable, among `class` and its ancestors.
    pub fn find(class: Value, name: Sym) -> Option<(Value, Value)> {
        places(class).find_map(|m| class_variables::own(m, name).map(|value| (m, value)))
    }

    /// Where class variables of `class` are looked for, in order: itself and its ancestors; for the singleton class of
    /// a class or module itself, and that with its ancestors.
    pub fn places(class: Value) -> impl Iterator<Item = Value> {
        let of_module = class::flags(class).singleton && class::is_module(class::attached(class));
        let (own, rest) = if of_module { (Some(class), class::attached(class)) } else { (None, class) };
        own.into_iter().chain(class::ancestors::each(rest))
    }

    /// The module that has the variable, and its value, if exactly one has it: one pass through the ancestors.
    pub fn undisputed(class: Value, name: Sym) -> Option<(Value, Value)> {
        let own = |m: Value| class_variables::own(m, name).map(|value| (m, value));
        let mut all = places(class).filter_map(own);
        let found = all.next()?;
        all.next().is_none().then_some(found)
    }

    /// RuntimeError if a variable of the same name was later defined in an ancestor of the module that has it.
    fn check_overtaken(cx: &mut Cx, class: Value, name: Sym) -> R<()> {
        let Some((front, _)) = find(class, name) else { return Ok(()) };
        let has = |m: &Value| class_variables::own(*m, name).is_some();
        match places(class).filter(has).last() {
            Some(last) if last != front => {
                let (text, front, last) =
                    (name.to_text(cx), define::class_name(cx, front), define::class_name(cx, last));
                Err(cx.runtime_error(&format!("class variable {text} of {front} is overtaken by {last}")))
            }
            _ => Ok(()),
        }
    }

    pub fn get(cx: &mut Cx, class: Value, name: Sym) -> R {
        if !cx.isolated
            && let Some((_, value)) = undisputed(class, name)
        {
            return Ok(value);
        }
        check_overtaken(cx, class, name)?;
        match find(class, name) {
            Some((owner, value)) => {
                isolation::access::check_class_variable(cx, owner, name, value)?;
                Ok(value)
            }
            None => {
                let (text, owner) = (name.to_text(cx), define::class_name(cx, class));
                Err(cx.name_error(
                    ErrorClass::NameError,
                    &format!("uninitialized class variable {text} in {owner}"),
                    name,
                    class,
                ))
            }
        }
    }

    pub fn set(cx: &mut Cx, class: Value, name: Sym, value: Value) -> R<()> {
        let place = find(class, name).map_or(class, |(m, _)| m);
        isolation::access::check_new_class_variable(cx, place, name)?;
        check_overtaken(cx, class, name)?;
        cx.check_frozen(place)?;
        class_variables::set(cx, place, name, value);
        Ok(())
    }
}
