//! Objects with a native box: files, regexps, random generators, enumerators and the like.
//!
//! ```text
//! header | pointer to the box, a fat one's data | its table of functions
//! ```

use std::any::Any;

use abi::{Header, Type, Value};
use heap::Marker;

use crate::{Mem, cell, class};

/// The interface of native boxes to the collector.
pub trait NativeData: Any {
    /// Visits every `Value` in it.
    fn trace(&mut self, marker: &mut Marker);
    /// Bytes outside of the heap, for ObjectSpace.memsize_of.
    fn memsize(&self) -> usize {
        0
    }
    /// Whether Ractors may share such objects.
    fn sharing(&self) -> Sharing {
        Sharing::Never
    }
    /// Its name in ObjectSpace.dump ("proc", "VM/thread"); empty if the class is sufficient.
    fn type_name(&self) -> &'static str {
        ""
    }
}

/// Whether Ractors may share an object with a native box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    Never,
    /// If it is frozen, and all objects that it refers to are shareable.
    WhenFrozen,
    /// It never changes, frozen or not.
    Always,
}

/// The sharing rule of its box; `None` if it has no box.
pub fn sharing(v: Value) -> Option<Sharing> {
    // SAFETY: as in `get`.
    if has_box(v) { Some(pointer(v.cell()).map_or(Sharing::Never, |data| unsafe { (*data).sharing() })) } else { None }
}

/// A new cell of `class` that takes over the box; the old one has none afterwards.
pub fn take_box(cx: &mut Mem, v: Value, of: Value) -> Option<Value> {
    let data = pointer(v.cell()).filter(|_| has_box(v))?;
    let made = cx.allocate(24, Header::new(cell::header(v).ty(), class::class_data(of).root_shape, 0));
    set_box(made, data);
    // SAFETY: the cell has three words; from here on it has no box.
    unsafe {
        cell::set_raw(v, 1, 0);
        cell::set_raw(v, 2, 0);
    }
    cx.register_native(made).unwrap_or_else(|exhausted| std::panic::resume_unwind(Box::new(exhausted)));
    cx.remember(made);
    Some(made)
}

/// An object of `class` around `data`. Dropped when the object dies.
pub fn new(cx: &mut Mem, of: Value, data: Box<dyn NativeData>) -> Value {
    let shape = class::class_data(of).root_shape;
    let ty = class::class_data(of).instances;
    let ty = if matches!(ty, Type::Object | Type::Internal) { Type::Native } else { ty };
    let data = Box::into_raw(data);
    cx.pending = Some(data);
    let v = cx.allocate(24, Header::new(ty, shape, 0));
    cx.pending = None;
    set_box(v, data);
    cx.register_native(v).unwrap_or_else(|exhausted| std::panic::resume_unwind(Box::new(exhausted)));
    cx.remember(v);
    v
}

fn set_box(v: Value, data: *mut dyn NativeData) {
    // SAFETY: a fat pointer is two words.
    let words: [u64; 2] = unsafe { std::mem::transmute::<*mut dyn NativeData, [u64; 2]>(data) };
    // SAFETY: the cell has three words; native pointers are no references.
    unsafe {
        cell::set_raw(v, 1, words[0]);
        cell::set_raw(v, 2, words[1]);
    }
}

#[inline]
fn pointer(cell: *const u64) -> Option<*mut dyn NativeData> {
    // SAFETY: the two words are those of `set_box`.
    unsafe {
        let words = [*cell.add(1), *cell.add(2)];
        if words[0] == 0 { None } else { Some(std::mem::transmute::<[u64; 2], *mut dyn NativeData>(words)) }
    }
}

/// The box of `v` if it holds a `T`.
pub fn get<T: NativeData>(v: Value) -> Option<&'static T> {
    if !has_box(v) {
        return None;
    }
    let data = pointer(v.cell())?;
    // SAFETY: the box lives as long as the cell, which the caller holds; only the holder of the global lock uses it.
    unsafe { (&*data as &dyn Any).downcast_ref() }
}

/// The box, to change: the object is remembered, so that references stored in it are found.
pub fn get_mut<T: NativeData>(cx: &mut Mem, v: Value) -> Option<&'static mut T> {
    get::<T>(v)?;
    cx.remember(v);
    let data = pointer(v.cell())?;
    // SAFETY: as in `get`; the caller keeps no second reference across a change.
    unsafe { (&mut *data as &mut dyn Any).downcast_mut() }
}

/// Bytes of the box and of the native memory it owns.
pub fn memsize(v: Value) -> usize {
    // SAFETY: as in `get`.
    pointer(v.cell()).map_or(0, |data| unsafe { size_of_val(&*data) + (*data).memsize() })
}

/// Is it a cell with a native box?
pub fn has_box(v: Value) -> bool {
    v.is_heap()
        && matches!(
            cell::header(v).ty(),
            Type::Native | Type::Regexp | Type::Match | Type::Method | Type::Binding | Type::InstructionSequence
        )
}

/// The name of its box in ObjectSpace.dump, or an empty string.
pub fn type_name(v: Value) -> &'static str {
    // SAFETY: as in `get`.
    if has_box(v) { pointer(v.cell()).map_or("", |data| unsafe { (*data).type_name() }) } else { "" }
}

/// # Safety
/// `cell` is a live cell with a native box.
pub unsafe fn trace(cell: *mut u64, marker: &mut Marker) {
    if let Some(data) = pointer(cell) {
        // SAFETY: the box lives as long as the cell; nothing else uses it during a collection.
        unsafe { (*data).trace(marker) };
    }
}

/// # Safety
/// `cell` is a cell with a native box that just died.
pub unsafe fn drop_box(cell: *mut u64) {
    if let Some(data) = pointer(cell) {
        // SAFETY: made by `new` from a Box; the cell is dead, so this is the last use.
        unsafe {
            drop(Box::from_raw(data));
            *cell.add(1) = 0;
        }
    }
}

/// Visits a value in a native box.
pub trait Visit {
    /// Marks the reference in `slot`; a compaction writes the new address to it.
    fn visit(&mut self, slot: &mut Value);
}

impl Visit for Marker {
    #[inline(always)]
    fn visit(&mut self, slot: &mut Value) {
        // SAFETY: a mutable borrow is a valid slot.
        unsafe { self.slot(slot) };
    }
}
