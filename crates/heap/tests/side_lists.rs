//! Weak tables, finalizable objects, natives, conservative references, pins.

mod model;

use std::ptr::NonNull;

use abi::{Type, Value};
use heap::{Cause, Marker, Options, Request, WeakTable};
use model::{DROPPED, World, number};

#[derive(Default)]
struct Weak {
    entries: Vec<Value>,
    /// Entries before this one were there at the last call.
    seen: usize,
    at: usize,
    visited: usize,
    precedes_finalizers: bool,
}

impl WeakTable for Weak {
    fn retain(&mut self, alive: &dyn Fn(Value) -> bool, young_only: bool) {
        let from = if young_only { self.seen } else { 0 };
        self.visited += self.entries.len() - from;
        let kept: Vec<Value> = self.entries.drain(from..).filter(|v| alive(*v)).collect();
        self.entries.extend(kept);
        self.seen = self.entries.len();
    }

    fn retain_step(&mut self, alive: &dyn Fn(Value) -> bool, budget: usize) -> bool {
        let end = (self.at + budget).min(self.entries.len());
        for entry in &mut self.entries[self.at..end] {
            if !alive(*entry) {
                *entry = Value::UNDEF;
            }
        }
        self.at = end;
        if end < self.entries.len() {
            return false;
        }
        self.entries.retain(|v| !v.is_undef());
        self.at = 0;
        self.seen = self.seen.min(self.entries.len());
        true
    }

    fn precedes_finalizers(&self) -> bool {
        self.precedes_finalizers
    }

    fn count(&self) -> usize {
        self.entries.len()
    }

    fn update(&mut self, marker: &mut Marker) {
        for slot in &mut self.entries {
            // SAFETY: an entry is a slot.
            unsafe { marker.slot(slot) };
        }
    }
}

fn minor(world: &mut World) {
    world.mutator.collect(Request::minor(Cause::Method));
}

fn full(world: &mut World) {
    world.mutator.collect(Request::full(Cause::Method));
}

#[test]
fn weak_tables_drop_dead_entries_and_follow_moved_cells() {
    let mut world = World::new(Options { verify: true, ..Options::default() });
    let mut table: Box<Weak> = Box::default();
    // SAFETY: the box lives until it is removed below.
    let pointer: NonNull<dyn WeakTable> = NonNull::from(&mut *table as &mut dyn WeakTable);
    // SAFETY: the table lives until it is removed.
    unsafe { world.heap.add_weak_table(pointer) };
    for i in 0..1000 {
        let object = world.object(3);
        table.entries.push(object);
        if i % 10 == 0 {
            world.roots.push(object);
        }
    }
    minor(&mut world);
    assert_eq!((table.entries.len(), table.visited), (100, 1000));
    minor(&mut world);
    assert_eq!(table.visited, 1000, "a minor collection looks at new entries only");
    world.roots.truncate(50);
    minor(&mut world);
    assert_eq!(table.entries.len(), 100, "old ones wait for a full collection");
    full(&mut world);
    assert_eq!(table.entries, *world.roots);
    assert_eq!(world.heap.latest_collection().weak_references, 100);
    assert_eq!(world.heap.latest_collection().retained_weak_references, 50);
    world.roots.retain(|v| number(*v) % 20 == 1);
    let moved = world.mutator.compact().total_moved();
    assert_eq!(table.entries, *world.roots);
    world.check();
    assert!(moved < 50);
    world.heap.remove_weak_table(pointer);
    world.roots.clear();
    full(&mut world);
    assert_eq!(table.entries.len(), 25);
}

#[test]
fn natives_are_dropped_once() {
    let mut world = World::new(Options { verify: true, ..Options::default() });
    DROPPED.with_borrow_mut(Vec::clear);
    for i in 0..10 {
        let native = world.leaf(Type::Native);
        world.mutator.register_native(native).unwrap();
        if i < 4 {
            world.roots.push(native);
        }
    }
    minor(&mut world);
    assert_eq!(DROPPED.take(), [5, 6, 7, 8, 9, 10]);
    world.roots.truncate(2);
    minor(&mut world);
    assert_eq!(DROPPED.take(), []);
    full(&mut world);
    let mut dropped = DROPPED.take();
    dropped.sort();
    assert_eq!(dropped, [3, 4]);
    let native = world.leaf(Type::Native);
    world.mutator.register_native(native).unwrap();
    world.roots.clear();
    full(&mut world);
    let mut dropped = DROPPED.take();
    dropped.sort();
    assert_eq!(dropped, [1, 2, 11]);
}

