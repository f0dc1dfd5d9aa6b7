//! Classes and modules, and the methods that C defines in them.

use std::ffi::{c_char, c_void};

use abi::{BlockHandler, Type, Value};
use object::{
    Known, Sym, cell, class,
    method_entry::{self, Visibility},
    symbol::table::intern_text,
};
use runtime::{
    Args, Cx, Method, R, Unwind, call, call::Window, constants, define, error, intrinsics as definitions, make,
    method_table::Function, redefinition,
};

use crate::{
    border::{self, Place, call_method, pin, send},
    call::split_keywords,
    given, string, symbol,
};

/// A row of a method table with its C function. It lives as long as the process.
#[repr(C)]
struct CMethod {
    row: Method,
    function: *const c_void,
    arity: i32,
}

/// The function of all such rows: calls the C function of the entry whose frame is running.
fn run(cx: &mut Cx, args: Args) -> R {
    cx.check_native_stack()?;
    let entry = cx.frame().scope.entry;
    // SAFETY: only rows of a CMethod have this function; they are never freed.
    let method = unsafe { &*method_entry::native(entry).cast::<CMethod>() };
    let keywords = args.keywords().is_some();
    let mut arguments = args.all();
    if keywords {
        // SAFETY: the hash of keywords follows the arguments immediately.
        arguments = unsafe { std::slice::from_raw_parts(arguments.as_ptr(), arguments.len() + 1) };
    }
    call_method(cx, method.function, method.arity, arguments, args.me(), keywords)
}

fn row(name: &str, function: Function, arity: i32) -> Method {
    let parameters = match arity {
        0 => String::new(),
        n if n > 0 => (0..n).map(|i| format!("p{i}")).collect::<Vec<_>>().join(", "),
        _ => "*rest, **options".into(),
    };
    // The name may contain characters that end a name in a signature, so its length is passed separately.
    let signature: &'static str = Box::leak(format!("{name}({parameters})").into_boxed_str());
    let mut row = Method::new(Box::leak(format!("m({parameters})").into_boxed_str()), function);
    row.signature = signature;
    row.name_length = name.len();
    row.facts.foreign = true;
    row
}

fn add(cx: &mut Cx, class: Value, name: Sym, function: *const c_void, arity: i32, visibility: Visibility) -> R<()> {
    if !(-2..=15).contains(&arity) {
        return Err(cx.argument_error(&format!("arity out of range: {arity} for -2..15")));
    }
    cx.check_frozen_methods(class)?;
    let text = name.to_text(cx);
    let mut row = row(&text, run, arity);
    row.facts.absent = function == not_implemented();
    let method: &'static CMethod = Box::leak(Box::new(CMethod { row, function, arity }));
    add_row(cx, class, name, &method.row, visibility)
}

/// The address of the function for methods that the system lacks.
fn not_implemented() -> *const c_void {
    unsafe extern "C" {
        fn rb_f_notimplement(count: i32, arguments: *const Value, me: Value, marker: Value) -> Value;
    }
    rb_f_notimplement as *const c_void
}

fn add_row(cx: &mut Cx, class: Value, name: Sym, row: &'static Method, visibility: Visibility) -> R<()> {
    object::symbol::table::pin(cx, name);
    let entry = define::native_entry(cx, class, name, row, visibility);
    define::add_method(cx, class, name, entry);
    define::learn_allocator(cx, class, name, entry);
    redefinition::added_hook(cx, class, name)
}

fn initializers_are_private(name: Sym, visibility: Visibility) -> Visibility {
    if definitions::is_always_private(name) { Visibility::Private } else { visibility }
}

pub fn rb_define_method(cx: &mut Cx, class: Value, name: *const c_char, function: *const c_void, arity: i32) -> R<()> {
    let name = symbol::named(cx, name);
    add(cx, class, name, function, arity, initializers_are_private(name, Visibility::Public))
}

