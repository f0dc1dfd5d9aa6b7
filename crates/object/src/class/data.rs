//! The data of a class or module, in a native box.
//!
//! ```text
//! cell: header | pointer to ClassData
//! ```
//! Values in it are traced with the cell; every store must be followed by `data_changed` (class_data_mut does it).

use std::collections::HashMap;

use abi::{ShapeId, Type, Value};
use heap::{Marker, Trace};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use super::{call_cache::Lookup, constants::Constant};
use crate::{Mem, Sym, cell};

pub type SymMap<T> = IndexMap<Sym, T, FxBuildHasher>;

#[derive(Clone, Copy, Default)]
pub struct ClassFlags {
    pub singleton: bool,
    /// A Refinement module.
    pub refinement: bool,
    /// Instances cannot be allocated (Integer, Symbol, …).
    pub no_allocator: bool,
    /// A copy that has a superclass, but not the methods and constants of its original yet.
    pub being_copied: bool,
    /// Whether instances have Kernel's `hash` and `eql?`, so that two keys are equal only if they are identical. `None`
    /// until it is looked up.
    pub are_keys_by_identity: Option<bool>,
    /// The number of uncached lookups made so far for calls on the object of a singleton class, see
    /// [`lookup::find_uncached`](super::lookup::find_uncached).
    pub uncached_lookups: u8,
}

/// A method of a table; undefined ones are entries of kind Undefined.
#[derive(Clone, Copy, Trace)]
pub struct MethodSlot(pub Value);

/// A module's method entry, and the copy of it for a segment.
#[derive(Clone, Copy, Trace)]
pub struct Complement {
    name: Sym,
    of: Value,
    copy: Value,
}

/// The copies of a class in the order of their names' words, which never change. A class that was made for one object
/// has one or two: a map would be larger than everything else in it.
#[derive(Default, Trace)]
pub struct Complements(Vec<Complement>);

impl Complements {
    fn first_of(&self, name: Sym) -> usize {
        self.0.partition_point(|known| known.name.value().0 < name.value().0)
    }

    pub fn get(&self, name: Sym, of: Value) -> Option<Value> {
        let known = self.0[self.first_of(name)..].iter().take_while(|known| known.name == name);
        known.into_iter().find(|known| known.of == of).map(|known| known.copy)
    }

    pub fn insert(&mut self, name: Sym, of: Value, copy: Value) {
        let at = self.first_of(name);
        if self.0.is_empty() {
            self.0.reserve_exact(1);
        }
        self.0.insert(at, Complement { name, of, copy });
    }

    pub fn remove(&mut self, name: Sym) {
        self.0.retain(|known| known.name != name);
    }

    fn memsize(&self) -> usize {
        size_of::<Complements>() + self.0.capacity() * size_of::<Complement>()
    }
}

/// What `super` calls in a method that was found in a module of the segment.
#[derive(Clone, Trace)]
pub struct SuperLookup {
    pub owner: Value,
    pub lookup: Lookup,
}

/// One entry of the ancestors: the class itself or a module included in or prepended to it.
#[derive(Clone, Copy, PartialEq, Eq, Trace)]
pub struct Ancestor(pub Value);

/// Most segments contain only the class itself, and need no memory of their own.
pub type Segment = SmallVec<[Ancestor; 2]>;

#[derive(Trace)]
pub struct ClassData {
    /// The superclass; nil for BasicObject and modules.
    pub superclass: Value,
    /// The class's own part of the ancestors: prepended modules, the class itself, included modules.
    #[trace(with = trace_segment)]
    pub segment: Segment,
    methods: Option<Box<SymMap<MethodSlot>>>,
    constants: Option<Box<SymMap<Constant>>>,
    rare: Option<Box<Rare>>,
    /// Copies of entries found in modules of the segment. They record where they were found, for `super`.
    pub complements: Option<Box<Complements>>,
    /// Lookups of `super` that began in this class's segment, by the method's name.
    pub supers: Option<Box<HashMap<Sym, Vec<SuperLookup>, FxBuildHasher>>>,
    /// Lookups that went through this class.
    pub cache: HashMap<Sym, Lookup, FxBuildHasher>,
    /// Full name once it has one ("A::B"), an interned String or nil; `temporary` until it is reachable from Object.
    pub name: Value,
    pub temporary_name: bool,
    pub lexical_parent: Value,
    /// The object that a singleton class belongs to.
    pub attached: Value,
    /// Subclasses, weak: the shape table removes dead ones.
    #[trace(with = trace_subclasses)]
    subclasses: Option<Box<Subclasses>>,
    #[trace(skip)]
    pub instances: Type,
    /// The shape that new instances get.
    #[trace(skip)]
    pub root_shape: ShapeId,
    /// The method that `new` calls on instances; undef until it is looked up.
    pub initializer: MethodSlot,
    /// The native `allocate` that creates instances, own or inherited; undef for plain objects. Looked up together with
    /// `initializer`.
    pub allocator: MethodSlot,
    /// The native `allocate` of this core class itself: redefining the method in Ruby does not change how instances are
    /// created.
    pub own_allocator: MethodSlot,
    /// The largest number of instance variables seen in an instance.
    pub most_fields: u16,
    #[trace(skip)]
    pub flags: ClassFlags,
    /// Its instance variables, a Fields cell or a Hash (see `shape::ivars`), or nil.
    pub variables: Value,
}

