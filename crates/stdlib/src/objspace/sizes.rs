//! Memory usage of objects, and numbers of objects by type.

use std::collections::BTreeMap;

use abi::Type;
use object::{
    cell,
    class::{self},
    hash::HashRef,
    payload,
};
use runtime::{Args, Cx, R, Value, keys};

use core_classes::object_space::{is_visible, type_name_of};

use super::{graph::key, wrapper::unwrapped};

/// `ObjectSpace.memsize_of(object) → integer`: the number of bytes of the object's cell and of everything that it owns;
/// 0 for immediates.
pub fn memsize_of(cx: &mut Cx, args: Args) -> R {
    let size = payload::memory_size(cx, unwrapped(args.at(0)));
    Ok(Value::fixnum(size as i64))
}

/// `ObjectSpace.memsize_of_all(class = nil) → integer`: the number of bytes of all objects, or of the instances of a
/// class. Without a class each cell, buffer and native box counts once.
pub fn memsize_of_all(cx: &mut Cx, args: Args) -> R {
    let Some(module) = args.non_nil(0) else { return Ok(Value::fixnum(size_of_everything(cx) as i64)) };
    if !class::is_module(module) {
        return Err(cx.type_error("class or module required"));
    }
    let mut found = Vec::new();
    cx.each_object(&mut |v| found.push(v.0));
    let mut total = 0;
    for v in found.into_iter().map(Value) {
        if is_visible(v) && class::is_a(cx, v, module) {
            total += payload::memory_size(cx, v);
        }
    }
    Ok(Value::fixnum(total as i64))
}

fn size_of_everything(cx: &mut Cx) -> usize {
    let mut total = 0;
    cx.each_object(&mut |v| total += payload::cell_bytes(v) + payload::native_size(v));
    cx.each_buffer(&mut |_, _, size| total += size);
    total
}

/// The Hash to fill: the one given, or a new one.
fn result(cx: &mut Cx, args: Args) -> R {
    match args.non_nil(0) {
        None => Ok(HashRef::new(cx).value()),
        Some(h) if cell::is(h, Type::Hash) => Ok(h),
        Some(_) => Err(cx.type_error("non-hash given")),
    }
}

/// Fills the result with counters by name.
fn fill<K: AsRef<str>>(cx: &mut Cx, table: Value, counters: impl IntoIterator<Item = (K, usize)>) -> R {
    for (name, n) in counters {
        let name = key(cx, name.as_ref());
        keys::store(cx, table, name, Value::fixnum(n as i64))?;
    }
    Ok(table)
}

/// `count_objects_size(result = {}) → {T_STRING: …, TOTAL: …}`: the number of bytes of the objects of each type.
pub fn count_objects_size(cx: &mut Cx, args: Args) -> R {
    let table = result(cx, args)?;
    let mut found = Vec::new();
    cx.each_object(&mut |v| found.push(v.0));
    let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
    let mut total = 0;
    for v in found.into_iter().map(Value) {
        // Cells of instance variables count with their owners.
        let size = if cell::is(v, Type::Fields) { 0 } else { payload::memory_size(cx, v) };
        *sizes.entry(type_name_of(v)).or_default() += size;
        total += size;
    }
    fill(cx, table, sizes)?;
    fill(cx, table, [("TOTAL", total)])
}

/// `count_nodes(result = nil) → hash`: always empty, because the heap contains no syntax trees.
pub fn count_nodes(cx: &mut Cx, args: Args) -> R {
    result(cx, args)
}

/// `count_tdata_objects(result = {}) → {Proc => …, name: …}`: the number of objects with native data of each class.
pub fn count_tdata_objects(cx: &mut Cx, args: Args) -> R {
    let table = result(cx, args)?;
    let mut found = Vec::new();
    cx.each_object(&mut |v| {
        if type_name_of(v) == "T_DATA" {
            found.push(v.0);
        }
    });
    let mut counts: BTreeMap<u64, i64> = BTreeMap::new();
    for v in found.into_iter().map(Value) {
        *counts.entry(class::real_class(cx, v).0).or_default() += 1;
    }
    for (of, n) in counts {
        let of = Value(of);
        let internal = key(cx, "internal");
        let of = if class::name(of).is_nil() && !is_visible_class(cx, of) { internal } else { of };
        keys::store(cx, table, of, Value::fixnum(n))?;
    }
    Ok(table)
}

/// Whether programs can see instances of the class; internal classes have neither names nor visible instances.
fn is_visible_class(cx: &mut Cx, class: Value) -> bool {
    class != cx.class(object::Known::Internal)
}

/// `count_imemo_objects(result = {}) → {imemo_env: …}`: the number of internal cells of each kind.
pub fn count_imemo_objects(cx: &mut Cx, args: Args) -> R {
    let table = result(cx, args)?;
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    cx.each_object(&mut |v| {
        if let Some(sort) = internal_sort(v) {
            *counts.entry(sort).or_default() += 1;
        }
    });
    fill(cx, table, counts.into_iter().map(|(sort, n)| (format!("imemo_{sort}"), n)))
}

/// The kind of an internal cell.
pub fn internal_sort(v: Value) -> Option<&'static str> {
    Some(match cell::header(v).ty() {
        Type::Environment => "env",
        Type::MethodEntry => "ment",
        Type::InstructionSequence => "iseq",
        Type::Fields => "fields",
        Type::Internal => "memo",
        _ => return None,
    })
}

/// `count_symbols(result = nil) → hash`: the numbers of collectable dynamic symbols, of dynamic symbols that code has
/// pinned, and of static symbols.
pub fn count_symbols(cx: &mut Cx, args: Args) -> R {
    let table = result(cx, args)?;
    let symbols = &cx.world().symbols;
    let (pinned, fixed) = (symbols.pinned_count(), symbols.static_count());
    let mortal = symbols.dynamic_count() - pinned;
    let counters = [
        ("mortal_dynamic_symbol", mortal),
        ("immortal_dynamic_symbol", pinned),
        ("immortal_static_symbol", fixed),
        ("immortal_symbol", pinned + fixed),
    ];
    fill(cx, table, counters)
}
