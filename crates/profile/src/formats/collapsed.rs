//! Collapsed stacks: a line for each stack, `frame;frame;frame weight`, for flame graph tools.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::result::Profile;
use crate::tree::Kind;

/// The stacks with their weights in microseconds.
pub fn write(profile: &Profile) -> String {
    stacks(profile, |_, _| "")
}

/// The same for coloured flame graphs: names of machine code and of states outside of methods are marked with a suffix.
pub fn marked(profile: &Profile) -> String {
    stacks(profile, |kind, is_compiled| match kind {
        Kind::Ruby | Kind::Core if is_compiled => "_[j]",
        Kind::Ruby => "_[i]",
        Kind::Core | Kind::Native => "",
        _ => "_[k]",
    })
}

fn stacks(profile: &Profile, mark: impl Fn(Kind, bool) -> &'static str) -> String {
    let mut weights: BTreeMap<String, u64> = BTreeMap::new();
    for (node, weight) in profile.weights().into_iter().enumerate().filter(|(_, weight)| *weight > 0) {
        let mut frames: Vec<u32> = profile.tree.chain(node as u32).collect();
        frames.reverse();
        let mut stack = String::new();
        for (i, at) in frames.into_iter().enumerate() {
            let (function, place) = (profile.tree.function_of(at), profile.tree.place_of(at));
            let separator = if i == 0 { "" } else { ";" };
            let name = function.name.replace([';', '\n'], " ");
            let _ = write!(stack, "{separator}{name}{}", mark(function.kind, place.is_compiled));
        }
        *weights.entry(stack).or_default() += weight;
    }
    let lines = weights.into_iter().map(|(stack, weight)| format!("{stack} {}\n", weight.div_ceil(1000)));
    lines.collect()
}
