//! Memory for machine code: ranges that are reused when nothing runs the code in them any more.
//!
//! A range is *in use* as long as a code object has its address, then *retired*: frames may still be suspended in it.
//! It is *free* once no native stack holds an address in it. A forked child shares the memory with its parent, and maps
//! memory of its own for code that it compiles. The parent never reuses memory of code that its children may run.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use host::memory::CodeMemory;

use crate::{
    backend::{self, Assembled},
    inlining::Limits,
};

/// Functions begin at multiples of this.
const ALIGNMENT: usize = 16;

/// Retired code is freed when there are more bytes of it. The next code takes its place, so that code lies together.
const MOST_RETIRED: usize = 256 << 10;

/// The process that uses the store.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Process {
    /// The number of forks between the first process and this one.
    pub forks: u32,
    /// The number of children that this process has forked.
    pub children: u32,
}

#[derive(Default)]
pub struct Store {
    memory: Option<CodeMemory>,
    /// The size of the memory.
    budget: usize,
    /// The address of offset 0 in the executable mapping.
    base: usize,
    /// The number of forks that led to the process that mapped the memory.
    forks: u32,
    /// The lengths of the free ranges by their offsets. Neighbours are one range.
    free: BTreeMap<usize, usize>,
    /// The ranges in use and the retired ones.
    taken: BTreeMap<usize, Taken>,
    /// The offsets of the retired ranges, and their bytes.
    retired: BTreeSet<usize>,
    retired_bytes: usize,
    /// Bytes of the ranges in use and the retired ones.
    occupied: usize,
}

struct Taken {
    length: usize,
    /// The number of children that the process had forked when the code was added. If it has forked since, a child may
    /// run the code.
    children: u32,
}

impl Store {
    pub fn new(budget: usize) -> Store {
        Store { budget, ..Store::default() }
    }

    /// The limits for inlining. `None` if there is too little room for a unit.
    pub fn limits(&self) -> Option<Limits> {
        Limits::new(self.in_use(), self.occupied, self.budget)
    }

    /// The bytes of code that is not retired.
    pub fn in_use(&self) -> usize {
        self.occupied - self.retired_bytes
    }

    /// Is so much retired that it should be freed?
    pub fn has_many_retired(&self) -> bool {
        self.retired_bytes > MOST_RETIRED
    }

    /// Is it time to make room?
    pub fn is_tight(&self) -> bool {
        self.occupied > self.budget / 4 * 3
    }

    /// The number of bytes to free so that there is room for some time.
    pub fn wanted(&self) -> usize {
        self.occupied.saturating_sub(self.budget / 2)
    }

    /// The addresses of the memory, which is mapped when it is first asked for; empty if the system has no memory.
    pub fn mapped(&mut self, process: Process) -> Range<usize> {
        self.map(process);
        self.memory.as_ref().map_or(0..0, CodeMemory::addresses)
    }

    fn map(&mut self, process: Process) -> Option<()> {
        if self.memory.is_none() || self.forks != process.forks {
            // Compiled code calls functions of the runtime.
            let near = Store::map as *const () as usize;
            self.memory = Some(CodeMemory::map(self.budget, near).ok()?);
            *self = Store {
                memory: self.memory.take(),
                free: BTreeMap::from([(0, self.budget)]),
                forks: process.forks,
                ..Store::new(self.budget)
            };
            self.base = self.memory.as_ref()?.addresses().start;
        }
        Some(())
    }

    /// Copies a function into a free range; `None` if no free range is large enough, the system has no memory, or the
    /// process has mapped other memory since the function was made.
    pub fn add(&mut self, process: Process, function: &mut Assembled) -> Option<usize> {
        self.map(process)?;
        if function.memory != self.base && !function.distances.is_empty() {
            return None;
        }
        let length = function.bytes.len().next_multiple_of(ALIGNMENT);
        let (offset, available) = self.free.iter().map(|(at, size)| (*at, *size)).find(|(_, size)| *size >= length)?;
        function.move_by(offset);
        let address = self.memory.as_mut()?.write(offset, &function.bytes).ok()?.as_ptr() as usize;
        // SAFETY: the code was copied there, and nothing changes it before it is run.
        backend::publish(unsafe { std::slice::from_raw_parts(address as *const u8, function.bytes.len()) });
        self.free.remove(&offset);
        if available > length {
            self.free.insert(offset + length, available - length);
        }
        self.taken.insert(offset, Taken { length, children: process.children });
        self.occupied += length;
        Some(address)
    }

