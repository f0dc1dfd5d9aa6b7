//! Collapsed stacks: a line for each stack, `frame;frame;frame weight`, for flame graph tools.

use std::collections::BTreeMap;

use crate::result::Profile;
use crate::tree::Tree;

/// The stacks with their weights in microseconds.
pub fn write(profile: &Profile) -> String {
    stacks(&profile.tree, &profile.weights(), 1000)
}

/// The stacks with the own weights of their nodes, in units of `scale`.
pub fn stacks(tree: &Tree, own: &[u64], scale: u64) -> String {
    let mut weights: BTreeMap<String, u64> = BTreeMap::new();
    for (node, weight) in own.iter().enumerate().skip(1).filter(|(_, weight)| **weight > 0) {
        let mut frames: Vec<u32> = tree.chain(node as u32).collect();
        frames.reverse();
        let names = frames.into_iter().map(|at| tree.function_of(at).name.replace([';', '\n'], " "));
        *weights.entry(names.collect::<Vec<_>>().join(";")).or_default() += weight;
    }
    let lines = weights.into_iter().map(|(stack, weight)| format!("{stack} {}\n", weight.div_ceil(scale)));
    lines.collect()
}