pub fn rb_define_method_id(cx: &mut Cx, class: Value, id: u64, function: *const c_void, arity: i32) -> R<()> {
    let name = symbol::sym(id);
    add(cx, class, name, function, arity, initializers_are_private(name, Visibility::Public))
}

pub fn rb_define_private_method(
    cx: &mut Cx,
    class: Value,
    name: *const c_char,
    function: *const c_void,
    arity: i32,
) -> R<()> {
    let name = symbol::named(cx, name);
    add(cx, class, name, function, arity, Visibility::Private)
}

pub fn rb_define_protected_method(
    cx: &mut Cx,
    class: Value,
    name: *const c_char,
    function: *const c_void,
    arity: i32,
) -> R<()> {
    let name = symbol::named(cx, name);
    add(cx, class, name, function, arity, Visibility::Protected)
}

pub fn rb_define_singleton_method(
    cx: &mut Cx,
    v: Value,
    name: *const c_char,
    function: *const c_void,
    arity: i32,
) -> R<()> {
    let singleton = definitions::singleton_class_of(cx, v)?;
    let name = symbol::named(cx, name);
    add(cx, singleton, name, function, arity, Visibility::Public)
}

pub fn rb_define_module_function(
    cx: &mut Cx,
    module: Value,
    name: *const c_char,
    function: *const c_void,
    arity: i32,
) -> R<()> {
    rb_define_private_method(cx, module, name, function, arity)?;
    rb_define_singleton_method(cx, module, name, function, arity)
}

pub fn rb_define_global_function(cx: &mut Cx, name: *const c_char, function: *const c_void, arity: i32) -> R<()> {
    let kernel = border::constant(cx, "Kernel")?;
    rb_define_module_function(cx, kernel, name, function, arity)
}

/// Runs `body` in a frame that has the block, so that it can yield.
pub fn with_block_frame(cx: &mut Cx, block: Value, body: impl FnOnce(&mut Cx, Place) -> R) -> R {
    let top = cx.stack_top();
    cx.check_stack(top, 1)?;
    // SAFETY: room for the receiver above all words in use was checked.
    let window = unsafe { Window::new(top) };
    let me = cx.vm().main_object;
    window.set(0, me);
    let entry = cx.frame().scope.entry;
    cx.push_frame(runtime::call::frames::native(entry, window, 1, BlockHandler(block), 0));
    let place = Place { frame: cx.frame, ..Place::NONE };
    let result = body(cx, place);
    cx.pop_frame();
    result
}

/// `allocate` of a class: calls the C function of the class that defines it.
fn allocate(cx: &mut Cx, args: Args) -> R {
    cx.check_native_stack()?;
    let entry = cx.frame().scope.entry;
    // SAFETY: only rows of a CMethod have this function; they are never freed.
    let method = unsafe { &*method_entry::native(entry).cast::<CMethod>() };
    call_method(cx, method.function, 0, &[], args.me(), false)
}

pub fn rb_define_alloc_func(cx: &mut Cx, class: Value, function: *const c_void) -> R<()> {
    let singleton = class::singleton_class(cx, class);
    let mut row = row("allocate", allocate, 0);
    row.access = runtime::method_table::Access::Public;
    let method: &'static CMethod = Box::leak(Box::new(CMethod { row, function, arity: 0 }));
    add_row(cx, singleton, runtime::sym::ALLOCATE, &method.row, Visibility::Public)?;
    let data = class::data::class_data_mut(cx, class);
    data.flags.no_allocator = false;
    data.initializer = class::data::MethodSlot(Value::UNDEF);
    Ok(())
}

pub fn rb_undef_alloc_func(cx: &mut Cx, class: Value) -> R<()> {
    let data = class::data::class_data_mut(cx, class);
    data.flags.no_allocator = true;
    data.own_allocator = class::data::MethodSlot(Value::UNDEF);
    data.initializer = class::data::MethodSlot(Value::UNDEF);
    Ok(())
}

