//! The page of a heap dump: a treemap, tables by class, allocation site and generation, the largest objects, equal
//! Strings, and what is new since an earlier dump.

use std::fs::File;

use heap_graph::graph::Graph;
use heap_graph::growth::Grown;
use heap_graph::paths::Paths;
use heap_graph::retained::{Retained, Sum};
use heap_graph::{groups, report, strings};
use serde_json::{Value as Json, json};

use super::template::Page;

/// The maximum number of rows of a table.
const ROWS: usize = 2000;
/// The number of objects that are listed with a path from a root, and the number of steps of a path.
const OBJECTS: usize = 200;
const STEPS: usize = 30;
/// About how many areas the treemap has on all levels together.
const GROUPS: usize = 4000;

/// A dump and its retained sizes.
pub struct Dump<'a> {
    pub name: &'a str,
    pub graph: &'a Graph,
    pub retained: &'a Retained,
    pub file: &'a File,
}

/// `fresh` marks the nodes that are new since an earlier dump, `grown` are their groups.
pub fn write(dump: &Dump<'_>, fresh: Option<&[bool]>, grown: Option<&[Grown]>) -> String {
    let Dump { graph, retained, .. } = *dump;
    let groups = groups::tree(graph, retained, fresh.unwrap_or_default(), GROUPS);
    let groups: Vec<Json> = groups
        .iter()
        .map(|group| json!([group.parent, group.name, group.objects, group.own, group.retained, group.fresh]))
        .collect();
    let classes = sums(retained.by(graph, |graph, node| Some(graph.classes[node as usize])), |id| graph.names.text(id));
    let places = sums(retained.by(graph, Graph::place), |id| graph.names.text(id));
    let generations = sums(retained.by(graph, Graph::generation), |generation| generation.to_string());
    let equal: Vec<Json> = strings::equal(graph, dump.file, ROWS)
        .into_iter()
        .map(|group| json!([group.wasted, group.count, group.value]))
        .collect();
    let mut tabs = vec![("map", "Treemap"), ("classes", "Classes")];
    let is_traced = !graph.places.is_empty();
    tabs.extend(is_traced.then_some([("places", "Places"), ("generations", "Generations")]).into_iter().flatten());
    tabs.extend([("objects", "Objects"), ("strings", "Strings")]);
    tabs.extend(grown.map(|_| ("growth", "Growth")));
    let grown = grown.unwrap_or_default().iter().take(ROWS);
    let growth: Vec<Json> = grown.map(|row| json!([row.bytes, row.objects, row.name])).collect();
    Page {
        title: format!("Heap of {}", dump.name),
        summary: report::totals(graph, retained),
        tabs: tabs.into_iter().map(|(id, label)| (id, label, String::new())).collect(),
        data: json!({
            "groups": groups, "classes": classes, "places": places, "generations": generations,
            "objects": objects(dump), "strings": equal, "growth": growth, "isCompared": fresh.is_some(),
        }),
        library: Some((include_str!("kept/d3-hierarchy.js"), include_str!("kept/d3-hierarchy.LICENSE"))),
        script: include_str!("heap.js"),
    }
    .write()
}

fn sums(rows: Vec<(u32, Sum)>, name: impl Fn(u32) -> String) -> Vec<Json> {
    let row = |(id, sum): (u32, Sum)| json!([name(id), sum.objects, sum.bytes, sum.retained]);
    rows.into_iter().take(ROWS).map(row).collect()
}

/// The objects that retain most, with their paths.
fn objects(dump: &Dump<'_>) -> Vec<Json> {
    let Dump { graph, retained, .. } = *dump;
    let paths = Paths::new(graph);
    let row = |place: u32| {
        let node = retained.dominators.order[place as usize];
        let path = paths.to(node).filter(|path| path.len() <= STEPS);
        let path = path.map_or("more than 30 steps".into(), |path| report::text_of_path(graph, path));
        let (bytes, own) = (retained.bytes[place as usize], graph.sizes[node as usize]);
        json!([bytes, own, report::shown(graph, node), path.trim_end()])
    };
    retained.largest(OBJECTS).into_iter().map(row).collect()
}
