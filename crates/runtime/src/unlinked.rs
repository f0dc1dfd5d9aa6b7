//! The code of methods that were not called yet.
//!
//! Such a method has a cell that says where its body is, and no [`Code`]. The body is linked when something needs the
//! method's code: [`linked`] gives it. Code that has run, that an inline cache holds, or that is the body of a block or
//! class is always linked.

use abi::{Type, Value};
use heap::Trace;
use object::{Known, cell, method_entry, native, native::NativeData};

use crate::{
    Cx,
    code::{Code, code},
};

/// The data of the cell of a method's code before it is linked.
#[derive(Clone, Copy, Trace)]
pub struct Unlinked {
    /// The cell of the code that contains the method. It is linked.
    parent: Value,
    /// The position of the body in the image of the source.
    #[trace(skip)]
    pub at: u32,
    /// Linking began and failed for want of memory.
    #[trace(skip)]
    pub has_failed: bool,
}

impl NativeData for Unlinked {
    object::one_vtable!(Unlinked);
}

impl Unlinked {
    /// The code that contains the method.
    pub fn parent(&self) -> &Code {
        code(&self.parent)
    }

    /// Its cell.
    pub fn parent_cell(&self) -> Value {
        self.parent
    }
}

/// A cell for the code of a method in `parent`.
pub fn new(cx: &mut Cx, parent: Value, at: u32) -> Value {
    let class = cx.class(Known::InstructionSequence);
    native::embed(cx, class, Unlinked { parent, at, has_failed: false })
}

/// What the cell of a method's code says before it is linked; `None` if it is.
pub fn get(v: &Value) -> Option<&Unlinked> {
    if is_linked(*v) { None } else { native::get(v) }
}

/// Whether a cell of code holds the code.
pub fn is_linked(v: Value) -> bool {
    debug_assert!(cell::is(v, Type::InstructionSequence));
    // SAFETY: cells of this type have native boxes. Linked code has a box outside of the cell.
    unsafe { !native::is_in_cell(v) }
}

/// The code of a cell, which is linked now if it was not.
#[inline]
pub fn linked<'a>(cx: &mut Cx, v: &'a Value) -> &'a Code {
    if !is_linked(*v) {
        let link = cx.vm().hooks.link;
        link(cx, *v);
    }
    code(v)
}

/// Links the code of a method entry, or of the one that it is an alias of. Does nothing with nil or undef.
pub fn link_entry(cx: &mut Cx, entry: Value) {
    if !entry.is_heap() {
        return;
    }
    let entry = method_entry::resolve_alias(entry);
    if method_entry::kind(entry) == method_entry::Kind::Sequence {
        linked(cx, &method_entry::body(entry));
    }
}

/// Whether the code of a cell belongs to the Ruby half of a core class.
pub fn is_internal(v: &Value) -> bool {
    match get(v) {
        Some(unlinked) => unlinked.parent().internal,
        None => code(v).internal,
    }
}
