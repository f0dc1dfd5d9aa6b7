//! The cost of a collection in a forked child. The only test of its process, because others would write into its pages.

mod model;

use std::io::{Read, Write};

use heap::{Cause, Options, Request};
use host::process::{self, Fork};
use model::World;

#[test]
fn collections_in_a_forked_child_share_the_pages_of_objects() {
    let mut world = World::new(Options::default());
    for _ in 0..1_000_000 {
        let string = world.string(24);
        world.roots.push(string);
    }
    world.shadow = Default::default();
    world.mutator.release_all();
    let live = world.heap.statistics().old_bytes as f64;
    let (mut reader, mut writer) = std::io::pipe().unwrap();
    // SAFETY: the child takes no lock.
    let Fork::Parent { child } = (unsafe { process::fork() }).unwrap() else {
        let before = private_dirty();
        world.heap.after_fork(&mut world.mutator);
        world.mutator.collect(Request::full(Cause::Method));
        let made = private_dirty() - before;
        let _ = writer.write_all(&made.to_le_bytes());
        process::exit_immediately(0);
    };
    drop(writer);
    let mut bytes = [0; 8];
    reader.read_exact(&mut bytes).unwrap();
    process::wait(child, 0).unwrap();
    println!("{:.2} MB", f64::from_le_bytes(bytes) / 1e6);
    let share = f64::from_le_bytes(bytes) / live;
    assert!(share < 0.02, "{:.2} % of {} MB made private", share * 100.0, live / 1e6);
}

/// The private dirty memory of the process, in bytes.
fn private_dirty() -> f64 {
    let rollup = std::fs::read_to_string("/proc/self/smaps_rollup").unwrap();
    let line = rollup.lines().find(|line| line.starts_with("Private_Dirty:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<f64>().unwrap() * 1024.0
}
