//! Defining classes, modules and methods from Rust, and naming them.

use abi::Value;
use object::{
    Known, Sym,
    class::{self, class_data, class_data_mut, constants},
    method_entry::{self, Entry, Kind, Visibility},
    proc, symbol,
};

pub use crate::naming::{any_to_text, class_name};
use crate::{
    Cx,
    method_object::{self, MethodData},
    method_table::{Access, Method},
    sym,
};

/// A class under `scope`, as a named constant. Returns the existing class if there is one.
pub fn define_class(cx: &mut Cx, scope: Value, name: &str, superclass: Value) -> Value {
    let symbol = symbol::table::intern_text(cx, name);
    // A pending autoload does not count: its file is calling this.
    if let Some(constant) = constants::own(scope, symbol).filter(|constant| !constant.value.is_undef()) {
        return constant.value;
    }
    let class = class::new_class(cx, superclass);
    set_constant(cx, scope, symbol, class);
    class
}

pub fn define_module(cx: &mut Cx, scope: Value, name: &str) -> Value {
    let symbol = symbol::table::intern_text(cx, name);
    // A pending autoload does not count: its file is calling this.
    if let Some(constant) = constants::own(scope, symbol).filter(|constant| !constant.value.is_undef()) {
        return constant.value;
    }
    let module = class::new_module(cx);
    set_constant(cx, scope, symbol, module);
    module
}

/// The top-level class or module with that name; a module is created if there is none.
pub fn class_or_module_named(cx: &mut Cx, name: &str) -> Value {
    let object = cx.class(Known::Object);
    define_module(cx, object, name)
}

/// Sets a constant; a nameless class or module gets its name from it.
pub fn set_constant(cx: &mut Cx, scope: Value, name: Sym, value: Value) {
    let mut constant = constants::Constant::new(value);
    if let Some(old) = constants::own(scope, name) {
        constant.private = old.private;
        // The attributes of a pending autoload constant apply to the new one.
        constant.deprecated = old.deprecated && old.value.is_undef();
    }
    if let Some((file, line)) = crate::backtrace::caller_position(cx) {
        constant.file = crate::make::interned(cx, &file);
        constant.line = line;
    }
    constants::set(cx, scope, name, constant);
    if class::is_module(value) {
        name_module(cx, scope, name, value);
    }
}

/// Names `module` (and the modules in it) after the constant it was assigned to.
fn name_module(cx: &mut Cx, scope: Value, name: Sym, module: Value) {
    let is_named = |cx: &Cx, module: Value| {
        let data = class_data(cx, module);
        !data.name.is_nil() && !data.temporary_name
    };
    if is_named(cx, module) {
        return;
    }
    let permanent = scope == cx.class(Known::Object) || is_named(cx, scope);
    // A temporary name stays until the module gets a permanent one.
    if !permanent && !class::name(module).is_nil() {
        return;
    }
    let full = path_of(cx, scope, name);
    let data = class_data_mut(cx, module);
    data.name = full;
    data.temporary_name = !permanent;
    data.lexical_parent = scope;
    if permanent {
        let inner: Vec<Sym> = class_data(cx, module).constants().keys().copied().collect();
        for inner_name in inner {
            if let Some(constant) = constants::own(module, inner_name)
                && class::is_module(constant.value)
                && class_data(cx, constant.value).temporary_name
            {
                name_module(cx, module, inner_name, constant.value);
            }
        }
    }
}

