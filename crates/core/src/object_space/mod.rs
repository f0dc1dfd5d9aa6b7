//! ObjectSpace: iteration over objects, and counts by type. Children: `finalizers`, `weak_map`, `weak_key_map`.

mod finalizers;
mod weak_key_map;
mod weak_map;

use abi::Type;
use heap::Snapshot;
use object::{cell, class, hash::HashRef, symbol::table::intern_text};
use runtime::{Args, Cx, Known, Method, R, Value, call, concurrency::sharing, convert, define, keys, make};

pub use finalizers::{run_every_finalizer, run_finalizers};

const METHODS: &[Method] = &[
    Method::new("each_object(module = nil) { |object| }", each_object),
    Method::new("count_objects(result = {})", count_objects),
    Method::new("garbage_collect(full_mark: true, immediate_mark: true, immediate_sweep: true)", super::gc::start),
    Method::new("define_finalizer(object, callable = nil)", finalizers::define_finalizer),
    Method::new("undefine_finalizer(object)", finalizers::undefine_finalizer),
    Method::new("_id2ref(id)", id_to_reference),
];

pub fn define(cx: &mut Cx) {
    let object = cx.class(Known::Object);
    let module = define::define_module(cx, object, "ObjectSpace");
    define::define_module_functions(cx, module, METHODS);
    let weak_map = define::define_class(cx, module, "WeakMap", object);
    define::define_methods(cx, weak_map, weak_map::METHODS);
    define::define_singleton_methods(cx, weak_map, weak_map::SINGLETON);
    for (alias, name) in weak_map::ALIASES {
        define::synonym(cx, weak_map, alias, name);
    }
    let enumerable = cx.root(runtime::Root::Enumerable);
    class::ancestors::include(cx, weak_map, enumerable).expect("a module of its own");
    let weak_key_map = define::define_class(cx, module, "WeakKeyMap", object);
    define::define_methods(cx, weak_key_map, weak_key_map::METHODS);
    define::define_singleton_methods(cx, weak_key_map, weak_key_map::SINGLETON);
}

/// `ObjectSpace._id2ref(id) → object`: the object with this `object_id`. RangeError if there is none. Deprecated.
fn id_to_reference(cx: &mut Cx, args: Args) -> R {
    if cx.vm().options.warn_deprecated {
        runtime::warning::warn_deprecated(cx, "ObjectSpace._id2ref is deprecated")?;
    }
    let id = convert::to_integer(cx, args.at(0))?;
    match crate::object::identity::object_of(cx, id) {
        Some(object) if cx.isolated && !sharing::is_shareable(cx, object) => {
            let shown = call::inspect_text(cx, id)?;
            Err(cx.range_error(&format!("{shown} is the id of an unshareable object on multi-ractor")))
        }
        Some(object) => Ok(object),
        None => {
            let shown = call::inspect_text(cx, id)?;
            Err(cx.range_error(&format!("\"{shown}\" is not an id value")))
        }
    }
}

/// CRuby's name for a header type.
pub fn type_name(ty: usize) -> &'static str {
    const NAMES: [&str; Type::COUNT] = [
        "T_NONE", "T_OBJECT", "T_CLASS", "T_MODULE", "T_ICLASS", "T_FLOAT", "T_STRING", "T_REGEXP", "T_ARRAY",
        "T_HASH", "T_STRUCT", "T_BIGNUM", "T_DATA", "T_MATCH", "T_COMPLEX", "T_RATIONAL", "T_SYMBOL", "T_STRUCT",
        "T_DATA", "T_IMEMO", "T_IMEMO", "T_IMEMO", "T_IMEMO", "T_OBJECT", "T_DATA", "T_DATA", "T_IMEMO",
    ];
    NAMES[ty]
}

/// CRuby's name for the type of a heap value.
pub fn type_name_of(v: Value) -> &'static str {
    if is_file(v) { "T_FILE" } else { type_name(cell::header(v).ty() as usize) }
}