/// Subclasses, in a box: most classes have none.
#[derive(Default)]
struct Subclasses(Vec<Ancestor>);

/// The parts that most classes lack, made when something is stored in one of them.
#[derive(Trace)]
pub struct Rare {
    pub(super) class_variables: SymMap<MethodSlot>,
    /// Classes and modules whose segments contain this module. Weak: the shape table removes dead ones.
    #[trace(with = trace_weak)]
    pub includers: Vec<Ancestor>,
    /// The refined class, and the refining module.
    pub refined: Value,
    pub refinement_owner: Value,
    /// Refinements that `refine` made in this module: (class, refinement).
    pub refinements: Vec<(Ancestor, Ancestor)>,
    /// The core's own methods that a program has replaced or removed.
    pub core_methods: SymMap<MethodSlot>,
}

impl Rare {
    const EMPTY: Rare = Rare {
        class_variables: SymMap::with_hasher(FxBuildHasher),
        includers: Vec::new(),
        refined: Value::NIL,
        refinement_owner: Value::NIL,
        refinements: Vec::new(),
        core_methods: SymMap::with_hasher(FxBuildHasher),
    };

    /// The number of bytes outside of the heap.
    fn memsize(&self) -> usize {
        size_of::<Rare>()
            + table_size::<MethodSlot>(self.class_variables.capacity())
            + self.includers.capacity() * size_of::<Ancestor>()
            + self.refinements.capacity() * size_of::<(Ancestor, Ancestor)>()
            + table_size::<MethodSlot>(self.core_methods.capacity())
    }
}

impl ClassData {
    pub fn new(instances: Type) -> ClassData {
        ClassData {
            superclass: Value::NIL,
            segment: Segment::new(),
            methods: None,
            constants: None,
            rare: None,
            complements: None,
            supers: None,
            cache: Default::default(),
            name: Value::NIL,
            temporary_name: false,
            lexical_parent: Value::NIL,
            attached: Value::NIL,
            subclasses: None,
            instances,
            root_shape: ShapeId(0),
            initializer: MethodSlot(Value::UNDEF),
            allocator: MethodSlot(Value::UNDEF),
            own_allocator: MethodSlot(Value::UNDEF),
            most_fields: 0,
            flags: ClassFlags::default(),
            variables: Value::NIL,
        }
    }

    /// The number of bytes outside of the heap.
    pub fn memsize(&self) -> usize {
        size_of::<ClassData>()
            + self.subclasses.as_ref().map_or(0, |all| size_of_val(&**all) + all.0.capacity() * size_of::<Ancestor>())
            + if self.segment.spilled() { self.segment.capacity() * size_of::<Ancestor>() } else { 0 }
            + self.methods.as_ref().map_or(0, |all| size_of_val(&**all) + table_size::<MethodSlot>(all.capacity()))
            + self.constants.as_ref().map_or(0, |all| size_of_val(&**all) + table_size::<Constant>(all.capacity()))
            + self.cache.capacity() * (size_of::<(Sym, Lookup)>() + 1)
            + self
                .supers
                .as_ref()
                .map_or(0, |all| size_of_val(&**all) + all.capacity() * (size_of::<(Sym, Vec<SuperLookup>)>() + 1))
            + self.rare.as_ref().map_or(0, |rare| rare.memsize())
            + self.complements.as_ref().map_or(0, |all| all.memsize())
    }

    #[inline]
    pub fn methods(&self) -> &SymMap<MethodSlot> {
        static NONE: SymMap<MethodSlot> = SymMap::with_hasher(FxBuildHasher);
        self.methods.as_deref().unwrap_or(&NONE)
    }

