//! Graphs whose dominators and retained sizes are known.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::AtomicU64;

use heap_graph::graph::Graph;
use heap_graph::retained::{Retained, Sum};
use heap_graph::{dominators, groups, growth, paths, reader, strings};

/// A file of these lines.
fn dump(name: &str, lines: &[String]) -> File {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let mut file = File::create(&path).unwrap();
    lines.iter().for_each(|line| writeln!(file, "{line}").unwrap());
    File::open(path).unwrap()
}

fn list(addresses: &[u64]) -> String {
    addresses.iter().map(|address| format!("\"{address:#x}\"")).collect::<Vec<_>>().join(", ")
}

fn root(addresses: &[u64]) -> String {
    format!("{{\"type\":\"ROOT\", \"root\":\"vm\", \"references\":[{}]}}", list(addresses))
}

fn object(address: u64, size: u64, to: &[u64]) -> String {
    format!("{{\"address\":\"{address:#x}\", \"type\":\"OBJECT\", \"references\":[{}], \"memsize\":{size}}}", list(to))
}

fn graph(file: &File) -> Graph {
    Graph::new(reader::read(file, &AtomicU64::new(0)).unwrap())
}

/// The retained bytes by address.
fn retained_bytes(graph: &Graph) -> Vec<(u64, u64)> {
    let retained = Retained::new(graph, dominators::compute(graph));
    let order = retained.dominators.order.iter().zip(&retained.bytes).skip(1);
    let mut bytes: Vec<_> = order.map(|(node, bytes)| (graph.address(*node), *bytes)).collect();
    bytes.sort_unstable();
    bytes
}

#[test]
fn what_two_ways_lead_to_is_retained_where_they_part() {
    let lines = [
        root(&[0x10]),
        object(0x10, 1, &[0x20, 0x30]),
        object(0x20, 10, &[0x40]),
        object(0x30, 100, &[0x40]),
        object(0x40, 1000, &[0x50]),
        object(0x50, 10000, &[0x40]),
        object(0x60, 7, &[0x40]),
    ];
    let graph = graph(&dump("diamond", &lines));
    assert_eq!(retained_bytes(&graph), [(0x10, 11111), (0x20, 10), (0x30, 100), (0x40, 11000), (0x50, 10000)]);
    assert_eq!(paths::from_root(&graph, 5).unwrap(), [1, 2, 4, 5]);
    assert_eq!(paths::from_root(&graph, 6), None);
}

/// The dominators by their definition: the nodes that become unreachable without a node.
fn plain_dominators(graph: &Graph) -> Vec<Vec<bool>> {
    let reach = |without: u32| {
        let mut seen = vec![false; graph.len()];
        let mut waiting = vec![0u32];
        seen[0] = true;
        while let Some(node) = waiting.pop() {
            for target in graph.targets(node) {
                if *target != without && !std::mem::replace(&mut seen[*target as usize], true) {
                    waiting.push(*target);
                }
            }
        }
        seen
    };
    let all = reach(u32::MAX);
    let without = |node: u32| {
        let seen = reach(node);
        (0..graph.len()).map(|i| all[i] && !seen[i] && i as u32 != node).collect()
    };
    (0..graph.len() as u32).map(without).collect()
}

#[test]
fn random_graphs_have_the_dominators_of_the_definition() {
    let mut seed = 7u64;
    let mut random = |below: u64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) % below
    };
    for round in 0..200 {
        let count = 2 + random(30);
        let address = |i: u64| 0x1000 + i * 16;
        let mut lines = vec![root(&(0..1 + random(3)).map(|_| address(random(count))).collect::<Vec<_>>())];
        for i in 0..count {
            let to: Vec<u64> = (0..random(4)).map(|_| address(random(count))).collect();
            lines.push(object(address(i), 1, &to));
        }
        let graph = graph(&dump("random", &lines));
        let plain = plain_dominators(&graph);
        let computed = dominators::compute(&graph);
        for (place, node) in computed.order.iter().enumerate().skip(1) {
            let mut above = vec![];
            let mut at = place;
            while at != 0 {
                at = computed.dominators[at] as usize;
                above.push(computed.order[at]);
            }
            above.sort_unstable();
            let expected: Vec<u32> =
                (0..graph.len() as u32).filter(|d| *d == 0 || plain[*d as usize][*node as usize]).collect();
            assert_eq!(above, expected, "round {round}, node {node}");
        }
    }
}

#[test]
fn a_chain_of_a_million_objects_needs_no_recursion() {
    let count = 1_000_000u64;
    let mut lines = vec![root(&[16])];
    lines.extend((1..=count).map(|i| {
        let next = [(i + 1) * 16];
        object(i * 16, 1, if i < count { &next } else { &[] })
    }));
    let graph = graph(&dump("chain", &lines));
    let retained = Retained::new(&graph, dominators::compute(&graph));
    assert_eq!(retained.bytes[0], count);
    let sums = retained.by(&graph, |graph, node| Some(graph.classes[node as usize]));
    assert_eq!(sums[0].1, Sum { objects: count, bytes: count, retained: count });
}

