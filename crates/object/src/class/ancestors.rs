//! The order of ancestors: each class's own segment (prepended, itself, included), then its superclass's.

use std::cell::Cell;

use abi::{Type, Value};

use super::{
    class_data, class_data_mut,
    data::{Ancestor, Segment, live_data},
    is_module,
};
use crate::{Known, Mem, Sym, cell};

/// All ancestors of a class or module in lookup order, including itself. The list may change during the iteration.
pub fn each(class: Value) -> impl Iterator<Item = Value> {
    assert!(class.is_nil() || is_module(class), "{class:?} is no class");
    let mut at = class;
    let mut index = 0;
    std::iter::from_fn(move || {
        loop {
            if at.is_nil() {
                return None;
            }
            // SAFETY: `at` is a class or its superclass; the reference is not used after this step.
            let data = unsafe { live_data(at) };
            if let Some(ancestor) = data.segment.get(index) {
                index += 1;
                return Some(ancestor.0);
            }
            at = data.superclass;
            index = 0;
        }
    })
}

/// The module itself and the modules that it prepends and includes, in lookup order. The list may change during the
/// iteration.
pub fn segment(module: Value) -> impl Iterator<Item = Value> {
    assert!(is_module(module), "{module:?} is no module");
    // SAFETY: it is a module; the reference is not used after this step.
    (0..).map_while(move |i| unsafe { live_data(module) }.segment.get(i).map(|ancestor| ancestor.0))
}

/// The ancestors that Ruby's methods report: those of [`each`], and for a refinement those of the class that it refines
/// behind it; of a refined module just itself and BasicObject.
pub fn reported(cx: &Mem, module: Value) -> impl Iterator<Item = Value> + use<> {
    let refined = if super::flags(module).refinement { super::refined(module) } else { Value::NIL };
    let (class, single) = if cell::is(refined, Type::Module) {
        (Value::NIL, [refined, cx.class(Known::BasicObject)])
    } else {
        (refined, [Value::NIL; 2])
    };
    each(module).chain(each(class)).chain(single.into_iter().filter(|v| !v.is_nil()))
}

/// All ancestors in the order of constant lookup: the class itself before prepended modules.
pub fn each_for_constants(class: Value) -> impl Iterator<Item = Value> {
    std::iter::once(class).chain(each(class).filter(move |ancestor| *ancestor != class))
}

/// Whether `module` is among the ancestors of `class`.
pub fn inherits(class: Value, module: Value) -> bool {
    if cell::is(module, Type::Class) {
        assert!(class.is_nil() || is_module(class), "{class:?} is no class");
        let mut at = class;
        while !at.is_nil() {
            if at == module {
                return true;
            }
            // SAFETY: a class or its superclass; the reference ends here.
            at = unsafe { live_data(at) }.superclass;
        }
        return false;
    }
    each(class).any(|m| m == module)
}

/// The answers of the most recent tests of [`super::is_a`]. The words are weak references: the next change of any
/// module's ancestors clears them, and a collection those to objects that it may free.
pub struct RecentKinds([Cell<[u64; 2]>; RECENT_KINDS]);

const RECENT_KINDS: usize = 256;

impl RecentKinds {
    pub fn clear(&mut self) {
        *self = RecentKinds::default();
    }

    /// Drops what the collection that begins may free.
    pub fn begin_collection(&mut self, marker: &heap::Marker) {
        for known in &mut self.0 {
            let [class, module] = known.get();
            if ![class, module & !1].into_iter().all(|word| marker.keeps(Value(word))) {
                known.set([0; 2]);
            }
        }
    }

    /// Whether a class inherits from a module.
    #[inline]
    pub(super) fn inherits(&self, class: Value, module: Value) -> bool {
        let mixed = class.0 ^ module.0.rotate_left(7);
        let known = &self.0[(mixed ^ mixed >> 8) as usize >> 4 & (RECENT_KINDS - 1)];
        // The answer is in the lowest bit of the module's address.
        let [of, answer] = known.get();
        if of == class.0 && answer & !1 == module.0 {
            return answer & 1 != 0;
        }
        let answer = inherits(class, module);
        known.set([class.0, module.0 | u64::from(answer)]);
        answer
    }
}

