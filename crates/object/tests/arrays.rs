//! Arrays against vectors of numbers, through random operations with sharing and collections in between.

mod world;

use abi::Value;
use object::array::{Arr, Representation};
use world::{Random, TestWorld, number_of, value_of};

const SLOTS: usize = 6;

fn random_part(random: &mut Random, len: usize) -> (usize, usize) {
    let at = random.below(len + 1);
    let part = match random.below(3) {
        0 => len - at,
        1 => random.size(len - at),
        _ => random.below(len - at + 1),
    };
    (at, part)
}

/// New elements, kept alive in an Array.
fn made(world: &mut TestWorld, random: &mut Random, most: usize) -> (Arr, Vec<i64>) {
    let numbers: Vec<i64> = (0..random.size(most)).map(|_| random.below(1000) as i64).collect();
    let array = Arr::with_capacity(world, numbers.len()).unwrap();
    for n in &numbers {
        let v = value_of(world, *n);
        array.push(world, v).unwrap();
    }
    (array, numbers)
}

fn check(array: Arr, model: &[i64], after: &str) {
    let numbers: Vec<i64> = array.iter().map(number_of).collect();
    assert_eq!(numbers, model, "after {after}");
}

fn run(world: &mut TestWorld, seed: u64, steps: usize, longest: usize) {
    let mut random = Random::new(seed);
    let mut models: Vec<Vec<i64>> = vec![Vec::new(); SLOTS];
    for slot in 0..SLOTS {
        world.roots.slots[slot] = Arr::empty(world).value();
    }
    for step in 0..steps {
        let (a, b) = (random.below(SLOTS), random.below(SLOTS));
        let (array, other) = (Arr::of(world.roots.slots[a]), Arr::of(world.roots.slots[b]));
        let len = models[a].len();
        let name = if random.below(3) == 0 {
            make(world, &mut random, &mut models, (a, b), other, longest)
        } else if random.below(2) == 0 {
            change_ends(world, &mut random, &mut models, (a, b), (array, other))
        } else {
            change(world, &mut random, &mut models, (a, b), (array, other))
        };
        if models[a].len() > longest {
            array.truncate(world, longest / 2);
            models[a].truncate(longest / 2);
        }
        world.collect_sometimes(&mut random);
        check(Arr::of(world.roots.slots[a]), &models[a], &format!("{name} of {len}, step {step}, seed {seed}"));
        if step % 16 == 0 {
            for (slot, model) in models.iter().enumerate() {
                let after = format!("{name}, step {step}, seed {seed}, slot {slot}");
                check(Arr::of(world.roots.slots[slot]), model, &after);
            }
        }
    }
}

fn make(
    world: &mut TestWorld,
    random: &mut Random,
    models: &mut [Vec<i64>],
    (a, b): (usize, usize),
    other: Arr,
    longest: usize,
) -> &'static str {
    match random.below(4) {
        0 => {
            let (array, numbers) = made(world, random, longest);
            world.roots.slots[a] = array.copied(world).unwrap().value();
            models[a] = numbers;
            "new"
        }
        1 => {
            world.roots.slots[a] = other.dup(world).unwrap().value();
            models[a] = models[b].clone();
            "dup"
        }
        2 => {
            let (at, part) = random_part(random, models[b].len());
            world.roots.slots[a] = other.slice(world, at, part).unwrap().value();
            models[a] = models[b][at..at + part].to_vec();
            "slice"
        }
        _ => {
            let (n, len) = (random.below(1000) as i64, random.size(longest / 4));
            let v = value_of(world, n);
            world.roots.slots[a] = Arr::filled(world, len, v).unwrap().value();
            models[a] = vec![n; len];
            "filled"
        }
    }
}

fn change_ends(
    world: &mut TestWorld,
    random: &mut Random,
    models: &mut [Vec<i64>],
    (a, b): (usize, usize),
    (array, other): (Arr, Arr),
) -> &'static str {
    match random.below(7) {
        0 => {
            for _ in 0..random.size(40) {
                let n = random.below(1000) as i64;
                let v = value_of(world, n);
                array.push(world, v).unwrap();
                models[a].push(n);
            }
            "push"
        }
        1 => {
            for _ in 0..random.size(40) {
                assert_eq!(array.pop(world).map(number_of), models[a].pop());
            }
            "pop"
        }
        2 => {
            for _ in 0..random.size(40) {
                let expected = if models[a].is_empty() { None } else { Some(models[a].remove(0)) };
                assert_eq!(array.shift(world).map(number_of), expected);
            }
            "shift"
        }
        3 => {
            for _ in 0..random.size(40) {
                let n = random.below(1000) as i64;
                let v = value_of(world, n);
                array.unshift(world, &[v]).unwrap();
                models[a].insert(0, n);
            }
            "unshift"
        }
        4 => {
            array.append_all(world, other).unwrap();
            let more = models[b].clone();
            models[a].extend(more);
            "append of another"
        }
        5 => {
            let len = random.below(models[a].len() + 1);
            array.truncate(world, len);
            models[a].truncate(len);
            "truncate"
        }
        _ => {
            let count = random.below(models[a].len() + 1);
            array.drop_front(world, count);
            models[a].drain(..count);
            "drop_front"
        }
    }
}

