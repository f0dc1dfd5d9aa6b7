//! Allocation sites: ObjectSpace.trace_object_allocations.
//!
//! A source position gets a number at its first allocation; the heap stores only that number and the count of
//! collections with the object (`Mutator::note_site`), drops them when the object dies and moves them with it.

use abi::{FrameFlags, Value};
use heap::{Marker, Purpose, Trace};
use rustc_hash::FxHashMap;

use crate::{Cx, code::code};

/// An allocation site: the instruction, and the method that it belongs to.
#[derive(Clone, Copy, Trace)]
pub struct Site {
    /// The code of the nearest Ruby frame, or nil.
    pub code: Value,
    pub word: u32,
    /// The entry of the running method, which may be native, or nil.
    pub entry: Value,
}

/// The allocation site of an object.
pub struct Origin {
    pub site: Site,
    /// The number of collections before the allocation.
    pub generation: u64,
}

#[derive(Default, Trace)]
#[trace(also = Sites::renumber)]
pub struct Sites {
    /// How often tracing was started; 0: nothing is traced.
    started: u32,
    sample: u32,
    list: Vec<Site>,
    #[trace(skip)]
    numbers: FxHashMap<(u64, u32, u64), u32>,
}

impl Sites {
    pub fn is_on(&self) -> bool {
        self.started > 0
    }

    /// One in this many allocations is recorded; 0: none.
    pub fn interval(&self) -> u32 {
        if self.is_on() { self.sample } else { 0 }
    }

    /// The innermost start determines the sampling interval.
    pub fn start(&mut self, sample: u32) {
        self.started += 1;
        self.sample = sample;
    }

    pub fn stop(&mut self) {
        self.started = self.started.saturating_sub(1);
    }

    fn clear(&mut self) {
        self.list = Vec::new();
        self.numbers = FxHashMap::default();
    }

    /// The word recorded for an object that is being allocated.
    pub(super) fn note(&mut self, cx: &Cx, generation: u64) -> u64 {
        let site = here(cx);
        let key = (site.code.0, site.word, site.entry.0);
        let next = self.list.len() as u32;
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.list.push(site);
        }
        generation << 32 | u64::from(number)
    }

    /// A compaction changed the addresses by which sites are found.
    fn renumber(&mut self, marker: &mut Marker) {
        if marker.purpose() == Purpose::Update {
            let numbered = self.list.iter().enumerate();
            self.numbers = numbered.map(|(i, s)| ((s.code.0, s.word, s.entry.0), i as u32)).collect();
        }
    }

    pub fn memsize(&self) -> usize {
        self.list.capacity() * size_of::<Site>() + self.numbers.capacity() * 32
    }
}

/// The allocation site in the innermost frame that programs see.
fn here(cx: &Cx) -> Site {
    let mut site = Site { code: Value::NIL, word: 0, entry: Value::NIL };
    if cx.frame.is_null() {
        return site;
    }
    let mut innermost = true;
    for frame in cx.frames() {
        let native = frame.flags & FrameFlags::NATIVE != 0;
        if frame.flags & FrameFlags::HIDDEN != 0 || (native && frame.scope.entry.is_nil()) {
            continue;
        }
        let body = (!native && !frame.scope.code.is_nil()).then(|| code(&frame.scope.code));
        // A block inside the Ruby half of a core method is replaced by the enclosing method.
        let inner = body.is_some_and(|b| b.internal && (b.block_depth > 0 || b.kind != bytecode::Kind::Method));
        // Methods called by `new` are replaced by its caller, because `new` has no frame.
        let allocates = native && object::method_entry::name(frame.scope.entry) == crate::sym::ALLOCATE;
        if innermost && !inner && !allocates {
            site.entry = frame.scope.entry;
            innermost = false;
        }
        if let Some(body) = body.filter(|b| !b.internal) {
            site.code = frame.scope.code;
            site.word = body.word_of(frame.pc).saturating_sub(1) as u32;
            break;
        }
    }
    site
}

impl Cx {
    /// The object's allocation site, if it was recorded.
    pub fn origin(&self, object: Value) -> Option<Origin> {
        if !object.is_heap() {
            return None;
        }
        let word = self.site(object)?;
        let site = *self.vm().collector.sites.list.get(word as u32 as usize)?;
        Some(Origin { site, generation: word >> 32 })
    }

    /// Forgets all allocation sites.
    pub fn clear_origins(&mut self) {
        self.clear_sites();
        self.vm_mut().collector.sites.clear();
    }
}
