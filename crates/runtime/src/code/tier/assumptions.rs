//! What compiled code relies on and refers to.

use abi::Value;
use heap::Trace;
use object::{
    Sym,
    class::{call_cache::CacheRef, constant_watch::Watch, lookup},
};

use crate::{
    code::{code, exits, open_frames},
    redefined::{Redefined, Redefinitions},
};

/// What compiled code relies on and refers to.
#[derive(Default, Trace)]
pub struct Assumptions {
    /// Basic operations that must not be redefined.
    #[trace(skip)]
    pub redefined: Redefined,
    /// Entries of inline caches whose methods it calls.
    pub caches: Vec<CacheRef>,
    /// Whether the code relies on the entries, or checks each time whether they are valid.
    #[trace(skip)]
    pub relies_on_caches: bool,
    /// Constants that it relies on: the watches of their names, and the versions.
    #[trace(skip)]
    pub constants: Vec<(&'static Watch, u32)>,
    /// Further lookups that it relies on.
    pub lookups: Vec<KnownLookup>,
    /// Objects whose addresses the machine code contains.
    pub objects: Vec<Kept>,
    /// Shapes that it compares with those of objects.
    #[trace(skip)]
    pub shapes: Vec<u32>,
    /// Images of the frames that it pushes, at addresses that the machine code contains. The objects that they refer to
    /// are among `objects`, or kept alive by those.
    #[trace(skip)]
    #[allow(clippy::vec_box)]
    pub images: Vec<Box<exits::FrameImage>>,
    /// What describes open frames, at addresses that the machine code contains and writes to frames.
    #[trace(skip)]
    #[allow(clippy::vec_box)]
    pub open: Vec<Box<open_frames::OpenFrames>>,
    /// The exits, at an address that the machine code contains.
    #[trace(skip)]
    pub exits: Box<exits::ExitTable>,
    /// Whether it does not allocate some objects. It must not run while all allocations are observed.
    #[trace(skip)]
    pub has_virtual_objects: bool,
    /// The number of registers, with those of the inlined bodies.
    #[trace(skip)]
    pub reach: u16,
    /// Whether it writes its own frame on a path that is taken often, if a caller has left the frame open.
    #[trace(skip)]
    pub writes_own_frame: bool,
    /// The codes that are inlined, and their frames at addresses that the machine code contains.
    pub inlined: Vec<Kept>,
    #[trace(skip)]
    pub frames: Vec<std::rc::Rc<exits::InlinedFrame>>,
}

impl Assumptions {
    /// Drops what occurs more than once, and gives back memory that was reserved for more elements. Machine code has
    /// the addresses of boxes, not of lists.
    pub(super) fn shrink(&mut self) {
        self.caches.sort_unstable_by_key(|cache| cache.value().0);
        self.caches.dedup();
        self.objects.sort_unstable_by_key(|object| object.0.0);
        self.objects.dedup_by_key(|object| object.0);
        self.shapes.sort_unstable();
        self.shapes.dedup();
        self.caches.shrink_to_fit();
        self.constants.shrink_to_fit();
        self.lookups.shrink_to_fit();
        self.objects.shrink_to_fit();
        self.shapes.shrink_to_fit();
        self.images.shrink_to_fit();
        self.open.shrink_to_fit();
        self.inlined.shrink_to_fit();
        self.frames.shrink_to_fit();
    }

    /// Whether the code must not run at present: operations that it relies on must be calls, allocations are observed,
    /// or trace points are set in inlined code.
    pub(super) fn are_suspended(&self, redefined: Redefinitions) -> bool {
        self.redefined.overlaps(redefined.in_force)
            || self.has_virtual_objects && redefined.observes_allocations
            || self.inlined.iter().any(|inlined| code(&inlined.0).is_traced())
    }

    /// Whether the lookups and constants that it relies on are unchanged.
    pub(super) fn is_reliable(&self) -> bool {
        let are_valid = || self.caches.iter().all(|cache| cache.shape().is_some());
        (!self.relies_on_caches || are_valid())
            && self.lookups.iter().all(KnownLookup::is_valid)
            && self.constants.iter().all(|(watch, version)| watch.version() == *version)
    }
}

/// The result of a lookup that compiled code relies on: a method entry, or undef.
#[derive(Trace)]
pub struct KnownLookup {
    pub class: Kept,
    pub name: Sym,
    pub entry: Kept,
}

impl KnownLookup {
    fn is_valid(&self) -> bool {
        lookup::known(self.class.0, self.name) == Some(self.entry.0)
    }
}

/// An object whose address compiled code contains.
#[derive(Clone, Copy, Trace)]
pub struct Kept(pub Value);