impl Default for RecentKinds {
    fn default() -> RecentKinds {
        RecentKinds([const { Cell::new([0; 2]) }; RECENT_KINDS])
    }
}

/// The error when a module would include itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cyclic;

/// Inserts `module` (and the modules it includes) after `class` in its segment.
pub fn include(cx: &mut Mem, class: Value, module: Value) -> Result<(), Cyclic> {
    if module == class || class_data(cx, module).segment.iter().any(|a| a.0 == class) {
        return Err(Cyclic);
    }
    insert(cx, class, module, false);
    Ok(())
}

/// Inserts `module` (and the modules it includes) before `class`.
pub fn prepend(cx: &mut Mem, class: Value, module: Value) -> Result<(), Cyclic> {
    if module == class || class_data(cx, module).segment.iter().any(|a| a.0 == class) {
        return Err(Cyclic);
    }
    insert(cx, class, module, true);
    Ok(())
}

fn insert(cx: &mut Mem, class: Value, module: Value, before: bool) {
    let wanted = class_data(cx, module).segment.clone();
    let superclass = super::superclass(class);
    let mut segment = class_data(cx, class).segment.clone();
    let own = segment.iter().position(|a| a.0 == class).expect("a class stands in its own segment");
    let mut at = if before { 0 } else { own + 1 };
    let mut is_new = false;
    for ancestor in wanted {
        let (from, to) =
            if before { (0, segment.iter().position(|a| a.0 == class).unwrap()) } else { (0, segment.len()) };
        if let Some(there) = segment[from..to].iter().position(|a| *a == ancestor) {
            // The module is already present: the following modules are inserted after it.
            let own = segment.iter().position(|a| a.0 == class).unwrap();
            if before || there > own {
                at = at.max(there + 1);
            }
            continue;
        }
        if !before && !superclass.is_nil() && inherits(superclass, ancestor.0) {
            continue;
        }
        // A module's `includers` list the segments that contain it, so no long list must be searched.
        if !segment.contains(&ancestor) {
            class_data_mut(cx, ancestor.0).rare_mut().includers.push(Ancestor(class));
        }
        segment.insert(at, ancestor);
        at += 1;
        is_new = true;
    }
    // An object is often extended by what it has been extended by: no cache has to forget anything then.
    if !is_new {
        return;
    }
    set_segment(cx, class, segment);
    super::lookup::invalidate_class(cx, class);
    for ancestor in class_data(cx, module).segment.clone() {
        let names: Vec<Sym> = class_data(cx, ancestor.0).constants().keys().copied().collect();
        names.into_iter().for_each(|name| super::constant_watch::changed(cx, name));
        super::class_variables::all_changed(cx, ancestor.0);
    }
    // A module that is included elsewhere propagates its new ancestors.
    if cell::is(class, Type::Module) {
        for includer in class_data(cx, class).rare().includers.clone() {
            propagate(cx, includer.0, class, module, before);
        }
    }
}

fn set_segment(cx: &mut Mem, class: Value, segment: Segment) {
    class_data_mut(cx, class).segment = segment;
    cx.world_mut().recent_kinds.clear();
}

/// `module` was added to `through`, which is in the segment of `class`: adds it there too.
fn propagate(cx: &mut Mem, class: Value, through: Value, module: Value, before: bool) {
    let mut segment = class_data(cx, class).segment.clone();
    let Some(at) = segment.iter().position(|a| a.0 == through) else { return };
    let mut at = if before { at } else { at + 1 };
    for ancestor in class_data(cx, module).segment.clone() {
        if segment.contains(&ancestor) {
            continue;
        }
        segment.insert(at, ancestor);
        at += 1;
        class_data_mut(cx, ancestor.0).rare_mut().includers.push(Ancestor(class));
    }
    set_segment(cx, class, segment);
    super::lookup::invalidate_class(cx, class);
}
