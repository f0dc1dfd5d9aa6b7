//! A program that keeps a few of many objects of all sizes does not spread them over more and more blocks.

mod model;

use abi::{Header, ShapeId, Type};
use heap::Options;
use model::World;

/// Allocates objects of many sizes, most of them small, and keeps one in 400.
fn work(world: &mut World) {
    for at in 0..2_000_usize {
        let mut sizes = vec![24, 40, 48];
        if at.is_multiple_of(20) {
            sizes.push(56 + at / 20 * 8);
        }
        for size in sizes {
            let cell = world.mutator.allocate(size, Header::new(Type::Float, ShapeId(0), 0));
            if at.is_multiple_of(400) {
                world.roots.push(cell);
            }
        }
    }
}

#[test]
fn old_objects_stay_together() {
    let mut world = World::new(Options::default());
    (0..1000).for_each(|_| work(&mut world));
    // The objects that are kept would fill 41 blocks, the young space 8 to 10.
    let blocks = world.heap.statistics().total_blocks;
    assert!(blocks < 115, "{blocks}");
}
