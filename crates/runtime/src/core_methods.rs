//! The core's own methods, which Ruby halves and core methods call where a program has replaced them: CRuby's core
//! calls C functions there.

use abi::Value;
use object::{
    Sym, class,
    class::data::MethodSlot,
    method_entry::{self, Kind},
};

use crate::{Cx, method_table, unlinked};

/// The core's own method of that name for instances of a class, if a program has replaced it. `None` if a call finds it
/// as usual.
pub fn replaced(cx: &mut Cx, class: Value, name: Sym) -> Option<Value> {
    let found = class::lookup::find_method(cx, class, name);
    if !found.is_undef() && is_core(found) {
        return None;
    }
    class::ancestors::each(class).find_map(|module| {
        if let Some(kept) = class::class_data(cx, module).rare().core_methods.get(&name) {
            return Some(kept.0);
        }
        let own = class::lookup::own_method(module, name);
        (!own.is_undef() && is_core(own)).then_some(own)
    })
}

/// A method of that name is about to be defined in or removed from a class: keeps the core's own.
pub fn method_changes(cx: &mut Cx, class: Value, name: Sym) {
    if !cx.vm().redefined.armed {
        return;
    }
    let own = class::lookup::own_method(class, name);
    if !own.is_undef() && is_core(own) {
        let kept = &mut class::class_data_mut(cx, class).rare_mut().core_methods;
        kept.entry(name).or_insert(MethodSlot(own));
    }
}

/// Whether a method is part of the core: native, or of a Ruby half.
pub fn is_core(entry: Value) -> bool {
    match method_entry::kind(entry) {
        Kind::Native => method_table::is_core(entry),
        Kind::Sequence => unlinked::is_internal(&method_entry::body(entry)),
        Kind::Alias => is_core(method_entry::body(entry)),
        _ => false,
    }
}
