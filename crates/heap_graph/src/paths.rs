//! The shortest path from a root to an object.

use std::collections::VecDeque;

use crate::graph::Graph;

/// The nodes from one that a root refers to, to `to`; `None` if it is not reachable.
pub fn from_root(graph: &Graph, to: u32) -> Option<Vec<u32>> {
    let mut before = vec![u32::MAX; graph.len()];
    before[0] = 0;
    let mut waiting = VecDeque::from([0u32]);
    while let Some(node) = waiting.pop_front() {
        if node == to {
            let mut way = vec![to];
            while let Some(last) = way.last().copied().filter(|last| before[*last as usize] != 0) {
                way.push(before[last as usize]);
            }
            way.reverse();
            return Some(way);
        }
        for target in graph.targets(node) {
            if before[*target as usize] == u32::MAX {
                before[*target as usize] = node;
                waiting.push_back(*target);
            }
        }
    }
    None
}
