//! Objects with a native box: files, regexps, random generators, enumerators and the like.
//!
//! ```text
//! header | box: the data pointer of a fat pointer | its vtable pointer
//! header | IN_CELL                                | its vtable pointer | the data
//! header | the address of the data, in the cell   | its vtable pointer | the data
//! ```
//!
//! Small data that owns no memory is in the cell itself: nothing is to be freed when it dies. So is data of cells that
//! never move; it is dropped when the cell dies.

use std::any::Any;

use abi::{Header, Type, Value};
use heap::{Marker, Trace};

use crate::{Mem, cell, class};

/// The interface between native boxes and the collector. `#[derive(Trace)]` generates the tracing of their references.
///
/// Invariant: all boxes of a type have the same vtable, and boxes of other types do not, because each vtable refers to
/// its own `Any::type_id`. So a vtable tells the type of a box.
pub trait NativeData: Any + Trace {
    /// The address of the vtable of this type, which is the third word of its objects; [`one_vtable`] defines it.
    fn vtable(&self) -> u64;
    /// The same without a box.
    fn vtable_of_type() -> u64
    where
        Self: Sized;
    /// The number of bytes outside of the heap, for ObjectSpace.memsize_of.
    fn memsize(&self) -> usize {
        0
    }
    /// The number of those bytes that the collector counts like bytes of the heap. It must not change, and collections
    /// ask for it.
    fn held_outside(&self) -> usize {
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

/// Defines [`NativeData::vtable`]. The compiler makes vtables wherever a type is erased, several for the same type; a
/// static has one address.
#[macro_export]
macro_rules! one_vtable {
    ($type:ty) => {
        fn vtable(&self) -> u64 {
            <$type as $crate::native::NativeData>::vtable_of_type()
        }

        #[inline(always)]
        fn vtable_of_type() -> u64 {
            static ERASED: $crate::native::Erased = $crate::native::Erased(std::ptr::null::<$type>());
            ERASED.vtable()
        }
    };
}

/// A null pointer with the vtable of a type.
#[doc(hidden)]
pub struct Erased(pub *const dyn NativeData);

// SAFETY: it is null, and a vtable never changes.
unsafe impl Sync for Erased {}

impl Erased {
    #[inline(always)]
    pub fn vtable(&self) -> u64 {
        // SAFETY: a fat pointer is two words.
        unsafe { std::mem::transmute::<*const dyn NativeData, [u64; 2]>(self.0)[1] }
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

/// In place of the data pointer: the data follows in the cell.
const IN_CELL: u64 = 1;
/// The words before such data.
const WORDS_BEFORE: usize = 3;
/// The largest data that [`embed`] takes, in bytes.
const LARGEST_EMBEDDED: usize = 128;

/// The sharing rule of its box; `None` if it has no box.
pub fn sharing(v: Value) -> Option<Sharing> {
    // SAFETY: the box lives as long as the cell, which the variable keeps alive; only the holder of the global lock
    // uses it, and the reference ends here.
    has_box(v).then(|| unsafe { pointer(v.cell()).map_or(Sharing::Never, |data| (*data).sharing()) })
}

/// A new cell of class `of` that takes over the box of `v`, which then has none.
pub fn take_box(cx: &mut Mem, v: Value, of: Value) -> Option<Value> {
    if !has_box(v) {
        return None;
    }
    // SAFETY: it is a cell with a native box, which has three words.
    let (data, is_embedded) = unsafe {
        if is_pinned(v.cell()) {
            return None;
        }
        (pointer(v.cell())?, cell::raw(v, 1) == IN_CELL)
    };
    // SAFETY: the box lives as long as the cell, which the variable keeps alive.
    let bytes = if is_embedded { unsafe { size_of_val(&*data) } } else { 0 };
    let header = Header::new(cell::header(v).ty(), class::root_shape(of), 0);
    let made = cx.allocate(WORDS_BEFORE * 8 + bytes, header);
    if is_embedded {
        for word in 1..WORDS_BEFORE + bytes.div_ceil(8) {
            // SAFETY: both cells have these words; `remember` below is the barrier for what the data refers to.
            unsafe { cell::set_raw(made, word, cell::raw(v, word)) };
        }
    } else {
        // SAFETY: the cell was allocated just now.
        unsafe { set_box(made, data) };
    }
    // SAFETY: the cell has three words; from here on it has no box.
    unsafe {
        cell::set_raw(v, 1, 0);
        cell::set_raw(v, 2, 0);
    }
    if !is_embedded {
        cx.register_native(made).unwrap_or_else(|exhausted| std::panic::resume_unwind(Box::new(exhausted)));
    }
    cx.remember(made);
    Some(made)
}

/// An object of class `of` with `data` in its cell. The data owns no memory, so it needs no box and is never dropped.
pub fn embed<T: NativeData>(cx: &mut Mem, of: Value, data: T) -> Value {
    const { assert!(!std::mem::needs_drop::<T>() && size_of::<T>() <= LARGEST_EMBEDDED && align_of::<T>() <= 8) };
    // The data's references are on this thread's stack meanwhile.
    let v = cx.allocate(WORDS_BEFORE * 8 + size_of::<T>(), Header::new(box_type(of), class::root_shape(of), 0));
    // SAFETY: the cell is new and has three words and the size of the data, which is aligned to a word at most.
    unsafe {
        cell::set_raw(v, 1, IN_CELL);
        cell::set_raw(v, 2, T::vtable_of_type());
        v.cell().add(WORDS_BEFORE).cast::<T>().write(data);
    }
    cx.remember(v);
    v
}

/// Whether the data of a cell with a native box is in the cell itself, from [`embed`].
///
/// # Safety
/// It is a cell with a native box.
#[inline(always)]
pub unsafe fn is_in_cell(v: Value) -> bool {
    // SAFETY: the caller's promise: such a cell has three words.
    unsafe { cell::raw(v, 1) == IN_CELL }
}

/// Replaces the data of an object from [`embed`] by a box. [`put_back`] undoes it. `is_registered`: it had a box
/// before; an object is registered only once, because its box is dropped once for each time.
pub fn replace_by_box(cx: &mut Mem, v: Value, data: Box<dyn NativeData>, is_registered: bool) {
    // SAFETY: the first condition holds for all objects with such data.
    assert!(has_box(v) && unsafe { is_in_cell(v) }, "the object's data is not in its cell");
    if !is_registered {
        cx.register_native(v).unwrap_or_else(|exhausted| std::panic::resume_unwind(Box::new(exhausted)));
    }
    // SAFETY: it is a cell with a native box, which was not on the heap so far.
    unsafe { set_box(v, Box::into_raw(data)) };
    cx.remember(v);
}

/// Drops the box that [`replace_by_box`] gave to an object that [`embed`] made with a `T`, which is its data again.
/// The object stays registered.
///
/// # Safety
/// The object was made so, and nothing refers to the box.
pub unsafe fn put_back<T: NativeData>(cx: &mut Mem, v: Value) {
    // SAFETY: the caller's promises. The words of the data after these two were not changed meanwhile.
    unsafe {
        drop_box(v.cell());
        cell::set_raw(v, 1, IN_CELL);
        cell::set_raw(v, 2, T::vtable_of_type());
    }
    cx.remember(v);
}

/// An object of class `of` with `data` in its cell, which never moves; the data is dropped when the object dies. `more`
/// zeroed bytes follow the data.
pub fn embed_pinned<T: NativeData>(cx: &mut Mem, of: Value, data: T, more: usize) -> Value {
    const { assert!(size_of::<T>() <= LARGEST_EMBEDDED && size_of::<T>().is_multiple_of(8) && align_of::<T>() <= 8) };
    assert!(more <= LARGEST_EMBEDDED, "data that is too large for a cell");
    let header = Header::new(box_type(of), class::root_shape(of), 0).with(abi::Flags::ADDRESS_TAKEN);
    // The data's references are on this thread's stack meanwhile.
    let v = cx.allocate(WORDS_BEFORE * 8 + size_of::<T>() + more, header);
    let target = v.cell().wrapping_add(WORDS_BEFORE);
    // SAFETY: the cell is new and has three words, the size of the data, which is aligned to a word at most, and the
    // bytes after it.
    unsafe {
        cell::set_raw(v, 1, target as u64);
        cell::set_raw(v, 2, T::vtable_of_type());
        target.cast::<T>().write(data);
        target.cast::<T>().add(1).cast::<u8>().write_bytes(0, more);
    }
    cx.register_embedded(v).unwrap_or_else(|exhausted| {
        // Nothing drops the data, because the cell is not registered. Its references are traced as long as the cell
        // lives.
        std::panic::resume_unwind(Box::new(exhausted))
    });
    cx.remember(v);
    v
}

/// The object that [`embed_pinned`] put this data into.
pub fn pinned_around<T: NativeData>(data: &T) -> Value {
    Value::from_cell(std::ptr::from_ref(data).cast::<u64>().wrapping_sub(WORDS_BEFORE).cast_mut())
}

/// The type of the cells of a class whose instances have boxes.
fn box_type(of: Value) -> Type {
    let ty = class::instances(of);
    if matches!(ty, Type::Object | Type::Internal) { Type::Native } else { ty }
}

/// An object of class `of` with `data`, which is dropped when the object dies.
pub fn new(cx: &mut Mem, of: Value, data: Box<dyn NativeData>) -> Value {
    let shape = class::root_shape(of);
    let held = data.held_outside();
    let data = Box::into_raw(data);
    cx.pending = Some(data);
    let v = cx.allocate(WORDS_BEFORE * 8, Header::new(box_type(of), shape, 0));
    cx.pending = None;
    // SAFETY: the cell was allocated just now.
    unsafe { set_box(v, data) };
    cx.register_native(v).unwrap_or_else(|exhausted| std::panic::resume_unwind(Box::new(exhausted)));
    cx.remember(v);
    if held > 0 {
        cx.holds_outside(held);
    }
    v
}

/// # Safety
/// The cell is made for a native box, and has none yet.
unsafe fn set_box(v: Value, data: *mut dyn NativeData) {
    // SAFETY: such a cell has three words; native pointers are not references to objects. The data is a valid box.
    unsafe {
        cell::set_raw(v, 1, data.cast::<u8>() as u64);
        cell::set_raw(v, 2, (*data).vtable());
    }
}

/// # Safety
/// It is a cell with a native box.
#[inline]
unsafe fn pointer(cell: *const u64) -> Option<*mut dyn NativeData> {
    // SAFETY: the two words are those of `set_box` or of `embed`.
    unsafe {
        let data = match *cell.add(1) {
            0 => return None,
            IN_CELL => cell.add(WORDS_BEFORE) as u64,
            data => data,
        };
        Some(std::mem::transmute::<[u64; 2], *mut dyn NativeData>([data, *cell.add(2)]))
    }
}

/// Whether it is the cell of an object from [`embed_pinned`].
///
/// # Safety
/// It is a cell with a native box.
#[inline]
unsafe fn is_pinned(cell: *const u64) -> bool {
    // SAFETY: a cell with a native box has three words.
    unsafe { *cell.add(1) == cell.add(WORDS_BEFORE) as u64 }
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
    // SAFETY: it is a cell with a native box.
    let data = unsafe { pointer(v.cell()) }?;
    // SAFETY: a cell with a native box has three words.
    let is_one = unsafe { cell::raw(v, 2) } == T::vtable_of_type();
    // SAFETY: the box lives as long as the cell; the reference ends here.
    debug_assert_eq!(is_one, unsafe { (&*data as &dyn Any).is::<T>() }, "a vtable tells the type of a box");
    is_one.then_some(data.cast())
}

/// The bytes of the box and of the native memory it owns.
pub fn memsize(v: Value) -> usize {
    if !has_box(v) {
        return 0;
    }
    // SAFETY: the box lives as long as the cell, which the variable keeps alive; only the holder of the global lock
    // uses it, and the reference ends here.
    unsafe {
        let Some(data) = pointer(v.cell()) else { return 0 };
        let is_embedded = cell::raw(v, 1) == IN_CELL || is_pinned(v.cell());
        (*data).memsize() + if is_embedded { 0 } else { size_of_val(&*data) }
    }
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
    if has_box(v) { unsafe { pointer(v.cell()).map_or("", |data| (*data).type_name()) } } else { "" }
}

/// # Safety
/// `cell` is a live cell with a native box.
pub unsafe fn trace(cell: *mut u64, marker: &mut Marker) {
    // SAFETY: the box lives as long as the cell; nothing else uses it during a collection.
    unsafe {
        if let Some(data) = pointer(cell) {
            (*data).trace(marker);
            marker.holds_outside((*data).held_outside());
        }
    }
}

/// # Safety
/// `cell` is a cell with a native box that was not dropped.
pub unsafe fn held_outside(cell: *mut u64) -> usize {
    // SAFETY: the box lives as long as the cell; nothing else uses it during a collection.
    unsafe { pointer(cell).map_or(0, |data| (*data).held_outside()) }
}

/// # Safety
/// `cell` is a cell with a native box that just died.
pub unsafe fn drop_box(cell: *mut u64) {
    // SAFETY: the cell has three words.
    if unsafe { *cell.add(1) } == IN_CELL {
        return;
    }
    // SAFETY: the box was made by `new` from a Box, or written to the cell; the cell is dead, so this is the last use.
    unsafe {
        if let Some(data) = pointer(cell) {
            if is_pinned(cell) {
                std::ptr::drop_in_place(data);
            } else {
                drop(Box::from_raw(data));
            }
            *cell.add(1) = 0;
        }
    }
}
