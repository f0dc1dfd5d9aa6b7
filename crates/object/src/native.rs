//! Objects with a native box: files, regexps, random generators, enumerators and the like.
//!
//! ```text
//! header | box: the data pointer of a fat pointer | its vtable pointer
//! ```

use std::any::Any;

use abi::{Header, Type, Value};
use heap::{Marker, Trace};

use crate::{Mem, cell, class};

/// The interface between native boxes and the collector. `#[derive(Trace)]` generates the tracing of their references.
pub trait NativeData: Any + Trace {
    /// The number of bytes outside of the heap, for ObjectSpace.memsize_of.
    fn memsize(&self) -> usize {
        0
    }
    /// Whether Ractors may share objects of this type.
    fn sharing(&self) -> Sharing {
        Sharing::Never
    }
    /// Its name in ObjectSpace.dump ("proc", "VM/thread"); empty if the class name is enough.
    fn type_name(&self) -> &'static str {
        ""
    }
}

/// Whether Ractors may share an object with a native box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    Never,
    /// Only if it is frozen, and all objects that it refers to are shareable.
    WhenFrozen,
    /// Always, because it never changes.
    Always,
}

/// The sharing rule of its box; `None` if it has no box.
pub fn sharing(v: Value) -> Option<Sharing> {
    // SAFETY: the box lives as long as the cell, which the variable keeps alive; only the holder of the global lock
    // uses it, and the reference ends here.
    if has_box(v) { Some(pointer(v.cell()).map_or(Sharing::Never, |data| unsafe { (*data).sharing() })) } else { None }
}

/// A new cell of class `of` that takes over the box of `v`, which then has none.
pub fn take_box(cx: &mut Mem, v: Value, of: Value) -> Option<Value> {
    let data = pointer(v.cell()).filter(|_| has_box(v))?;
    let made = cx.allocate(24, Header::new(cell::header(v).ty(), class::root_shape(of), 0));
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

/// An object of class `of` with `data`, which is dropped when the object dies.
pub fn new(cx: &mut Mem, of: Value, data: Box<dyn NativeData>) -> Value {
    let shape = class::root_shape(of);
    let ty = class::instances(of);
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
    // SAFETY: the cell has three words; native pointers are not references to objects.
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

/// The box of `v` if it holds a `T`, borrowed from the variable that holds the object and keeps it alive.
///
/// Data that may change must be read before anything runs Ruby; a reference may be kept longer only to boxes that do
/// not change after their creation (of a Regexp or a MatchData). [`get_mut`] is for changing a box.
///
/// ```compile_fail,E0515
/// fn kept<T: object::native::NativeData>(v: abi::Value) -> Option<&'static T> {
///     object::native::get::<T>(&v)
/// }
/// ```
#[inline]
pub fn get<T: NativeData>(v: &Value) -> Option<&T> {
    let data = data_of::<T>(*v)?;
    // SAFETY: the box lives as long as the cell, which the borrowed variable keeps alive; only the holder of the
    // global lock uses it.
    Some(unsafe { &*data })
}

/// The box of `v` for changes, borrowed from the context. Whatever runs Ruby, collects, lets other threads run, or
/// changes another box needs the context, so none of it can happen while the reference is used. The object is
/// remembered, so that the collector finds references stored in the box.
///
/// ```compile_fail,E0499
/// fn twice<T: object::native::NativeData>(cx: &mut object::Mem, v: abi::Value) {
///     let (one, two) = (object::native::get_mut::<T>(cx, v), object::native::get_mut::<T>(cx, v));
///     drop((one, two));
/// }
/// ```
#[inline]
pub fn get_mut<T: NativeData>(cx: &mut Mem, v: Value) -> Option<&mut T> {
    let data = data_of::<T>(v)?;
    cx.remember(v);
    // SAFETY: the box lives as long as the cell, which nothing frees while the context is borrowed; each mutable
    // reference to a box borrows the context, so this is the only one.
    Some(unsafe { &mut *data })
}

/// The box for changes, or the error that `wrong` creates.
#[inline]
pub fn get_mut_or<T: NativeData, C: std::ops::DerefMut<Target = Mem>, E>(
    cx: &mut C,
    v: Value,
    wrong: impl FnOnce(&mut C) -> E,
) -> Result<&mut T, E> {
    get_mut_where(cx, v, |_: &T| true, wrong)
}

/// The box for changes if it holds a `T` that `is_ready` accepts, otherwise the error that `wrong` creates.
#[inline]
pub fn get_mut_where<T: NativeData, C: std::ops::DerefMut<Target = Mem>, E>(
    cx: &mut C,
    v: Value,
    is_ready: impl FnOnce(&T) -> bool,
    wrong: impl FnOnce(&mut C) -> E,
) -> Result<&mut T, E> {
    match data_of::<T>(v) {
        // SAFETY: the box lives as long as the cell; the reference ends with the call.
        Some(data) if is_ready(unsafe { &*data }) => {
            cx.remember(v);
            // SAFETY: as in `get_mut`: the context is borrowed for the result.
            Ok(unsafe { &mut *data })
        }
        _ => Err(wrong(cx)),
    }
}

/// Calls `f` with the box of `v`, for changes, and the bytes of a String; `None` if the box holds no `T`. The context
/// is borrowed until `f` returns, so that nothing else uses either.
pub fn with_bytes<T: NativeData, R>(
    cx: &mut Mem,
    v: Value,
    string: crate::string::Str,
    f: impl FnOnce(&mut T, &[u8]) -> R,
) -> Option<R> {
    let data = get_mut::<T>(cx, v)?;
    // SAFETY: the String is on the stack, and `f` has no context to change it with.
    Some(f(data, unsafe { string.unguarded() }))
}

/// The address of the `T` in the box of `v`.
#[inline]
pub(crate) fn data_of<T: NativeData>(v: Value) -> Option<*mut T> {
    if !has_box(v) {
        return None;
    }
    let data = pointer(v.cell())?;
    // SAFETY: the box lives as long as the cell; the reference ends here.
    unsafe { (&*data as &dyn Any).is::<T>() }.then_some(data.cast())
}

/// The bytes of the box and of the native memory it owns.
pub fn memsize(v: Value) -> usize {
    // SAFETY: the box lives as long as the cell, which the variable keeps alive; only the holder of the global lock
    // uses it, and the reference ends here.
    pointer(v.cell()).map_or(0, |data| unsafe { size_of_val(&*data) + (*data).memsize() })
}

/// Whether it is a cell with a native box.
#[inline]
pub fn has_box(v: Value) -> bool {
    v.is_heap()
        && matches!(
            cell::header(v).ty(),
            Type::Native | Type::Regexp | Type::Match | Type::Method | Type::Binding | Type::InstructionSequence
        )
}

/// The name of its box in ObjectSpace.dump, or an empty string.
pub fn type_name(v: Value) -> &'static str {
    // SAFETY: the box lives as long as the cell, which the variable keeps alive; only the holder of the global lock
    // uses it, and the reference ends here.
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
