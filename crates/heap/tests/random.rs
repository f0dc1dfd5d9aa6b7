//! Random changes to a graph of objects, compared with a shadow of it, with collections in between.

mod model;

use abi::{Type, Value};
use heap::{Cause, Options, Request};
use model::{BUFFER, Random, Shadow, World, number, word};

/// A reachable object: a few steps from a root, so that most of the chosen ones are referenced only by objects.
fn pick(world: &World, random: &mut Random) -> Option<Value> {
    if world.roots.is_empty() {
        return None;
    }
    let mut value = world.roots[random.below(world.roots.len())];
    for _ in 0..random.below(12) {
        // SAFETY: the shadow says what is there.
        let next = unsafe {
            match &world.shadow[&number(value)] {
                Shadow::Object(fields) if !fields.is_empty() => Value(*word(value, 2 + random.below(fields.len()))),
                Shadow::Array(items) if !items.is_empty() => {
                    *(*word(value, BUFFER) as *const Value).add(random.below(items.len()))
                }
                _ => break,
            }
        };
        if next.is_heap() {
            value = next;
        }
    }
    Some(value)
}

/// Puts a new object where something reachable refers to it.
fn attach(world: &mut World, random: &mut Random, value: Value) {
    if world.roots.len() < 32 {
        return world.roots.push(value);
    }
    for _ in 0..8 {
        let holder = pick(world, random).unwrap();
        match &world.shadow[&number(holder)] {
            Shadow::Object(fields) if !fields.is_empty() => {
                // An empty field, if there is one, so that the graph grows.
                let free = fields.iter().position(|f| *f == 0).unwrap_or(random.below(fields.len()));
                return world.set_field(holder, free, value);
            }
            Shadow::Array(items) if items.len() < 5000 => return world.push(holder, value),
            _ => {}
        }
    }
}

/// One change; everything that must survive it is in the roots.
fn change(world: &mut World, random: &mut Random, large: usize) {
    match random.below(100) {
        0..40 => {
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
            attach(world, random, value);
        }
        40..98 => {
            let (Some(holder), Some(value)) = (pick(world, random), pick(world, random)) else { return };
            match &world.shadow[&number(holder)] {
                Shadow::Object(fields) if !fields.is_empty() => {
                    let field = random.below(fields.len());
                    world.set_field(holder, field, if random.below(8) == 0 { Value::NIL } else { value });
                    // Often the only other reference is removed right afterwards, which is the case that barriers are
                    // for.
                    if random.below(4) == 0
                        && let Some(other) = pick(world, random)
                        && let Shadow::Object(fields) = &world.shadow[&number(other)]
                        && !fields.is_empty()
                    {
                        let field = random.below(fields.len());
                        world.set_field(other, field, Value::NIL);
                    }
                }
                Shadow::Array(items) if !items.is_empty() && random.below(3) == 0 => {
                    let index = random.below(items.len());
                    world.set_item(holder, index, value);
                }
                Shadow::Array(_) => {
                    for _ in 0..1 + random.below(8) {
                        world.push(holder, value);
                    }
                }
                _ => {}
            }
        }
        _ => {
            if !world.roots.is_empty() && random.below(50) == 0 {
                let at = random.below(world.roots.len());
                let other = pick(world, random).unwrap();
                world.roots[at] = other;
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
            8..10 => {
                world.mutator.compact();
                assert_eq!(world.mutator.verify(), Vec::<String>::new());
            }
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

/// `BENI_HEAP_SEEDS=n` runs every test with `n` times as many seeds.
fn seeds(first: u64, count: u64) -> std::ops::Range<u64> {
    let times = std::env::var("BENI_HEAP_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    first..first + count * times
}

#[test]
fn small_young_space() {
    for seed in seeds(1, 7) {
        let options = Options { young_bytes: 64 << 10, verify: seed < 3, step_words: 500, ..Options::default() };
        check_all_reclaimed(run(seed, 60_000, options, 100_000));
    }
}

#[test]
fn collection_at_every_allocation() {
    for seed in seeds(1, 3) {
        let options = Options { stress_interval: 1, verify: true, ..Options::default() };
        check_all_reclaimed(run(seed, 6_000, options, 50_000));
    }
}

#[test]
fn collection_at_every_seventh_allocation() {
    for seed in seeds(10, 4) {
        let options = Options { stress_interval: 7, verify: seed % 2 == 0, ..Options::default() };
        check_all_reclaimed(run(seed, 20_000, options, 50_000));
    }
}

#[test]
fn default_options() {
    check_all_reclaimed(run(99, 300_000, Options::default(), 200_000));
}
