//! Class, module and method definitions, alias, undef.

use abi::{Type, Value};
use object::{
    Known, Sym, cell,
    class::{self, class_data, constants},
    method_entry::{self, Entry, Kind, Visibility},
    proc,
};

use crate::{
    Cx, R, call,
    concurrency::sharing,
    constants::{assign, cref, private_reference},
    convert, define,
    error::ErrorClass,
    redefinition, sym,
};

/// The module to which a definition without a scope belongs.
fn lexical_module(cx: &mut Cx) -> R {
    let mut scope = cx.frame().scope.cref;
    while cref::is_eval(scope) && !cref::outer(scope).is_nil() {
        scope = cref::outer(scope);
    }
    module_for_definitions(cx, scope)
}

/// The module of a lexical scope in which something is to be defined: instance_eval's singleton class is made now.
pub fn module_for_definitions(cx: &mut Cx, scope: Value) -> R {
    let object = cref::object(scope);
    if object.is_nil() {
        return Ok(cref::module(scope));
    }
    let singleton = singleton_class_of(cx, object)?;
    cref::set_module(cx, scope, singleton);
    cref::set_object(cx, scope, Value::NIL);
    Ok(singleton)
}

/// The module in which `def` defines methods: that of the innermost lexical scope, including instance_eval's singleton
/// class.
pub fn target(cx: &mut Cx) -> R {
    let scope = cx.frame().scope.cref;
    module_for_definitions(cx, scope)
}

/// The module in which `def` defines methods; TypeError if there is none.
pub fn target_of_definition(cx: &mut Cx) -> R {
    if cref::is_without_definitions(cx.frame().scope.cref) {
        return Err(cx.type_error("can't define singleton"));
    }
    target(cx)
}

fn scope_of(cx: &mut Cx, scope: Value) -> R {
    if scope.is_undef() {
        return lexical_module(cx);
    }
    if !class::is_module(scope) {
        let shown = call::inspect_text(cx, scope)?;
        return Err(cx.type_error(&format!("{shown} is not a class/module")));
    }
    Ok(scope)
}

/// The constant of the module itself that `class Name` reopens; `class M::Name` does not see private ones.
fn existing(cx: &mut Cx, scope: Value, name: Sym, is_scoped: bool) -> R<Option<Value>> {
    match constants::own(scope, name) {
        None => Ok(None),
        Some(c) if c.private && is_scoped => Err(private_reference(cx, scope, name)),
        Some(c) if !c.value.is_undef() => Ok(Some(c.value)),
        // Loading the file may define it.
        Some(_) => crate::constants::own_value(cx, scope, name),
    }
}

/// TypeError "A is not a class", with the place where the constant was defined.
fn mismatch(cx: &mut Cx, scope: Value, name: Sym, what: &str) -> crate::Unwind {
    let text = name.to_text(cx);
    let mut message = format!("{text} is not a {what}");
    if let Some(there) = constants::own(scope, name)
        && !there.file.is_nil()
    {
        let file = object::string::Str::of(there.file).to_text();
        message.push_str(&format!("\n{file}:{}: previous definition of {text} was here", there.line));
    }
    cx.type_error(&message)
}

pub fn open_class(cx: &mut Cx, [scope, name, superclass]: [Value; 3]) -> R {
    let name = Sym::of(name);
    let is_scoped = !scope.is_undef();
    let scope = scope_of(cx, scope)?;
    if !superclass.is_undef() && !class::is_class(superclass) {
        let got = crate::error::class_name_of(cx, superclass);
        return Err(cx.type_error(&format!("superclass must be an instance of Class (given an instance of {got})")));
    }
    if let Some(there) = existing(cx, scope, name, is_scoped)? {
        let text = name.to_text(cx);
        if !class::is_class(there) {
            return Err(mismatch(cx, scope, name, "class"));
        }
        let above = class::superclass(there);
        let differs = |wanted: Value| above.is_nil() || class::non_singleton(above) != wanted;
        if !superclass.is_undef() && differs(superclass) {
            return Err(cx.type_error(&format!("superclass mismatch for class {text}")));
        }
        return Ok(there);
    }
    let superclass = superclass.or(cx.class(Known::Object));
    check_inheritable(cx, superclass)?;
    let made = class::new_class(cx, superclass);
    // The name must exist before the hooks run.
    define::set_constant(cx, scope, name, made);
    call::send_private(cx, scope, sym::CONST_ADDED, &[name.value()])?;
    call::send_private(cx, superclass, sym::INHERITED, &[made])?;
    Ok(made)
}

