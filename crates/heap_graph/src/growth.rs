//! Comparison of dumps: objects that appeared between two dumps and, if there is a third dump, are still in it.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::Graph;

/// The objects of a class, or of an allocation site, that appeared and stayed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grown {
    pub name: String,
    pub objects: u64,
    pub bytes: u64,
}

/// The objects of `now` that are not in `before` and are still in `after`, if there is one: by class and, if known, by
/// allocation site.
pub fn compare(before: &Graph, now: &Graph, after: Option<&Graph>) -> Vec<Grown> {
    let known: FxHashSet<u64> = before.addresses.iter().copied().collect();
    let kept: Option<FxHashSet<u64>> = after.map(|graph| graph.addresses.iter().copied().collect());
    let mut groups: FxHashMap<(u32, Option<u32>), (u64, u64)> = FxHashMap::default();
    for (i, address) in now.addresses.iter().enumerate() {
        if known.contains(address) || kept.as_ref().is_some_and(|kept| !kept.contains(address)) {
            continue;
        }
        let node = i as u32 + 1;
        let group = groups.entry((now.classes[node as usize], now.place(node))).or_default();
        group.0 += 1;
        group.1 += u64::from(now.sizes[node as usize]);
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
