//! Entries of inline caches: what a call of one name on receivers of one shape runs.
//!
//! ```text
//! header | kind, word (low half), shape (high half) | entry | target, tagged | lexical scope | next of the same lookup
//! ```
//! An entry is a cell of its own, shared by all call sites that saw its shape. Its class lists it with the lookup that
//! it was created for. When that lookup becomes invalid, the shape is replaced by one that no receiver has, and every
//! call site misses. Therefore a change costs only as much as there are dependent lookups, and a call site compares
//! nothing but the shape.

use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};

use abi::{Header, Value};
use heap::{Marker, Trace};

use super::{class_data, class_data_mut, data::SuperLookup};
use crate::{
    Known, Mem, Sym, cell,
    method_entry::{self, Visibility},
};

/// The shape of entries that are empty or no longer valid.
const NO_SHAPE: u32 = u32::MAX;

/// What a cached call does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// A method that must be dispatched by its entry at each call.
    Other,
    /// Pushes the frame of code whose arguments need no arranging; the target is the code.
    Simple,
    /// Pushes a frame whose arguments must be arranged; the target is the code.
    Sequence,
    /// Runs a native method; the target is its row.
    Native,
    /// A native method that only calls Ruby code (`new`, `send`); the target is its row.
    Special,
    /// A core method that is written in Ruby and has a native fast path; the target is the row of the native method.
    Shortcut,
    /// Reads the word of the receiver that holds an attribute reader's variable.
    ReadWord,
    /// Writes the word of the receiver that holds an attribute writer's variable.
    WriteWord,
}

/// The memory of an entry; in the collected heap, except for the empty one.
#[repr(C, align(8))]
pub struct CallCache {
    header: u64,
    /// Bit 0 is set, as in a fixnum; the kind is in bits 1 to 7, the word in bits 8 to 23, bits of the most frequent
    /// kinds above, and [`RELIED_ON`].
    attributes: AtomicU32,
    shape: AtomicU32,
    entry: Value,
    /// The callee's address with bit 0 set; see [`Kind`].
    target: u64,
    /// The entry's, so that a call of Ruby code need not read the entry, which is seldom in the processor's cache.
    lexical_scope: Value,
    next: Value,
}

/// The word of an accessor is in 16 bits of `attributes` from here on.
pub const WORD_SHIFT: u32 = 8;
/// Bits of `attributes`: the kinds that the dispatch loop tests first.
const SIMPLE: u32 = 1 << 24;
pub const READ_WORD: u32 = 1 << 25;
/// Compiled code relies on the entry.
const RELIED_ON: u32 = 1 << 26;
/// The method is public, or protected.
pub const PUBLIC: u32 = 1 << 27;
pub const PROTECTED: u32 = 1 << 28;

/// The kind's bits of `attributes`.
pub const KIND_MASK: u32 = 0x7f << KIND_SHIFT;
const KIND_SHIFT: u32 = 1;

/// A kind as bits of `attributes`.
pub const fn bits_of_kind(kind: Kind) -> u32 {
    (kind as u32) << KIND_SHIFT
}

/// The offsets of an entry's parts, for compiled code.
pub const SHAPE_OFFSET: usize = std::mem::offset_of!(CallCache, shape);
pub const ENTRY_OFFSET: usize = std::mem::offset_of!(CallCache, entry);
pub const ATTRIBUTES_OFFSET: usize = std::mem::offset_of!(CallCache, attributes);
pub const TARGET_OFFSET: usize = std::mem::offset_of!(CallCache, target);
pub const LEXICAL_SCOPE_OFFSET: usize = std::mem::offset_of!(CallCache, lexical_scope);

/// The entry of call sites that have not seen a receiver yet.
static EMPTY: CallCache = CallCache {
    header: 0,
    attributes: AtomicU32::new(1),
    shape: AtomicU32::new(NO_SHAPE),
    entry: Value::UNDEF,
    target: 1,
    lexical_scope: Value::NIL,
    next: Value::NIL,
};

// SAFETY: the empty entry has no reference and is never written.
unsafe impl Sync for CallCache {}

/// A reference to an entry, from a call site or a class.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct CacheRef(*const CallCache);

impl CacheRef {
    pub const EMPTY: CacheRef = CacheRef(&EMPTY);

    #[inline(always)]
    fn get(&self) -> &CallCache {
        // SAFETY: made by `new` or `empty`: a cell of the layout above, kept alive by the site or class that it is read
        // from, or the static one.
        unsafe { &*self.0 }
    }

    #[inline(always)]
    fn attributes(&self) -> u32 {
        self.get().attributes.load(Ordering::Relaxed)
    }

    /// Records that compiled code relies on the entry. The compiler is notified when the entry becomes invalid. Must
    /// not be called for the empty entry.
    pub fn rely(&self) {
        self.get().attributes.fetch_or(RELIED_ON, Ordering::Relaxed);
    }

