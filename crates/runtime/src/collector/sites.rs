//! Allocation sites: ObjectSpace.trace_object_allocations.
//!
//! A source position gets a number at its first allocation; the heap stores only that number and the count of
//! collections with the object (`Mutator::note_site`), drops them when the object dies and moves them with it.

use abi::Value;
use heap::{Marker, Purpose, Trace};
use rustc_hash::FxHashMap;

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

    /// The site of a recorded word.
    pub(crate) fn get(&self, word: u64) -> Option<Site> {
        self.list.get(word as u32 as usize).copied()
    }

    pub(crate) fn clear(&mut self) {
        self.list = Vec::new();
        self.numbers = FxHashMap::default();
    }

    /// The word recorded for an object that is being allocated.
    pub(crate) fn note(&mut self, site: Site, generation: u64) -> u64 {
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