/// TypeError for superclasses that cannot have subclasses.
pub fn check_inheritable(cx: &mut Cx, superclass: Value) -> R<()> {
    if !class::is_class(superclass) {
        let got = crate::error::class_name_of(cx, superclass);
        return Err(cx.type_error(&format!("superclass must be an instance of Class (given an instance of {got})")));
    }
    if class::flags(superclass).singleton {
        return Err(cx.type_error("can't make subclass of singleton class"));
    }
    if superclass == cx.class(Known::Class) {
        return Err(cx.type_error("can't make subclass of Class"));
    }
    Ok(())
}

pub fn open_module(cx: &mut Cx, [scope, name]: [Value; 2]) -> R {
    let name = Sym::of(name);
    let is_scoped = !scope.is_undef();
    let scope = scope_of(cx, scope)?;
    if let Some(there) = existing(cx, scope, name, is_scoped)? {
        if !cell::is(there, Type::Module) {
            return Err(mismatch(cx, scope, name, "module"));
        }
        return Ok(there);
    }
    let made = class::new_module(cx);
    assign(cx, scope, name, made)?;
    Ok(made)
}

/// Numbers, Symbols, and shared literal Strings; true, false and nil use their class.
pub fn has_no_singleton(v: Value) -> bool {
    if !v.is_heap() {
        return !matches!(v, Value::NIL | Value::TRUE | Value::FALSE);
    }
    match cell::header(v).ty() {
        Type::Float | Type::BigInteger | Type::Symbol => true,
        Type::String => object::string::Str::of(v).is_interned(),
        _ => false,
    }
}

/// `class << v`
pub fn open_singleton_class(cx: &mut Cx, [v]: [Value; 1]) -> R {
    singleton_class_of(cx, v)
}

/// Object#singleton_class: TypeError for values that cannot have one.
pub fn singleton_class_of(cx: &mut Cx, v: Value) -> R {
    if v.is_nil() || v == Value::TRUE || v == Value::FALSE {
        return Ok(class::class_of(cx, v));
    }
    if has_no_singleton(v) {
        return Err(cx.type_error("can't define singleton"));
    }
    let singleton = class::singleton_class(cx, v);
    // The singleton class of a class, whose methods subclasses inherit.
    if class::is_class(v) {
        class::singleton_class(cx, singleton);
    }
    Ok(singleton)
}

/// `alias new old` in the class of the lexical scope. In the Ruby half of core classes it adds a synonym
/// ([`define::synonym`]); what is an alias in CRuby, too, is made with `alias_method`.
pub fn alias(cx: &mut Cx, [new, old]: [Value; 2]) -> R<()> {
    let module = target_of_definition(cx)?;
    let (new, old) = (convert::to_symbol(cx, new)?, convert::to_symbol(cx, old)?);
    let is_synonym = crate::code::code(&cx.frame().scope.code).internal;
    add_alias(cx, module, new, old, is_synonym)
}

pub fn alias_global(cx: &mut Cx, [new, old]: [Value; 2]) {
    cx.alias_global(Sym::of(new), Sym::of(old));
}

pub fn object_class(cx: &mut Cx, []: [Value; 0]) -> Value {
    cx.class(Known::Object)
}

pub fn standard_error_class(cx: &mut Cx, []: [Value; 0]) -> Value {
    cx.error_class(ErrorClass::StandardError)
}

pub fn at_exit(cx: &mut Cx, [block]: [Value; 1]) -> R {
    crate::isolation::access::check_main(cx, "can not register an END handler from a non-main Ractor")?;
    // The block is no lambda: a `return` in it has nowhere to return to.
    let class = cx.class(Known::Proc);
    let block = proc::new(cx, class, proc::environment(block), proc::code(block), proc::receiver(block), 0);
    cx.vm_mut().at_exit.push(crate::RootValue(block));
    Ok(block)
}

/// Module#alias_method.
pub fn alias_method(cx: &mut Cx, module: Value, new: Sym, old: Sym) -> R<()> {
    add_alias(cx, module, new, old, false)
}

