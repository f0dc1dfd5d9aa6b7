//! Classes whose objects are dumped as plain objects of another class, as extensions in C define them.

use abi::Value;
use object::{array::Arr, class, hash};
use runtime::{Cx, Root, make};

/// How the objects of a class are dumped and loaded.
#[derive(Clone, Copy)]
pub struct StandIn {
    /// The class of the objects that are written, by the name of the class that they stand for.
    pub class: Value,
    /// A Proc that makes such an object.
    pub dumper: Value,
    /// A Proc that fills an allocated object from one that was read.
    pub loader: Value,
}

/// Objects of a class and its subclasses are dumped and loaded through stand-ins.
pub fn define(cx: &mut Cx, class: Value, stand_in: StandIn) {
    if cx.root(Root::MarshalStandIns).is_nil() {
        let table = hash::new_identity(cx);
        cx.set_root(Root::MarshalStandIns, table);
    }
    let row = make::array(cx, &[stand_in.class, stand_in.dumper, stand_in.loader]);
    let table = cx.root(Root::MarshalStandIns);
    hash::identity_store(cx, table, class, row);
}

/// How the objects of a class are dumped and loaded, if not by themselves.
pub fn of(cx: &Cx, class: Value) -> Option<StandIn> {
    let table = cx.root(Root::MarshalStandIns);
    if table.is_nil() {
        return None;
    }
    let mut of = class;
    while !of.is_nil() {
        let row = hash::identity_get(table, of);
        if !row.is_undef() {
            let [class, dumper, loader] = [0, 1, 2].map(|i| Arr::of(row).at(i));
            return Some(StandIn { class, dumper, loader });
        }
        of = class::superclass(of);
    }
    None
}