pub fn rb_get_alloc_func(_: &mut Cx, class: Value) -> *const c_void {
    if !class::is_class(class) {
        return std::ptr::null();
    }
    // Ruby sees no allocator of these, C does.
    if pair_class(class).is_some() {
        return core_allocator();
    }
    if class::flags(class).no_allocator {
        return std::ptr::null();
    }
    let entry = runtime::allocators::own(class);
    match in_c(entry) {
        Some(method) => method.function,
        // Only the methods of a class like Proc create its instances.
        None if entry.is_undef() && !matches!(class::instances(class), Type::Object | Type::Exception) => {
            std::ptr::null()
        }
        None => core_allocator(),
    }
}

/// Rational or Complex, if the instances of the class are numbers with two parts.
fn pair_class(class: Value) -> Option<Known> {
    match class::instances(class) {
        Type::Rational => Some(Known::Rational),
        Type::Complex => Some(Known::Complex),
        _ => None,
    }
}

/// The C function of an allocator that C defined.
fn in_c(entry: Value) -> Option<&'static CMethod> {
    if !entry.is_heap() {
        return None;
    }
    let row: *const Method = method_entry::native(entry).cast();
    // SAFETY: this is the row of a native entry; if the function is this module's, it belongs to a CMethod.
    unsafe { std::ptr::fn_addr_eq((*row).function, allocate as Function).then(|| &*row.cast::<CMethod>()) }
}

/// The address of the interface's function that allocates like the nearest core class.
fn core_allocator() -> *const c_void {
    unsafe extern "C" {
        fn beni_core_allocate(class: Value) -> Value;
    }
    beni_core_allocate as *const c_void
}

/// A new object of a class, created by the nearest allocator of a core class.
pub fn beni_core_allocate(cx: &mut Cx, class: Value) -> R {
    if let Some(known) = pair_class(class) {
        // C fills in the parts.
        let second = Value::fixnum((known == Known::Rational) as i64);
        return Ok(make::pair(cx, known, Value::fixnum(0), second));
    }
    let mut at = class;
    while !at.is_nil() {
        let own = class::own_allocator(at);
        if own.is_heap() && in_c(own).is_none() {
            return runtime::call::allocate_by(cx, own, class);
        }
        at = class::superclass(at);
    }
    Ok(runtime::allocators::plain(cx, class))
}

fn checked_superclass(cx: &mut Cx, superclass: Value, name: &str) -> R<Value> {
    if superclass == Value::FALSE {
        return Err(cx.argument_error(&format!("no super class for '{name}'")));
    }
    if !class::is_class(superclass) {
        return Err(cx.type_error("superclass must be an instance of Class"));
    }
    definitions::check_inheritable(cx, superclass)?;
    Ok(superclass)
}

fn defined_class(cx: &mut Cx, outer: Value, name: Sym, superclass: Value) -> R {
    let text = name.to_text(cx);
    if let Some(found) = constants::own_value(cx, outer, name)? {
        if !class::is_class(found) {
            return Err(is_not(cx, outer, &text, "class", found));
        }
        let above = class::non_singleton(class::superclass(found));
        if superclass != Value::FALSE && above != superclass {
            let path = full_name(cx, outer, &text);
            return Err(cx.type_error(&format!("superclass mismatch for class {path}")));
        }
        return Ok(pin(found));
    }
    let superclass = checked_superclass(cx, superclass, &text)?;
    let class = class::new_class(cx, superclass);
    pin(class);
    define::set_constant(cx, outer, name, class);
    call::send(cx, superclass, runtime::sym::INHERITED, &[class])?;
    Ok(class)
}

fn full_name(cx: &mut Cx, outer: Value, name: &str) -> String {
    if outer == cx.class(Known::Object) {
        return name.to_string();
    }
    format!("{}::{name}", define::class_name(cx, outer))
}

