//! ObjectSpace: every object, counts by type, finalizers, weak maps.

use abi::Type;
use object::{cell, class, hash::HashRef, symbol::table::intern_text};
use runtime::{Args, Cx, Known, Method, R, Value, call, define, keys, make};

const SINGLETON: &[Method] = &[
    Method::new("each_object(module = nil) { |object| }", each_object),
    Method::new("count_objects(result = {})", count_objects),
    Method::new("garbage_collect(full_mark: true, immediate_mark: true, immediate_sweep: true)", super::gc::start),
    Method::new("define_finalizer(object, callable = nil)", define_finalizer),
    Method::new("undefine_finalizer(object)", undefine_finalizer),
];

pub fn define(cx: &mut Cx) {
    let object = cx.class(Known::Object);
    let module = define::define_module(cx, object, "ObjectSpace");
    define::define_singleton_methods(cx, module, SINGLETON);
}

/// CRuby's name of a header type.
pub fn type_name(ty: usize) -> &'static str {
    const NAMES: [&str; Type::COUNT] = [
        "T_NONE", "T_OBJECT", "T_CLASS", "T_MODULE", "T_ICLASS", "T_FLOAT", "T_STRING", "T_REGEXP", "T_ARRAY",
        "T_HASH", "T_STRUCT", "T_BIGNUM", "T_DATA", "T_MATCH", "T_COMPLEX", "T_RATIONAL", "T_SYMBOL", "T_STRUCT",
        "T_DATA", "T_IMEMO", "T_IMEMO", "T_IMEMO", "T_IMEMO", "T_OBJECT", "T_DATA", "T_DATA", "T_IMEMO",
    ];
    NAMES[ty]
}

/// Is it a cell that programs may see?
fn is_visible(v: Value) -> bool {
    !matches!(
        cell::header(v).ty(),
        Type::None
            | Type::IncludedClass
            | Type::Environment
            | Type::MethodEntry
            | Type::InstructionSequence
            | Type::Fields
            | Type::Internal
    )
}

/// All visible objects that are instances of `module` (any: undef), as an Array.
pub(crate) fn collect(cx: &mut Cx, module: Option<Value>) -> Value {
    let found = make::array(cx, &[]);
    let snapshot = cx.snapshot_objects(&mut |v| is_visible(v));
    let Ok((buffer, count)) = snapshot else { return found };
    for i in 0..count {
        let v = object::payload::value_in(buffer, i);
        let hidden_singleton = class::is_class(v) && class::class_data(v).flags.singleton;
        let wanted = match module {
            None => !hidden_singleton,
            Some(m) => class::is_a(cx, v, m) && (!hidden_singleton || class::class_data(m).flags.singleton),
        };
        if wanted && v != found {
            make::push(cx, found, v);
        }
    }
    found
}

/// `each_object(module = nil) { |object| } → how many`
fn each_object(cx: &mut Cx, args: Args) -> R {
    let module = args.non_nil(0);
    if let Some(m) = module
        && !class::is_module(m)
    {
        return Err(cx.type_error("class or module required"));
    }
    let block = args.block(cx);
    if block.is_none() {
        let (method, each) = (intern_text(cx, "to_enum"), intern_text(cx, "each_object"));
        let mut list = vec_of(cx, each.0);
        if let Some(m) = module {
            make::push(cx, list, m);
        }
        let arguments = object::array::Arr(std::mem::replace(&mut list, Value::NIL));
        return call::send(cx, args.me(), method, arguments.elements());
    }
    let found = object::array::Arr(collect(cx, module));
    let mut i = 0;
    while let Some(v) = found.get(i) {
        call::yield_one(cx, block, v)?;
        i += 1;
    }
    Ok(Value::fixnum(i as i64))
}

fn vec_of(cx: &mut Cx, v: Value) -> Value {
    make::array(cx, &[v])
}

