//! RubyVM: statistics, and kept source lines.

use abi::{Type, Value};
use object::{Known, Sym, cell, class, hash::HashRef, shape::ivars, symbol::table::intern_text};
use runtime::{Args, Cx, Method, R, define, frame::stack_sizes, keys};

const SINGLETON: &[Method] = &[
    Method::new("stat(key_or_hash = nil)", stat),
    Method::new("keep_script_lines", keep_script_lines),
    Method::new("keep_script_lines=(on)", set_keep_script_lines),
];

pub fn define(cx: &mut Cx) {
    let object = cx.class(Known::Object);
    let class = define::define_class(cx, object, "RubyVM", object);
    define::define_singleton_methods(cx, class, SINGLETON);
    let singleton = class::singleton_class(cx, class);
    define::undefine(cx, singleton, "new");
    define::undefine(cx, singleton, "allocate");
    let sizes = stack_sizes::sizes();
    let named = [
        ("thread_vm_stack_size", sizes.thread_vm),
        ("thread_machine_stack_size", sizes.thread_machine),
        ("fiber_vm_stack_size", sizes.fiber_vm),
        ("fiber_machine_stack_size", sizes.fiber_machine),
    ];
    let parameters = HashRef::new(cx).value();
    for (name, size) in named {
        let name = intern_text(cx, name);
        if keys::store(cx, parameters, name.value(), Value::fixnum(size as i64)).is_err() {
            panic!("RubyVM::DEFAULT_PARAMS was not made");
        }
    }
    cell::set_header(parameters, cell::header(parameters).with(abi::Flags::FROZEN));
    let name = intern_text(cx, "DEFAULT_PARAMS");
    class::constants::set(cx, class, name, class::constants::Constant::new(parameters));
}

/// The only instance of RubyVM, which represents the virtual machine in statistics.
pub fn object(cx: &mut Cx) -> Value {
    let known = cx.root(runtime::Root::VmObject);
    if !known.is_nil() {
        return known;
    }
    let object = cx.class(Known::Object);
    let class = define::define_class(cx, object, "RubyVM", object);
    let root = class::root_shape(class);
    let made = ivars::new_object(cx, Type::Object, root);
    cx.set_root(runtime::Root::VmObject, made);
    made
}

/// The figures in CRuby's order. Beni has no state for class variables and no cache of shapes, so these are 0.
fn figures(cx: &Cx) -> [(&'static str, u64); 5] {
    let world = cx.world();
    [
        ("constant_cache_invalidations", world.constant_watches.invalidations),
        ("constant_cache_misses", cx.vm().constant_misses),
        ("global_cvar_state", 0),
        ("next_shape_id", world.shapes.len() as u64),
        ("shape_cache_size", 0),
    ]
}

/// `RubyVM.stat → hash`, `RubyVM.stat(hash) → hash`, `RubyVM.stat(key) → integer`: counters of the virtual machine, all
/// of them or a single one. ArgumentError for an unknown name, TypeError unless it is a Symbol or Hash.
fn stat(cx: &mut Cx, args: Args) -> R {
    let wanted = args.opt(0).unwrap_or(Value::NIL);
    if let Some(name) = Sym::from_value(wanted) {
        let name = name.to_text(cx);
        return match figures(cx).iter().find(|(key, _)| *key == name) {
            Some((_, figure)) => Ok(Value::fixnum(*figure as i64)),
            None => Err(cx.argument_error(&format!("unknown key: {name}"))),
        };
    }
    let hash = match wanted {
        v if v.is_nil() => HashRef::new(cx).value(),
        v if cell::is(v, Type::Hash) => v,
        _ => return Err(cx.type_error("non-hash or symbol given")),
    };
    for (key, figure) in figures(cx) {
        let key = intern_text(cx, key);
        keys::store(cx, hash, key.value(), Value::fixnum(figure as i64))?;
    }
    Ok(hash)
}

/// `RubyVM.keep_script_lines → true or false`: whether compiled code keeps the lines of its source.
fn keep_script_lines(cx: &mut Cx, _: Args) -> R {
    Ok(Value::bool(cx.vm().keep_script_lines))
}

/// `keep_script_lines=(on) → on`: sets whether code that is compiled from now on keeps its lines, for `script_lines`.
fn set_keep_script_lines(cx: &mut Cx, args: Args) -> R {
    cx.vm_mut().keep_script_lines = args.at(0).truthy();
    Ok(args.at(0))
}
