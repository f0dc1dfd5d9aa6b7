//! Hooks, statistics, switches, several mutators.

mod model;

use abi::Type;
use heap::{Cause, Event, Hooks, Options, Request};
use model::{DROPPED, World, number};

fn minor(world: &mut World) {
    world.mutator.collect(Request::minor(Cause::Method));
}

fn full(world: &mut World) {
    world.mutator.collect(Request::full(Cause::Method));
}

#[test]
fn hooks_see_each_stage_and_each_death() {
    #[derive(Default)]
    struct Seen {
        events: Vec<Event>,
        freed: Vec<i64>,
    }
    let mut seen: Box<Seen> = Box::default();
    let mut world = World::new(Options { verify: true, ..Options::default() });
    let hooks = Hooks {
        // SAFETY: both get the box above.
        event: Some(|data, event| unsafe { (*data.cast::<Seen>()).events.push(event) }),
        // SAFETY: `data` is the box that `Hooks` was given.
        freed: Some(|data, object| unsafe { (*data.cast::<Seen>()).freed.push(number(object)) }),
        promoted: None,
        data: (&raw mut *seen).cast(),
    };
    // SAFETY: the box lives until the hooks are removed.
    unsafe { world.heap.set_hooks(hooks) };
    for _ in 0..3 {
        let object = world.object(1);
        world.roots.push(object);
        world.object(1);
    }
    minor(&mut world);
    assert_eq!(seen.events, [Event::Enter, Event::Start, Event::EndMark, Event::EndSweep, Event::Exit]);
    seen.freed.sort();
    assert_eq!(seen.freed, [2, 4, 6]);
    seen.freed.clear();
    world.roots.remove(1);
    world.object(1);
    full(&mut world);
    seen.freed.sort();
    assert_eq!(seen.freed, [3, 7]);
    // SAFETY: there are no hooks.
    unsafe { world.heap.set_hooks(Hooks::default()) };
}

#[test]
fn a_full_collection_requested_during_a_marking_finds_what_died_since_it_began() {
    let mut world = World::new(Options { step_words: 500, ..Options::default() });
    for _ in 0..10_000 {
        let object = world.object(1);
        world.roots.push(object);
    }
    minor(&mut world);
    let incremental = Request { immediate_mark: false, ..Request::full(Cause::Method) };
    world.mutator.collect(incremental);
    world.roots.clear();
    world.mutator.collect(incremental);
    assert_eq!(world.heap.statistics().full_collections, 0, "the first marking is in progress");
    for _ in 0..1_000 {
        // Steps of a collection are paid by what is allocated.
        for _ in 0..1_000 {
            world.object(1);
        }
        minor(&mut world);
        if world.heap.statistics().full_collections == 2 {
            break;
        }
    }
    assert_eq!(world.heap.statistics().full_collections, 2);
    assert_eq!(world.live_objects(), 0);
}

#[test]
fn statistics_are_true() {
    let mut world = World::new(Options::default());
    let before = world.heap.statistics();
    for i in 0..10_000 {
        let object = if i % 2 == 0 { world.object(1) } else { world.string(50) };
        if i % 4 < 2 {
            world.roots.push(object);
        }
    }
    let made = world.heap.statistics();
    assert_eq!(made.allocated_objects - before.allocated_objects, 10_000);
    assert_eq!(made.allocated_buffers, 5_000);
    assert_eq!((made.live_objects, made.live_buffers), (10_000, 5_000));
    assert_eq!(world.mutator.statistics().allocated_objects, 10_000);
    minor(&mut world);
    let after = world.heap.statistics();
    assert_eq!((after.live_objects, after.old_objects, after.freed_objects), (5_000, 5_000, 5_000));
    assert_eq!((after.live_buffers, after.freed_buffers), (2_500, 2_500));
    assert_eq!((after.minor_collections, after.full_collections), (1, 0));
    let sizes = world.heap.size_statistics();
    assert!(sizes.windows(2).all(|w| w[0].cell_size < w[1].cell_size));
    assert_eq!(sizes.iter().map(|s| s.live).sum::<usize>(), 5_000);
    assert_eq!(sizes.iter().map(|s| s.allocated).sum::<u64>(), 10_000);
    assert_eq!(sizes.iter().find(|s| s.cell_size == 24).unwrap().live, 2_500);
    world.roots.clear();
    full(&mut world);
    let end = world.heap.statistics();
    assert_eq!((end.live_objects, end.live_buffers, end.freed_objects), (0, 0, 10_000));
    assert_eq!((end.used_blocks, end.full_collections), (0, 1));
    assert!(end.time >= end.mark_time && end.time > std::time::Duration::ZERO);
    world.mutator.release_all();
    assert_eq!(world.heap.statistics().empty_blocks, 0);
}

