//! [`Mem`], the lesser context: functions that take it may allocate and collect but never run Ruby.

use std::ops::{Deref, DerefMut};

use abi::Value;
use heap::Mutator;

use crate::{class::Classes, native::NativeData, shape::ShapeTable, string::InternTable, symbol::SymbolTable};

/// The state shared by all threads of a VM, below the level of running code.
pub struct World {
    pub shapes: ShapeTable,
    pub symbols: SymbolTable,
    pub interned: InternTable,
    pub classes: Classes,
    /// Seed of all hashing, new for each process.
    pub hash_seed: (u64, u64),
    /// The same for bytes.
    pub seed_of_bytes: text::keyed_hash::Seed,
    /// The last id that `object_id` assigned.
    pub last_object_id: i64,
    /// The versions on which inline caches of constants rely.
    pub constant_watches: crate::class::constant_watch::Watches,
    /// Notifies the compiler of changed lookups and constants that compiled code relies on.
    pub reliance: crate::class::reliance::Reliance,
    pub recent_methods: crate::class::lookup::RecentMethods,
    pub recent_caches: crate::class::lookup::RecentCaches,
    pub recent_refined: crate::class::recent::RecentEntries,
    pub refined_names: crate::class::refined::RefinedNames,
    pub recent_supers: crate::class::recent::RecentEntries,
    pub recent_kinds: crate::class::ancestors::RecentKinds,
    /// The names of methods that any class has looked up. Defining a method of another name invalidates nothing.
    pub looked_up: rustc_hash::FxHashSet<crate::Sym>,
    /// The entries of ObjectSpace::WeakMap and WeakKeyMap.
    pub weak_maps: crate::weak_map::WeakMaps,
}

/// The lesser context: a thread's allocation cursors and the world they share.
pub struct Mem {
    mutator: Mutator,
    world: *mut World,
    /// A native box whose cell is being allocated: nothing else keeps its references alive.
    pub(crate) pending: Option<*mut dyn NativeData>,
}

impl Mem {
    /// The offset of the allocation cursors' owner, for compiled code.
    pub const MUTATOR: usize = std::mem::offset_of!(Mem, mutator);

    /// # Safety
    /// `world` outlives the context and is used by one thread at a time (the global lock).
    pub unsafe fn new(mutator: Mutator, world: *mut World) -> Mem {
        Mem { mutator, world, pending: None }
    }

    #[inline(always)]
    pub fn world(&self) -> &World {
        // SAFETY: `new`'s contract: it is alive, and only the holder of the global lock accesses it.
        unsafe { &*self.world }
    }

    #[inline(always)]
    pub fn world_mut(&mut self) -> &mut World {
        // SAFETY: `new`'s contract: it is alive, and only the holder of the global lock accesses it; the borrow of
        // `self` prevents a second reference in this thread.
        unsafe { &mut *self.world }
    }

    /// All objects that `wanted` accepts by their class and their own data. For walks that run Ruby.
    pub fn snapshot_by_class(
        &mut self,
        wanted: &mut dyn FnMut(&World, Value) -> bool,
    ) -> Result<heap::Snapshot, heap::OutOfMemory> {
        let world = self.world;
        self.mutator.snapshot_objects(&mut |value| {
            // SAFETY: `new`'s contract; the mutator has no reference to the world, and no other code runs in the walk.
            wanted(unsafe { &*world }, value)
        })
    }

    /// Visits the references of a native box that has no cell yet, and drops weak references. For the roots.
    pub fn trace_pending(&mut self, marker: &mut heap::Marker) {
        let world = self.world_mut();
        world.recent_methods.begin_collection(marker);
        world.recent_caches.begin_collection(marker);
        world.recent_refined.begin_collection();
        world.recent_supers.begin_collection();
        world.recent_kinds.begin_collection(marker);
        if let Some(data) = self.pending {
            // SAFETY: `native::new` owns the box and is blocked in the allocation that runs this collection.
            unsafe { (*data).trace(marker) };
        }
    }

    pub fn world_pointer(&self) -> *mut World {
        self.world
    }

    /// The known class itself.
    #[inline(always)]
    pub fn class(&self, known: crate::Known) -> Value {
        self.world().classes.known(known)
    }
}

impl Deref for Mem {
    type Target = Mutator;
    #[inline(always)]
    fn deref(&self) -> &Mutator {
        &self.mutator
    }
}

impl DerefMut for Mem {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Mutator {
        &mut self.mutator
    }
}
