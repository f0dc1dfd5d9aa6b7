//! Inline caches.

use std::cell::Cell;

use abi::Value;
use bytecode::CallFlags;
use heap::{Marker, Trace};
use object::{
    Mem, Sym, cell,
    class::{
        call_cache::CacheRef,
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
pub struct CallSite {
    pub name: Sym,
    pub arguments: u16,
    #[trace(skip)]
    pub flags: CallFlags,
    pub depth: u16,
    /// The bits of [`bytecode::CallInfo`]. In code for calls with lent arguments they include the lent parameters.
    pub literal_arguments: u16,
    /// Those of `literal_arguments` that are parameters, which may have been lent to the method.
    pub lent_parameters: u16,
    /// The child with the literal block, or u32::MAX.
    pub block: u32,
    keywords: Option<Box<Box<[Sym]>>>,
    first: Cell<CacheRef>,
    /// Nil, or a cell of [`PLACES`] entries and how often each was found.
    several: Cell<Value>,
}

/// The words of the cell of several entries that hold the entries.
const PLACES: std::ops::Range<usize> = 1..5;
/// The word of that cell with a count for each place, above the tag of a fixnum, and the number of misses.
const COUNTS: usize = 5;
/// The bits of a count.
const COUNT_BITS: usize = 10;
/// The value at which a count stops. An entry with this count was found often.
const OFTEN: u64 = 1000;
/// The lowest bit of the number of misses while all places were taken, and the number at which it stops.
const MISSES: usize = 1 + COUNT_BITS * (PLACES.end - PLACES.start);
const MANY_MISSES: u64 = 255;
/// So many misses are expected of a site with few shapes.
const FEW_MISSES: u64 = 16;

/// The lowest bit of the count for the entry in this word.
const fn shift_of(word: usize) -> usize {
    1 + COUNT_BITS * (word - PLACES.start)
}

const fn count_of(counts: u64, word: usize) -> u64 {
    counts >> shift_of(word) & ((1 << COUNT_BITS) - 1)
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
            first: Cell::new(CacheRef::EMPTY),
            several: Cell::new(Value::NIL),
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

    /// The number of misses while all places were taken, if there are several entries.
    fn misses(&self) -> u64 {
        let several = self.several.get();
        if several.is_nil() {
            return 0;
        }
        // SAFETY: a cell of several entries has a word of counts, which is no reference.
        let counts = unsafe { cell::raw(several, COUNTS) };
        counts >> MISSES
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
        let several = self.several.get();
        if several.is_nil() {
            return None;
        }
        PLACES.into_iter().find_map(|word| {
            // SAFETY: a cell of several entries has these words.
            let cache = CacheRef::from_value(unsafe { cell::word(several, word) })?;
            if !cache.matches(shape) {
                return None;
            }
            // SAFETY: the cell has a word of counts, which is no reference.
            let counts = unsafe { cell::raw(several, COUNTS) };
            let is_frequent = count_of(counts, word) == OFTEN;
            if !is_frequent {
                // SAFETY: the word of counts is one of the cell's, and no reference.
                unsafe { cell::set_raw(several, COUNTS, counts + (1 << shift_of(word))) };
            }
            Some((cache, is_frequent))
        })
    }

    /// Makes an entry that was found often the first one, if there is none. `own` is the cell of the site's code.
    pub fn prefer(&self, mem: &mut Mem, own: Value, cache: CacheRef) {
        if self.first.get().shape().is_none() {
            self.first.set(cache);
            mem.remember(own);
        }
    }

    /// Entries that are valid, most frequent first.
    pub fn entries(&self) -> impl Iterator<Item = CacheRef> {
        let mut entries = [CacheRef::EMPTY; PLACES.end - PLACES.start];
        if self.several.get().is_nil() {
            entries[0] = self.first.get();
        } else {
            let several = self.several.get();
            // SAFETY: a cell of several entries has a word of counts, which is no reference.
            let counts = unsafe { cell::raw(several, COUNTS) };
            let mut words: [usize; PLACES.end - PLACES.start] = std::array::from_fn(|place| PLACES.start + place);
            words.sort_by_key(|word| std::cmp::Reverse(count_of(counts, *word)));
            for (entry, word) in entries.iter_mut().zip(words) {
                // SAFETY: a cell of several entries has these words.
                *entry = CacheRef::from_value(unsafe { cell::word(several, word) }).unwrap_or(CacheRef::EMPTY);
            }
        }
        entries.into_iter().filter(|cache| cache.shape().is_some())
    }

    /// Whether all places are taken by entries that are valid.
    pub fn is_full(&self) -> bool {
        let several = self.several.get();
        // SAFETY: a cell of several entries has these words.
        let entry = |word| CacheRef::from_value(unsafe { cell::word(several, word) });
        several.is_heap() && PLACES.into_iter().all(|word| entry(word).is_some_and(|cache| cache.shape().is_some()))
    }

    /// Counts a miss of a site that is full and has seen few misses. The entry for the shape that was missed takes the
    /// place of one that has no hits left.
    pub fn replace(&self, mem: &mut Mem, cache: CacheRef) {
        let several = self.several.get();
        // SAFETY: a full site has the cell of several entries, whose word of counts is no reference.
        let mut counts = unsafe { cell::raw(several, COUNTS) } + (1 << MISSES);
        let unused = PLACES.into_iter().find(|word| count_of(counts, *word) == 0);
        match unused {
            Some(word) => {
                // SAFETY: the cell has this word, which holds an entry.
                let replaced = unsafe {
                    let replaced = cell::word(several, word);
                    cell::store(mem, several, word, cache.value());
                    replaced
                };
                if CacheRef::from_value(replaced) == Some(self.first.get()) {
                    self.first.set(CacheRef::EMPTY);
                }
                counts += 1 << shift_of(word);
            }
            None => counts -= PLACES.map(|word| 1 << shift_of(word)).sum::<u64>(),
        }
        // SAFETY: the word of counts is one of the cell's, and no reference.
        unsafe { cell::set_raw(several, COUNTS, counts) };
    }

    /// Adds an entry for a shape that has none; `own` is the cell of the code that the site belongs to. If valid
    /// entries take all places, the site stays as it is.
    pub fn add(&self, mem: &mut Mem, own: Value, cache: CacheRef) {
        let first = self.first.get();
        if self.several.get().is_nil() {
            if first.shape().is_none() {
                self.first.set(cache);
                mem.remember(own);
                return;
            }
            let made = mem.allocate(8 * (COUNTS + 1), object::Known::Internal.header(0));
            for word in PLACES {
                // SAFETY: the cell has these words and was allocated just now.
                unsafe { cell::set_raw(made, word, Value::NIL.0) };
            }
            // SAFETY: the cell has this word; a number is no reference.
            unsafe { cell::set_raw(made, COUNTS, 1) };
            self.several.set(made);
            self.first.set(CacheRef::EMPTY);
            mem.remember(own);
            self.put(mem, first);
        }
        self.put(mem, cache);
    }

    /// Puts an entry into a place of the cell of several entries that has no valid one.
    fn put(&self, mem: &mut Mem, cache: CacheRef) {
        let several = self.several.get();
        let is_free = |word: &usize| {
            // SAFETY: a cell of several entries has these words, which hold values.
            CacheRef::from_value(unsafe { cell::word(several, *word) }).is_none_or(|there| there.shape().is_none())
        };
        let Some(word) = PLACES.into_iter().find(is_free) else { return };
        // SAFETY: a cell of several entries has these words and one of counts, which is no reference.
        unsafe {
            cell::store(mem, several, word, cache.value());
            let counts = cell::raw(several, COUNTS);
            cell::set_raw(several, COUNTS, counts & !(((1 << COUNT_BITS) - 1) << shift_of(word)));
        }
    }

    /// Empties the cache if it has a shape for which `gone` is true.
    pub fn forget_shapes(&self, gone: &dyn Fn(u32) -> bool) {
        if self.entries().any(|cache| cache.shape().is_some_and(gone)) {
            self.first.set(CacheRef::EMPTY);
            self.several.set(Value::NIL);
        }
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
    /// The constant's value, or the module that has the class variable.
    value: Cell<Value>,
    /// The lexical scope, or the module of `A::B`, for which it was found.
    scope: Cell<Value>,
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
            value: Cell::new(Value::UNDEF),
            scope: Cell::new(Value::UNDEF),
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
    pub fn known(&self) -> Option<(Value, Value)> {
        let is_right = self.version.get() == self.watch.get().version();
        is_right.then(|| (self.value.get(), self.scope.get()))
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

/// The values of the `Once` bodies that were run, by the bodies' numbers.
#[derive(Default, Trace)]
pub struct OnceValues(pub Vec<(u32, OnceValue)>);

/// The value of a `Once` body that was run.
#[derive(Trace)]
pub struct OnceValue(pub Value);