#[test]
fn disabled_and_stressed() {
    let mut world = World::new(Options::default());
    assert!(!world.heap.set_disabled(true));
    for _ in 0..200_000 {
        world.object(10);
    }
    assert_eq!(world.heap.collections(), 0);
    assert!(world.heap.set_disabled(false));
    world.object(10);
    world.heap.set_stress(1, 0);
    let before = world.heap.collections();
    for _ in 0..100 {
        world.object(1);
    }
    assert!(world.heap.collections() - before >= 100);
    world.heap.set_stress(0, 0);
    let before = world.heap.collections();
    for _ in 0..100 {
        world.object(1);
    }
    assert!(world.heap.collections() - before <= 1);
}

#[test]
fn several_mutators_share_the_heap() {
    let mut world = World::new(Options { young_bytes: 256 << 10, verify: true, ..Options::default() });
    let mut other = Box::new(heap::Mutator::new(&world.heap));
    // SAFETY: dropped before the heap.
    unsafe { other.attach(std::ptr::null()) };
    for i in 0..20_000 {
        std::mem::swap(&mut world.mutator, &mut other);
        let object = if i % 3 == 0 { world.string(40_000 * (i % 100 == 0) as usize + 10) } else { world.object(5) };
        if i % 50 == 0 {
            world.roots.push(object);
        }
    }
    world.check();
    full(&mut world);
    assert_eq!(world.live_objects(), 400);
    other.detach();
    full(&mut world);
    world.check();
}

/// Objects that only a frame which has ended refers to: a later frame at its place must not keep them alive.
#[test]
fn words_of_frames_that_have_ended_keep_nothing_alive() {
    /// Calls `f` with this many more words of the stack in use.
    #[inline(never)]
    fn deeper<const WORDS: usize>(f: impl FnOnce()) {
        let mut words = [0u64; WORDS];
        std::hint::black_box(&mut words);
        f();
        std::hint::black_box(&mut words);
    }

    fn make_many(world: &mut World) {
        for _ in 0..4000 {
            world.object(1);
        }
    }

    /// Leaves words that refer to an object on the stack.
    #[inline(never)]
    fn leave(world: &mut World) {
        let object = world.leaf(Type::Native);
        world.mutator.register_native(object).unwrap();
        let words = std::hint::black_box([object.0; 512]);
        // The slow path of allocation notes how deep the stack is.
        make_many(world);
        std::hint::black_box(words);
    }

    #[inline(never)]
    fn collect(world: &mut World) {
        let mut words = [const { std::mem::MaybeUninit::<u64>::uninit() }; 4096];
        std::hint::black_box(&mut words);
        full(world);
        std::hint::black_box(&mut words);
    }

    let base = 0u64;
    let mut world = World::new(Options::default());
    // SAFETY: this frame's words and those of its callees are the stack; the world is used nowhere else.
    unsafe { world.mutator.set_stack_base((&raw const base).cast()) };
    deeper::<1024>(|| leave(&mut world));
    make_many(&mut world);
    collect(&mut world);
    assert_eq!(DROPPED.take(), [1]);
}
