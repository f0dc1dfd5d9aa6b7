//! Inline caches.

use std::cell::{Cell, UnsafeCell};

use abi::Value;
use bytecode::CallFlags;
use heap::{Marker, Trace, WeakSlot};
use object::{
    Mem, Sym, cell,
    class::{
        call_cache::{CacheRef, WeakRef},
        constant_watch::{NEVER, Watch},
    },
};

use super::names::intern;

/// A place in the code that calls a method.
///
/// The cache is polymorphic. With one entry, that is `first`, which the dispatch loop compares. With more, all of them
/// are in a cell beside it, where their hits are counted, until one has been found often: that one becomes `first`.
///
/// A fifth shape takes the place of an entry that is no longer found, such as that of the first objects of a class,
/// which had room for fewer variables: each miss reduces all counts by one, and an entry without hits is replaced (J.
/// Misra and D. Gries, "Finding Repeated Elements", 1982). After many misses the site stays as it is, and the entries
/// for further shapes are found in the table of recent entries or in the class.
#[derive(Trace)]
#[repr(C)]
pub struct CallSite {
    first: WeakRef,
    several: UnsafeCell<Option<Box<Several>>>,
    pub arguments: u16,
    /// The bits of [`bytecode::CallInfo`]. In code for calls with lent arguments they include the lent parameters.
    pub literal_arguments: u16,
    #[trace(skip)]
    pub flags: CallFlags,
    pub depth: u16,
    /// The child with the literal block, or u32::MAX.
    pub block: u32,
    /// Those of `literal_arguments` that are parameters, which may have been lent to the method.
    pub lent_parameters: u16,
    pub name: Sym,
    keywords: Option<Box<Box<[Sym]>>>,
}

/// The entries of a polymorphic cache.
#[derive(Trace)]
struct Several {
    /// The shapes that the entries were put there for, so that a search reads no entry but the one it finds. The entry
    /// may have become invalid since.
    shapes: Cell<[u32; PLACES]>,
    entries: [WeakRef; PLACES],
    /// How often each was found, and the number of misses.
    counts: Cell<u64>,
}

const PLACES: usize = 4;
/// The bits of a count.
const COUNT_BITS: usize = 10;
/// The value at which a count stops. An entry with this count was found often.
const OFTEN: u64 = 1000;
/// The lowest bit of the number of misses while all places were taken, and the number at which it stops.
const MISSES: usize = COUNT_BITS * PLACES;
const MANY_MISSES: u64 = 255;
/// So many misses are expected of a site with few shapes.
const FEW_MISSES: u64 = 16;

/// 1 as a count of the entry in a place.
const fn one(place: usize) -> u64 {
    1 << (COUNT_BITS * place)
}

impl Several {
    fn count(&self, place: usize) -> u64 {
        self.counts.get() >> (COUNT_BITS * place) & ((1 << COUNT_BITS) - 1)
    }

    /// The place of the entry for this shape.
    #[inline]
    fn find(&self, shape: u32) -> Option<usize> {
        let shapes = self.shapes.get();
        (0..PLACES).find(|place| shapes[*place] == shape && self.entries[*place].get().matches(shape))
    }

    fn set(&self, place: usize, cache: CacheRef) {
        let mut shapes = self.shapes.get();
        shapes[place] = cache.shape().unwrap_or(u32::MAX);
        self.shapes.set(shapes);
        self.entries[place].set(cache);
    }

    fn is_full(&self) -> bool {
        self.entries.iter().all(|entry| entry.get().shape().is_some())
    }

    /// Puts an entry into a place that has no valid one.
    fn put(&self, cache: CacheRef) {
        let Some(place) = self.entries.iter().position(|entry| entry.get().shape().is_none()) else { return };
        self.set(place, cache);
        self.counts.set(self.counts.get() - self.count(place) * one(place));
    }
}

impl CallSite {
    pub fn new(mem: &mut Mem, call: &bytecode::CallInfo) -> CallSite {
        let keywords: Box<[Sym]> = call.keywords.iter().map(|k| intern(mem, k)).collect();
        CallSite {
            name: intern(mem, &call.name),
            arguments: call.arguments,
            flags: call.flags,
            depth: call.depth,
            literal_arguments: call.literal_arguments,
            lent_parameters: 0,
            block: call.block.unwrap_or(u32::MAX),
            keywords: (!keywords.is_empty()).then(|| Box::new(keywords)),
            first: WeakRef::empty(),
            several: UnsafeCell::new(None),
        }
    }

