//! The memory of a process after a peak. The only test of its process, because the memory of others would be measured
//! too.

mod model;

use heap::{Cause, Options, Request};
use model::World;

fn resident() -> f64 {
    host::memory::resident_bytes() as f64
}

fn strings(world: &mut World, count: usize) {
    for _ in 0..count {
        let string = world.string(24);
        world.roots.push(string);
    }
    world.shadow.clear();
}

#[test]
fn memory_is_given_back() {
    let mut world = World::new(Options::default());
    // Reserves the lists outside of the heap at the start.
    world.roots.reserve(1_200_000);
    world.roots.resize(1_200_000, abi::Value::NIL);
    world.roots.clear();
    strings(&mut world, 200_000);
    world.mutator.collect(Request::full(Cause::Method));
    let before = resident();
    for _ in 0..12 {
        strings(&mut world, 100_000);
    }
    let most = resident();
    world.roots.truncate(200_000);
    for _ in 0..3 {
        world.mutator.collect(Request::full(Cause::Method));
    }
    let after = resident();
    assert!(most > 2.5 * before, "{before} {most}");
    assert!(after < 1.3 * before, "{before} {most} {after}");
    // Memory is also returned incrementally, only later.
    for _ in 0..12 {
        strings(&mut world, 100_000);
    }
    world.roots.truncate(200_000);
    world.mutator.collect(Request { immediate_mark: false, ..Request::full(Cause::Method) });
    for _ in 0..1_200_000 {
        world.mutator.allocate(64, abi::Header::new(abi::Type::Float, abi::ShapeId(0), 0));
    }
    let after = resident();
    assert!(after < 1.6 * before, "{before} {most} {after}");
}
