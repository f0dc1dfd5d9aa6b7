//! The dominator tree for a treemap: the objects that an object keeps alive are grouped by class, and the groups that
//! retain most are divided further, so that a picture of ten million objects has a few thousand areas.

use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use crate::graph::Graph;
use crate::report;
use crate::retained::Retained;

/// Objects of one class that the objects of the parent group keep alive, or one large object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// The number of the parent group; that of the first group is its own.
    pub parent: u32,
    /// The class; for a single object also its own name, address and allocation site.
    pub name: String,
    pub objects: u64,
    pub own: u64,
    pub retained: u64,
    /// The retained bytes of objects that are marked as fresh.
    pub fresh: u64,
}

/// An object that retains at least this part of the whole has a group of its own.
const LARGE: u64 = 500;
/// A group that retains less than this part of the whole is not shown separately.
const LEAST: u64 = 20_000;

/// The groups, each after its parent, at most about this many. `fresh` marks nodes; it may be empty.
pub fn tree(graph: &Graph, retained: &Retained, fresh: &[bool], most: usize) -> Vec<Group> {
    let fresh = fresh_bytes(graph, retained, fresh);
    let own = |place: u32| u64::from(graph.sizes[retained.dominators.order[place as usize] as usize]);
    let total = retained.bytes[0];
    let group = |parent: u32, name: String, places: &[u32]| Group {
        parent,
        name,
        objects: places.len() as u64,
        own: places.iter().map(|place| own(*place)).sum(),
        retained: places.iter().map(|place| retained.bytes[*place as usize]).sum(),
        fresh: places.iter().map(|place| fresh.get(*place as usize).copied().unwrap_or(0)).sum(),
    };
    let mut groups = vec![group(0, "(roots)".into(), &[0])];
    // The bytes that groups retain, their numbers, and their places.
    let mut waiting = BinaryHeap::from([(total, 0u32, vec![0u32])]);
    while let Some((_, parent, places)) = waiting.pop() {
        if groups.len() >= most {
            break;
        }
        let mut classes: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        let mut parts: Vec<(String, Vec<u32>)> = Vec::new();
        for child in places.iter().flat_map(|place| retained.children(*place)) {
            let node = retained.dominators.order[*child as usize];
            if retained.bytes[*child as usize] * LARGE >= total {
                parts.push((report::shown(graph, node), vec![*child]));
            } else {
                classes.entry(graph.classes[node as usize]).or_default().push(*child);
            }
        }
        parts.extend(classes.into_iter().map(|(class, places)| (graph.names.text(class), places)));
        let mut parts: Vec<(Group, Vec<u32>)> =
            parts.into_iter().map(|(name, places)| (group(parent, name, &places), places)).collect();
        parts.sort_by(|(a, _), (b, _)| (b.retained, &a.name).cmp(&(a.retained, &b.name)));
        for (part, places) in parts {
            if part.retained == 0 || part.retained * LEAST < total {
                continue;
            }
            if part.retained > part.own {
                waiting.push((part.retained, groups.len() as u32, places));
            }
            groups.push(part);
        }
    }
    groups
}

/// The retained bytes of fresh nodes, by place; empty if no nodes are marked.
fn fresh_bytes(graph: &Graph, retained: &Retained, fresh: &[bool]) -> Vec<u64> {
    if fresh.is_empty() {
        return Vec::new();
    }
    let order = &retained.dominators.order;
    let own = |node: &u32| if fresh[*node as usize] { u64::from(graph.sizes[*node as usize]) } else { 0 };
    let mut bytes: Vec<u64> = order.iter().map(own).collect();
    for place in (1..order.len()).rev() {
        bytes[retained.dominators.dominators[place] as usize] += bytes[place];
    }
    bytes
}