    /// Names of the keywords whose values follow the positional arguments.
    pub fn keywords(&self) -> &[Sym] {
        self.keywords.as_deref().map_or(&[], |names| names)
    }

    pub fn block_child(&self) -> Option<usize> {
        (self.block != u32::MAX).then_some(self.block as usize)
    }

    /// The first entry if it is for this shape.
    #[inline(always)]
    pub fn first(&self, shape: u32) -> Option<CacheRef> {
        Some(self.first.get()).filter(|first| first.matches(shape))
    }

    /// The entry for this shape.
    #[inline]
    pub fn find(&self, shape: u32) -> Option<CacheRef> {
        self.first(shape).or_else(|| Some(self.find_among_several(shape)?.0))
    }

    #[inline]
    fn several(&self) -> Option<&Several> {
        // SAFETY: `add` makes the box and `forget_shapes` drops it, under the global lock; neither runs while another
        // function of this type uses a reference to it.
        unsafe { (*self.several.get()).as_deref() }
    }

    /// The number of misses while all places were taken, if there are several entries.
    fn misses(&self) -> u64 {
        self.several().map_or(0, |several| several.counts.get() >> MISSES)
    }

    /// Whether the site has seen more shapes than its cache has places.
    #[inline]
    pub fn has_more(&self) -> bool {
        self.misses() == MANY_MISSES
    }

    /// Whether the site has probably seen all of its shapes.
    pub fn has_settled(&self) -> bool {
        self.misses() < FEW_MISSES
    }

    /// The entry for this shape among several, and whether it was found often.
    #[inline]
    pub fn find_among_several(&self, shape: u32) -> Option<(CacheRef, bool)> {
        let several = self.several()?;
        let place = several.find(shape)?;
        let is_frequent = several.count(place) == OFTEN;
        if !is_frequent {
            several.counts.set(several.counts.get() + one(place));
        }
        Some((several.entries[place].get(), is_frequent))
    }

    /// Makes an entry that was found often the first one, if there is none. `own` is the cell of the site's code.
    pub fn prefer(&self, mem: &mut Mem, own: Value, cache: CacheRef) {
        if self.first.get().shape().is_none() {
            self.first.set(cache);
            mem.remember(own);
        }
    }

    /// Entries that are valid, most frequent first. They include dead ones until the clearing after a full collection
    /// has reached the site.
    pub fn entries(&self) -> impl Iterator<Item = CacheRef> {
        let mut entries = [CacheRef::EMPTY; PLACES];
        match self.several() {
            None => entries[0] = self.first.get(),
            Some(several) => {
                let mut places: [usize; PLACES] = std::array::from_fn(|place| place);
                places.sort_by_key(|place| std::cmp::Reverse(several.count(*place)));
                entries = places.map(|place| several.entries[place].get());
            }
        }
        entries.into_iter().filter(|cache| cache.shape().is_some())
    }

    /// Whether all places are taken by entries that are valid.
    pub fn is_full(&self) -> bool {
        self.several().is_some_and(Several::is_full)
    }

    /// Counts a miss of a site that is full and has seen few misses. The entry for the shape that was missed takes the
    /// place of one that has no hits left. `own` is the cell of the site's code.
    pub fn replace(&self, mem: &mut Mem, own: Value, cache: CacheRef) {
        let Some(several) = self.several() else { return };
        let mut counts = several.counts.get() + (1 << MISSES);
        match (0..PLACES).find(|place| several.count(*place) == 0) {
            Some(place) => {
                if several.entries[place].get() == self.first.get() {
                    self.first.set(CacheRef::EMPTY);
                }
                several.set(place, cache);
                mem.remember(own);
                counts += one(place);
            }
            None => counts -= (0..PLACES).map(one).sum::<u64>(),
        }
        several.counts.set(counts);
    }

