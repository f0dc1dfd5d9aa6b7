//! Methods of refinements that are active in a lexical scope.

use abi::Value;
use object::{Sym, array::Arr, class, method_entry};

use crate::{Cx, cref, reflect};

/// Whether refinements are active in the running frame's code.
#[inline]
pub fn are_active(cx: &Cx) -> bool {
    cx.vm().refinements_used && are_active_in(cx.frame().scope.cref)
}

/// Whether refinements are active in a lexical scope.
#[inline]
pub fn are_active_in(scope: Value) -> bool {
    scope.is_heap() && !cref::refinements(scope).is_nil()
}

/// Whether a refinement that is active in a lexical scope may have a method of that name.
#[inline]
pub fn may_refine(cx: &Cx, scope: Value, name: Sym) -> bool {
    are_active_in(scope) && cx.world().refined_names.contains(name)
}

/// Whether a refinement that is active in the running frame's code may have a method of that name.
#[inline]
pub fn may_refine_here(cx: &Cx, name: Sym) -> bool {
    cx.vm().refinements_used && may_refine(cx, cx.frame().scope.cref, name)
}

/// The refined method that a call of `name` in `scope` runs for an instance of `receiver_class`. A method that a
/// refinement undefines is missing only where a call is written (`find_or_undefined`); `send` and its like find the one
/// of the class.
pub fn find(cx: &mut Cx, scope: Value, receiver_class: Value, name: Sym) -> Option<Value> {
    find_or_undefined(cx, scope, receiver_class, name).filter(|found| !found.is_undef())
}

/// Like `find`, but undef if a refinement undefines the method.
pub fn find_or_undefined(cx: &mut Cx, scope: Value, receiver_class: Value, name: Sym) -> Option<Value> {
    if !may_refine(cx, scope, name) {
        return None;
    }
    let active = cref::refinements(scope);
    let mut at = receiver_class;
    while !at.is_nil() {
        // The refinements of the class precede its prepended modules.
        if let Some(found) = refining(cx, active, at, name) {
            return Some(found);
        }
        if let Some(found) = in_segment(cx, active, at, None, name) {
            return found;
        }
        at = class::superclass(at);
    }
    None
}

/// The refined method that the nearest code of the program would call.
pub fn find_for_caller(cx: &mut Cx, receiver_class: Value, name: Sym) -> Option<Value> {
    if !cx.vm().refinements_used {
        return None;
    }
    let scope = reflect::caller(cx)?.scope.cref;
    find(cx, scope, receiver_class, name)
}

/// The refined method that `super` in the method of `entry` runs where refinements are active: those of the classes and
/// modules that follow the method's. The method of a refinement is followed by those of the refinements of the same
/// class that were activated before.
pub fn find_super(cx: &mut Cx, scope: Value, entry: Value) -> Option<Value> {
    search_super(cx, scope, entry).filter(|found| !found.is_undef())
}

fn search_super(cx: &mut Cx, scope: Value, entry: Value) -> Option<Value> {
    if !cx.vm().refinements_used || !are_active_in(scope) {
        return None;
    }
    let (segment_class, owner) = (method_entry::found_in(entry), method_entry::owner(entry));
    let (name, active) = (method_entry::original_name(entry), cref::refinements(scope));
    if let Some(found) = in_segment(cx, active, segment_class, Some(owner), name) {
        return found;
    }
    let data = class::class_data(cx, segment_class);
    let (flags, refined) = (data.flags, data.rare().refined);
    if !flags.refinement {
        let superclass = class::superclass(segment_class);
        return find(cx, scope, superclass, name);
    }
    let earlier = Arr::of(active).groups::<2>().position(|pair| pair[1] == segment_class).unwrap_or(usize::MAX);
    if let Some(found) = refining_before(cx, active, earlier, refined, name) {
        return Some(found);
    }
    if let Some(found) = in_segment(cx, active, refined, None, name) {
        return found;
    }
    let superclass = class::superclass(refined);
    find(cx, scope, superclass, name)
}

/// The search among a class and the modules of its segment, only those behind `after` if that is given. `None`: there
/// is no method, so that the search goes on; `Some(None)`: the method that is found is not a refined one. Refinements
/// of the class itself do not count: they precede its prepended modules.
fn in_segment(cx: &mut Cx, active: Value, of: Value, after: Option<Value>, name: Sym) -> Option<Option<Value>> {
    let mut is_behind = after.is_none();
    for ancestor in class::ancestors::segment(of) {
        if is_behind {
            if ancestor != of
                && let Some(found) = refining(cx, active, ancestor, name)
            {
                return Some(Some(found));
            }
            if !class::lookup::own_method(ancestor, name).is_undef() {
                return Some(None);
            }
        }
        is_behind |= after == Some(ancestor);
    }
    None
}

/// The method in the last activated refinement of a class or module that has it.
fn refining(cx: &mut Cx, active: Value, module: Value, name: Sym) -> Option<Value> {
    refining_before(cx, active, usize::MAX, module, name)
}

/// Like [`refining`], among the first `count` activated refinements.
fn refining_before(cx: &mut Cx, active: Value, count: usize, module: Value, name: Sym) -> Option<Value> {
    let count = count.min(Arr::of(active).groups::<2>().count());
    for pair in Arr::of(active).groups::<2>().take(count).rev().filter(|pair| pair[0] == module) {
        if in_refinement(pair[1], name) {
            return Some(class::lookup::find_method(cx, pair[1], name));
        }
    }
    None
}

/// Whether the refinement itself (or a module imported into it) has the method. The refined class comes after it.
fn in_refinement(refinement: Value, name: Sym) -> bool {
    class::ancestors::segment(refinement).any(|place| !class::lookup::own_method(place, name).is_undef())
}