    /// Whether the entry is valid and for receivers of this shape.
    #[inline(always)]
    pub fn matches(&self, shape: u32) -> bool {
        self.get().shape.load(Ordering::Relaxed) == shape
    }

    /// The shape of the entry's receivers; `None` if the entry is empty or invalid.
    #[inline]
    pub fn shape(&self) -> Option<u32> {
        Some(self.get().shape.load(Ordering::Relaxed)).filter(|shape| *shape != NO_SHAPE)
    }

    #[inline(always)]
    pub fn kind(&self) -> Kind {
        // SAFETY: bits 1 to 7 were written from a Kind.
        unsafe { std::mem::transmute::<u8, Kind>(((self.attributes() & KIND_MASK) >> KIND_SHIFT) as u8) }
    }

    /// Whether the kind is [`Kind::Simple`]; tests one bit.
    #[inline(always)]
    pub fn is_simple(&self) -> bool {
        self.attributes() & SIMPLE != 0
    }

    /// Whether the kind is [`Kind::ReadWord`]; tests one bit.
    #[inline(always)]
    pub fn reads_word(&self) -> bool {
        self.attributes() & READ_WORD != 0
    }

    /// The word of the receiver that an accessor uses.
    #[inline(always)]
    pub fn word(&self) -> usize {
        (self.attributes() >> WORD_SHIFT) as u16 as usize
    }

    /// The method entry.
    #[inline(always)]
    pub fn entry(&self) -> Value {
        self.get().entry
    }

    /// The lexical scope of the method entry's code.
    #[inline(always)]
    pub fn lexical_scope(&self) -> Value {
        self.get().lexical_scope
    }

    /// The address of the callee: see [`Kind`].
    #[inline(always)]
    pub fn target(&self) -> *const () {
        (self.get().target - 1) as *const ()
    }

    /// Calls `visit` for a slot with the entry's cell, which may be moved, unless the entry is the empty one.
    fn visit(&mut self, visit: impl FnOnce(&mut Value)) {
        if !std::ptr::eq(self.0, &EMPTY) {
            let mut cell = self.value();
            visit(&mut cell);
            self.0 = cell.cell() as *const CallCache;
        }
    }

    /// The entry's cell; not for the empty one.
    pub fn value(self) -> Value {
        debug_assert!(!std::ptr::eq(self.0, &EMPTY));
        Value(self.0 as u64)
    }

    /// The entry in a word that holds one or nil.
    #[inline(always)]
    pub fn from_value(v: Value) -> Option<CacheRef> {
        v.is_heap().then(|| CacheRef(v.cell() as *const CallCache))
    }
}

/// Written by hand, because it holds an address instead of a value.
impl Trace for CacheRef {
    fn trace(&mut self, marker: &mut Marker) {
        self.visit(|cell| cell.trace(marker));
    }
}

/// A reference from a call site, which does not keep the entry alive: its class does. A site would otherwise keep the
/// classes of its last receivers alive. After a full collection the dead entries are taken out of all sites
/// ([`WeakRef::drop_dead`]); no object has the shape of an entry that is dead.
pub struct WeakRef(Cell<CacheRef>);

impl WeakRef {
    pub const fn empty() -> WeakRef {
        WeakRef(Cell::new(CacheRef::EMPTY))
    }

    #[inline(always)]
    pub fn get(&self) -> CacheRef {
        self.0.get()
    }

    /// The cell that has the reference must be remembered.
    #[inline(always)]
    pub fn set(&self, cache: CacheRef) {
        self.0.set(cache);
    }

    /// Becomes empty if the entry is dead.
    pub fn drop_dead(&self, alive: &dyn Fn(Value) -> bool) {
        let cache = self.get();
        if !std::ptr::eq(cache.0, &EMPTY) && !alive(cache.value()) {
            self.set(CacheRef::EMPTY);
        }
    }
}

/// Written by hand, because the reference is weak.
impl Trace for WeakRef {
    fn trace(&mut self, marker: &mut Marker) {
        // SAFETY: the callback is passed a slot with the reference.
        self.0.get_mut().visit(|cell| unsafe { marker.weak_slot(cell) });
    }
}

/// The contents of a new entry.
pub struct NewCache {
    pub shape: u32,
    pub entry: Value,
    pub kind: Kind,
    pub word: u16,
    pub target: *const (),
}

/// Creates an entry; `next` is the head of its lookup's list, or nil.
fn new(cx: &mut Mem, made: &NewCache, next: Value) -> CacheRef {
    let v = cx.allocate(size_of::<CallCache>(), Header::new(abi::Type::Internal, Known::Internal.root_shape(), 0));
    let frequent = match made.kind {
        Kind::Simple => SIMPLE,
        Kind::ReadWord => READ_WORD,
        _ => 0,
    };
    let visibility = match method_entry::visibility(made.entry) {
        Visibility::Public => PUBLIC,
        Visibility::Protected => PROTECTED,
        Visibility::Private => 0,
    };
    let attributes = 1 | bits_of_kind(made.kind) | (made.word as u32) << WORD_SHIFT | frequent | visibility;
    let scope = method_entry::scope_of(made.entry);
    let words = [attributes as u64 | (made.shape as u64) << 32, made.entry.0, made.target as u64 | 1, scope.0, next.0];
    for (i, word) in words.into_iter().enumerate() {
        // SAFETY: the cell has room for a CallCache, six words, and was allocated just now.
        unsafe { cell::set_raw(v, i + 1, word) };
    }
    CacheRef(v.cell() as *const CallCache)
}