/// TypeError "A::B is not a class (Integer)".
#[cold]
fn is_not(cx: &mut Cx, outer: Value, name: &str, what: &str, found: Value) -> Unwind {
    let (path, class) = (full_name(cx, outer, name), error::class_name_of(cx, found));
    cx.type_error(&format!("{path} is not a {what} ({class})"))
}

pub fn rb_define_class(cx: &mut Cx, name: *const c_char, superclass: Value) -> R {
    let (object, name) = (cx.class(Known::Object), symbol::named(cx, name));
    defined_class(cx, object, name, superclass)
}

pub fn rb_define_class_under(cx: &mut Cx, outer: Value, name: *const c_char, superclass: Value) -> R {
    let name = symbol::named(cx, name);
    defined_class(cx, outer, name, superclass)
}

pub fn rb_define_class_id_under(cx: &mut Cx, outer: Value, id: u64, superclass: Value) -> R {
    defined_class(cx, outer, symbol::sym(id), superclass)
}

pub fn rb_define_class_id(cx: &mut Cx, id: u64, superclass: Value) -> R {
    let text = symbol::sym(id).to_text(cx);
    let superclass = checked_superclass(cx, superclass, &text)?;
    Ok(pin(class::new_class(cx, superclass)))
}

fn defined_module(cx: &mut Cx, outer: Value, name: Sym) -> R {
    if let Some(found) = constants::own_value(cx, outer, name)? {
        if !cell::is(found, Type::Module) {
            let text = name.to_text(cx);
            return Err(is_not(cx, outer, &text, "module", found));
        }
        return Ok(pin(found));
    }
    let module = class::new_module(cx);
    pin(module);
    define::set_constant(cx, outer, name, module);
    Ok(module)
}

pub fn rb_define_module(cx: &mut Cx, name: *const c_char) -> R {
    let (object, name) = (cx.class(Known::Object), symbol::named(cx, name));
    defined_module(cx, object, name)
}

pub fn rb_define_module_under(cx: &mut Cx, outer: Value, name: *const c_char) -> R {
    let name = symbol::named(cx, name);
    defined_module(cx, outer, name)
}

pub fn rb_define_module_id_under(cx: &mut Cx, outer: Value, id: u64) -> R {
    defined_module(cx, outer, symbol::sym(id))
}

pub fn rb_define_module_id(cx: &mut Cx, _: u64) -> R {
    Ok(pin(class::new_module(cx)))
}

pub fn rb_module_new(cx: &mut Cx) -> R {
    Ok(class::new_module(cx))
}

pub fn rb_class_new(cx: &mut Cx, superclass: Value) -> R {
    definitions::check_inheritable(cx, superclass)?;
    Ok(class::new_class(cx, superclass))
}

pub fn rb_define_alias(cx: &mut Cx, class: Value, new: *const c_char, old: *const c_char) -> R<()> {
    let (new, old) = (symbol::named(cx, new), symbol::named(cx, old));
    definitions::alias_method(cx, class, new, old)
}

pub fn rb_alias(cx: &mut Cx, class: Value, new: u64, old: u64) -> R<()> {
    definitions::alias_method(cx, class, symbol::sym(new), symbol::sym(old))
}

pub fn rb_define_attr(cx: &mut Cx, class: Value, name: *const c_char, read: i32, write: i32) -> R<()> {
    let name = symbol::named(cx, name).value();
    attribute(cx, class, name, read, write)
}

pub fn rb_attr(cx: &mut Cx, class: Value, id: u64, read: i32, write: i32, _: i32) -> R<()> {
    attribute(cx, class, symbol::value(id), read, write)
}

fn attribute(cx: &mut Cx, class: Value, name: Value, read: i32, write: i32) -> R<()> {
    if read != 0 {
        send(cx, class, "attr_reader", &[name])?;
        send(cx, class, "public", &[name])?;
    }
    if write != 0 {
        send(cx, class, "attr_writer", &[name])?;
        let setter = Sym::of(name).to_text(cx) + "=";
        let setter = intern_text(cx, &setter).value();
        send(cx, class, "public", &[setter])?;
    }
    Ok(())
}