fn is_file(v: Value) -> bool {
    object::native::get::<crate::io::data::IoData>(&v).is_some()
}

/// Whether programs may see the cell.
pub fn is_visible(v: Value) -> bool {
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

/// All visible objects that are instances of `module` (`None`: of any).
pub(crate) fn instances(cx: &mut Cx, module: Option<Value>) -> R<Snapshot> {
    let snapshot = cx.snapshot_by_class(&mut |world, v| {
        let is_wanted = || {
            let hidden_singleton = class::is_class(v) && class::flags(v).singleton;
            match module {
                None => !hidden_singleton,
                Some(m) => class::is_object_a(world, v, m) && (!hidden_singleton || class::flags(m).singleton),
            }
        };
        is_visible(v) && is_wanted()
    });
    snapshot.map_err(|_| cx.no_memory())
}

/// `ObjectSpace.each_object(module = nil) { |object| } → integer`: yields all live objects, or those of a class or
/// module, and returns their number. An Enumerator without a block. In Ractors other than the main one only shareable
/// objects.
fn each_object(cx: &mut Cx, args: Args) -> R {
    let module = args.non_nil(0);
    let block = args.block(cx);
    if block.is_none() {
        let (method, each) = (intern_text(cx, "to_enum"), intern_text(cx, "each_object"));
        let mut list = vec_of(cx, each.value());
        if let Some(m) = module {
            make::push(cx, list, m);
        }
        let arguments = object::array::Arr::of(std::mem::replace(&mut list, Value::NIL));
        return runtime::args::spread(cx, arguments, |cx, all| call::send(cx, args.me(), method, all));
    }
    if let Some(m) = module
        && !class::is_module(m)
    {
        return Err(cx.type_error("class or module required"));
    }
    let found = instances(cx, module)?;
    let mut yielded = 0;
    for v in found.iter() {
        // Objects of the main Ractor are not visible to others.
        if !cx.isolated || sharing::is_shareable(cx, v) {
            call::yield_one(cx, block, v)?;
            yielded += 1;
        }
    }
    Ok(Value::fixnum(yielded))
}

fn vec_of(cx: &mut Cx, v: Value) -> Value {
    make::array(cx, &[v])
}

/// `ObjectSpace.count_objects(result = {}) → hash`: the numbers of all cells (`TOTAL`), of free ones (`FREE`) and of
/// objects of each type (`T_STRING` …). TypeError unless it is given a Hash.
fn count_objects(cx: &mut Cx, args: Args) -> R {
    let table = match args.opt(0) {
        None => HashRef::new(cx).value(),
        Some(h) if cell::is(h, Type::Hash) => h,
        Some(_) => return Err(cx.type_error("non-hash given")),
    };
    // What an earlier call counted and this one does not find.
    let mut at = 0;
    while let Some((key, _)) = HashRef::of(table).entry_at(at) {
        at += 1;
        keys::store(cx, table, key, Value::fixnum(0))?;
    }
    let statistics = cx.vm().heap.statistics();
    let mut of_types = [0; Type::COUNT];
    let mut files = 0;
    cx.each_object(&mut |v| if is_file(v) { files += 1 } else { of_types[cell::header(v).ty() as usize] += 1 });
    // Several types may share a name; their counts are added.
    let mut counts = std::collections::BTreeMap::new();
    for (name, n) in (0..Type::COUNT).map(type_name).zip(of_types).chain([("T_FILE", files)]) {
        if n > 0 {
            *counts.entry(name).or_insert(0i64) += n;
        }
    }
    let total = Value::fixnum(statistics.object_cells as i64);
    let free = Value::fixnum((statistics.object_cells - statistics.live_objects) as i64);
    for (name, v) in [("TOTAL", total), ("FREE", free)] {
        let key = intern_text(cx, name).value();
        keys::store(cx, table, key, v)?;
    }
    for (name, n) in counts {
        let key = intern_text(cx, name).value();
        keys::store(cx, table, key, Value::fixnum(n))?;
    }
    Ok(table)
}
