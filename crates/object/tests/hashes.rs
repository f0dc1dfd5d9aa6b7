//! Hashes against vectors of pairs, through random operations with collections in between.

mod world;

use abi::Value;
use object::Mem;
use object::array::Arr;
use object::hash::{Error, HashRef, Representation};
use object::string::Str;
use object::{bigint, float};
use text::EncodingId;
use world::{ArrayKeys, Random, TestWorld, number_of, value_of};

const SLOTS: usize = 5;

/// A key in the model.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Key(i64);

/// The key for a number, which determines the kind of the key.
fn key_of(cx: &mut Mem, key: Key) -> Value {
    match key.0 % 6 {
        0 => Value::fixnum(key.0),
        1 => Str::text(cx, &format!("key {}", key.0)).unwrap().value(),
        2 => bigint::from_u64(cx, u64::MAX - key.0 as u64),
        3 => float::new(cx, 1e300 * (1.0 + key.0 as f64)),
        4 => object::symbol::intern_dynamic(cx, format!("symbol {}", key.0).as_bytes(), EncodingId::UTF_8).value(),
        _ => {
            let n = value_of(cx, key.0);
            Arr::single(cx, n).value()
        }
    }
}

fn is_key(cx: &Mem, v: Value, key: Key) -> bool {
    match key.0 % 6 {
        0 => v == Value::fixnum(key.0),
        1 => Str::from_value(v).is_some_and(|s| s.is(format!("key {}", key.0).as_bytes())),
        2 => bigint::is(v) && bigint::parts(&v).limbs == [u64::MAX - key.0 as u64],
        3 => float::get(v) == Some(1e300 * (1.0 + key.0 as f64)),
        4 => object::Sym::from_value(v).is_some_and(|s| s.bytes(cx) == format!("symbol {}", key.0).as_bytes()),
        _ => Arr::from_value(v).is_some_and(|a| number_of(a.at(0)) == key.0),
    }
}

fn check(cx: &Mem, hash: HashRef, model: &[(Key, i64)], after: &str) {
    assert_eq!(hash.len(), model.len(), "after {after}");
    let mut count = 0;
    for ((key, value), expected) in hash.entries().zip(model) {
        assert!(is_key(cx, key, expected.0), "after {after}: {key:?} is not {expected:?}");
        assert_eq!(number_of(value), expected.1, "after {after}");
        count += 1;
    }
    assert_eq!(count, model.len(), "after {after}");
}

fn find(model: &[(Key, i64)], key: Key) -> Option<usize> {
    model.iter().position(|(k, _)| *k == key)
}

fn run(world: &mut TestWorld, seed: u64, steps: usize, keys: usize) {
    let mut random = Random::new(seed);
    let mut models: Vec<Vec<(Key, i64)>> = vec![Vec::new(); SLOTS];
    for slot in 0..SLOTS {
        world.roots.slots[slot] = HashRef::new(world).value();
    }
    for step in 0..steps {
        let (a, b) = (random.below(SLOTS), random.below(SLOTS));
        let len = models[a].len();
        let name = change(world, &mut random, &mut models, (a, b), keys);
        world.collect_sometimes(&mut random);
        let after = format!("{name} with {len}, step {step}, seed {seed}");
        check(world, HashRef::of(world.roots.slots[a]), &models[a], &after);
        if step % 16 == 0 {
            for (slot, model) in models.iter().enumerate() {
                check(world, HashRef::of(world.roots.slots[slot]), model, &format!("{after}, slot {slot}"));
            }
        }
    }
}

fn store(world: &mut TestWorld, hash: HashRef, model: &mut Vec<(Key, i64)>, key: Key, n: i64) {
    let (k, v) = (key_of(world, key), value_of(world, n));
    hash.store(&mut ArrayKeys::new(world), k, v).unwrap();
    match find(model, key) {
        Some(at) => model[at].1 = n,
        None => model.push((key, n)),
    }
}