/// `count_objects(result = {}) → {TOTAL:, FREE:, T_OBJECT: …}`
fn count_objects(cx: &mut Cx, args: Args) -> R {
    let table = match args.opt(0) {
        None => HashRef::new(cx).0,
        Some(h) if cell::is(h, Type::Hash) => h,
        Some(_) => return Err(cx.type_error("non-hash given")),
    };
    let statistics = cx.vm().heap.statistics();
    let mut counts = [0i64; Type::COUNT];
    cx.each_object(&mut |v| counts[cell::header(v).ty() as usize] += 1);
    let total = Value::fixnum(statistics.object_cells as i64);
    let free = Value::fixnum((statistics.object_cells - statistics.live_objects) as i64);
    for (name, v) in [("TOTAL", total), ("FREE", free)] {
        let key = intern_text(cx, name).0;
        keys::store(cx, table, key, v)?;
    }
    let mut done = std::collections::BTreeMap::new();
    for (ty, n) in counts.iter().enumerate().filter(|(_, n)| **n > 0) {
        *done.entry(type_name(ty)).or_insert(0) += *n;
    }
    for (name, n) in done {
        let key = intern_text(cx, name).0;
        keys::store(cx, table, key, Value::fixnum(n))?;
    }
    Ok(table)
}

/// The table of finalizers: object to Array of callables, by identity.
fn finalizers(cx: &mut Cx) -> Value {
    let table = cx.root("finalizers");
    if !table.is_nil() {
        return table;
    }
    let table = object::hash::new_identity(cx);
    cx.set_root("finalizers", table);
    table
}

/// The key under which an object's finalizers stand: its address, which keeps nothing alive.
fn address_key(v: Value) -> Value {
    Value::fixnum((v.0 >> 3) as i64)
}

/// `define_finalizer(object, callable | block) → [0, callable]`
fn define_finalizer(cx: &mut Cx, args: Args) -> R {
    let object = args.at(0);
    if !object.is_heap() || matches!(cell::header(object).ty(), Type::Float | Type::Symbol | Type::BigInteger) {
        let class = runtime::error::class_name_of(cx, object);
        return Err(cx.argument_error(&format!("cannot define finalizer for {class}")));
    }
    cx.check_frozen(object)?;
    let callable = match args.opt(1) {
        Some(v) => v,
        None => args.block_proc(cx)?,
    };
    if !call::responds(cx, callable, runtime::sym::CALL, true)? {
        let class = runtime::error::class_name_of(cx, callable);
        return Err(cx.argument_error(&format!("wrong type argument {class} (should be callable)")));
    }
    let table = finalizers(cx);
    let key = address_key(object);
    let there = object::hash::identity_get(table, key);
    if there.is_undef() {
        let list = make::array(cx, &[callable]);
        object::hash::identity_store(cx, table, key, list);
        if cx.register_finalizable(object).is_err() {
            return Err(cx.no_memory());
        }
        cell::set_header(object, cell::header(object).with(abi::Flags::FINALIZER));
    } else {
        make::push(cx, there, callable);
    }
    let pair = make::array(cx, &[Value::fixnum(0), callable]);
    cell::set_header(pair, cell::header(pair).with(abi::Flags::FROZEN));
    Ok(pair)
}

fn undefine_finalizer(cx: &mut Cx, args: Args) -> R {
    let object = args.at(0);
    if object.is_heap() && cell::header(object).has(abi::Flags::FINALIZER) {
        cx.check_frozen(object)?;
        let table = finalizers(cx);
        object::hash::identity_delete(cx, table, address_key(object));
        cx.unregister_finalizable(object);
        cell::set_header(object, cell::header(object).without(abi::Flags::FINALIZER));
    }
    Ok(object)
}

/// Runs the finalizers of objects that died.
pub fn run_finalizers(cx: &mut Cx) -> R<()> {
    while let Some(object) = cx.take_finalizable() {
        run_for(cx, object)?;
    }
    Ok(())
}

/// At exit every finalizer runs.
pub fn run_every_finalizer(cx: &mut Cx) -> R<()> {
    while let Some(object) = cx.take_every_finalizable() {
        run_for(cx, object)?;
    }
    Ok(())
}

fn run_for(cx: &mut Cx, object: Value) -> R<()> {
    let table = finalizers(cx);
    let key = address_key(object);
    let list = object::hash::identity_get(table, key);
    if list.is_undef() {
        return Ok(());
    }
    object::hash::identity_delete(cx, table, key);
    let id = call::send(cx, object, runtime::sym::OBJECT_ID, &[])?;
    let mut i = 0;
    while let Some(callable) = object::array::Arr(list).get(i) {
        if let Err(unwind) = call::send(cx, callable, runtime::sym::CALL, &[id]) {
            // An exception in a finalizer ends it alone.
            cx.take_exception(unwind)?;
        }
        i += 1;
    }
    Ok(())
}