fn change(
    world: &mut TestWorld,
    random: &mut Random,
    models: &mut [Vec<i64>],
    (a, b): (usize, usize),
    (array, other): (Arr, Arr),
) -> &'static str {
    let len = models[a].len();
    match random.below(11) {
        0 | 1 => {
            let (at, part) = random_part(random, len);
            let (with, numbers) = made(world, random, 60);
            // SAFETY: the Array is a root of the test, and the slice is not used after the change.
            array.splice(world, at, part, unsafe { with.unguarded() }).unwrap();
            models[a].splice(at..at + part, numbers);
            "splice"
        }
        2 => {
            let (at, part) = random_part(random, len);
            let (from, count) = random_part(random, models[b].len());
            // SAFETY: the Array is a root of the test, and the slice is not used after the change.
            array.splice(world, at, part, &unsafe { other.unguarded() }[from..from + count]).unwrap();
            let with = models[b][from..from + count].to_vec();
            models[a].splice(at..at + part, with);
            "splice of another's part"
        }
        3 => {
            let (at, part) = random_part(random, len);
            array.splice(world, at, part, &[]).unwrap();
            models[a].drain(at..at + part);
            "deletion"
        }
        4 => {
            let index = random.below(len + 5);
            let n = random.below(1000) as i64;
            let v = value_of(world, n);
            array.set(world, index, v).unwrap();
            if index >= len {
                models[a].resize(index + 1, -1);
            }
            models[a][index] = n;
            "set"
        }
        5 => {
            let (at, count) = (random.below(len + 3), random.size(50));
            let n = random.below(1000) as i64;
            let v = value_of(world, n);
            array.fill(world, at, count, v).unwrap();
            if count > 0 {
                let end = (at + count).max(len);
                models[a].resize(end, -1);
                models[a][at..at + count].fill(n);
            }
            "fill"
        }
        6 => {
            array.reverse(world).unwrap();
            models[a].reverse();
            "reverse"
        }
        7 => {
            let by = random.below(len + 1);
            array.rotate(world, by).unwrap();
            models[a].rotate_left(by);
            "rotate"
        }
        8 => {
            array.replace(world, other).unwrap();
            models[a] = models[b].clone();
            "replace"
        }
        9 => {
            let (at, part) = random_part(random, models[b].len());
            // SAFETY: the Array is a root of the test, and the slice is not used after the change.
            array.set_elements(world, &unsafe { other.unguarded() }[at..at + part]).unwrap();
            models[a] = models[b][at..at + part].to_vec();
            "set_elements"
        }
        _ => {
            let odd = |n: i64| n % 2 != 0;
            array.retain(world, |v| odd(number_of(v))).unwrap();
            models[a].retain(|n| odd(*n));
            "retain"
        }
    }
}

#[test]
fn short_ones_behave_as_vectors() {
    let base = 0u64;
    let mut world = TestWorld::small(SLOTS, (&raw const base).cast());
    for seed in 0..30 {
        run(&mut world, seed, 1000, 120);
    }
}

#[test]
fn long_ones_behave_as_vectors() {
    let base = 0u64;
    let mut world = TestWorld::small(SLOTS, (&raw const base).cast());
    for seed in 100..106 {
        run(&mut world, seed, 500, 20_000);
    }
}

#[test]
fn a_collection_at_every_allocation_changes_nothing() {
    let base = 0u64;
    let mut world = TestWorld::stressed(SLOTS, (&raw const base).cast());
    for seed in 200..203 {
        run(&mut world, seed, 150, 200);
    }
}

#[test]
fn sizes_match_the_diagram() {
    let base = 0u64;
    let mut world = TestWorld::small(SLOTS, (&raw const base).cast());
    let cx = &mut *world;
    let of = |cx: &mut object::Mem, n: usize| {
        let array = Arr::new(cx, &[Value::NIL; 100][..n]).unwrap();
        array.memory_size(cx)
    };
    let sizes: Vec<usize> = [0, 1, 2, 3, 8, 63].into_iter().map(|n| of(cx, n)).collect();
    assert_eq!(sizes, [32, 16, 24, 32, 72, 512]);
    let array = Arr::single(cx, Value::NIL);
    array.push(cx, Value::TRUE).unwrap();
    array.push(cx, Value::FALSE).unwrap();
    assert_eq!(array.elements(cx), [Value::NIL, Value::TRUE, Value::FALSE]);
    assert_eq!(array.representation(), Representation::Owned);
}

#[test]
fn slices_of_long_arrays_take_no_slots_of_their_own() {
    let base = 0u64;
    let mut world = TestWorld::small(SLOTS, (&raw const base).cast());
    let cx = &mut *world;
    let array = Arr::filled(cx, 9000, Value::TRUE).unwrap();
    for slice in [array.slice(cx, 30, 8970), array.slice(cx, 15, 8000), array.slice(cx, 9, 8991), array.dup(cx)] {
        assert_eq!(slice.unwrap().memory_size(cx), 32);
    }
    let part = array.slice(cx, 15, 8000).unwrap();
    part.set(cx, 0, Value::NIL).unwrap();
    assert_eq!((part.get(0), array.get(15)), (Some(Value::NIL), Some(Value::TRUE)));
    array.push(cx, Value::NIL).unwrap();
    assert_eq!((array.len(), array.representation()), (9001, Representation::Lent));
}

