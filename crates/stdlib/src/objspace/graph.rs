//! References between objects.

use std::collections::HashSet;

use abi::Type;
use heap::Reference;
use object::{
    array::Arr,
    attachment, cell,
    class::{self, class_data},
    hash::HashRef,
    symbol::table::intern_text,
};
use runtime::{Args, Cx, R, Value, keys, make, roots};

use super::wrapper::{unwrapped, visible};

/// The addresses of the objects that `v` refers to directly, without its class, sorted; references in its buffers and
/// instance-variable cells count as its own. For an Array these are its visible elements only, not the rest of its
/// buffer.
pub fn references(cx: &mut Cx, v: Value) -> Vec<u64> {
    let mut found = Vec::new();
    add_references(cx, v, &mut found);
    found
}

/// Like [`references`], but adds the addresses to an empty list that the caller reuses.
pub fn add_references(cx: &mut Cx, v: Value, found: &mut Vec<u64>) {
    collect(cx, v, found);
    // A class has its variables in its own tables.
    if let Some(variables) = attachment::variables(cx, v).filter(|_| !class::is_module(v)) {
        collect(cx, variables, found);
    }
    let attached = cx.attachment(v).filter(|a| a.is_heap());
    if let Some(attached) = attached {
        found.retain(|address| *address != attached.0);
    }
}

fn collect(cx: &mut Cx, v: Value, found: &mut Vec<u64>) {
    if let Some(array) = Arr::from_value(v) {
        found.extend(array.iter().filter(|e| e.is_heap()).map(|e| e.0));
        return;
    }
    let (mut fields, mut buffers) = (Vec::new(), Vec::new());
    cx.references(v, &mut |reference| match reference {
        Reference::Value(inner) if cell::is(inner, Type::Fields) => fields.push(inner.0),
        Reference::Value(inner) => found.push(inner.0),
        Reference::Buffer(buffer) => buffers.push(buffer),
    });
    for buffer in buffers {
        cx.buffer_references(buffer, &mut |inner| found.push(inner.0));
    }
    for inner in fields {
        collect(cx, Value(inner), found);
    }
}

/// The objects at these addresses as an Array without duplicates, with internal ones wrapped. The object in which they
/// were found keeps them alive.
fn list_of(cx: &mut Cx, addresses: &[u64], list: Value) {
    let mut seen = HashSet::new();
    for address in addresses {
        if seen.insert(*address) {
            let shown = visible(cx, Value(*address));
            make::push(cx, list, shown);
        }
    }
}

/// `ObjectSpace.reachable_objects_from(object) → array or nil`: the objects that this one refers to, the class first;
/// nil for immediates.
pub fn reachable_objects_from(cx: &mut Cx, args: Args) -> R {
    let object = unwrapped(args.at(0));
    if !object.is_heap() {
        return Ok(Value::NIL);
    }
    let list = make::array(cx, &[]);
    let mut found = Vec::new();
    if class::class_of(cx, object).is_heap() && object_has_class(object) {
        found.push(class::class_of(cx, object).0);
    }
    found.extend(references(cx, object));
    list_of(cx, &found, list);
    Ok(list)
}

/// Whether the object has a class that programs know; internal cells have none.
fn object_has_class(v: Value) -> bool {
    core_classes::object_space::is_visible(v)
}

/// `reachable_objects_from_root → hash`: the objects that the runtime itself refers to, in an array for each kind of
/// root.
pub fn reachable_objects_from_root(cx: &mut Cx, _: Args) -> R {
    let table = HashRef::new(cx).value();
    for (name, found) in root_addresses(cx) {
        let list = make::array(cx, &[]);
        list_of(cx, &found, list);
        if Arr::of(list).is_empty() {
            continue;
        }
        let key = make::text(cx, name);
        keys::store(cx, table, key, list)?;
    }
    Ok(table)
}

/// Roots by category.
pub fn root_addresses(cx: &mut Cx) -> Vec<(&'static str, Vec<u64>)> {
    let mut all = Vec::new();
    for (name, walk) in roots::ROOTS {
        let mut found = Vec::new();
        roots::visit(cx, *walk, &mut |reference| note(reference, &mut found));
        all.push((*name, found));
    }
    let mut found = Vec::new();
    cx.stack_references(&mut |reference| note(reference, &mut found));
    all.push(("machine_context", found));
    all
}

fn note(reference: Reference, found: &mut Vec<u64>) {
    if let Reference::Value(v) = reference {
        found.push(v.0);
    }
}

/// `ObjectSpace.internal_class_of(object) → class`: the class where method lookup for the object starts, which may be
/// a singleton class.
pub fn internal_class_of(cx: &mut Cx, args: Args) -> R {
    let class = class::class_of(cx, unwrapped(args.at(0)));
    Ok(visible(cx, class))
}

/// `ObjectSpace.internal_super_of(module) → object or nil`: the class or module where method lookup continues after a
/// class or module.
pub fn internal_super_of(cx: &mut Cx, args: Args) -> R {
    let module = unwrapped(args.at(0));
    if !class::is_module(module) {
        return Err(cx.argument_error("class or module is expected"));
    }
    let own = class_data(cx, module).segment.iter().position(|a| a.0 == module).unwrap_or(0);
    if let Some(next) = class_data(cx, module).segment.get(own + 1) {
        return Ok(next.0);
    }
    Ok(class::superclass(module))
}

/// A symbol as a key of a result.
pub fn key(cx: &mut Cx, name: &str) -> Value {
    intern_text(cx, name).value()
}