fn change(
    world: &mut TestWorld,
    random: &mut Random,
    models: &mut [Vec<(Key, i64)>],
    (a, b): (usize, usize),
    keys: usize,
) -> &'static str {
    let (hash, other) = (HashRef::of(world.roots.slots[a]), HashRef::of(world.roots.slots[b]));
    let key = Key(random.below(keys) as i64);
    match random.below(16) {
        0..5 => {
            for _ in 0..random.size(12) + 1 {
                let key = Key(random.below(keys) as i64);
                store(world, hash, &mut models[a], key, random.below(1000) as i64);
            }
            "store"
        }
        5 | 6 => {
            let k = key_of(world, key);
            let found = hash.get(&mut ArrayKeys::new(world), k).unwrap();
            assert_eq!(found.map(number_of), find(&models[a], key).map(|at| models[a][at].1));
            "get"
        }
        7 | 8 => {
            for _ in 0..random.size(12) + 1 {
                let key = Key(random.below(keys) as i64);
                let k = key_of(world, key);
                let found = hash.delete(&mut ArrayKeys::new(world), k).unwrap();
                let expected = find(&models[a], key).map(|at| models[a].remove(at).1);
                assert_eq!(found.map(|(_, v)| number_of(v)), expected);
            }
            "delete"
        }
        9 => {
            let found = hash.shift(world).map(|(_, v)| number_of(v));
            let expected = if models[a].is_empty() { None } else { Some(models[a].remove(0).1) };
            assert_eq!(found, expected);
            "shift"
        }
        10 => {
            world.roots.slots[a] = other.dup(world).unwrap().value();
            models[a] = models[b].clone();
            "dup"
        }
        11 => {
            hash.replace_entries(world, other).unwrap();
            models[a] = models[b].clone();
            "replace"
        }
        12 => iterate(world, random, hash, &mut models[a]),
        13 => {
            hash.rehash(&mut ArrayKeys::new(world)).unwrap();
            "rehash"
        }
        14 => {
            if a != b {
                hash.merge(&mut ArrayKeys::new(world), other).unwrap();
                for (key, n) in models[b].clone() {
                    match find(&models[a], key) {
                        Some(at) => models[a][at].1 = n,
                        None => models[a].push((key, n)),
                    }
                }
            }
            "merge"
        }
        _ => {
            match random.below(5) {
                0 => {
                    hash.clear(world);
                    models[a].clear();
                }
                1 => {
                    let v = value_of(world, 3);
                    hash.set_default(world, v).unwrap();
                    assert_eq!(number_of(hash.default()), 3);
                }
                2 => {
                    let keys = hash.keys(world).unwrap();
                    assert!(keys.iter().zip(&models[a]).all(|(k, (m, _))| is_key(world, k, *m)));
                    assert_eq!(keys.len(), models[a].len());
                }
                3 => hash.reserve(world, random.size(20)).unwrap(),
                _ => {
                    let (count, start) = (random.size(20), random.below(keys) as i64);
                    world.roots.slots[a] = HashRef::with_capacity(world, count).unwrap().value();
                    models[a].clear();
                    for i in 0..count as i64 {
                        let hash = HashRef::of(world.roots.slots[a]);
                        store(world, hash, &mut models[a], Key((start + i) % keys as i64), i);
                    }
                }
            }
            "something whole"
        }
    }
}

/// Iterates over all entries, deletes some and changes others.
fn iterate(world: &mut TestWorld, random: &mut Random, hash: HashRef, model: &mut Vec<(Key, i64)>) -> &'static str {
    let levels = random.size(600) + 1;
    for _ in 0..levels {
        hash.begin_iteration(world).unwrap();
    }
    let (mut position, mut at, mut seen) = (0, 0, 0);
    let all = model.len();
    while let Some((next, key, _)) = hash.next(position) {
        position = next;
        seen += 1;
        assert!(is_key(world, key, model[at].0));
        match random.below(3) {
            0 => {
                hash.delete_at(world, position - 1);
                model.remove(at);
            }
            1 => {
                let n = random.below(1000) as i64;
                let (k, v) = (key_of(world, model[at].0), value_of(world, n));
                hash.store(&mut ArrayKeys::new(world), k, v).unwrap();
                model[at].1 = n;
                at += 1;
            }
            _ => at += 1,
        }
        world.collect_sometimes(random);
    }
    assert_eq!(seen, all);
    let fresh = key_of(world, Key(600_000));
    let refused = hash.store(&mut ArrayKeys::new(world), fresh, Value::NIL);
    assert_eq!(refused, Err(Error::AddedDuringIteration));
    for _ in 0..levels {
        assert!(hash.is_iterating());
        hash.end_iteration(world);
    }
    assert!(!hash.is_iterating());
    "iteration"
}

#[test]
fn small_ones_behave_as_vectors_of_pairs() {
    let base = 0u64;
    let mut world = TestWorld::small(SLOTS, (&raw const base).cast());
    for seed in 0..40 {
        run(&mut world, seed, 500, 20);
    }
}

