//! Comparison of dumps: objects that appeared between two dumps and, if there is a third dump, are still in it.

use rustc_hash::FxHashMap;

use crate::graph::Graph;

/// The objects of a class, or of an allocation site, that appeared and are still there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grown {
    pub name: String,
    pub objects: u64,
    pub bytes: u64,
}

/// The objects of an earlier or a later dump. An object is the same in another dump if both address and class are.
struct Known<'a> {
    nodes: FxHashMap<u64, u32>,
    graph: &'a Graph,
}

impl<'a> Known<'a> {
    fn new(graph: &'a Graph) -> Known<'a> {
        let nodes = graph.addresses.iter().enumerate().map(|(i, address)| (*address, i as u32 + 1)).collect();
        Known { nodes, graph }
    }

    fn has(&self, graph: &Graph, node: u32) -> bool {
        self.nodes.get(&graph.address(node)).is_some_and(|known| {
            let names = (self.graph.classes[*known as usize], graph.classes[node as usize]);
            self.graph.names.list.get(names.0 as usize) == graph.names.list.get(names.1 as usize)
        })
    }
}

/// The nodes of the last dump that appeared after the first one and, if there is a dump in between, are in it too.
pub fn fresh(first: &Graph, between: Option<&Graph>, last: &Graph) -> Vec<bool> {
    let (first, between) = (Known::new(first), between.map(Known::new));
    let is_fresh = |node: u32| !first.has(last, node) && between.as_ref().is_none_or(|dump| dump.has(last, node));
    (0..last.len() as u32).map(|node| node > 0 && is_fresh(node)).collect()
}

/// The fresh objects of a dump by class and, if known, by allocation site.
pub fn groups(now: &Graph, fresh: &[bool]) -> Vec<Grown> {
    let mut groups: FxHashMap<(u32, Option<u32>), (u64, u64)> = FxHashMap::default();
    for (node, _) in fresh.iter().enumerate().filter(|(_, is_fresh)| **is_fresh) {
        let group = groups.entry((now.classes[node], now.place(node as u32))).or_default();
        group.0 += 1;
        group.1 += u64::from(now.sizes[node]);
    }
    let name = |class, place: Option<u32>| match place {
        Some(place) => format!("{} at {}", now.names.text(class), now.names.text(place)),
        None => now.names.text(class),
    };
    let mut grown: Vec<Grown> = groups
        .into_iter()
        .map(|((class, place), (objects, bytes))| Grown { name: name(class, place), objects, bytes })
        .collect();
    grown.sort_by(|a, b| (b.bytes, b.objects, &a.name).cmp(&(a.bytes, a.objects, &b.name)));
    grown
}