/// The path of a constant, as the name of the module that is its value. Names in another encoding than UTF-8 keep their
/// bytes.
fn path_of(cx: &mut Cx, scope: Value, name: Sym) -> Value {
    use object::string::{Str, intern};
    let own = Str::of(name.name(cx));
    let outer = Str::from_value(class::name(scope)).filter(|_| scope != cx.class(Known::Object));
    let parts = [outer, Some(own)].into_iter().flatten();
    let encodings: Vec<_> = parts.filter(|part| !part.is_ascii()).map(Str::encoding).collect();
    if let [encoding, others @ ..] = encodings.as_slice()
        && !encoding.is_unicode()
        && others.iter().all(|other| other == encoding)
    {
        let outer = outer.map_or(Vec::new(), |outer| [&outer.to_vector()[..], b"::"].concat());
        if let Ok(path) = intern::intern_literal(cx, &[outer, own.to_vector()].concat(), *encoding) {
            return path.value();
        }
    }
    let outer = if scope == cx.class(Known::Object) { String::new() } else { class_name(cx, scope) + "::" };
    let own = name.to_text(cx);
    intern::intern_name(cx, &(outer + &own))
}

/// Updates the names of nested modules after the temporary name of a module changed.
pub fn name_inner(cx: &mut Cx, module: Value) {
    let seen = crate::make::array(cx, &[module]);
    name_nested_modules(cx, module, seen);
}

/// `seen`: the enclosing modules, for modules that contain themselves.
fn name_nested_modules(cx: &mut Cx, module: Value, seen: Value) {
    let outer = class::name(module);
    let inner: Vec<Sym> = class_data(cx, module).constants().keys().copied().collect();
    for name in inner {
        let Some(constant) = constants::own(module, name) else { continue };
        let value = constant.value;
        if !class::is_module(value)
            || !(class::name(value).is_nil() || class_data(cx, value).temporary_name)
            || object::array::Arr::of(seen).contains(value)
        {
            continue;
        }
        crate::make::push(cx, seen, value);
        let full = if outer.is_nil() { Value::NIL } else { path_of(cx, module, name) };
        let data = class_data_mut(cx, value);
        (data.name, data.temporary_name) = (full, true);
        name_nested_modules(cx, value, seen);
    }
}

/// Whether a method that is being defined is a helper of a core class, which programs do not see. Those of libraries
/// are called by files of Ruby code, too.
pub fn is_core_helper(cx: &Cx, name: &[u8]) -> bool {
    !cx.vm().redefined.armed && bytecode::is_helper(name)
}

/// Puts the rows of a method table into `class`.
pub fn define_methods(cx: &mut Cx, class: Value, methods: &'static [Method]) {
    for method in methods {
        let name = symbol::table::intern_text(cx, method.name());
        let visibility = match method.access {
            Access::Public if is_core_helper(cx, method.name().as_bytes()) => Visibility::Private,
            Access::Public => Visibility::Public,
            Access::Private | Access::ModuleFunction => Visibility::Private,
            Access::Protected => Visibility::Protected,
        };
        define_native(cx, class, name, method, visibility);
        if method.access == Access::ModuleFunction {
            let singleton = class::singleton_class(cx, class);
            define_native(cx, singleton, name, method, Visibility::Public);
        }
    }
}

/// The rows as methods of the class object itself.
pub fn define_singleton_methods(cx: &mut Cx, class: Value, methods: &'static [Method]) {
    let singleton = class::singleton_class(cx, class);
    define_methods(cx, singleton, methods);
}

/// The rows as methods of the module object, and private instance methods.
pub fn define_module_functions(cx: &mut Cx, module: Value, methods: &'static [Method]) {
    define_singleton_methods(cx, module, methods);
    for method in methods {
        let name = symbol::table::intern_text(cx, method.name());
        define_native(cx, module, name, method, Visibility::Private);
    }
}

/// Makes singleton methods of a module its private instance methods as well, which run with the module as receiver.
pub fn share_module_functions(cx: &mut Cx, module: Value, names: &[&str]) {
    let singleton = class::singleton_class(cx, module);
    for name in names {
        let name = symbol::table::intern_text(cx, name);
        let entry = class::lookup::own_method(singleton, name);
        let data = MethodData { receiver: module, entry, name, class: singleton, missing: false };
        let method = method_object::unlinked(cx, data);
        let class = cx.class(Known::Proc);
        let body = proc::new(cx, class, Value::NIL, method, Value::NIL, proc::FROM_METHOD | proc::LAMBDA);
        let entry = Entry { body, ..Entry::of(module, name, Kind::Block, Visibility::Private) };
        let entry = method_entry::new(cx, entry);
        class::lookup::add_method(cx, module, name, entry);
    }
}