    /// The methods, for storing or removing one.
    pub fn methods_mut(&mut self) -> &mut SymMap<MethodSlot> {
        self.methods.get_or_insert_default()
    }

    #[inline]
    pub fn subclasses(&self) -> &[Ancestor] {
        self.subclasses.as_ref().map_or(&[], |all| &all.0)
    }

    pub fn add_subclass(&mut self, below: Value) {
        self.subclasses.get_or_insert_default().0.push(Ancestor(below));
    }

    pub fn remove_subclass(&mut self, below: Value) {
        if let Some(subclasses) = &mut self.subclasses {
            subclasses.0.retain(|known| known.0 != below);
        }
    }

    #[inline]
    pub fn constants(&self) -> &SymMap<Constant> {
        static NONE: SymMap<Constant> = SymMap::with_hasher(FxBuildHasher);
        self.constants.as_deref().unwrap_or(&NONE)
    }

    /// The constants, for storing one.
    pub fn constants_mut(&mut self) -> &mut SymMap<Constant> {
        self.constants.get_or_insert_default()
    }

    #[inline]
    pub fn rare(&self) -> &Rare {
        static NONE: Rare = Rare::EMPTY;
        self.rare.as_deref().unwrap_or(&NONE)
    }

    /// The rare parts, for storing something in them.
    pub fn rare_mut(&mut self) -> &mut Rare {
        self.rare.get_or_insert_with(|| Box::new(Rare::EMPTY))
    }

    /// The rare parts, for removing something from them.
    #[inline]
    pub fn existing_rare(&mut self) -> Option<&mut Rare> {
        self.rare.as_deref_mut()
    }
}

fn trace_segment(segment: &mut Segment, marker: &mut Marker) {
    segment.as_mut_slice().trace(marker);
}

/// Visits references that do not keep objects alive: only a compaction updates them.
fn trace_weak(list: &mut Vec<Ancestor>, marker: &mut Marker) {
    if marker.purpose() == heap::Purpose::Update {
        list.trace(marker);
    }
}

fn trace_subclasses(list: &mut Option<Box<Subclasses>>, marker: &mut Marker) {
    if let Some(list) = list {
        trace_weak(&mut list.0, marker);
    }
}

/// The number of bytes of an ordered table with this capacity.
fn table_size<T>(capacity: usize) -> usize {
    capacity * (size_of::<(u64, Sym, T)>() + size_of::<usize>() + 1)
}

/// The tables of a class or module, borrowed from the context, so that no class changes during the borrow. Panics for
/// other values.
///
/// ```compile_fail,E0502
/// fn changed_meanwhile(cx: &mut object::Mem, class: abi::Value) -> usize {
///     let data = object::class::class_data(cx, class);
///     object::class::class_data_mut(cx, class).methods_mut().clear();
///     data.methods().len()
/// }
/// ```
///
/// ```compile_fail
/// fn kept(cx: &object::Mem, class: abi::Value) -> &'static object::class::ClassData {
///     object::class::class_data(cx, class)
/// }
/// ```
#[inline(always)]
pub fn class_data(_: &Mem, class: Value) -> &ClassData {
    assert!(super::is_module(class), "{class:?} is no class");
    // SAFETY: it is a class, and freeing or changing its data needs the context, which is borrowed.
    unsafe { live_data(class) }
}

/// The tables of a class, for code without a context to borrow.
///
/// # Safety
/// `class` is a class or module, which stays alive and unchanged as long as the reference exists.
#[inline(always)]
pub unsafe fn live_data<'a>(class: Value) -> &'a ClassData {
    debug_assert!(super::is_module(class), "{class:?} is no class");
    // SAFETY: word 1 of a class's cell is the pointer to its data, freed only when the cell dies.
    unsafe { &*(cell::raw(class, 1) as *const ClassData) }
}

/// A copy of a part of a class's data, which needs no context.
#[inline(always)]
fn part<T: Copy>(class: Value, of: fn(&ClassData) -> T) -> T {
    assert!(super::is_module(class), "{class:?} is no class");
    // SAFETY: it is a class; `of` is one of the closures below, which do not keep the reference.
    of(unsafe { live_data(class) })
}

/// The superclass, which may be a singleton class; nil for BasicObject and modules.
#[inline(always)]
pub fn superclass(class: Value) -> Value {
    part(class, |data| data.superclass)
}

#[inline(always)]
pub fn flags(class: Value) -> ClassFlags {
    part(class, |data| data.flags)
}

/// The object that a singleton class belongs to.
#[inline(always)]
pub fn attached(class: Value) -> Value {
    part(class, |data| data.attached)
}