pub fn rb_undef(cx: &mut Cx, class: Value, id: u64) -> R<()> {
    send(cx, class, "undef_method", &[symbol::value(id)]).map(drop)
}

pub fn rb_undef_method(cx: &mut Cx, class: Value, name: *const c_char) -> R<()> {
    let name = symbol::named(cx, name);
    cx.check_frozen_methods(class)?;
    define::add_undefined(cx, class, name);
    Ok(())
}

pub fn rb_remove_method(cx: &mut Cx, class: Value, name: *const c_char) -> R<()> {
    let name = symbol::named(cx, name).value();
    send(cx, class, "remove_method", &[name]).map(drop)
}

pub fn rb_remove_method_id(cx: &mut Cx, class: Value, id: u64) -> R<()> {
    send(cx, class, "remove_method", &[symbol::value(id)]).map(drop)
}

pub fn rb_include_module(cx: &mut Cx, class: Value, module: Value) -> R<()> {
    send(cx, class, "include", &[module]).map(drop)
}

pub fn rb_prepend_module(cx: &mut Cx, class: Value, module: Value) -> R<()> {
    send(cx, class, "prepend", &[module]).map(drop)
}

pub fn rb_extend_object(cx: &mut Cx, v: Value, module: Value) -> R<()> {
    send(cx, module, "extend_object", &[v]).map(drop)
}

pub fn rb_class_new_instance(cx: &mut Cx, count: i32, argv: *const Value, class: Value) -> R {
    rb_class_new_instance_kw(cx, count, argv, class, 0)
}

/// Allocates and initializes, without calling `new`.
pub fn rb_class_new_instance_kw(cx: &mut Cx, count: i32, argv: *const Value, class: Value, keywords: i32) -> R {
    let v = crate::object::allocated(cx, class)?;
    let (arguments, keywords) = split_keywords(cx, given::values(count, argv), keywords)?;
    let name = runtime::sym::INITIALIZE;
    call::send_full(cx, v, name, arguments, keywords, BlockHandler::NONE, call::Scope::Function)?;
    Ok(v)
}

pub fn rb_class_new_instance_pass_kw(cx: &mut Cx, count: i32, argv: *const Value, class: Value) -> R {
    let keywords = Place::now().keywords as i32;
    rb_class_new_instance_kw(cx, count, argv, class, keywords)
}

pub fn rb_class_inherited(cx: &mut Cx, superclass: Value, class: Value) -> R {
    let superclass = if superclass == Value::FALSE { cx.class(Known::Object) } else { superclass };
    call::send(cx, superclass, runtime::sym::INHERITED, &[class])
}

pub fn rb_class_get_superclass(_: &mut Cx, class: Value) -> Value {
    let above = class::superclass(class);
    if above.is_nil() { Value::FALSE } else { above }
}

pub fn rb_class_real(_: &mut Cx, class: Value) -> Value {
    if class.is_heap() { class::non_singleton(class) } else { class }
}

pub fn rb_class_path(cx: &mut Cx, class: Value) -> R {
    let name = define::class_name(cx, class);
    Ok(make::text(cx, &name))
}

pub fn rb_class_inherited_p(cx: &mut Cx, class: Value, other: Value) -> R {
    if !class::is_module(class) || !class::is_module(other) {
        return Err(cx.type_error("compared with non class/module"));
    }
    send(cx, class, "<=", &[other])
}

pub fn rb_class_name(cx: &mut Cx, class: Value) -> R {
    rb_class_path(cx, class::non_singleton(class))
}

pub fn rb_class2name(cx: &mut Cx, class: Value) -> R<*const c_char> {
    let name = define::class_name(cx, class::non_singleton(class));
    string::interned_pointer(cx, name.as_bytes())
}

pub fn rb_obj_classname(cx: &mut Cx, v: Value) -> R<*const c_char> {
    let class = class::real_class(cx, v);
    rb_class2name(cx, class)
}

