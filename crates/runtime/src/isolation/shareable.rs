//! Shareable objects: those that never change, and refer only to such objects.
//!
//! A header flag caches the result; it stays valid, because such objects are frozen (except classes, Ractors and the
//! like).

use abi::{Flags, Type, Value};
use object::{
    array::Arr,
    cell, class,
    hash::{self, HashRef},
    native::{self, Sharing},
    shape::ivars,
    structure,
};

use crate::{Cx, make};

/// Known to be shareable without a traversal.
#[inline]
pub(crate) fn is_known(v: Value) -> bool {
    !v.is_heap() || cell::header(v).has(Flags::SHAREABLE) || class::is_module(v)
}

/// `Ractor.shareable?`: whether neither the object nor anything that it refers to ever changes.
pub fn is_shareable(cx: &mut Cx, v: Value) -> bool {
    if is_known(v) {
        return true;
    }
    if !may_be_shared(cx, v) {
        return false;
    }
    let seen = Seen::new(cx, v);
    let mut i = 0;
    while let Some(inner) = seen.get(i) {
        if !is_known(inner) && !may_be_shared(cx, inner) {
            return false;
        }
        seen.add_children(cx, inner);
        i += 1;
    }
    seen.mark_all();
    true
}

/// Whether the object itself is immutable, regardless of the objects it refers to.
pub(crate) fn may_be_shared(cx: &Cx, v: Value) -> bool {
    match native::sharing(v) {
        Some(Sharing::Never) => false,
        Some(Sharing::Always) => true,
        _ => cell::frozen(v) && !cell::is(v, Type::Proc) && !is_never_shared(cx, v),
    }
}

/// The root with the Array of classes whose instances stay mutable even if frozen.
pub const NEVER_SHARED: crate::Root = crate::Root::ClassesNeverShared;

/// Whether it is an instance of a class with mutable internal state.
pub fn is_never_shared(cx: &Cx, v: Value) -> bool {
    let classes = cx.root(NEVER_SHARED);
    cell::is(v, Type::Object) && !classes.is_nil() && Arr::of(classes).iter().any(|class| class::is_a(cx, v, class))
}

/// The objects reached so far, in order, each once.
pub struct Seen {
    /// An Array, and an identity Hash of the same objects.
    list: Value,
    table: Value,
}

impl Seen {
    pub fn new(cx: &mut Cx, first: Value) -> Seen {
        let seen = Seen { list: make::array(cx, &[]), table: hash::new_identity(cx) };
        seen.add(cx, first);
        seen
    }

    pub fn get(&self, index: usize) -> Option<Value> {
        Arr::of(self.list).get(index)
    }

    pub(crate) fn add(&self, cx: &mut Cx, v: Value) {
        if is_known(v) || !hash::identity_get(self.table, v).is_undef() {
            return;
        }
        hash::identity_store(cx, self.table, v, Value::TRUE);
        make::push(cx, self.list, v);
    }

    /// Adds the objects that `v` refers to and that are not known to be shareable.
    pub fn add_children(&self, cx: &mut Cx, v: Value) {
        if is_known(v) {
            return;
        }
        let children = children(cx, v);
        for child in Arr::of(children).iter() {
            self.add(cx, child);
        }
    }

    pub(crate) fn mark_all(&self) {
        for v in Arr::of(self.list).iter() {
            cell::set_header(v, cell::header(v).with(Flags::SHAREABLE));
        }
    }
}

/// The objects that `v` refers to, as an Array: elements, members, instance variables and the contents of a native box.
pub fn children(cx: &mut Cx, v: Value) -> Value {
    let list = make::array(cx, &[]);
    for name in ivars::names(cx, v) {
        let value = ivars::get(cx, v, name);
        make::push(cx, list, value);
    }
    match cell::header(v).ty() {
        Type::Array => {
            let mut i = 0;
            while let Some(element) = Arr::of(v).get(i) {
                make::push(cx, list, element);
                i += 1;
            }
        }
        Type::Hash => {
            make::push(cx, list, HashRef::of(v).default());
            let mut at = 0;
            while let Some((next, key, value)) = HashRef::of(v).next(at) {
                make::push(cx, list, key);
                make::push(cx, list, value);
                at = next;
            }
        }
        Type::Struct => {
            let mut i = 0;
            while let Some(member) = structure::get(v, i) {
                make::push(cx, list, member);
                i += 1;
            }
        }
        Type::Object | Type::Exception | Type::String | Type::BigInteger | Type::Float | Type::Proc => {}
        _ => add_references(cx, v, list),
    }
    list
}

/// Adds all references that the collector sees in the cell, except classes and code.
fn add_references(cx: &mut Cx, v: Value, list: Value) {
    let mut words = Vec::new();
    cx.references(v, &mut |reference| {
        if let heap::Reference::Value(inner) = reference {
            words.push(inner.0);
        }
    });
    for word in words {
        let inner = Value(word);
        let is_internal = inner.is_heap()
            && matches!(
                cell::header(inner).ty(),
                Type::Internal | Type::Fields | Type::Environment | Type::MethodEntry | Type::InstructionSequence
            );
        if !is_internal && inner.is_heap() && !class::is_module(inner) {
            make::push(cx, list, inner);
        }
    }
}