#[test]
fn large_ones_behave_as_vectors_of_pairs() {
    let base = 0u64;
    let mut world = TestWorld::small(SLOTS, (&raw const base).cast());
    for seed in 100..104 {
        run(&mut world, seed, 300, 1000);
    }
}

#[test]
fn a_collection_at_every_allocation_changes_nothing() {
    let base = 0u64;
    let mut world = TestWorld::stressed(SLOTS, (&raw const base).cast());
    for seed in 200..203 {
        run(&mut world, seed, 120, 30);
    }
}

#[test]
fn every_width_of_the_index_finds_its_keys() {
    let base = 0u64;
    let mut world = TestWorld::new(SLOTS, heap::Options::default(), (&raw const base).cast());
    let hash = HashRef::new(&mut world);
    world.roots.slots[0] = hash.value();
    for i in 0..200_000 {
        hash.store(&mut ArrayKeys::new(&mut world), Value::fixnum(i), Value::fixnum(-i)).unwrap();
        if i.count_ones() == 1 || i % 9973 == 0 {
            for k in (0..=i).step_by(1 + i as usize / 50) {
                let found = hash.get(&mut ArrayKeys::new(&mut world), Value::fixnum(k)).unwrap();
                assert_eq!(found, Some(Value::fixnum(-k)), "{k} of {i}");
            }
            assert_eq!(hash.get(&mut ArrayKeys::new(&mut world), Value::fixnum(i + 1)).unwrap(), None);
        }
    }
    for i in 0..200_000 {
        assert_eq!(hash.shift(&mut world), Some((Value::fixnum(i), Value::fixnum(-i))));
    }
    assert_eq!((hash.len(), hash.representation()), (0, Representation::Linear));
}

#[test]
fn sizes_match_the_diagram() {
    let base = 0u64;
    let mut world = TestWorld::small(SLOTS, (&raw const base).cast());
    let mut size = |n: usize| {
        let hash = HashRef::with_capacity(&mut world, n).unwrap();
        for i in 0..n as i64 {
            hash.store(&mut ArrayKeys::new(&mut world), Value::fixnum(i), Value::NIL).unwrap();
        }
        hash.memory_size(&world)
    };
    let sizes: Vec<usize> = [0, 1, 2, 4, 8, 16].into_iter().map(&mut size).collect();
    assert_eq!(sizes, [32, 32, 48, 80, 144, 32 + 256 + 128]);
}

#[test]
fn string_keys_are_frozen_copies() {
    let base = 0u64;
    let mut world = TestWorld::small(SLOTS, (&raw const base).cast());
    let hash = HashRef::new(&mut world);
    let key = Str::text(&mut world, "changing").unwrap();
    hash.store(&mut ArrayKeys::new(&mut world), key.value(), Value::TRUE).unwrap();
    key.append(&mut world, b"!").unwrap();
    let (stored, _) = hash.first().unwrap();
    assert!(stored != key.value() && object::cell::frozen(stored));
    assert_eq!(Str::of(stored).to_vector(), b"changing");
}

#[test]
fn zeros_and_identity() {
    let base = 0u64;
    let mut world = TestWorld::small(SLOTS, (&raw const base).cast());
    let hash = HashRef::new(&mut world);
    let (plus, minus) = (float::new(&mut world, 0.0), float::new(&mut world, -0.0));
    let mut keys = ArrayKeys::new(&mut world);
    hash.store(&mut keys, minus, Value::TRUE).unwrap();
    assert_eq!(hash.get(&mut keys, plus).unwrap(), Some(Value::TRUE));
    assert_eq!(hash.get(&mut keys, Value::fixnum(0)).unwrap(), None);
    let (a, b) = (Str::text(&mut keys, "same").unwrap().value(), Str::text(&mut keys, "same").unwrap().value());
    hash.compare_by_identity(&mut keys).unwrap();
    hash.store(&mut keys, a, Value::fixnum(1)).unwrap();
    hash.store(&mut keys, b, Value::fixnum(2)).unwrap();
    assert_eq!((hash.len(), hash.get(&mut keys, a).unwrap()), (3, Some(Value::fixnum(1))));
    for i in 0..50 {
        hash.store(&mut keys, Value::fixnum(i), Value::NIL).unwrap();
    }
    assert_eq!((hash.len(), hash.get(&mut keys, b).unwrap()), (53, Some(Value::fixnum(2))));
    assert!(hash.dup(&mut keys).unwrap().is_by_identity());
}

