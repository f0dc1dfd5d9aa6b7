//! Methods that core classes define anew only for speed: in CRuby they inherit them from a module.

use abi::Value;
use object::{
    Known,
    class::{self, ancestors, lookup},
    method_entry::{self, Kind},
};

use crate::{Cx, sym, unlinked};

const METHODS: &[(Known, &[&str])] = &[
    (
        Known::Array,
        &[
            "each_cons", "each_slice", "each_with_index", "each_with_object", "entries", "filter_map", "flat_map",
            "group_by", "inject", "max_by", "min_by", "partition", "reduce", "sort_by", "tally",
        ],
    ),
    (Known::Hash, &["collect", "map", "sum"]),
    (Known::Range, &["sum"]),
];

/// Whether CRuby's class inherits the core method of an entry, which yields the elements of `each`.
pub fn is_inherited(cx: &Cx, entry: Value) -> bool {
    if !entry.is_heap() {
        return false;
    }
    let owner = method_entry::owner(entry);
    let Some((_, names)) = METHODS.iter().find(|(class, _)| cx.class(*class) == owner) else { return false };
    let name = method_entry::original_name(entry).bytes(cx);
    names.iter().any(|known| known.as_bytes() == name) && is_core(entry)
}

fn is_core(entry: Value) -> bool {
    let body = method_entry::body(entry);
    match method_entry::kind(entry) {
        Kind::Native => true,
        Kind::Sequence => body.is_heap() && unlinked::is_internal(&body),
        _ => false,
    }
}

/// The method that CRuby's class inherits instead of this one, which is that of the next ancestor.
pub fn original(entry: Value) -> Value {
    let (owner, name) = (method_entry::owner(entry), method_entry::original_name(entry));
    let behind = ancestors::each(owner).skip_while(|place| *place != owner).skip(1);
    let mut entries = behind.map(|place| lookup::own_method(place, name)).filter(|entry| !entry.is_undef());
    entries.next().unwrap_or(entry)
}

/// The `new` of its own that the class of an object has, as Array and IO do.
pub fn own_new(cx: &Cx, object: Value) -> Option<Value> {
    if !object.is_heap() {
        return None;
    }
    let class = class::class_of(cx, object);
    [Known::Array, Known::String, Known::Io].iter().find_map(|known| {
        let known = cx.class(*known);
        let own = || lookup::own_method(class::class_of(cx, known), sym::NEW);
        ancestors::inherits(class, known).then(own).filter(|own| !own.is_undef())
    })
}

/// Whether a method is the native `new` of a class that Struct.new has made. In CRuby it is Class#new.
pub fn makes_struct(cx: &Cx, entry: Value) -> bool {
    if !entry.is_heap() || method_entry::kind(entry) != Kind::Native || method_entry::original_name(entry) != sym::NEW {
        return false;
    }
    let (owner, base) = (method_entry::owner(entry), cx.class(Known::Struct));
    if !class::flags(owner).singleton {
        return false;
    }
    let class = class::attached(owner);
    class::is_class(class) && class != base && ancestors::inherits(class, base)
}

/// Whether calls with an operator do without the method of this entry in CRuby, if the receiver is an instance of the
/// class itself: `array << x`, `hash[key]` and others that its instructions carry out.
pub fn is_operator(cx: &Cx, entry: Value, receiver: Value, argument: Value) -> bool {
    if !entry.is_heap() || !receiver.is_heap() {
        return false;
    }
    let owner = method_entry::owner(entry);
    let name = method_entry::original_name(entry).bytes(cx);
    let known: &[Known] = match name {
        b"<<" => &[Known::Array, Known::String],
        b"[]" => &[Known::Array, Known::Hash],
        b"[]=" if argument.is_fixnum() => &[Known::Array, Known::Hash],
        b"[]=" => &[Known::Hash],
        _ => return false,
    };
    known.iter().any(|class| cx.class(*class) == owner) && class::class_of(cx, receiver) == owner
}
