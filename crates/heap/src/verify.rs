//! `--verify-heap` and `GC.verify_internal_consistency`: everything reachable is marked again by a simple independent
//! marker, and compared with the collector's tables.

use std::cell::RefCell;
use std::collections::HashSet;

use crate::heap::{Phase, State};
use crate::layout::{Kind, Place, TABLE_WORDS, Table, block_at};
use crate::marker::{Marker, Purpose, Reference, live_cell};
use crate::mutator::Mutator;

/// A cell on the path from the roots, and the index of the cell that refers to it.
#[derive(Clone, Copy)]
struct Step {
    address: usize,
    from: usize,
}

const ROOT: usize = usize::MAX;

impl Mutator {
    /// Verifies the heap and describes each error in one line.
    pub fn verify(&mut self) -> Vec<String> {
        self.retire_all();
        let (state, base) = (self.state, self.stack_base);
        let mut faults = Vec::new();
        crate::roots::with_registers_on_stack(|top| {
            // SAFETY: the heap outlives its mutators, and threads take turns.
            faults = unsafe { (*state.as_ptr()).verify((top, base)) };
        });
        faults
    }
}

impl Mutator {
    /// Whether the object can be reached from the roots or from `other`. Native stacks of running threads do not count.
    pub fn is_held(&mut self, object: abi::Value, other: abi::Value) -> bool {
        self.retire_all();
        // SAFETY: the heap outlives its mutators, and threads take turns.
        unsafe { (*self.state.as_ptr()).is_held(object, other) }
    }
}

impl State {
    fn is_held(&mut self, object: abi::Value, other: abi::Value) -> bool {
        let found = RefCell::new((HashSet::new(), Vec::new()));
        let mut visit = |reference: Reference, _: *mut abi::Value| {
            let address = match reference {
                Reference::Value(value) => value.0 as usize,
                Reference::Buffer(buffer) => buffer.address(),
            };
            let (seen, left) = &mut *found.borrow_mut();
            if seen.insert(address) {
                left.push(address);
            }
        };
        if other.is_heap() {
            visit(Reference::Value(other), std::ptr::null_mut());
        }
        let mut marker = self.marker(Purpose::Visit);
        // SAFETY: the marker is given back before the closure ends.
        unsafe { marker.set_visitor(&mut visit) };
        self.visit_roots(&mut marker);
        loop {
            let Some(address) = found.borrow_mut().1.pop() else { break };
            self.visit_contents(&mut marker, address);
        }
        self.end_marking(marker);
        found.into_inner().0.contains(&(object.0 as usize))
    }

    /// Visits what a live object or buffer refers to.
    fn visit_contents(&mut self, marker: &mut Marker, address: usize) {
        if address >= self.region.arenas_end {
            let Some(index) = self.large.extents.find(address) else { return };
            let object = self.large.get(index);
            if object.values {
                // SAFETY: a live buffer of values.
                unsafe { marker.slots(object.start as *mut abi::Value, object.bytes / 8) };
            }
            return;
        }
        // SAFETY: a live object or buffer lies in an arena, whose descriptions are mapped.
        let block = unsafe { &*block_at(address) };
        match block.kind {
            // SAFETY: a live object.
            Kind::Objects => unsafe { marker.trace_object(address as *mut u64) },
            // SAFETY: a live buffer of values.
            Kind::Values => unsafe { marker.slots(address as *mut abi::Value, block.cell_size as usize / 8) },
            _ => {}
        }
    }

    /// Verifies the heap after a collection under `--verify-heap`.
    pub fn verify_or_panic(&mut self, stack: (*const u8, *const u8)) {
        let faults = self.verify(stack);
        if !faults.is_empty() {
            panic!("the heap is corrupt after {:?}:\n{}", self.counters.last, faults.join("\n"));
        }
    }

    fn verify(&mut self, stack: (*const u8, *const u8)) -> Vec<String> {
        let mut faults = self.verify_counts();
        faults.extend(self.verify_weak());
        let steps = RefCell::new(Vec::new());
        let from = RefCell::new(ROOT);
        let mut visit = |reference: Reference, _: *mut abi::Value| {
            let address = match reference {
                Reference::Value(value) => value.0 as usize,
                Reference::Buffer(buffer) => buffer.address(),
            };
            steps.borrow_mut().push(Step { address, from: *from.borrow() });
        };
        let mut marker = self.marker(Purpose::Visit);
        // SAFETY: the marker is given back before the closure ends.
        unsafe { marker.set_visitor(&mut visit) };
        // SAFETY: the calling thread's own stack.
        unsafe { marker.conservative(stack.0, stack.1) };
        self.visit_roots(&mut marker);
        let mut at = 0;
        let mut large_seen = vec![false; self.large.objects.len()];
        while at < steps.borrow().len() {
            let step = steps.borrow()[at];
            *from.borrow_mut() = at;
            if let Err(fault) = self.verify_cell(&mut marker, step.address, &mut large_seen) {
                faults.push(self.describe(fault, at, &steps.borrow()));
                if faults.len() > 20 {
                    break;
                }
            }
            at += 1;
        }
        self.end_marking(marker);
        for step in
            steps.borrow().iter().filter(|s| s.address >= self.region.base && s.address < self.region.arenas_end)
        {
            // SAFETY: an address in an arena.
            unsafe { Place::of(step.address) }.clear(Table::SCRATCH);
        }
        faults
    }