fn define_native(cx: &mut Cx, class: Value, name: Sym, method: &'static Method, visibility: Visibility) {
    let entry = native_entry(cx, class, name, method, visibility);
    class::lookup::add_method(cx, class, name, entry);
    learn_allocator(cx, class, name, entry);
}

/// A method entry for a row of a method table, to be added to `class`.
pub fn native_entry(cx: &mut Cx, class: Value, name: Sym, method: &'static Method, visibility: Visibility) -> Value {
    let entry = Entry { native: (method as *const Method).cast(), ..Entry::of(class, name, Kind::Native, visibility) };
    method_entry::new(cx, entry)
}

/// If the entry is the `allocate` of a class, records it as that class's own allocator.
pub fn learn_allocator(cx: &mut Cx, class: Value, name: Sym, entry: Value) {
    if name == sym::ALLOCATE && class::flags(class).singleton {
        let attached = class::attached(class);
        class::data::class_data_mut(cx, attached).own_allocator = class::data::MethodSlot(entry);
    }
}

/// Adds another name for an existing method.
pub fn alias(cx: &mut Cx, class: Value, new: &str, old: &str) {
    add_again(cx, class, new, old, |entry| entry);
}

/// Adds other names for existing methods: pairs of the new name and the old one.
pub fn aliases(cx: &mut Cx, class: Value, names: &[(&str, &str)]) {
    for (new, old) in names {
        alias(cx, class, new, old);
    }
}

/// Adds a method that does the same as an existing one. Backtraces and `Method#original_name` have the new name, as in
/// CRuby, which defines most synonyms separately.
pub fn synonym(cx: &mut Cx, class: Value, new: &str, old: &str) {
    add_again(cx, class, new, old, |entry| Entry { original_name: entry.name, ..entry });
}

/// Adds methods that do the same as existing ones: pairs of the new name and the old one.
pub fn synonyms(cx: &mut Cx, class: Value, names: &[(&str, &str)]) {
    for (new, old) in names {
        synonym(cx, class, new, old);
    }
}

fn add_again(cx: &mut Cx, class: Value, new: &str, old: &str, change: impl FnOnce(Entry) -> Entry) {
    let (new, old) = (symbol::table::intern_text(cx, new), symbol::table::intern_text(cx, old));
    let entry = class::lookup::own_method(class, old);
    assert!(!entry.is_undef(), "no method of that name");
    let copy = method_entry::new(cx, change(Entry { name: new, ..method_entry::read(entry) }));
    class::lookup::add_method(cx, class, new, copy);
}

/// Undefines a method for a class and its descendants (`undef_method`), without hooks.
pub fn undefine(cx: &mut Cx, class: Value, name: &str) {
    let name = symbol::table::intern_text(cx, name);
    add_undefined(cx, class, name);
}

pub fn add_undefined(cx: &mut Cx, class: Value, name: Sym) {
    let entry = Entry::of(class, name, Kind::Undefined, Visibility::Public);
    let entry = method_entry::new(cx, entry);
    add_method(cx, class, name, entry);
}

/// Adds an entry, noting redefinitions of basic operations. Does not call hooks (`method_added`);
/// `redefinition::added_hook` does.
pub fn add_method(cx: &mut Cx, class: Value, name: Sym, entry: Value) {
    if cx.vm().trace_events & crate::trace::METHOD_ADDED != 0 {
        let former = class::lookup::own_method(class, name);
        let former = if former.is_undef() || method_entry::is_undefined(former) { Value::NIL } else { former };
        cx.set_root(crate::Root::ReplacedMethod, former);
    }
    crate::basic_ops::method_changes(cx, class, name);
    crate::core_methods::method_changes(cx, class, name);
    class::lookup::add_method(cx, class, name, entry);
    crate::basic_ops::method_changed(cx, class, name);
}
