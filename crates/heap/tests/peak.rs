//! The peak memory of large buffers. One test, alone in its process, because the memory of others would be measured
//! too.

mod model;

use heap::{Buffer, BufferKind, Options};
use model::{BUFFER, World, word};

const MEGABYTE: usize = 1 << 20;

/// By how many megabytes the peak of the process rises.
fn rise(act: impl FnOnce()) -> usize {
    let before = host::memory::peak_resident_bytes();
    act();
    (host::memory::peak_resident_bytes() - before) / MEGABYTE
}

#[test]
fn large_buffers_take_little_more_than_their_contents() {
    let mut world = World::new(Options::default());
    assert_eq!(rise(|| assert!(world.mutator.allocate_zeros(512 * MEGABYTE).is_ok())), 0);
    let string = world.string(64 * MEGABYTE);
    world.roots.push(string);
    let grown = rise(|| {
        // SAFETY: the string is the only owner of its buffer.
        unsafe {
            let buffer = Buffer::from_address(*word(string, BUFFER) as usize).unwrap();
            let size = 64 * MEGABYTE;
            let buffer = world.mutator.grow_buffer(buffer, BufferKind::Bytes, size, size + 1).unwrap();
            *word(string, BUFFER) = buffer.address() as u64;
            world.mutator.barrier_buffer(string, buffer);
            assert_eq!(*buffer.bytes().add(size - 1), *buffer.bytes());
        }
    });
    assert!(grown < 16, "{grown}");
    world.roots.clear();
    // Each survives one collection, and is dead at the next.
    let kept = rise(|| {
        for _ in 0..20 {
            let string = world.string(32 * MEGABYTE);
            world.roots.insert(0, string);
            let other = world.string(32 * MEGABYTE);
            world.roots.clear();
            world.roots.push(other);
        }
    });
    assert!(kept < 160, "{kept}");
}