fn add_alias(cx: &mut Cx, module: Value, new: Sym, old: Sym, is_synonym: bool) -> R<()> {
    cx.check_frozen_methods(module)?;
    let mut entry = class::lookup::find_instance_method(cx, module, old);
    if entry.is_undef() && cell::is(module, Type::Module) {
        let object = cx.class(Known::Object);
        entry = class::lookup::find_method(cx, object, old);
    }
    if entry.is_undef() {
        return Err(undefined_method(cx, module, old));
    }
    let visibility = if is_always_private(new) { Visibility::Private } else { method_entry::visibility(entry) };
    while method_entry::kind(entry) == Kind::ZSuper {
        entry = class::lookup::find_super(cx, method_entry::found_in(entry), method_entry::owner(entry), old);
        if entry.is_undef() {
            return Err(undefined_method(cx, module, old));
        }
    }
    let original = method_entry::resolve_alias(entry);
    let original = method_entry::read(original);
    let original_name = if is_synonym { new } else { original.original_name };
    let made = method_entry::new(cx, Entry { name: new, original_name, visibility, ..original });
    if !is_synonym || new == old {
        method_entry::mark_aliased(made);
        method_entry::mark_aliased(entry);
    }
    if new != old {
        redefinition::warn_redefined(cx, module, new)?;
    }
    define::add_method(cx, module, new, made);
    redefinition::added_hook(cx, module, new)
}

/// Methods that are private however they are defined.
pub fn is_always_private(name: Sym) -> bool {
    matches!(
        name,
        sym::INITIALIZE | sym::INITIALIZE_COPY | sym::INITIALIZE_CLONE | sym::INITIALIZE_DUP | sym::RESPOND_TO_MISSING
    )
}

/// NameError "undefined method 'x' for class 'Foo'".
pub fn undefined_method(cx: &mut Cx, module: Value, name: Sym) -> crate::Unwind {
    let what = if cell::is(module, Type::Module) { "module" } else { "class" };
    let (text, owner) = (name.to_text(cx), define::class_name(cx, module));
    cx.name_error(ErrorClass::NameError, &format!("undefined method '{text}' for {what} '{owner}'"), name, module)
}

/// `undef name`
pub fn undefine(cx: &mut Cx, [name]: [Value; 1]) -> R<()> {
    let module = target_of_definition(cx)?;
    let name = convert::to_symbol(cx, name)?;
    undefine_method(cx, module, name)
}

/// Where a module's `undef` and `private` continue the lookup: in the class that a refinement refines, otherwise in
/// Object.
pub fn behind_module(cx: &Cx, module: Value) -> Value {
    let data = class_data(cx, module);
    if data.flags.refinement { data.rare().refined } else { cx.class(Known::Object) }
}

/// Module#undef_method.
pub fn undefine_method(cx: &mut Cx, module: Value, name: Sym) -> R<()> {
    cx.check_frozen_methods(module)?;
    let mut entry = class::lookup::find_method(cx, module, name);
    if entry.is_undef() && cell::is(module, Type::Module) {
        let behind = behind_module(cx, module);
        entry = class::lookup::find_method(cx, behind, name);
    }
    if entry.is_undef() {
        // The message for a class method names the class.
        let attached = class::attached(module);
        let shown = if class::flags(module).singleton && class::is_module(attached) { attached } else { module };
        return Err(undefined_method(cx, shown, name));
    }
    redefinition::warn_fast_path_lost(cx, module, name)?;
    crate::warning::warn_serious(cx, "undefining", name)?;
    if name != sym::INITIALIZE {
        crate::warning::warn_serious(cx, "redefining", name)?;
    }
    define::add_undefined(cx, module, name);
    cx.event(crate::trace::METHOD_UNDEFINED, entry, module)?;
    let data = class_data(cx, module);
    let (receiver, hook) = if data.flags.singleton {
        (data.attached, sym::SINGLETON_METHOD_UNDEFINED)
    } else {
        (module, sym::METHOD_UNDEFINED)
    };
    call::send_private(cx, receiver, hook, &[name.value()])?;
    Ok(())
}

/// `# shareable_constant_value:`; `how`: 4 makes a copy, a Symbol names the constant whose value must already be
/// shareable.
pub fn make_shareable(cx: &mut Cx, [v, how]: [Value; 2]) -> R {
    const COPY: Value = Value::fixnum(4);
    if let Some(name) = Sym::from_value(how) {
        if sharing::is_shareable(cx, v) {
            return Ok(v);
        }
        let text = name.to_text(cx);
        let message = format!("cannot assign unshareable object to {text}");
        return Err(cx.raise(ErrorClass::RactorIsolationError, &message));
    }
    let v = if how == COPY { (cx.vm().hooks.deep_copy)(cx, v)? } else { v };
    sharing::make_shareable(cx, v)
}
