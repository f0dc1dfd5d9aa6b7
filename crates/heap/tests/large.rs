//! Large buffers of values: cards, marking in pieces, growth, reuse.

mod model;

use abi::Value;
use heap::{Buffer, BufferKind, Cause, Options, OutOfMemory, Request};
use model::{BUFFER, LENGTH, Random, Shadow, World, number, word};

/// An array of `n` nils in a buffer of its own.
fn large_array(world: &mut World, n: usize) -> Value {
    let array = world.array();
    world.roots.push(array);
    let buffer = world.mutator.allocate_buffer(n * 8, BufferKind::Values).unwrap();
    let array = world.roots.pop().unwrap();
    // SAFETY: the array's words.
    unsafe {
        *word(array, BUFFER) = buffer.address() as u64;
        *word(array, LENGTH) = n as u64;
    }
    world.mutator.barrier_buffer(array, buffer);
    world.shadow.insert(number(array), Shadow::Array(vec![0; n]));
    array
}

fn item(array: Value, index: usize) -> Value {
    // SAFETY: tests index inside.
    unsafe { *(*word(array, BUFFER) as *const Value).add(index) }
}

/// Moves references among three large arrays; a reference that was taken out of one is temporarily in none of the
/// roots.
fn wander(seed: u64, steps: usize, options: Options) {
    let mut world = World::new(options);
    let mut random = Random(seed);
    for n in [5_000, 20_000, 70_000] {
        let array = large_array(&mut world, n);
        world.roots.push(array);
    }
    let sizes = [5_000, 20_000, 70_000];
    for step in 0..steps {
        let (a, b) = (random.below(3), random.below(3));
        let (i, j) = (random.below(sizes[a] / 97) * 97, random.below(sizes[b] / 97) * 97);
        match random.below(10) {
            0..4 => {
                let value = world.object(2);
                let array = world.roots[a];
                world.set_item(array, i, value);
            }
            4..8 => {
                // From one array to the other, in either direction.
                let value = item(world.roots[a], i);
                world.set_item(world.roots[b], j, value);
                if (a, i) != (b, j) {
                    world.set_item(world.roots[a], i, Value::NIL);
                }
            }
            8 => {
                let (value, holder) = (item(world.roots[a], i), item(world.roots[b], j));
                if value.is_heap() && holder.is_heap() {
                    world.set_field(holder, step % 2, value);
                    world.set_item(world.roots[a], i, Value::NIL);
                }
            }
            _ if random.below(30) == 0 => {
                // A copy replaces the array; half of its elements are then referred to only by the copy.
                let copy = large_array(&mut world, sizes[a]);
                let array = world.roots[a];
                for index in (0..sizes[a]).step_by(97 * 2) {
                    world.set_item(copy, index, item(array, index));
                }
                world.roots[a] = copy;
            }
            _ => {
                world.object(3);
            }
        }
        if step % 20_000 == 0 {
            world.check();
        }
    }
    world.check();
    world.mutator.collect(Request::full(Cause::Method));
    let reachable = world.check();
    assert_eq!(world.live_objects(), reachable);
}

#[test]
fn references_wander_between_large_arrays() {
    wander(1, 2_000, Options { stress_interval: 1, verify: true, ..Options::default() });
    wander(2, 20_000, Options { stress_interval: 5, ..Options::default() });
    wander(3, 20_000, Options { stress_interval: 11, verify: true, ..Options::default() });
    wander(4, 300_000, Options { young_bytes: 256 << 10, step_words: 700, ..Options::default() });
}

#[test]
fn growing_keeps_contents_and_zeroes_the_rest() {
    let mut world = World::new(Options { stress_interval: 3, verify: true, ..Options::default() });
    let array = world.array();
    world.roots.push(array);
    let mut random = Random(5);
    for i in 0..60_000 {
        let value = if random.below(50) == 0 { world.object(1) } else { Value::NIL };
        let array = world.roots[0];
        world.push(array, value);
        if i % 10_000 == 0 {
            world.check();
        }
    }
    world.check();
    // SAFETY: the array has a buffer.
    let buffer = unsafe { Buffer::from_address(*word(world.roots[0], BUFFER) as usize) }.unwrap();
    let size = world.mutator.buffer_size(buffer);
    assert!(size >= 480_000);
    // SAFETY: inside the buffer.
    assert!((60_000..size / 8).all(|i| unsafe { buffer.words().add(i).read() }.0 == 0));
}

#[test]
fn large_arrays_move_when_they_grow() {
    let mut world = World::new(Options { stress_interval: 7, verify: true, ..Options::default() });
    let array = large_array(&mut world, 200_000);
    world.roots.push(array);
    let (mut random, mut moves) = (Random(6), 0);
    for step in 0..4_000 {
        let value = world.object(1);
        world.set_item(world.roots[0], random.below(200_000), value);
        if step % 400 == 399 {
            // What takes the room behind it makes it move.
            let (string, array) = (world.string(100_000), world.roots[0]);
            world.roots.push(string);
            // SAFETY: the array's words; it is the only owner of its buffer.
            unsafe {
                let buffer = Buffer::from_address(*word(array, BUFFER) as usize).unwrap();
                let (size, before) = (world.mutator.buffer_size(buffer), buffer.address());
                let buffer = world.mutator.grow_buffer(buffer, BufferKind::Values, size, size + size / 3).unwrap();
                moves += usize::from(buffer.address() != before);
                *word(array, BUFFER) = buffer.address() as u64;
                world.mutator.barrier_buffer(array, buffer);
                assert!((size / 8..world.mutator.buffer_size(buffer) / 8).all(|i| buffer.words().add(i).read().0 == 0));
            }
            world.check();
        }
    }
    assert!(moves > 0);
}

