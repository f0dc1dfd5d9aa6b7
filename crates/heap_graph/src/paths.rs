//! The shortest paths from roots to objects.

use std::collections::VecDeque;

use crate::graph::Graph;

/// A shortest path to each node.
pub struct Paths {
    /// The node before each node on its path; `u32::MAX` for a node that no root reaches.
    before: Vec<u32>,
}

impl Paths {
    pub fn new(graph: &Graph) -> Paths {
        let mut before = vec![u32::MAX; graph.len()];
        before[0] = 0;
        let mut waiting = VecDeque::from([0u32]);
        while let Some(node) = waiting.pop_front() {
            for target in graph.targets(node) {
                if before[*target as usize] == u32::MAX {
                    before[*target as usize] = node;
                    waiting.push_back(*target);
                }
            }
        }
        Paths { before }
    }

    /// The nodes of a path to `to`, which begins with a node that a root refers to; `None` if `to` is not reachable.
    pub fn to(&self, to: u32) -> Option<Vec<u32>> {
        if self.before[to as usize] == u32::MAX {
            return None;
        }
        let mut path = vec![to];
        while let Some(last) = path.last().copied().filter(|last| self.before[*last as usize] != 0) {
            path.push(self.before[last as usize]);
        }
        path.reverse();
        Some(path)
    }
}

/// The nodes of a path to `to`, which begins with a node that a root refers to; `None` if `to` is not reachable.
pub fn from_root(graph: &Graph, to: u32) -> Option<Vec<u32>> {
    Paths::new(graph).to(to)
}