#[test]
fn equal_strings_and_growth_are_counted() {
    let string = |address: u64, value: &str| {
        format!(
            "{{\"address\":\"{address:#x}\", \"type\":\"STRING\", \"value\":\"{value}\", \"memsize\":40, \
             \"file\":\"a.rb\", \"line\":3, \"generation\":2}}"
        )
    };
    let first = dump("first", &[string(0x10, "a"), string(0x20, "b")]);
    let second = dump("second", &[string(0x10, "a"), string(0x30, "a"), string(0x40, "a\\n"), string(0x50, "c")]);
    let third = dump("third", &[string(0x10, "a"), string(0x30, "a"), string(0x40, "a\\n")]);
    let [one, two, three] = [&first, &second, &third].map(graph);
    let equal = strings::equal(&two, &second, 5);
    assert_eq!(equal.len(), 1);
    assert_eq!((equal[0].count, equal[0].wasted, equal[0].value.as_str()), (2, 40, "a"));
    let grown = growth::groups(&three, &growth::fresh(&one, Some(&two), &three));
    assert_eq!(grown.len(), 1);
    assert_eq!((grown[0].name.as_str(), grown[0].objects, grown[0].bytes), ("STRING at a.rb:3", 2, 80));
}

#[test]
fn an_address_that_another_class_uses_again_is_new() {
    let first = dump("used", &[object(0x10, 1, &[]), object(0x20, 2, &[])]);
    let second = dump("used again", &[object(0x10, 1, &[]), object(0x20, 2, &[]).replace("OBJECT", "ARRAY")]);
    let [one, two] = [&first, &second].map(graph);
    assert_eq!(growth::fresh(&one, None, &two), [false, false, true]);
}

#[test]
fn a_treemap_groups_what_an_object_keeps_by_class() {
    let of_class = |line: String, name: &str| line.replace("OBJECT", name);
    let lines = [
        root(&[0x10, 0x20]),
        object(0x10, 10, &[0x100, 0x110, 0x120, 0x130]),
        object(0x20, 1, &[]),
        of_class(object(0x100, 1, &[0x200]), "STRING"),
        of_class(object(0x110, 2, &[]), "STRING"),
        of_class(object(0x120, 3, &[0x210]), "ARRAY"),
        of_class(object(0x130, 500, &[]), "STRING"),
        of_class(object(0x200, 40, &[]), "HASH"),
        of_class(object(0x210, 50, &[]), "HASH"),
    ];
    let graph = graph(&dump("groups", &lines));
    let retained = Retained::new(&graph, dominators::compute(&graph));
    let fresh: Vec<bool> = (0..graph.len() as u32).map(|node| node > 0 && graph.address(node) == 0x200).collect();
    let groups = groups::tree(&graph, &retained, &fresh, 100);
    let rows: Vec<_> = groups
        .iter()
        .map(|group| (group.parent, group.name.as_str(), group.objects, group.own, group.retained, group.fresh))
        .collect();
    // The largest objects have groups of their own.
    assert_eq!(rows[0], (0, "(roots)", 1, 0, 607, 40));
    assert!(rows.contains(&(0, "OBJECT 0x10", 1, 10, 606, 40)), "{rows:?}");
    let keeper = rows.iter().position(|row| row.1 == "OBJECT 0x10").unwrap() as u32;
    assert!(rows.contains(&(keeper, "STRING 0x130", 1, 500, 500, 0)), "{rows:?}");
    assert!(rows.contains(&(keeper, "ARRAY 0x120", 1, 3, 53, 0)), "{rows:?}");
    let small = rows.iter().map(|row| row.4).filter(|bytes| *bytes == 2).count();
    assert_eq!((rows.len(), small), (9, 1), "{rows:?}");
    // With a limit, the groups that retain least are left out.
    let few = groups::tree(&graph, &retained, &fresh, 3);
    assert_eq!(few.iter().map(|group| group.retained).sum::<u64>(), 607 + 606 + 1);
}

/// Lines that CRuby 4.1dev wrote, abridged to a few objects.
const OF_CRUBY: &str = include_str!("cruby.json");

#[test]
fn dumps_of_cruby_are_read() {
    let lines: Vec<String> = OF_CRUBY.lines().map(str::to_owned).collect();
    let graph = graph(&dump("of CRuby", &lines));
    let retained = retained_bytes(&graph);
    let of = |address: u64| retained.iter().find(|(known, _)| *known == address).map(|(_, bytes)| *bytes);
    assert_eq!(graph.addresses.len(), 5);
    assert_eq!(of(0x7f1979bb1ec0), Some(32 + 40 + 1101 + 160));
    assert_eq!(graph.class_name(graph.node_at(0x7f1979bb1ec0).unwrap()), "Keeper");
    assert_eq!(of(0x7f1979aee900), Some(248));
}
