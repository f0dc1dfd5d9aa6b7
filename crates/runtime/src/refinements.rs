//! Methods of refinements that are active in a lexical scope.

use abi::Value;
use object::{Sym, array::Arr, class};

use crate::{Cx, cref};

/// Whether refinements are active in the running frame's code.
#[inline]
pub fn are_active(cx: &Cx) -> bool {
    cx.vm().refinements_used && are_active_in(cx.frame().scope.cref)
}

/// Whether refinements are active in a lexical scope.
pub fn are_active_in(scope: Value) -> bool {
    scope.is_heap() && !cref::refinements(scope).is_nil()
}

/// The refined method that a call of `name` in `scope` runs for an instance of `receiver_class`.
pub fn find(cx: &mut Cx, scope: Value, receiver_class: Value, name: Sym) -> Option<Value> {
    if !are_active_in(scope) {
        return None;
    }
    let active = cref::refinements(scope);
    let mut at = receiver_class;
    while !at.is_nil() {
        // The refinements of the class precede its prepended modules.
        if let Some(found) = refining(cx, active, at, name) {
            return Some(found);
        }
        for ancestor in class::ancestors::segment(at) {
            if ancestor != at
                && let Some(found) = refining(cx, active, ancestor, name)
            {
                return Some(found);
            }
            if !class::lookup::own_method(ancestor, name).is_undef() {
                return None;
            }
        }
        at = class::superclass(at);
    }
    None
}

/// The method in the last activated refinement of a class or module that has it.
fn refining(cx: &mut Cx, active: Value, module: Value, name: Sym) -> Option<Value> {
    for pair in Arr::of(active).groups::<2>().rev().filter(|pair| pair[0] == module) {
        let found = class::lookup::find_method(cx, pair[1], name);
        if !found.is_undef() && in_refinement(pair[1], name) {
            return Some(found);
        }
    }
    None
}

/// Whether the refinement itself (or a module imported into it) has the method. The refined class comes after it.
fn in_refinement(refinement: Value, name: Sym) -> bool {
    class::ancestors::segment(refinement).any(|place| !class::lookup::own_method(place, name).is_undef())
}
