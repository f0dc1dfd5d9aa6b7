//! Retained sizes: what would be freed with an object, or with all objects of a class.

use rustc_hash::FxHashMap;

use crate::dominators::Dominators;
use crate::graph::Graph;

/// The sums of a group of objects.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Sum {
    pub objects: u64,
    pub bytes: u64,
    /// The bytes that only objects of the group keep alive.
    pub retained: u64,
}

/// The dominator tree with sums of sizes.
pub struct Retained {
    pub dominators: Dominators,
    /// The bytes that each place of the order retains, including itself.
    pub bytes: Vec<u64>,
    /// The start of the children of each place in `children`, and all children.
    starts: Vec<u32>,
    children: Vec<u32>,
}

impl Retained {
    pub fn new(graph: &Graph, dominators: Dominators) -> Retained {
        let count = dominators.order.len();
        let mut bytes: Vec<u64> = dominators.order.iter().map(|node| u64::from(graph.sizes[*node as usize])).collect();
        let mut starts = vec![0u32; count + 1];
        for place in (1..count).rev() {
            let dominator = dominators.dominators[place] as usize;
            bytes[dominator] += bytes[place];
            starts[dominator] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut children = vec![0u32; sum as usize];
        for place in (1..count).rev() {
            let start = &mut starts[dominators.dominators[place] as usize];
            *start -= 1;
            children[*start as usize] = place as u32;
        }
        Retained { dominators, bytes, starts, children }
    }

    /// The places that a place immediately dominates.
    pub fn children(&self, place: u32) -> &[u32] {
        &self.children[self.starts[place as usize] as usize..self.starts[place as usize + 1] as usize]
    }

    /// The objects that retain most, the largest first.
    pub fn largest(&self, most: usize) -> Vec<u32> {
        let mut places: Vec<u32> = (1..self.bytes.len() as u32).collect();
        let by_size = |place: &u32| (std::cmp::Reverse(self.bytes[*place as usize]), *place);
        if places.len() > most {
            places.select_nth_unstable_by_key(most, by_size);
            places.truncate(most);
        }
        places.sort_by_key(by_size);
        places
    }

    /// Sums by a number that objects have; objects without a number are omitted. The bytes that an object retains count
    /// only if no object of its own group dominates it.
    pub fn by(&self, graph: &Graph, group: impl Fn(&Graph, u32) -> Option<u32>) -> Vec<(u32, Sum)> {
        let mut sums: FxHashMap<u32, (Sum, u32)> = FxHashMap::default();
        let order = &self.dominators.order;
        // Places to enter; with the highest bit set, places to leave.
        const LEAVE: u32 = 1 << 31;
        let mut stack: Vec<u32> = self.children(0).to_vec();
        while let Some(entry) = stack.pop() {
            let place = entry & !LEAVE;
            let node = order[place as usize];
            if let Some(group) = group(graph, node) {
                let (sum, open) = sums.entry(group).or_default();
                if entry & LEAVE != 0 {
                    *open -= 1;
                    continue;
                }
                sum.objects += 1;
                sum.bytes += u64::from(graph.sizes[node as usize]);
                if *open == 0 {
                    sum.retained += self.bytes[place as usize];
                }
                if !self.children(place).is_empty() {
                    *open += 1;
                    stack.push(place | LEAVE);
                }
            }
            stack.extend(self.children(place));
        }
        let mut sums: Vec<(u32, Sum)> = sums.into_iter().map(|(group, (sum, _))| (group, sum)).collect();
        sums.sort_by_key(|(group, sum)| (std::cmp::Reverse((sum.retained, sum.bytes)), *group));
        sums
    }
}