/// Creates the entry for a shape that has none, and lists it with the lookup of `name` in `class`.
pub fn add(cx: &mut Mem, class: Value, name: Sym, made: &NewCache) -> CacheRef {
    let lookup = class_data(cx, class).cache.get(&name).cloned().unwrap_or_else(|| Lookup::new(made.entry));
    let cache = new(cx, made, lookup.caches);
    class_data_mut(cx, class).cache.insert(name, Lookup { caches: cache.value(), ..lookup });
    cache
}

/// The number of entries that a lookup of a `super` lists. All classes that inherit the method share them.
const MOST_OF_SUPER: usize = 16;

/// Creates the entry for a shape and lists it with the lookup of a `super`, which [`lookup::find_super`](super::lookup)
/// must have made before. If it lists many, one of these is used for the shape from now on.
pub fn add_super(cx: &mut Mem, class: Value, owner: Value, name: Sym, made: &NewCache) -> Option<CacheRef> {
    let of = |known: &&mut SuperLookup| known.owner == owner;
    let known = &class_data_mut(cx, class).supers.as_mut()?.get_mut(&name)?.iter_mut().find(of)?.lookup;
    if let Some(cache) = known.moved_to(made) {
        return Some(cache);
    }
    let caches = known.caches;
    let cache = new(cx, made, caches);
    class_data_mut(cx, class).supers.as_mut()?.get_mut(&name)?.iter_mut().find(of)?.lookup.caches = cache.value();
    Some(cache)
}

/// A lookup that a class has cached: its result, and the entries of inline caches that rely on it.
#[derive(Clone, Trace)]
pub struct Lookup {
    /// The method entry, or undef if there is none.
    pub entry: Value,
    /// The first entry of the list, or nil.
    caches: Value,
    /// Whether compiled code relies on the result.
    #[trace(skip)]
    is_relied_on: Cell<bool>,
    /// The number of the entry that is used for another shape next.
    #[trace(skip)]
    turn: Cell<u8>,
}

impl Lookup {
    pub fn new(entry: Value) -> Lookup {
        Lookup { entry, caches: Value::NIL, is_relied_on: Cell::new(false), turn: Cell::new(0) }
    }

    /// The entry for receivers of this shape, if one was created.
    pub fn cached(&self, shape: u32) -> Option<CacheRef> {
        self.each().find(|cache| cache.matches(shape))
    }

    /// If many entries are listed: the next of them, if it calls what the new one would. It is used for the new one's
    /// shape from now on. What relies on it tests the shape of the receiver, too, and calls the same.
    fn moved_to(&self, made: &NewCache) -> Option<CacheRef> {
        let turn = self.turn.get() as usize;
        if self.each().count() < MOST_OF_SUPER {
            return None;
        }
        self.turn.set(((turn + 1) % MOST_OF_SUPER) as u8);
        let cache = self.each().nth(turn)?;
        let known = (cache.kind(), cache.word(), cache.entry(), cache.get().target);
        if known != (made.kind, made.word.into(), made.entry, made.target as u64 | 1) {
            return None;
        }
        cache.get().shape.store(made.shape, Ordering::Relaxed);
        Some(cache)
    }

    /// Records that compiled code relies on the result. The compiler is notified when the lookup becomes invalid.
    pub fn rely(&self) {
        self.is_relied_on.set(true);
    }

    /// Makes the lookup invalid: every call site that uses it misses from now on. Returns whether compiled code relied
    /// on it.
    #[must_use]
    pub fn invalidate(&self) -> bool {
        self.each().fold(self.is_relied_on.get(), |is_relied_on, cache| {
            cache.get().shape.store(NO_SHAPE, Ordering::Relaxed);
            is_relied_on || cache.attributes() & RELIED_ON != 0
        })
    }

    /// Makes entries for dead classes' shapes invalid, because the numbers of these shapes will be reused.
    pub fn forget_shapes(&self, is_gone: &dyn Fn(u32) -> bool) {
        for cache in self.each().filter(|cache| cache.shape().is_some_and(is_gone)) {
            cache.get().shape.store(NO_SHAPE, Ordering::Relaxed);
        }
    }

    fn each(&self) -> impl Iterator<Item = CacheRef> {
        let mut at = self.caches;
        std::iter::from_fn(move || {
            let cache = CacheRef::from_value(at)?;
            at = cache.get().next;
            Some(cache)
        })
    }
}