    /// Called when no code object has the address of this code any more.
    pub fn retire(&mut self, address: usize) {
        let offset = address.wrapping_sub(self.base);
        if let Some(taken) = self.taken.get(&offset)
            && self.retired.insert(offset)
        {
            self.retired_bytes += taken.length;
        }
    }

    /// The range of addresses in which return addresses into retired code are.
    pub fn addresses(&self) -> Range<usize> {
        self.base..self.base + self.budget
    }

    /// Frees the retired ranges that contain none of the addresses in `held`, which must have all return addresses of
    /// native stacks.
    pub fn reclaim(&mut self, process: Process, held: &BTreeSet<usize>) {
        self.retired_bytes = 0;
        for offset in std::mem::take(&mut self.retired) {
            let Some(taken) = self.taken.get(&offset) else { continue };
            let start = self.base + offset;
            // A return address may be just past the end, if the code ends in a call.
            let is_held = held.range(start..=start + taken.length).next().is_some();
            if is_held || self.forks != process.forks {
                self.retired.insert(offset);
                self.retired_bytes += taken.length;
            } else if taken.children == process.children {
                let length = taken.length;
                self.taken.remove(&offset);
                self.occupied -= length;
                self.release(offset, length);
            }
        }
    }

    fn release(&mut self, mut offset: usize, mut length: usize) {
        if let Some(behind) = self.free.remove(&(offset + length)) {
            length += behind;
        }
        if let Some((before, size)) = self.free.range(..offset).next_back().map(|(at, size)| (*at, *size))
            && before + size == offset
        {
            (offset, length) = (before, length + size);
        }
        self.free.insert(offset, length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(length: usize) -> Assembled {
        let (distances, stores, positions) = Default::default();
        Assembled { bytes: vec![0x90; length], distances, memory: 0, stores, positions }
    }

    const ALONE: Process = Process { forks: 0, children: 0 };

    #[test]
    fn what_is_retired_is_used_again_once_nothing_runs_it() {
        let mut store = Store::new(1 << 16);
        let mut code = function(0x4000);
        let made: Vec<usize> = (0..4).map(|_| store.add(ALONE, &mut code).unwrap()).collect();
        assert!(store.add(ALONE, &mut code).is_none() && store.is_tight());
        store.retire(made[1]);
        store.retire(made[2]);
        store.reclaim(ALONE, &BTreeSet::from([made[2] + 7]));
        assert_eq!(store.add(ALONE, &mut code), Some(made[1]));
        store.reclaim(ALONE, &BTreeSet::new());
        store.retire(made[1]);
        store.reclaim(ALONE, &BTreeSet::new());
        assert_eq!(store.add(ALONE, &mut function(0x8000)), Some(made[1]), "neighbours are one range");
    }

    #[test]
    fn distances_are_adapted_to_the_place_of_the_code() {
        let mut store = Store::new(1 << 16);
        let memory = store.mapped(ALONE).start;
        store.add(ALONE, &mut function(0x30)).unwrap();
        let call = |distance: u32| if cfg!(target_arch = "aarch64") { 0x9400_0000 | (distance / 4) } else { distance };
        let mut caller = Assembled { distances: vec![4], memory, ..function(8) };
        caller.bytes[4..].copy_from_slice(&call(0x100).to_le_bytes());
        assert_eq!(store.add(ALONE, &mut caller), Some(memory + 0x30));
        assert_eq!(caller.bytes[4..], call(0xd0).to_le_bytes());
        let mut foreign = Assembled { distances: vec![4], memory: memory + 0x1000, ..function(8) };
        assert_eq!(store.add(ALONE, &mut foreign), None);
    }

    #[test]
    fn what_children_may_run_is_left_alone() {
        let mut store = Store::new(1 << 16);
        let made = store.add(ALONE, &mut function(100)).unwrap();
        let parent = Process { forks: 0, children: 1 };
        let later = store.add(parent, &mut function(100)).unwrap();
        store.retire(made);
        store.retire(later);
        store.reclaim(parent, &BTreeSet::new());
        assert_eq!(store.add(parent, &mut function(100)), Some(later));
    }
}
