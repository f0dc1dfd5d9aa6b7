//! A complete profile: its samples, and their sums by method and by line.

use runtime::sampling::Mode;
use rustc_hash::FxHashMap;

use crate::tree::{Kind, Tree};

/// A sample: what a thread was doing for some time.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// When it was taken, in nanoseconds of the monotonic clock.
    pub time: u64,
    /// The number of nanoseconds that it represents.
    pub weight: u64,
    /// The number of the thread.
    pub thread: u32,
    pub node: u32,
}

#[derive(Clone, Debug)]
pub struct Thread {
    pub number: u32,
    pub name: String,
}

/// A pause by the collector, in nanoseconds of the monotonic clock.
#[derive(Clone, Copy, Debug)]
pub struct Pause {
    pub began: u64,
    pub ended: u64,
    pub is_collection: bool,
}

pub struct Profile {
    /// The name of the program, as on the command line.
    pub program: String,
    pub mode: Mode,
    /// Nanoseconds.
    pub interval: u64,
    pub began: u64,
    pub ended: u64,
    pub tree: Tree,
    pub samples: Vec<Sample>,
    pub threads: Vec<Thread>,
    pub pauses: Vec<Pause>,
    /// The nanoseconds of samples that were lost because a ring was full.
    pub lost: u64,
}

/// The cost of a method or line, in nanoseconds.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Cost {
    /// Without what it calls; a line's includes the native methods that it calls.
    pub own: u64,
    /// Including everything that it calls.
    pub total: u64,
}

/// A row of [`Profile::by_method`]: the number of the function.
pub type MethodRow = (u32, Cost);

/// A row of [`Profile::by_line`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineRow {
    /// A function that the line belongs to.
    pub function: u32,
    pub line: i32,
    pub cost: Cost,
}

impl Profile {
    pub fn total(&self) -> u64 {
        self.samples.iter().map(|sample| sample.weight).sum()
    }

    /// The own weight of each node.
    pub fn weights(&self) -> Vec<u64> {
        let mut weights = vec![0; self.tree.nodes.len()];
        self.samples.iter().for_each(|sample| weights[sample.node as usize] += sample.weight);
        weights
    }

    /// The functions by cost, the largest first.
    pub fn by_method(&self) -> Vec<MethodRow> {
        let mut costs = vec![Cost::default(); self.tree.functions.len()];
        let mut seen = vec![u32::MAX; self.tree.functions.len()];
        for (node, weight) in self.weights().into_iter().enumerate().filter(|(_, weight)| *weight > 0) {
            for (i, at) in self.tree.chain(node as u32).enumerate() {
                let function = self.tree.place_of(at).function as usize;
                if i == 0 {
                    costs[function].own += weight;
                }
                if seen[function] != node as u32 {
                    seen[function] = node as u32;
                    costs[function].total += weight;
                }
            }
        }
        let rows = costs.into_iter().enumerate().filter(|(_, cost)| cost.total > 0);
        let mut rows: Vec<MethodRow> = rows.map(|(function, cost)| (function as u32, cost)).collect();
        rows.sort_by_key(|(function, cost)| (std::cmp::Reverse((cost.own, cost.total)), *function));
        rows
    }

    /// The lines of Ruby code by cost, the largest first.
    pub fn by_line(&self) -> Vec<LineRow> {
        let mut rows: Vec<LineRow> = Vec::new();
        let mut numbers: FxHashMap<(&str, i32), usize> = FxHashMap::default();
        let mut seen = Vec::new();
        for (node, weight) in self.weights().into_iter().enumerate().filter(|(_, weight)| *weight > 0) {
            let mut is_first = true;
            for at in self.tree.chain(node as u32) {
                let (place, function) = (self.tree.place_of(at), self.tree.function_of(at));
                if function.kind != Kind::Ruby {
                    continue;
                }
                let next = rows.len();
                let row = *numbers.entry((function.path.as_str(), place.line)).or_insert(next);
                if row == next {
                    rows.push(LineRow { function: place.function, line: place.line, cost: Cost::default() });
                    seen.push(usize::MAX);
                }
                if std::mem::take(&mut is_first) {
                    rows[row].cost.own += weight;
                }
                if seen[row] != node {
                    seen[row] = node;
                    rows[row].cost.total += weight;
                }
            }
        }
        rows.sort_by_key(|row| (std::cmp::Reverse((row.cost.own, row.cost.total)), row.function, row.line));
        rows
    }
}
