//! The output of `beni heap`.

use std::fmt::Write;
use std::fs::File;

use crate::graph::Graph;
use crate::growth::Grown;
use crate::retained::{Retained, Sum};
use crate::{paths, strings};

/// The number of rows of a table.
pub const ROWS: usize = 15;

/// The report on one dump.
pub fn whole(graph: &Graph, retained: &Retained, file: &File) -> String {
    let mut text = totals(graph, retained);
    text.push_str(&table("by class", graph, &retained.by(graph, |graph, node| Some(graph.classes[node as usize]))));
    if !graph.places.is_empty() {
        text.push_str(&table("by place of allocation", graph, &retained.by(graph, Graph::place)));
    }
    if !graph.generations.is_empty() {
        let rows = retained.by(graph, Graph::generation);
        text.push_str(&rows_of("by generation", &rows, |generation| generation.to_string()));
    }
    text.push_str(&largest(graph, retained));
    text.push_str(&equal_strings(graph, file));
    text
}

/// The number of objects and their bytes.
pub fn totals(graph: &Graph, retained: &Retained) -> String {
    let bytes: u64 = graph.sizes.iter().map(|size| u64::from(*size)).sum();
    let reached = retained.dominators.order.len() as u64 - 1;
    let unreached = graph.addresses.len() as u64 - reached;
    format!(
        "{} objects, {}; roots reach {reached} of them, {}; {unreached} wait to be collected\n",
        graph.addresses.len(),
        size(bytes),
        size(retained.bytes[0]),
    )
}

fn table(title: &str, graph: &Graph, rows: &[(u32, Sum)]) -> String {
    rows_of(title, rows, |id| graph.names.text(id))
}

fn rows_of(title: &str, rows: &[(u32, Sum)], name: impl Fn(u32) -> String) -> String {
    let mut text = format!("\n{:>12} {:>12} {:>12}  {title}\n", "retained", "own", "objects");
    for (id, sum) in rows.iter().take(ROWS) {
        let (retained, own) = (size(sum.retained), size(sum.bytes));
        let _ = writeln!(text, "{retained:>12} {own:>12} {:>12}  {}", sum.objects, name(*id));
    }
    if rows.len() > ROWS {
        let _ = writeln!(text, "{:>40}{} more", "", rows.len() - ROWS);
    }
    text
}

/// The objects that retain most.
fn largest(graph: &Graph, retained: &Retained) -> String {
    let mut text = format!("\n{:>12} {:>12}  objects that retain most\n", "retained", "own");
    for place in retained.largest(ROWS) {
        let node = retained.dominators.order[place as usize];
        let (all, own) = (size(retained.bytes[place as usize]), size(u64::from(graph.sizes[node as usize])));
        let _ = writeln!(text, "{all:>12} {own:>12}  {}", shown(graph, node));
    }
    text
}

fn equal_strings(graph: &Graph, file: &File) -> String {
    let groups = strings::equal(graph, file, ROWS);
    if groups.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{:>12} {:>12}  equal Strings\n", "wasted", "objects");
    for group in groups {
        let _ = writeln!(text, "{:>12} {:>12}  \"{}\"", size(group.wasted), group.count, group.value);
    }
    text
}

/// The path from a root to an object.
pub fn path(graph: &Graph, node: u32) -> String {
    match paths::from_root(graph, node) {
        Some(path) => text_of_path(graph, path),
        None => "no root reaches it\n".into(),
    }
}

/// The text of a path.
pub fn text_of_path(graph: &Graph, path: Vec<u32>) -> String {
    let root =
        path.first().and_then(|first| graph.roots.get(first)).map_or(String::new(), |name| graph.names.text(*name));
    let mut text = format!("root {root}\n");
    for (depth, node) in path.into_iter().enumerate() {
        let _ = writeln!(text, "{:indent$}{}", "", shown(graph, node), indent = 2 * (depth + 1));
    }
    text
}

/// The objects that appeared from dump to dump.
pub fn growth(grown: &[Grown], dumps: usize) -> String {
    let heading =
        if dumps > 2 { "appeared after the first dump and are in the last" } else { "appeared after the first dump" };
    let (objects, bytes) = grown.iter().fold((0, 0), |sum, row| (sum.0 + row.objects, sum.1 + row.bytes));
    let mut text = format!("{objects} objects, {} {heading}\n\n{:>12} {:>12}\n", size(bytes), "own", "objects");
    for row in grown.iter().take(2 * ROWS) {
        let _ = writeln!(text, "{:>12} {:>12}  {}", size(row.bytes), row.objects, row.name);
    }
    text
}

/// An object's class, its own name if it is a class or module, its address and its allocation site.
pub fn shown(graph: &Graph, node: u32) -> String {
    let place = graph.place(node).map_or(String::new(), |place| format!(" from {}", graph.names.text(place)));
    let own = graph.own_names.get(&node).map_or(String::new(), |name| format!(" {}", graph.names.text(*name)));
    format!("{}{own} {:#x}{place}", graph.class_name(node), graph.address(node))
}

/// A number of bytes in readable form.
pub fn size(bytes: u64) -> String {
    match bytes as f64 {
        b if b < 1024.0 => format!("{bytes} B"),
        b if b < 1024.0 * 1024.0 => format!("{:.1} KiB", b / 1024.0),
        b if b < 1024.0 * 1024.0 * 1024.0 => format!("{:.1} MiB", b / 1024.0 / 1024.0),
        b => format!("{:.2} GiB", b / 1024.0 / 1024.0 / 1024.0),
    }
}