#[test]
fn the_cell_of_a_dropped_buffer_is_allocated_next() {
    let mut world = World::new(Options::default());
    for kind in [BufferKind::Bytes, BufferKind::Values] {
        let mut buffers = [0; 3].map(|_| world.mutator.allocate_buffer(96, kind).unwrap());
        let last = buffers[2].address();
        world.mutator.release_buffer(buffers[2]);
        buffers[2] = world.mutator.allocate_buffer(96, kind).unwrap();
        assert_eq!(buffers[2].address(), last);
        // Only the last one can be taken back.
        world.mutator.release_buffer(buffers[0]);
        let next = world.mutator.allocate_buffer(96, kind).unwrap();
        assert!(buffers.iter().all(|buffer| buffer.address() != next.address()));
    }
}

#[test]
fn dead_buffers_are_used_again_and_given_back() {
    let mut world = World::new(Options::default());
    let before = world.heap.statistics().large_bytes;
    for _ in 0..2_000 {
        let string = world.string(1 << 20);
        world.roots.clear();
        world.roots.push(string);
    }
    world.check();
    assert!(world.heap.statistics().region_bytes_used < 200 << 20);
    world.roots.clear();
    world.mutator.collect(Request::full(Cause::Method));
    world.mutator.collect(Request::full(Cause::Method));
    let statistics = world.heap.statistics();
    assert_eq!((statistics.large_bytes, statistics.cached_bytes), (before, 0));
}

#[test]
fn absurd_and_exhausting_sizes_are_errors_with_nothing_lost() {
    let mut world = World::new(Options { region_bytes: 64 << 20, ..Options::default() });
    let kept = world.string(100_000);
    world.roots.push(kept);
    for bytes in [usize::MAX, 1 << 62, 1 << 45, 65 << 20] {
        assert_eq!(world.mutator.allocate_buffer(bytes, BufferKind::Bytes), Err(OutOfMemory));
        assert_eq!(world.mutator.allocate_buffer(bytes, BufferKind::Values), Err(OutOfMemory));
    }
    // Fills the region alternately with small and large buffers until nothing fits.
    let mut made = 0;
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        loop {
            let object = world.object(50);
            world.roots.push(object);
            made += 1;
        }
    }));
    assert!(outcome.unwrap_err().is::<OutOfMemory>());
    assert!(made > 100_000, "{made}");
    world.shadow.remove(&(world.next - 1));
    assert_eq!(world.mutator.allocate_buffer(8 << 20, BufferKind::Bytes), Err(OutOfMemory));
    world.check();
    // After half of it was freed, everything works again.
    let half = world.roots.len() / 2;
    world.roots.truncate(half);
    for _ in 0..200_000 {
        world.object(20);
    }
    let string = world.string(1 << 20);
    world.roots.push(string);
    world.check();
    assert_eq!(world.mutator.verify(), Vec::<String>::new());
}

/// Each array's last element is the next array, so that the work list must hold the other elements of all of them.
fn deep(world: &mut World, depth: usize) {
    let top = world.array();
    world.roots.push(top);
    let mut holder = top;
    for _ in 0..depth {
        for _ in 0..4000 {
            let leaf = world.leaf(abi::Type::Float);
            world.push(holder, leaf);
        }
        let next = world.array();
        world.push(holder, next);
        holder = next;
    }
}

#[test]
fn blocks_used_for_larger_cells_before_the_old_marks_are_cleared() {
    let mut world = World::new(Options { verify: true, ..Options::default() });
    let float = abi::Header::new(abi::Type::Float, abi::ShapeId(0), 0);
    // More blocks than one step sweeps.
    for _ in 0..1_000_000 {
        let object = world.mutator.allocate(48, float);
        world.roots.push(object);
    }
    world.mutator.collect(Request::full(Cause::Method));
    world.roots.clear();
    world.mutator.collect(Request { immediate_sweep: false, ..Request::full(Cause::Method) });
    for _ in 0..10_000 {
        let object = world.mutator.allocate(400, float);
        world.roots.push(object);
    }
    world.mutator.collect(Request { immediate_sweep: false, ..Request::full(Cause::Method) });
    world.mutator.collect(Request::full(Cause::Method));
}

#[test]
fn a_work_list_that_overflows_loses_nothing() {
    // In a region this small, the lists have room for about 64,000 entries.
    let options = || Options { region_bytes: 64 << 20, verify: true, ..Options::default() };
    let mut world = World::new(options());
    world.heap.set_disabled(true);
    deep(&mut world, 30);
    world.heap.set_disabled(false);
    world.mutator.collect(Request::minor(Cause::Method));
    assert_eq!(world.check(), 30 * 4001 + 1);
    for _ in 0..3 {
        world.mutator.collect(Request { immediate_mark: false, ..Request::full(Cause::Method) });
    }
    world.check();
    world.mutator.collect(Request::full(Cause::Method));
    assert_eq!(world.check(), world.live_objects());
}

#[test]
fn more_written_objects_than_can_be_remembered() {
    let mut world = World::new(Options { region_bytes: 64 << 20, verify: true, ..Options::default() });
    for _ in 0..100_000 {
        let object = world.object(1);
        world.roots.push(object);
    }
    world.mutator.collect(Request::minor(Cause::Method));
    let (young, other) = (world.object(1), world.object(1));
    for at in 0..world.roots.len() {
        let object = world.roots[at];
        // Only the last ones refer to the other young object.
        world.set_field(object, 0, if at < 99_900 { young } else { other });
    }
    assert!(world.mutator.wants_collection());
    world.mutator.safepoint();
    assert!(!world.mutator.wants_collection());
    world.check();
}
