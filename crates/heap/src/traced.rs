//! [`Trace`]: native types that hold references to objects.

use std::cell::{Cell, RefCell, UnsafeCell};
use std::collections::{HashMap, VecDeque};
use std::hash::BuildHasher;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU8, AtomicU32, AtomicU64, AtomicUsize};

use abi::Value;
use indexmap::IndexMap;

use crate::Marker;

/// A type that shows its references to the collector. Derived: `#[derive(heap::Trace)]` traces each field, and a field
/// whose type does not implement the trait is an error:
///
/// ```compile_fail,E0277
/// struct Unknown;
/// #[derive(heap::Trace)]
/// struct Holder {
///     first: abi::Value,
///     second: Unknown,
/// }
/// ```
///
/// A reference cannot be left out without a reason:
///
/// ```compile_fail
/// #[derive(heap::Trace)]
/// struct Holder {
///     #[trace(skip)]
///     first: abi::Value,
/// }
/// ```
///
/// ```
/// #[derive(heap::Trace)]
/// enum Holder {
///     Nothing,
///     One(abi::Value),
///     Many { list: Vec<(abi::Value, u32)>, #[trace(skip)] at: std::time::Duration },
/// }
/// ```
///
/// The trait is implemented by hand only where addresses are keys, where references are weak, and for cells of the
/// heap.
pub trait Trace {
    /// Visits every reference in it; a compaction writes the new addresses into it.
    fn trace(&mut self, marker: &mut Marker);
}

impl Trace for Value {
    #[inline(always)]
    fn trace(&mut self, marker: &mut Marker) {
        // SAFETY: a mutable borrow is a valid slot.
        unsafe { marker.slot(self) };
    }
}

/// A slot whose reference keeps only a young object alive. A weak table drops the dead ones after a full collection.
pub struct WeakSlot(Cell<Value>);

impl WeakSlot {
    pub const fn new(v: Value) -> WeakSlot {
        WeakSlot(Cell::new(v))
    }

    #[inline(always)]
    pub fn get(&self) -> Value {
        self.0.get()
    }

    /// The cell that has the slot must be remembered.
    #[inline(always)]
    pub fn set(&self, v: Value) {
        self.0.set(v);
    }
}

/// Written by hand, because the reference is weak.
impl Trace for WeakSlot {
    #[inline(always)]
    fn trace(&mut self, marker: &mut Marker) {
        // SAFETY: a mutable borrow is a valid slot; the reference is dropped when its object has died.
        unsafe { marker.weak_slot(self.0.get_mut()) };
    }
}

/// A key of a map that compactions do not change.
pub trait FixedKey {}

macro_rules! without_references {
    ($($kind:ty),*) => {$(
        impl Trace for $kind {
            #[inline(always)]
            fn trace(&mut self, _: &mut Marker) {}
        }
    )*};
}

without_references!(
    (),
    bool,
    char,
    u8,
    u16,
    u32,
    u64,
    u128,
    usize,
    i8,
    i16,
    i32,
    i64,
    i128,
    isize,
    f32,
    f64,
    String,
    AtomicBool,
    AtomicI64,
    AtomicU8,
    AtomicU32,
    AtomicU64,
    AtomicUsize
);

macro_rules! fixed_keys {
    ($($kind:ty),*) => { $(impl FixedKey for $kind {})* };
}

fixed_keys!(u8, u16, u32, u64, usize, i8, i16, i32, i64, String);

/// A borrowed value is traced by its owner.
impl<T: ?Sized> Trace for &'static T {
    #[inline(always)]
    fn trace(&mut self, _: &mut Marker) {}
}

/// The target of a raw pointer is traced by its owner.
impl<T: ?Sized> Trace for *const T {
    #[inline(always)]
    fn trace(&mut self, _: &mut Marker) {}
}

impl<T: ?Sized> Trace for *mut T {
    #[inline(always)]
    fn trace(&mut self, _: &mut Marker) {}
}

impl<T: Trace> Trace for [T] {
    #[inline]
    fn trace(&mut self, marker: &mut Marker) {
        self.iter_mut().for_each(|each| each.trace(marker));
    }
}

impl<T: Trace, const N: usize> Trace for [T; N] {
    #[inline]
    fn trace(&mut self, marker: &mut Marker) {
        self.as_mut_slice().trace(marker);
    }
}

impl<T: Trace> Trace for Vec<T> {
    #[inline]
    fn trace(&mut self, marker: &mut Marker) {
        self.as_mut_slice().trace(marker);
    }
}

impl<T: Trace> Trace for VecDeque<T> {
    #[inline]
    fn trace(&mut self, marker: &mut Marker) {
        self.iter_mut().for_each(|each| each.trace(marker));
    }
}

impl<T: Trace + ?Sized> Trace for Box<T> {
    #[inline]
    fn trace(&mut self, marker: &mut Marker) {
        (**self).trace(marker);
    }
}

impl<T: Trace> Trace for Option<T> {
    #[inline]
    fn trace(&mut self, marker: &mut Marker) {
        if let Some(some) = self {
            some.trace(marker);
        }
    }
}

impl<T: Trace + Copy> Trace for Cell<T> {
    #[inline]
    fn trace(&mut self, marker: &mut Marker) {
        self.get_mut().trace(marker);
    }
}

impl<T: Trace> Trace for RefCell<T> {
    #[inline]
    fn trace(&mut self, marker: &mut Marker) {
        self.get_mut().trace(marker);
    }
}

impl<T: Trace> Trace for UnsafeCell<T> {
    #[inline]
    fn trace(&mut self, marker: &mut Marker) {
        self.get_mut().trace(marker);
    }
}

impl<K: FixedKey, V: Trace, S: BuildHasher> Trace for HashMap<K, V, S> {
    #[inline]
    fn trace(&mut self, marker: &mut Marker) {
        self.values_mut().for_each(|value| value.trace(marker));
    }
}

impl<K: FixedKey, V: Trace, S: BuildHasher> Trace for IndexMap<K, V, S> {
    #[inline]
    fn trace(&mut self, marker: &mut Marker) {
        self.values_mut().for_each(|value| value.trace(marker));
    }
}

macro_rules! tuples {
    ($(($($name:ident)*)),*) => {$(
        impl<$($name: Trace),*> Trace for ($($name,)*) {
            #[inline]
            #[allow(non_snake_case)]
            fn trace(&mut self, marker: &mut Marker) {
                let ($($name,)*) = self;
                $($name.trace(marker);)*
            }
        }
    )*};
}

tuples!((A B), (A B C), (A B C D));
