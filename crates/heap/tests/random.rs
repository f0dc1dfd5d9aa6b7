//! Random changes to a graph of objects, compared with a shadow of it, with collections in between.

mod model;

use abi::{Type, Value};
use heap::{Cause, Options, Request};
use model::{Random, Shadow, World, number};

fn pick(world: &World, random: &mut Random) -> Option<Value> {
    (!world.roots.is_empty()).then(|| world.roots[random.below(world.roots.len())])
}

/// One change; everything that must survive it is in the roots.
fn change(world: &mut World, random: &mut Random, large: usize) {
    match random.below(100) {
        0..30 => {
            let value = match random.below(6) {
                0 | 1 => {
                    let fields = random.below(20);
                    world.object(fields)
                }
                2 => world.array(),
                3 => {
                    let length = if random.below(200) == 0 { large } else { random.below(300) };
                    world.string(length)
                }
                4 => world.leaf(Type::Float),
                _ => world.object(4),
            };
            world.roots.push(value);
        }
        30..85 => {
            let (Some(holder), Some(value)) = (pick(world, random), pick(world, random)) else { return };
            match &world.shadow[&number(holder)] {
                Shadow::Object(fields) if !fields.is_empty() => {
                    let field = random.below(fields.len());
                    world.set_field(holder, field, if random.below(8) == 0 { Value::NIL } else { value });
                }
                Shadow::Array(items) if !items.is_empty() && random.below(3) == 0 => {
                    let index = random.below(items.len());
                    world.set_item(holder, index, value);
                }
                Shadow::Array(_) => {
                    for _ in 0..1 + random.below(8) {
                        // The roots' order is kept by `push`; the pair is looked up again each time.
                        let at = world.roots.iter().position(|v| *v == holder).unwrap();
                        let (holder, value) = (world.roots[at], world.roots[random.below(world.roots.len())]);
                        world.push(holder, value);
                    }
                }
                _ => {}
            }
        }
        _ => {
            if world.roots.len() > 40 {
                for _ in 0..random.below(12) {
                    let at = random.below(world.roots.len());
                    world.roots.swap_remove(at);
                }
            }
        }
    }
}

fn run(seed: u64, changes: usize, options: Options, large: usize) -> World {
    let mut world = World::new(options);
    let mut random = Random(seed);
    for i in 0..changes {
        change(&mut world, &mut random, large);
        if i % 4096 == 0 {
            world.check();
        }
        match random.below(5000) {
            0 => world.mutator.collect(Request::full(Cause::Method)),
            1..4 => world.mutator.collect(Request::minor(Cause::Method)),
            4..8 => world.mutator.collect(Request { immediate_mark: false, ..Request::full(Cause::Method) }),
            _ => {}
        }
    }
    world.check();
    world
}

fn check_all_reclaimed(mut world: World) {
    world.mutator.collect(Request::full(Cause::Method));
    let reachable = world.check();
    assert_eq!(world.live_objects(), reachable);
    world.roots.clear();
    world.mutator.collect(Request::full(Cause::Method));
    assert_eq!(world.live_objects(), 0);
}

#[test]
fn small_young_space() {
    for seed in 1..8 {
        let options = Options { young_bytes: 64 << 10, ..Options::default() };
        check_all_reclaimed(run(seed, 60_000, options, 100_000));
    }
}

#[test]
fn collection_at_every_allocation() {
    for seed in 1..4 {
        let options = Options { stress_interval: 1, ..Options::default() };
        check_all_reclaimed(run(seed, 6_000, options, 50_000));
    }
}

#[test]
fn collection_at_every_seventh_allocation() {
    for seed in 10..14 {
        let options = Options { stress_interval: 7, ..Options::default() };
        check_all_reclaimed(run(seed, 20_000, options, 50_000));
    }
}

#[test]
fn default_options() {
    check_all_reclaimed(run(99, 300_000, Options::default(), 200_000));
}