/// An `eql?` and a `hash` that change the table for which they are called.
fn meddle(keys: &mut ArrayKeys) {
    let hash = HashRef::of(keys.world.roots.slots[0]);
    let n = keys.random.below(40) as i64 * 6;
    match keys.random.below(12) {
        0 if !hash.is_iterating() => hash.clear(keys),
        1..4 => {
            let _ = hash.delete(keys, Value::fixnum(n));
        }
        4..7 => {
            for i in 0..keys.random.below(6) as i64 {
                let _ = hash.store(keys, Value::fixnum(n + i * 6), Value::TRUE);
            }
        }
        7 => {
            hash.shift(keys);
        }
        8 if !hash.is_iterating() => {
            let _ = hash.rehash(keys);
        }
        9 => keys.world.minor(),
        _ => {}
    }
}

#[test]
fn a_table_survives_changes_that_its_keys_make() {
    let base = 0u64;
    for seed in 0..60 {
        let mut world = TestWorld::small(SLOTS, (&raw const base).cast());
        let mut random = Random::new(seed);
        world.roots.slots[0] = HashRef::new(&mut world).value();
        for _ in 0..300 {
            let key = Key(random.below(60) as i64);
            let k = key_of(&mut world, key);
            let hash = HashRef::of(world.roots.slots[0]);
            let mut keys = ArrayKeys::new(&mut world);
            keys.random = Random::new(random.next());
            keys.meddle = Some(meddle);
            match random.below(5) {
                0..3 => hash.store(&mut keys, k, Value::fixnum(1)).unwrap(),
                3 => {
                    hash.get(&mut keys, k).unwrap();
                }
                _ => {
                    hash.delete(&mut keys, k).unwrap();
                }
            }
            keys.meddle = None;
            assert_eq!(hash.entries().count(), hash.len());
            let list: Vec<(Value, Value)> = hash.entries().collect();
            for (key, value) in list {
                assert_eq!(hash.get(&mut keys, key).unwrap(), Some(value), "seed {seed}");
            }
        }
    }
}

#[test]
fn emptied_hashes_give_their_buffers_back() {
    let base = 0u64;
    let mut world = TestWorld::small(SLOTS, (&raw const base).cast());
    let hash = HashRef::new(&mut world);
    world.roots.slots[0] = hash.value();
    let mut keys = ArrayKeys::new(&mut world);
    for i in 0..50_000 {
        hash.store(&mut keys, Value::fixnum(i), Value::TRUE).unwrap();
    }
    for i in 0..49_000 {
        hash.delete(&mut keys, Value::fixnum(i * 7919 % 50_000)).unwrap();
    }
    assert_eq!(hash.len(), 1000);
    assert!(hash.memory_size(&keys) < 400_000, "{}", hash.memory_size(&keys));
    for (key, _) in hash.entries() {
        assert_eq!(hash.get(&mut keys, key).unwrap(), Some(Value::TRUE));
    }
}

#[test]
fn keys_by_identity_are_found_after_a_compaction() {
    let base = 0u64;
    let mut world = TestWorld::small(SLOTS, (&raw const base).cast());
    let mut moved = 0;
    for n in [4, 6000] {
        world.roots.slots[0] = object::hash::new_identity(&mut world);
        world.roots.slots[1] = HashRef::new(&mut world).value();
        fill_among_garbage(&mut world, n);
        moved += world.compact().total_moved();
        let by_identity = world.roots.slots[0];
        for (key, value) in HashRef::of(by_identity).entries() {
            assert_eq!(object::hash::identity_get(by_identity, key), value);
        }
        let by_value = HashRef::of(world.roots.slots[1]);
        assert_eq!((HashRef::of(by_identity).len(), by_value.len()), (n as usize, n as usize));
        for i in 0..n {
            let key = key_of(&mut world, Key(i));
            assert!(by_value.get(&mut ArrayKeys::new(&mut world), key).unwrap().is_some());
        }
    }
    assert!(moved > 0);
}

#[inline(never)]
fn fill_among_garbage(world: &mut TestWorld, n: i64) {
    let (by_identity, by_value) = (world.roots.slots[0], HashRef::of(world.roots.slots[1]));
    for i in 0..n {
        for _ in 0..50 {
            Str::text(world, "garbage").unwrap();
        }
        let key = key_of(world, Key(i));
        object::hash::identity_store(world, by_identity, key, Value::fixnum(i));
        let key = key_of(world, Key(i));
        by_value.store(&mut ArrayKeys::new(world), key, Value::TRUE).unwrap();
    }
}
