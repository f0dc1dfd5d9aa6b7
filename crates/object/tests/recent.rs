//! The table of recent inline cache entries: which of its weak references a collection keeps.

mod world;

use abi::{Header, ShapeId, Type, Value};
use heap::Options;
use object::class::call_cache::CacheRef;
use object::{Known, Sym, cell, symbol};
use world::TestWorld;

/// A heap that does not verify itself: a verification clears the table.
fn world(stack_base: *const u64) -> TestWorld {
    let options = Options { region_bytes: 1 << 30, ..Options::default() };
    TestWorld::new(1, options, stack_base.cast())
}

/// An entry for receivers of a shape, with the words of `class::call_cache`.
fn entry(world: &mut TestWorld, shape: u32) -> (Value, CacheRef) {
    let header = Header::new(Type::Internal, Known::Internal.root_shape(), 0);
    let v = world.allocate(40, header);
    for (word, bits) in [(1, 1 | u64::from(shape) << 32), (2, Value::NIL.0), (3, 1), (4, Value::NIL.0)] {
        // SAFETY: 40 bytes are the header and these four words, none of which is a reference.
        unsafe { cell::set_raw(v, word, bits) };
    }
    (v, CacheRef::from_value(v).unwrap())
}

fn is_known(world: &TestWorld, shape: ShapeId, name: Sym) -> bool {
    world.world().recent_caches.get(shape.0, name).is_some()
}

#[test]
fn a_minor_collection_keeps_old_entries() {
    let base = 0u64;
    let mut world = world(&raw const base);
    let name = symbol::well_known::INITIALIZE;
    let old = ShapeId(70);
    let (v, cache) = entry(&mut world, old.0);
    world.roots.slots[0] = v;
    world.minor();
    world.world_mut().recent_caches.set(old.0, name, cache);
    world.minor();
    assert!(is_known(&world, old, name));
    // A second one, for which no place is new.
    world.minor();
    assert!(is_known(&world, old, name));
    world.full();
    assert!(!is_known(&world, old, name));
}

/// Sets places for so many entries to which nothing else refers; returns how many a minor collection keeps.
fn kept_of_young(count: u32) -> usize {
    let base = 0u64;
    let mut world = world(&raw const base);
    let name = symbol::well_known::INITIALIZE;
    for shape in 100..100 + count {
        let (_, cache) = entry(&mut world, shape);
        world.world_mut().recent_caches.set(shape, name, cache);
    }
    world.minor();
    (100..100 + count).filter(|shape| is_known(&world, ShapeId(*shape), name)).count()
}

#[test]
fn a_minor_collection_drops_young_entries_that_nothing_refers_to() {
    // The stack may hold the address of the last ones. More than 256 new places are not listed.
    for count in [100, 1000] {
        let kept = kept_of_young(count);
        assert!(kept < 5, "{kept} of {count} kept");
    }
}

#[test]
fn two_entries_for_the_same_place_are_both_found_and_a_third_replaces_the_older_one() {
    let base = 0u64;
    let mut world = world(&raw const base);
    let name = symbol::well_known::INITIALIZE;
    let place =
        |world: &TestWorld, shape| std::ptr::from_ref(world.world().recent_caches.places.at(shape, name)).addr();
    let first = place(&world, 100);
    let of_same_place: Vec<u32> = (100..).filter(|shape| place(&world, *shape) == first).take(3).collect();
    for shape in &of_same_place {
        let (_, cache) = entry(&mut world, *shape);
        world.world_mut().recent_caches.set(*shape, name, cache);
    }
    let known: Vec<bool> = of_same_place.iter().map(|shape| is_known(&world, ShapeId(*shape), name)).collect();
    assert_eq!(known, [false, true, true]);
}