pub fn rb_path2class(cx: &mut Cx, path: *const c_char) -> R {
    let path = given::name(path);
    class_at(cx, &path)
}

pub fn rb_path_to_class(cx: &mut Cx, path: Value) -> R {
    let path = runtime::convert::to_str(cx, path)?;
    let path = String::from_utf8_lossy(path.bytes(cx)).into_owned();
    class_at(cx, &path)
}

fn class_at(cx: &mut Cx, path: &str) -> R {
    if path.is_empty() || path.starts_with('#') {
        return Err(cx.argument_error(&format!("can't retrieve anonymous class {path}")));
    }
    let mut at = cx.class(Known::Object);
    let mut seen = String::new();
    for part in path.split("::") {
        seen = if seen.is_empty() { part.to_string() } else { format!("{seen}::{part}") };
        let name = intern_text(cx, part);
        let object = cx.class(Known::Object);
        let holder = class::constants::find(at, name).map(|(holder, _)| holder);
        let found =
            if at != object && holder == Some(object) { None } else { constants::find_in_ancestors(cx, at, name)? };
        at = match found {
            Some(found) => found,
            None => return Err(cx.argument_error(&format!("undefined class/module {seen}"))),
        };
        if !class::is_module(at) {
            return Err(cx.type_error(&format!("{seen} does not refer to class/module")));
        }
    }
    Ok(at)
}

pub fn rb_set_class_path(cx: &mut Cx, class: Value, outer: Value, name: *const c_char) -> R<()> {
    let name = given::name(name);
    let object = cx.class(Known::Object);
    let full = if outer == object { name } else { format!("{}::{name}", define::class_name(cx, outer)) };
    let full = object::string::intern::intern_name(cx, &full);
    class::data::class_data_mut(cx, class).name = full;
    Ok(())
}

pub fn rb_singleton_class(cx: &mut Cx, v: Value) -> R {
    definitions::singleton_class_of(cx, v)
}

/// False for a hidden object.
pub fn rb_class_of(cx: &mut Cx, v: Value) -> Value {
    let class = class::class_of(cx, v);
    if class == cx.class(runtime::Known::Internal) { Value::FALSE } else { class }
}

pub fn rb_obj_class(cx: &mut Cx, v: Value) -> Value {
    class::real_class(cx, v)
}

pub fn rb_class_instance_methods(cx: &mut Cx, count: i32, argv: *const Value, class: Value) -> R {
    send(cx, class, "instance_methods", given::values(count, argv))
}

pub fn rb_class_public_instance_methods(cx: &mut Cx, count: i32, argv: *const Value, class: Value) -> R {
    send(cx, class, "public_instance_methods", given::values(count, argv))
}

pub fn rb_class_private_instance_methods(cx: &mut Cx, count: i32, argv: *const Value, class: Value) -> R {
    send(cx, class, "private_instance_methods", given::values(count, argv))
}

pub fn rb_class_protected_instance_methods(cx: &mut Cx, count: i32, argv: *const Value, class: Value) -> R {
    send(cx, class, "protected_instance_methods", given::values(count, argv))
}

pub fn rb_obj_singleton_methods(cx: &mut Cx, count: i32, argv: *const Value, v: Value) -> R {
    send(cx, v, "singleton_methods", given::values(count, argv))
}

pub fn rb_mod_constants(cx: &mut Cx, count: i32, argv: *const Value, module: Value) -> R {
    send(cx, module, "constants", given::values(count, argv))
}

pub fn rb_mod_class_variables(cx: &mut Cx, count: i32, argv: *const Value, module: Value) -> R {
    send(cx, module, "class_variables", given::values(count, argv))
}

pub fn beni_deprecate_constant(cx: &mut Cx, module: Value, name: *const c_char) -> R<()> {
    let name = symbol::named(cx, name).value();
    send(cx, module, "deprecate_constant", &[name]).map(drop)
}