    /// Verifies a cell when it is reached for the first time, and visits its references.
    fn verify_cell(
        &mut self,
        marker: &mut Marker,
        address: usize,
        large_seen: &mut [bool],
    ) -> Result<(), &'static str> {
        if address >= self.region.arenas_end && address < self.region.end() {
            let Some(index) = self.large.extents.find(address) else {
                return Err("refers to a large object that was freed");
            };
            if std::mem::replace(&mut large_seen[index as usize], true) {
                return Ok(());
            }
            let current = self.current;
            let object = self.large.get(index);
            if object.start != address {
                return Err("refers to the inside of a large object");
            }
            if !object.marked[current] && !object.young {
                return Err("refers to a large object that was not marked");
            }
            if object.values {
                // SAFETY: a live buffer of values.
                unsafe { marker.slots(object.start as *mut abi::Value, object.bytes / 8) };
            }
            return Ok(());
        }
        if address < self.region.base || address >= self.region.arenas_end {
            return Err("refers to an address outside of the heap");
        }
        // SAFETY: the address is in an arena, whose descriptors are mapped.
        let block = unsafe { &*block_at(address) };
        if block.cells == 0 || block.kind as u8 > Kind::Bytes as u8 {
            return Err("refers to a free block");
        }
        let index = block.index_of(address);
        if index >= block.cells as usize || block.cell(index) != address {
            return Err("refers to an address that is not the start of a cell");
        }
        // SAFETY: the address is in an arena, whose descriptors and tables are mapped.
        let place = unsafe { Place::of(address) };
        if place.test(Table::SCRATCH) {
            return Ok(());
        }
        place.set(Table::SCRATCH);
        if !place.test(self.current_table()) && !place.test(Table::YOUNG) {
            return Err("refers to a cell that was not marked");
        }
        match block.kind {
            // SAFETY: a live object.
            Kind::Objects => unsafe { marker.trace_object(address as *mut u64) },
            // SAFETY: a live buffer of values.
            Kind::Values => unsafe { marker.slots(address as *mut abi::Value, block.cell_size as usize / 8) },
            _ => {}
        }
        Ok(())
    }

    /// A description of the fault, with the path from a root to it.
    fn describe(&self, fault: &str, at: usize, steps: &[Step]) -> String {
        let mut path = vec![format!("{:#x}", steps[at].address)];
        let mut from = steps[at].from;
        while from != ROOT {
            let address = steps[from].address;
            path.push(self.name_of(address));
            from = steps[from].from;
        }
        path.push("root".to_string());
        path.reverse();
        format!("{} {fault}", path.join(" -> "))
    }

    fn name_of(&self, address: usize) -> String {
        if address >= self.region.arenas_end {
            return format!("large buffer {address:#x}");
        }
        // SAFETY: steps that have successors were found to be live cells.
        unsafe {
            let block = &*block_at(address);
            match block.kind {
                Kind::Objects => {
                    let number = *(address as *const u64) & abi::Flags::TYPE_MASK as u64;
                    format!("{} {address:#x}", self.types[number as usize].name)
                }
                _ => format!("buffer {address:#x} of {}", block.cell_size),
            }
        }
    }

    /// Weak tables contain only live objects, except while they are being cleared.
    fn verify_weak(&mut self) -> Vec<String> {
        let mut faults = Vec::new();
        if self.phase == Phase::Clearing {
            return faults;
        }
        let (current, arenas) = (self.current_table(), self.region.base..self.region.arenas_end);
        let mut visit = |reference: Reference, _: *mut abi::Value| {
            let Reference::Value(value) = reference else { return };
            let address = value.0 as usize;
            // SAFETY: the arenas are committed.
            let cell = arenas.contains(&address).then(|| unsafe { live_cell(address, current) });
            let alive = cell == Some(Some((address, Kind::Objects)));
            if !alive && faults.len() < 20 {
                faults.push(format!("weak table -> {address:#x} refers to no live object"));
            }
        };
        let mut marker = self.marker(Purpose::Visit);
        // SAFETY: the marker is given back before the closure ends.
        unsafe { marker.set_visitor(&mut visit) };
        for table in &mut self.weak {
            // SAFETY: registered tables stay in place.
            unsafe { table.as_mut() }.update(&mut marker);
        }
        self.end_marking(marker);
        faults
    }

    /// Compares the counts of the blocks with their bits.
    fn verify_counts(&mut self) -> Vec<String> {
        let mut faults = Vec::new();
        let current = self.current;
        let marking = self.phase == Phase::Marking;
        self.region.each_block(|block| {
            for (index, table) in Table::MARKS.into_iter().enumerate() {
                if (index != current && !marking) || block.cells == 0 {
                    continue;
                }
                // SAFETY: the block's own words.
                let bits: u32 = (0..TABLE_WORDS).map(|i| unsafe { *block.bits(table).add(i) }.count_ones()).sum();
                if bits != block.live[index] as u32 {
                    faults.push(format!(
                        "block {:#x}, {:?} of {}: {bits} bits in table {index}, counted {}",
                        block.start(),
                        block.kind,
                        block.cell_size,
                        block.live[index]
                    ));
                }
            }
        });
        faults
    }
}