#[test]
fn queues_do_not_grow_without_end() {
    let base = 0u64;
    let mut world = TestWorld::small(SLOTS, (&raw const base).cast());
    let queue = Arr::empty(&mut world);
    world.roots.slots[0] = queue.value();
    for i in 0..100_000 {
        queue.push(&mut world, Value::fixnum(i)).unwrap();
        if i >= 100 {
            assert_eq!(queue.shift(&mut world), Some(Value::fixnum(i - 100)));
        }
    }
    assert!(queue.memory_size(&world) < 8192, "{}", queue.memory_size(&world));
}

#[test]
fn impossible_sizes_are_errors() {
    use object::payload::Exhausted;
    let base = 0u64;
    let mut world = TestWorld::small(SLOTS, (&raw const base).cast());
    let cx = &mut *world;
    let array = Arr::single(cx, Value::TRUE);
    assert_eq!(array.set(cx, 1 << 62, Value::NIL), Err(Exhausted::TooBig));
    assert_eq!(array.set(cx, 1 << 50, Value::NIL), Err(Exhausted::OutOfMemory));
    assert_eq!(Arr::filled(cx, 1 << 62, Value::NIL), Err(Exhausted::TooBig));
    assert_eq!(Arr::filled(cx, 1 << 50, Value::NIL), Err(Exhausted::OutOfMemory));
    assert_eq!(array.fill(cx, usize::MAX, 2, Value::NIL), Err(Exhausted::TooBig));
    assert_eq!(array.elements(cx), [Value::TRUE]);
}

#[test]
fn sorting_is_stable_and_survives_collections() {
    let base = 0u64;
    let mut world = TestWorld::small(SLOTS, (&raw const base).cast());
    let mut random = Random::new(5);
    for len in [0, 1, 2, 7, 8, 9, 16, 17, 100, 1000, 5000] {
        let (array, mut model) = made_of(&mut world, &mut random, len);
        world.roots.slots[0] = array.value();
        let mut calls = 0;
        let sorted = array.sorted_by(&mut world, |world: &mut TestWorld, a, b| {
            calls += 1;
            if calls % 97 == 0 {
                world.minor();
            }
            Ok::<_, object::payload::Exhausted>((number_of(a) / 10).cmp(&(number_of(b) / 10)))
        });
        check(array, &model, "sorting something else");
        model.sort_by_key(|n| n / 10);
        check(sorted.unwrap(), &model, "sorting");
        let again = sorted.unwrap().sorted_by(&mut world, |_, a, b| {
            calls += 1;
            Ok::<_, object::payload::Exhausted>((number_of(a) / 10).cmp(&(number_of(b) / 10)))
        });
        check(again.unwrap(), &model, "sorting again");
    }
}

fn made_of(world: &mut TestWorld, random: &mut Random, len: usize) -> (Arr, Vec<i64>) {
    let numbers: Vec<i64> = (0..len).map(|_| random.below(1000) as i64).collect();
    let array = Arr::with_capacity(world, len).unwrap();
    world.roots.slots[1] = array.value();
    for n in &numbers {
        let v = value_of(world, *n);
        array.push(world, v).unwrap();
    }
    (array, numbers)
}

#[test]
fn joining_takes_the_room_that_is_needed() {
    let base = 0u64;
    let mut world = TestWorld::small(SLOTS, (&raw const base).cast());
    let cx = &mut *world;
    let (a, b) = (Arr::filled(cx, 30, Value::TRUE).unwrap(), Arr::filled(cx, 60, Value::NIL).unwrap());
    // SAFETY: both are on the stack and are not changed.
    let joined = Arr::joined(cx, &[unsafe { a.unguarded() }, unsafe { b.unguarded() }, &[Value::FALSE]]).unwrap();
    assert_eq!((joined.len(), joined.get(29), joined.get(30)), (91, Some(Value::TRUE), Some(Value::NIL)));
    assert_eq!(joined.get(90), Some(Value::FALSE));
    // No smaller buffer holds 91 elements, so only the used bytes are counted.
    assert_eq!(joined.memory_size(cx), 32 + 91 * 8);
}

#[test]
fn emptied_arrays_give_their_buffers_back() {
    let base = 0u64;
    let mut world = TestWorld::small(SLOTS, (&raw const base).cast());
    for from_front in [false, true] {
        let array = Arr::filled(&mut world, 100_000, Value::TRUE).unwrap();
        world.roots.slots[0] = array.value();
        for left in (0..100_000).rev() {
            let taken = if from_front { array.shift(&mut world) } else { array.pop(&mut world) };
            assert_eq!((taken, array.len()), (Some(Value::TRUE), left));
            assert!(array.memory_size(&world) <= (left + 1024) * 8 * 4 + 40_000, "{left} left");
        }
    }
}
