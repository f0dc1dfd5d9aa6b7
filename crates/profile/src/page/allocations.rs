//! The page of allocations: a flame graph of their bytes, tables of lines and classes.

use serde_json::{Value as Json, json};

use super::{flame, template::Page};
use crate::allocations::{Allocations, Group};
use crate::tree::Lines;

/// The maximum number of rows of a table.
const ROWS: usize = 5000;

pub fn write(allocations: &Allocations) -> String {
    let count = allocations.total();
    let mut weights = vec![0; allocations.tree.nodes.len()];
    for row in &allocations.rows {
        weights[row.node as usize] += row.count.bytes.round() as u64;
    }
    let graph = |is_inverted| flame::graph(&allocations.tree, &weights, 1, "bytes", is_inverted);
    let mut lines = Lines::new(&allocations.tree);
    let mut row = |group: Group| {
        json!({
            "name": group.name, "line": group.line, "objects": group.count.objects.round(),
            "bytes": group.count.bytes.round(), "survived": group.count.survived.round(),
            "parts": group.parts.iter().take(20).map(|(name, count)| json!([name, count.objects.round()]))
                .collect::<Vec<Json>>(),
            "source": lines.line(&group.name, group.line).unwrap_or_default(),
        })
    };
    let data = json!({
        "bytes": count.bytes.round(), "objects": count.objects.round(),
        "lines": allocations.by_line().into_iter().take(ROWS).map(&mut row).collect::<Vec<Json>>(),
        "classes": allocations.by_class().into_iter().take(ROWS).map(&mut row).collect::<Vec<Json>>(),
    });
    Page {
        title: format!("Allocations of {}", allocations.program),
        summary: format!(
            "{} objects, {} bytes; {} objects survived their first collection",
            count.objects.round(),
            count.bytes.round(),
            count.survived.round()
        ),
        tabs: vec![
            ("lines", "Lines", String::new()),
            ("classes", "Classes", String::new()),
            ("flame", "Flame graph", graph(false)),
            ("inverted", "Inverted", graph(true)),
        ],
        data,
        library: None,
        script: include_str!("allocations.js"),
    }
    .write()
}
