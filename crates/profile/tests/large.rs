//! A page stays small, however many samples and different stacks there are.

use profile::page;
use profile::result::{Profile, Sample, Thread};
use profile::tree::{Function, Kind, Place, ROOT, Tree};
use runtime::sampling::Mode;

#[test]
fn a_million_samples_make_a_small_page() {
    let mut tree = Tree::new();
    let places: Vec<u32> = (0..2000)
        .map(|i| {
            let (name, path) = (format!("Some::Class#method_{i}"), format!("/srv/app/lib/file_{}.rb", i % 100));
            let function = tree.add_function(Function { name, path, first_line: i, kind: Kind::Ruby });
            tree.place(Place { function, line: i, is_compiled: i % 2 == 0 })
        })
        .collect();
    let mut seed = 1u64;
    let mut random = |below: u64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) % below
    };
    let mut nodes = vec![ROOT];
    for _ in 0..300_000 {
        let parent = nodes[random(nodes.len() as u64) as usize];
        nodes.push(tree.child(parent, places[random(2000) as usize]));
    }
    let samples = (0..1_000_000u64).map(|i| {
        let node = nodes[1 + random(nodes.len() as u64 - 1) as usize];
        Sample { time: i * 1_000_000, weight: 1_000_000, thread: (i % 50) as u32, node }
    });
    let profile = Profile {
        program: "large".into(),
        mode: Mode::Cpu,
        interval: 1_000_000,
        began: 0,
        ended: 1_000_000_000_000,
        samples: samples.collect(),
        threads: (0..50).map(|number| Thread { number, name: format!("thread {number}") }).collect(),
        pauses: Vec::new(),
        lost: 0,
        tree,
    };
    let page = page::profile::write(&profile);
    assert!(page.contains("1000000 samples, 1000.000 s"));
    // Tables, flame graphs and charts, besides the scripts.
    assert!(page.len() < 6 << 20, "{} bytes", page.len());
}