/// The class that a refinement refines.
#[inline(always)]
pub fn refined(class: Value) -> Value {
    part(class, |data| data.rare().refined)
}

/// The native `allocate` of a core class itself, undef for other classes.
#[inline(always)]
pub fn own_allocator(class: Value) -> Value {
    part(class, |data| data.own_allocator.0)
}

/// The full name, an interned String, or nil.
#[inline(always)]
pub fn name(class: Value) -> Value {
    part(class, |data| data.name)
}

/// The shape that new instances get.
#[inline(always)]
pub fn root_shape(class: Value) -> ShapeId {
    part(class, |data| data.root_shape)
}

/// The type of the instances.
#[inline(always)]
pub fn instances(class: Value) -> Type {
    part(class, |data| data.instances)
}

/// The tables of a class or module for changes, borrowed from the context. The class is remembered, so that the
/// collector finds references stored in it.
///
/// ```compile_fail,E0499
/// fn allocating_meanwhile(cx: &mut object::Mem, class: abi::Value) {
///     let data = object::class::class_data_mut(cx, class);
///     let name = object::string::intern::intern_text(cx, "A");
///     data.name = name;
/// }
/// ```
#[inline]
pub fn class_data_mut(cx: &mut Mem, class: Value) -> &mut ClassData {
    debug_assert!(super::is_module(class), "{class:?} is no class");
    cx.remember(class);
    // SAFETY: word 1 of a class's cell is the pointer to its data, freed only when the cell dies; the context is
    // borrowed, so that nothing collects, and nothing that could take another reference runs.
    unsafe { &mut *(cell::raw(class, 1) as *mut ClassData) }
}

/// Removes dead entries from the weak lists of a live class or module. For the collector.
pub(crate) fn forget_dead(class: Value, alive: &dyn Fn(Value) -> bool) {
    // SAFETY: word 1 of the cell is the pointer to its data, which nothing else uses during a collection.
    let data = unsafe { &mut *(cell::raw(class, 1) as *mut ClassData) };
    if let Some(subclasses) = &mut data.subclasses {
        subclasses.0.retain(|below| alive(below.0));
    }
    if let Some(rare) = data.existing_rare() {
        rare.includers.retain(|includer| alive(includer.0));
    }
}

/// # Safety
/// `cell` is a live class or module.
pub unsafe fn trace(cell: *mut u64, marker: &mut Marker) {
    // SAFETY: by this function's contract `cell` is a class; word 1 points to its data.
    let data = unsafe { (*cell.add(1)) as *mut ClassData };
    if !data.is_null() {
        // SAFETY: the data lives as long as the cell, and nothing else uses it during a collection.
        let data = unsafe { &mut *data };
        data.trace(marker);
        marker.holds_outside(data.memsize() + SHAPE);
    }
}

/// What a class without anything in it holds outside of the heap.
pub const OUTSIDE: usize = size_of::<ClassData>() + SHAPE;

/// The shape of its instances, and its place in the lists of classes.
const SHAPE: usize = size_of::<crate::shape::table::Shape>() + 4 * size_of::<Value>();

/// The bytes that it holds outside of the heap.
///
/// # Safety
/// `cell` is a class or module that was not dropped.
pub unsafe fn held_outside(cell: *mut u64) -> usize {
    // SAFETY: by this function's contract `cell` is a class; word 1 points to its data.
    unsafe { (*cell.add(1) as *const ClassData).as_ref() }.map_or(0, |data| data.memsize() + SHAPE)
}

/// # Safety
/// `cell` is a class or module that just died.
pub unsafe fn drop_data(cell: *mut u64) {
    // SAFETY: the box was made by `make::allocate_class` and nobody else frees it.
    unsafe {
        let data = *cell.add(1) as *mut ClassData;
        if !data.is_null() {
            drop(Box::from_raw(data));
            *cell.add(1) = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_with_nothing_in_it_needs_no_tables() {
        let mut data = ClassData::new(Type::Object);
        data.segment.push(Ancestor(Value::NIL));
        let empty = data.memsize();
        assert_eq!(empty, size_of::<ClassData>());
        assert!(empty <= 184, "{empty}");
        assert!(data.constants().is_empty() && data.rare().class_variables.is_empty());
        assert_eq!(data.memsize(), empty);
        data.rare_mut().class_variables.insert(Sym::NONE, MethodSlot(Value::NIL));
        assert!(data.memsize() >= empty + size_of::<Rare>());
    }
}