#[test]
fn finalizable_objects_come_back_whole_once() {
    let mut world = World::new(Options { verify: true, ..Options::default() });
    for round in 0..3 {
        let held = world.object(1);
        let object = world.object(2);
        world.set_field(object, 1, held);
        world.mutator.register_finalizable(object).unwrap();
        if round > 0 {
            world.roots.push(object);
            minor(&mut world);
            assert!(world.mutator.take_finalizable().is_none());
            world.roots.clear();
            if round > 1 {
                // Incrementally, with the swap in a later pause.
                for _ in 0..3 {
                    world.mutator.collect(Request { immediate_mark: false, ..Request::full(Cause::Method) });
                }
            }
            full(&mut world);
        } else {
            minor(&mut world);
        }
        assert!(world.mutator.has_finalizable());
        minor(&mut world);
        full(&mut world);
        let back = world.mutator.take_finalizable().unwrap();
        world.roots.push(back);
        world.check();
        world.roots.clear();
        full(&mut world);
        assert!(world.mutator.take_finalizable().is_none());
        assert_eq!(world.live_objects(), 0);
    }
    let object = world.object(1);
    world.mutator.register_finalizable(object).unwrap();
    world.mutator.unregister_finalizable(object);
    full(&mut world);
    assert!(world.mutator.take_finalizable().is_none());
}

#[test]
fn tables_cleared_after_finalization_keep_references_of_finalizable_objects() {
    let mut world = World::new(Options { verify: true, ..Options::default() });
    let mut seen: Box<Weak> = Box::new(Weak { precedes_finalizers: true, ..Weak::default() });
    let mut stood_on: Box<Weak> = Box::default();
    let tables = [NonNull::from(&mut *stood_on as &mut dyn WeakTable), NonNull::from(&mut *seen as &mut dyn WeakTable)];
    // SAFETY: the boxes live until they are removed below.
    tables.iter().for_each(|table| unsafe { world.heap.add_weak_table(*table) });
    for old in [false, true] {
        let held = world.object(1);
        let object = world.object(2);
        world.set_field(object, 1, held);
        world.mutator.register_finalizable(object).unwrap();
        stood_on.entries.extend([held, object]);
        seen.entries.extend([held, object]);
        if old {
            world.roots.push(object);
            minor(&mut world);
            world.roots.clear();
            full(&mut world);
        } else {
            minor(&mut world);
        }
        assert!(seen.entries.is_empty());
        assert_eq!(stood_on.entries, [held, object]);
        world.mutator.take_finalizable().unwrap();
        full(&mut world);
        assert!(stood_on.entries.is_empty());
    }
    tables.iter().for_each(|table| world.heap.remove_weak_table(*table));
}

#[test]
fn native_stacks_keep_and_pin_cells_that_they_point_into() {
    let mut world = World::new(Options { verify: true, ..Options::default() });
    let base = 0usize;
    // SAFETY: the mutator is dropped before this frame ends.
    unsafe { world.mutator.set_stack_base((&raw const base).cast()) };
    std::hint::black_box(keep_by_native_stack as fn(&mut World))(&mut world);
}

/// A frame of its own, all of it below the base.
#[inline(never)]
fn keep_by_native_stack(world: &mut World) {
    for _ in 0..100 {
        world.object(2);
    }
    let string = world.string(1000);
    // SAFETY: the third word is the buffer.
    let inside = unsafe { *model::word(string, model::BUFFER) } as usize + 500;
    let object = world.object(2);
    let interior = std::hint::black_box(object.0 as usize + 8);
    full(world);
    world.mutator.compact();
    assert_eq!(world.mutator.is_live_cell(std::hint::black_box(interior)), Some(object));
    assert_eq!(world.mutator.is_live_cell(0x1000), None);
    let mut buffers = 0;
    world.mutator.each_buffer(&mut |buffer, _, size| {
        buffers += (buffer.address() <= inside && inside < buffer.address() + size) as usize;
    });
    assert_eq!(buffers, 1);
    std::hint::black_box((interior, inside));
}

#[test]
fn pins_keep_in_place() {
    let mut world = World::new(Options { verify: true, ..Options::default() });
    for i in 0..5000 {
        let object = world.object(2);
        if i % 100 == 0 {
            world.roots.push(object);
        }
    }
    let pinned = world.object(2);
    world.mutator.pin(pinned).unwrap();
    let info = world.mutator.compact();
    assert_eq!(info.considered[Type::Object as usize], 51);
    assert!(info.total_moved() >= 20, "{}", info.total_moved());
    assert!(world.mutator.cell_flags(pinned).pinned && world.mutator.cell_flags(pinned).old);
    assert_eq!(number(pinned), 5001);
    world.check();
    world.mutator.unpin(pinned);
    full(&mut world);
    assert_eq!(world.live_objects(), 50);
}