    /// Adds an entry for a shape that has none; `own` is the cell of the code that the site belongs to. If valid
    /// entries take all places, the site stays as it is.
    pub fn add(&self, mem: &mut Mem, own: Value, cache: CacheRef) {
        let first = self.first.get();
        match self.several() {
            None if first.shape().is_none() => self.first.set(cache),
            None => {
                let several = Several {
                    shapes: Cell::new([u32::MAX; PLACES]),
                    entries: [const { WeakRef::empty() }; PLACES],
                    counts: Cell::new(0),
                };
                several.put(first);
                several.put(cache);
                self.first.set(CacheRef::EMPTY);
                // SAFETY: under the global lock; `several()` found no box, so there is no reference to it.
                unsafe { *self.several.get() = Some(Box::new(several)) };
            }
            Some(several) => several.put(cache),
        }
        mem.remember(own);
    }

    /// Empties the cache if it has a shape for which `gone` is true.
    pub fn forget_shapes(&self, gone: &dyn Fn(u32) -> bool) {
        let is_gone = |entry: &WeakRef| entry.get().shape().is_some_and(gone);
        if is_gone(&self.first) || self.several().is_some_and(|several| several.entries.iter().any(is_gone)) {
            self.first.set(CacheRef::EMPTY);
            // SAFETY: under the global lock; the reference to the box has ended.
            unsafe { *self.several.get() = None };
        }
    }

    /// Takes dead entries out, after a full collection.
    pub fn drop_dead(&self, alive: &dyn Fn(Value) -> bool) {
        self.first.drop_dead(alive);
        self.several().into_iter().flat_map(|several| &several.entries).for_each(|entry| entry.drop_dead(alive));
    }
}

/// What call sites compare: the shape that receivers of this kind have, immediates too.
#[inline(always)]
pub fn shape_key(v: Value) -> u32 {
    if v.is_heap() { (cell::header(v).0 >> 32) as u32 } else { object::class::immediate_class(v) as u32 }
}

/// A place that reads or sets an instance variable of self.
#[derive(Trace)]
pub struct IvarSite {
    pub name: Sym,
    /// Shape that was seen to have the variable and its [`IvarPlace`], packed: shape above, place in the lower 16 bits;
    /// u64::MAX when empty.
    pub known: Cell<u64>,
    /// At a site that sets: the shape before a new variable is added (u32::MAX when empty), the shape after, and the
    /// place of the variable. At a site that reads: a second shape and its place.
    pub add_from: Cell<u32>,
    pub add_to: Cell<u32>,
    #[trace(skip)]
    pub add_place: Cell<IvarPlace>,
}

/// Where objects of a shape have a variable. The lower byte is a word of the object (the first after the header is 1),
/// the upper one 0 or the word of the Fields cell that the object's word refers to. A lower byte of 0 stands for a
/// Fields cell beside the object (`object::attachment`): the variables of classes and Strings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct IvarPlace(pub u16);

impl IvarPlace {
    pub const fn inline(word: u16) -> IvarPlace {
        IvarPlace(word)
    }

    pub const fn overflow(holder: u16, word: u16) -> IvarPlace {
        IvarPlace(word << 8 | holder)
    }

    pub const fn beside(word: u16) -> IvarPlace {
        IvarPlace(word << 8)
    }

    /// The word of the object that has the value, or refers to the cell that has it; 0 where that is beside the object.
    #[inline(always)]
    pub const fn holder(self) -> usize {
        (self.0 & 0xff) as usize
    }

    /// The word of the Fields cell; 0 where the object has the value itself.
    #[inline(always)]
    pub const fn word(self) -> usize {
        (self.0 >> 8) as usize
    }
}

impl IvarSite {
    pub fn new(name: Sym) -> IvarSite {
        IvarSite {
            name,
            known: Cell::new(u64::MAX),
            add_from: Cell::new(u32::MAX),
            add_to: Cell::new(0),
            add_place: Cell::new(IvarPlace(0)),
        }
    }

    /// Empties the cache if it has a shape for which `gone` is true.
    pub fn forget_shapes(&self, gone: &dyn Fn(u32) -> bool) {
        let known = self.known.get();
        if known != u64::MAX && gone((known >> 16) as u32) {
            self.known.set(u64::MAX);
        }
        let from = self.add_from.get();
        if from != u32::MAX && (gone(from) || gone(self.add_to.get())) {
            self.add_from.set(u32::MAX);
        }
    }
}

