//! Flame graphs of call trees.
//!
//! Frames below a twenty-thousandth of the whole, which are narrower than a tenth of a pixel, are drawn as part of
//! their callers, so that the graph of a million different stacks stays small.

use std::fmt::Write;

use inferno::flamegraph::{self, Direction, Options, color};
use rustc_hash::FxHashMap;

use super::template::escape;
use crate::tree::{Kind, ROOT, Tree};

/// The least part of the whole that is drawn.
const LEAST: u64 = 20_000;

/// An `iframe` with the graph, which has its own script and element ids. `weights` are the own weights of the nodes;
/// the graph shows them divided by `scale`.
pub fn graph(tree: &Tree, weights: &[u64], scale: u64, unit: &str, is_inverted: bool) -> String {
    let title = if is_inverted { "Inverted" } else { "Flame graph" };
    let mut options = Options::default();
    options.title = title.into();
    options.count_name = unit.into();
    options.direction = Direction::Inverted;
    options.colors = color::Palette::Multi(color::MultiPalette::Java);
    let stacks = if is_inverted { inverted(tree, weights, scale) } else { stacks(tree, weights, scale) };
    let mut image = Vec::new();
    let drawn = flamegraph::from_lines(&mut options, stacks.lines(), &mut image);
    if drawn.is_err() || stacks.is_empty() {
        return "<p>No samples.</p>".into();
    }
    let image = String::from_utf8_lossy(&image);
    // The text before the element is needed only in a separate file.
    let image = image.find("<svg").map_or("", |at| &image[at..]);
    let style = "<style>:root { color-scheme: light dark } body { margin: 0 } svg { display: block; width: 100% }\
        @media (prefers-color-scheme: dark) { #background { fill: #16191d } #title, #details, #search, #matched, \
        #unzoom { fill: #dfe3e8 } }</style>";
    let page = escape(&format!("<!doctype html><meta charset=\"utf-8\">{style}{image}"));
    format!("<iframe title=\"{title}\" srcdoc=\"{page}\"></iframe>")
}

/// The least weight that is drawn.
fn least(weights: &[u64]) -> u64 {
    weights.iter().sum::<u64>() / LEAST
}

/// Collapsed stacks, the outermost frame first.
fn stacks(tree: &Tree, weights: &[u64], scale: u64) -> String {
    let least = least(weights);
    let mut own = weights.to_vec();
    let mut total = weights.to_vec();
    // Children come after their parents.
    for node in (1..tree.nodes.len()).rev() {
        let parent = tree.nodes[node].parent as usize;
        total[parent] += total[node];
        if total[node] < least {
            own[parent] += std::mem::take(&mut own[node]);
        }
    }
    let mut text = String::new();
    for (node, weight) in own.into_iter().enumerate().skip(1).filter(|(_, weight)| *weight > 0) {
        let mut frames: Vec<u32> = tree.chain(node as u32).collect();
        frames.reverse();
        for (i, frame) in frames.into_iter().enumerate() {
            text.push_str(if i == 0 { "" } else { ";" });
            text.push_str(&name(tree, frame));
        }
        let _ = writeln!(text, " {}", weight.div_ceil(scale));
    }
    text
}

/// Collapsed stacks, the innermost frame first.
fn inverted(tree: &Tree, weights: &[u64], scale: u64) -> String {
    let least = least(weights);
    let mut text = String::new();
    // A prefix of stacks, and for each stack with this prefix its caller and weight.
    let all = weights.iter().enumerate().skip(1).filter(|(_, weight)| **weight > 0);
    let mut waiting: Vec<(String, Vec<(u32, u64)>)> =
        vec![(String::new(), all.map(|(node, weight)| (node as u32, *weight)).collect())];
    while let Some((before, stacks)) = waiting.pop() {
        let mut groups: FxHashMap<String, Vec<(u32, u64)>> = FxHashMap::default();
        let mut ended = 0;
        for (node, weight) in stacks {
            match node {
                ROOT => ended += weight,
                node => groups.entry(name(tree, node)).or_default().push((tree.nodes[node as usize].parent, weight)),
            }
        }
        for (name, stacks) in groups {
            let weight: u64 = stacks.iter().map(|(_, weight)| weight).sum();
            if weight < least && !before.is_empty() {
                ended += weight;
                continue;
            }
            let separator = if before.is_empty() { "" } else { ";" };
            waiting.push((format!("{before}{separator}{name}"), stacks));
        }
        if ended > 0 {
            let _ = writeln!(text, "{before} {}", ended.div_ceil(scale));
        }
    }
    text
}

/// The name of a frame. A suffix marks machine code and states outside of methods, which have colours of their own.
fn name(tree: &Tree, node: u32) -> String {
    let (function, place) = (tree.function_of(node), tree.place_of(node));
    let mark = match function.kind {
        Kind::Ruby | Kind::Core if place.is_compiled => "_[j]",
        Kind::Ruby => "_[i]",
        Kind::Core | Kind::Native => "",
        _ => "_[k]",
    };
    format!("{}{mark}", function.name.replace([';', '\n'], " "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{Function, Place};

    fn tree(names: &[&str]) -> Tree {
        let mut tree = Tree::new();
        for name in names {
            let function = tree.add_function(Function {
                name: (*name).into(),
                path: String::new(),
                first_line: 0,
                kind: Kind::Native,
            });
            tree.place(Place { function, line: 0, is_compiled: false });
        }
        tree
    }

    fn sorted(text: &str) -> Vec<&str> {
        let mut lines: Vec<&str> = text.lines().collect();
        lines.sort_unstable();
        lines
    }

    #[test]
    fn narrow_frames_belong_to_their_callers() {
        let mut tree = tree(&["a", "b", "c"]);
        let a = tree.child(ROOT, 0);
        let b = tree.child(a, 1);
        let c = tree.child(b, 2);
        let other = tree.child(ROOT, 2);
        let mut weights = vec![0; tree.nodes.len()];
        for (node, weight) in [(a, 10), (b, 1), (c, 1), (other, 99_988)] {
            weights[node as usize] = weight;
        }
        assert_eq!(sorted(&stacks(&tree, &weights, 1)), ["a 12", "c 99988"]);
        assert_eq!(sorted(&inverted(&tree, &weights, 1)), ["a 10", "b 1", "c 99989"]);
        weights[c as usize] = 5;
        assert_eq!(sorted(&stacks(&tree, &weights, 1)), ["a 10", "a;b 1", "a;b;c 5", "c 99988"]);
        assert_eq!(sorted(&inverted(&tree, &weights, 1)), ["a 10", "b 1", "c 99988", "c;b;a 5"]);
    }
}
