//! Dominators by the semi-NCA method (Georgiadis, "Linear-time algorithms for dominators and related problems", 2005),
//! without recursion, in time that is linear in practice.

use crate::graph::Graph;

/// A node that is not reachable from any root.
pub const UNREACHED: u32 = u32::MAX;

/// The dominator tree. A node's dominator has a lower number in the order.
pub struct Dominators {
    /// The reachable nodes in the order of a depth-first search, the root first.
    pub order: Vec<u32>,
    /// The immediate dominator of each place in the order, as a place; the root's is the root itself.
    pub dominators: Vec<u32>,
}

/// Computes the dominators of all nodes that are reachable from node 0.
pub fn compute(graph: &Graph) -> Dominators {
    let Search { order, parents, others } = search(graph);
    let count = order.len();
    let (starts, sources) = predecessors(count, &others);
    drop(others);
    let mut semi: Vec<u32> = (0..count as u32).collect();
    let mut label: Vec<u32> = (0..count as u32).collect();
    let mut ancestor = parents.clone();
    let mut path = Vec::new();
    for i in (1..count).rev() {
        let mut least = parents[i];
        for source in &sources[starts[i] as usize..starts[i + 1] as usize] {
            let best = if *source as usize <= i {
                *source
            } else {
                compress(*source, i as u32, &mut ancestor, &mut label, &semi, &mut path);
                semi[label[*source as usize] as usize]
            };
            least = least.min(best);
        }
        semi[i] = least;
        label[i] = i as u32;
    }
    let mut dominators = parents;
    for i in 1..count {
        let mut dominator = dominators[i];
        while dominator > semi[i] {
            dominator = dominators[dominator as usize];
        }
        dominators[i] = dominator;
    }
    Dominators { order, dominators }
}

/// Path compression: for the ancestors of a place after `last`, sets the ancestor to the one next to `last`, and the
/// label to the place with the least semidominator on the path.
fn compress(from: u32, last: u32, ancestor: &mut [u32], label: &mut [u32], semi: &[u32], path: &mut Vec<u32>) {
    let mut at = from;
    while ancestor[at as usize] > last {
        path.push(at);
        at = ancestor[at as usize];
    }
    let mut above = at;
    while let Some(place) = path.pop() {
        let (here, there) = (place as usize, above as usize);
        if semi[label[there] as usize] < semi[label[here] as usize] {
            label[here] = label[there];
        }
        ancestor[here] = ancestor[there];
        above = place;
    }
}

/// The result of a depth-first search.
struct Search {
    order: Vec<u32>,
    /// The parent of each place.
    parents: Vec<u32>,
    /// The references that are not tree edges, as places (from, to). They are recorded here, where both numbers are
    /// known, because looking them up again costs a cache miss each.
    others: Vec<(u32, u32)>,
}

fn search(graph: &Graph) -> Search {
    let mut numbers = vec![UNREACHED; graph.len()];
    let (mut order, mut parents, mut others) = (vec![0u32], vec![0u32], Vec::new());
    numbers[0] = 0;
    // A place, and its remaining references.
    let mut stack = vec![(0u32, graph.targets(0).iter())];
    while let Some((place, rest)) = stack.last_mut() {
        let Some(target) = rest.next() else {
            stack.pop();
            continue;
        };
        let (place, number) = (*place, &mut numbers[*target as usize]);
        if *number == UNREACHED {
            *number = order.len() as u32;
            parents.push(place);
            stack.push((order.len() as u32, graph.targets(*target).iter()));
            order.push(*target);
        } else if *number != place {
            others.push((place, *number));
        }
    }
    Search { order, parents, others }
}

/// The predecessors of each place except its parent: the start of each place's predecessors, and the list of all.
fn predecessors(count: usize, others: &[(u32, u32)]) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0u32; count + 1];
    for (_, to) in others {
        starts[*to as usize] += 1;
    }
    let mut sum = 0;
    for start in &mut starts {
        sum += *start;
        *start = sum;
    }
    let mut sources = vec![0u32; sum as usize];
    // Each range is filled from its end, so that the ends become the starts.
    for (from, to) in others {
        let start = &mut starts[*to as usize];
        *start -= 1;
        sources[*start as usize] = *from;
    }
    (starts, sources)
}