/// A place that reads a constant, or reads or sets a class variable.
#[derive(Trace)]
pub struct ConstantSite {
    pub name: Sym,
    /// The constant's value, or the module that has the class variable. While the version is right, it is reachable
    /// from `scope`.
    value: WeakSlot,
    /// The lexical scope, or the module of `A::B`, for which it was found.
    scope: WeakSlot,
    /// The watch of the name, and its version when `value` was found.
    watch: Cell<&'static Watch>,
    version: Cell<u32>,
    /// The number of the class variable's slot.
    slot: Cell<u32>,
}

impl ConstantSite {
    pub fn new(name: Sym) -> ConstantSite {
        ConstantSite {
            name,
            value: WeakSlot::new(Value::UNDEF),
            scope: WeakSlot::new(Value::UNDEF),
            watch: Cell::new(Watch::unwatched()),
            version: Cell::new(NEVER),
            slot: Cell::new(0),
        }
    }

    /// The value in this scope, if it is known and still right.
    #[inline(always)]
    pub fn cached(&self, scope: Value) -> Option<Value> {
        let known = self.version.get() == self.watch.get().version() && self.scope.get() == scope;
        known.then(|| self.value.get())
    }

    /// The value and the scope for which it was found, if the value is still right.
    pub fn known(&self, mem: &Mem) -> Option<(Value, Value)> {
        let is_right = self.version.get() == self.watch.get().version();
        is_right.then(|| (self.value.get(), self.scope.get())).filter(|(_, scope)| mem.is_alive(*scope))
    }

    /// The watch of the name, and the version that makes the value right.
    pub fn watched(&self) -> (&'static Watch, u32) {
        (self.watch.get(), self.version.get())
    }

    /// Keeps the value for a scope. `own` is the cell of the code that the site belongs to.
    pub fn fill(&self, mem: &mut Mem, own: Value, scope: Value, value: Value) {
        let watch = mem.world_mut().constant_watches.watch(self.name);
        self.watch.set(watch);
        self.version.set(watch.version());
        self.value.set(value);
        self.scope.set(scope);
        mem.remember(own);
    }

    /// Empties the cache if its scope or value is dead, after a full collection.
    pub fn drop_dead(&self, alive: &dyn Fn(Value) -> bool) {
        if !alive(self.scope.get()) || !alive(self.value.get()) {
            self.version.set(NEVER);
            self.scope.set(Value::UNDEF);
            self.value.set(Value::UNDEF);
        }
    }

    /// The number of the class variable's slot, once the site was filled.
    #[inline(always)]
    pub fn slot(&self) -> u32 {
        self.slot.get()
    }

    pub fn set_slot(&self, slot: u32) {
        self.slot.set(slot);
    }
}

/// Where `case` jumps for literals.
pub struct JumpTable {
    pub literal: usize,
    /// Small integers, symbols and interned strings with the word to go to.
    pub targets: rustc_hash::FxHashMap<JumpKey, u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct JumpKey(pub Value);

/// Written by hand, because the keys are addresses.
impl Trace for JumpTable {
    fn trace(&mut self, marker: &mut Marker) {
        let mut moved = Vec::new();
        for (key, to) in &self.targets {
            let mut now = *key;
            now.0.trace(marker);
            if now != *key {
                moved.push((*key, now, *to));
            }
        }
        // One key's new address may be another's old one: all moved keys are removed before any is inserted again.
        for (former, ..) in &moved {
            self.targets.remove(former);
        }
        for (_, now, to) in moved {
            self.targets.insert(now, to);
        }
    }
}

/// The `Once` bodies that were run or are running, by the bodies' numbers.
#[derive(Default, Trace)]
pub struct OnceValues {
    /// The values of those that were run.
    pub values: Vec<(u32, OnceValue)>,
    /// The threads that run the others.
    pub running: Vec<(u32, OnceValue)>,
}

/// The value of a `Once` body that was run, or the thread that runs it.
#[derive(Trace)]
pub struct OnceValue(pub Value);
