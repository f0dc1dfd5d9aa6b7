//! The files of a crate are on floors, like the crates on layers: a file or folder at the top of the crate refers only
//! to those of lower floors. `xtask/tidy.txt` lists the floors from the lowest, and the references upwards with their
//! reasons. Files of a folder may refer to each other in a circle only where `xtask/tidy.txt` lists the circle.

mod graph;

use std::collections::{BTreeMap, BTreeSet};

use super::{Findings, Rules};
use crate::source::SourceFile;
use graph::{Graph, References};

/// The crate whose files have floors.
const KRATE: &str = "crates/runtime";
const FLOORS: &str = "floors of runtime";
const UPWARDS: &str = "references upwards in runtime";
const CIRCLES: &str = "circles in runtime";

/// References to files and folders that are not on a lower floor.
pub fn upwards(files: &[SourceFile], rules: &Rules) -> Result<Findings, String> {
    let floors = floors(rules)?;
    let graph = graph(files);
    let mut findings = Findings::default();
    for name in graph.files().map(|file| top(file)).filter(|name| !name.is_empty()).collect::<BTreeSet<_>>() {
        if !floors.contains_key(name) {
            findings.errors.push(format!("{name} has no floor in xtask/tidy.txt"));
        }
    }
    for ((from, to), items) in graph.references() {
        let (low, high) = (top(&to), top(&from));
        let (Some(low_floor), Some(high_floor)) = (floors.get(low), floors.get(high)) else { continue };
        if low != high && low_floor >= high_floor && !rules.excepts(UPWARDS, &format!("{high} -> {low}")) {
            findings.errors.push(format!(
                "{from} may not refer to {} of {to}: {low} is not on a lower floor than {high}",
                shown(&items)
            ));
        }
    }
    Ok(findings)
}

/// Circles of files that are not listed.
pub fn circles(files: &[SourceFile], rules: &Rules) -> Result<Findings, String> {
    let graph = graph(files);
    let references = graph.references();
    let mut findings = Findings::default();
    for circle in graph::circles(graph.files(), &references) {
        if !rules.excepts(CIRCLES, &circle.join(" ")) {
            findings.errors.push(format!(
                "{} refer to each other in a circle{}",
                circle.join(" "),
                edges(&circle, &references)
            ));
        }
    }
    Ok(findings)
}

/// The references within a circle, a line each.
fn edges(circle: &[String], references: &References) -> String {
    let is_inside = |file: &String| circle.contains(file);
    let inside = references.iter().filter(|((from, to), _)| is_inside(from) && is_inside(to));
    inside.map(|((from, to), items)| format!("\n    {from} -> {to}: {}", shown(items))).collect()
}

fn shown(items: &BTreeSet<String>) -> String {
    items.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
}

fn graph(files: &[SourceFile]) -> Graph {
    Graph::new(files.iter().filter(|file| file.krate == KRATE && !file.is_test()))
}

/// The file or folder at the top that a file belongs to; empty for the crate's root.
fn top(file: &str) -> &str {
    file.split("::").next().unwrap_or_default()
}

/// The floor of each file and folder at the top.
fn floors(rules: &Rules) -> Result<BTreeMap<String, u32>, String> {
    let mut floors = BTreeMap::new();
    for (floor, modules) in rules.facts(FLOORS) {
        let floor: u32 = floor.parse().map_err(|_| format!("floor {floor} is not a number"))?;
        floors.extend(modules.split_whitespace().map(|module| (module.to_string(), floor)));
    }
    Ok(floors)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(path: &str, text: &str) -> SourceFile {
        let syntax = syn::parse_file(text).expect("the snippet parses");
        SourceFile { krate: KRATE.into(), path: format!("{KRATE}/src/{path}"), text: text.into(), syntax }
    }

    fn rules(circles: &str) -> Rules {
        let text = format!("[{FLOORS}]\n0: low\n1: high\n[{CIRCLES}]\n{circles}");
        Rules::parse(&text).expect("the rules parse")
    }

    #[test]
    fn a_reference_upwards_is_an_error() {
        let errors = |low: &str| {
            let high = source("high.rs", "use crate::low; pub fn f() { low::g() }");
            upwards(&[high, source("low.rs", low)], &rules("")).expect("the floors are numbers").errors
        };
        assert!(errors("pub fn g() {}").is_empty());
        let found = errors("pub fn g() { crate::high::f() }");
        assert_eq!(found, ["low may not refer to f of high: high is not on a lower floor than low"]);
    }

    #[test]
    fn a_circle_that_is_not_listed_is_an_error() {
        let files = [
            source("high/mod.rs", "mod a; mod b; mod c;"),
            source("high/a.rs", "pub fn f() { super::b::f() }"),
            source("high/b.rs", "pub fn f() { super::a::f() }"),
            source("high/c.rs", "pub fn f() { super::a::f() }"),
        ];
        let errors = |listed| circles(&files, &rules(listed)).expect("circles are found").errors;
        assert!(errors("high::a high::b: a reason").is_empty());
        let found = errors("high::a high::c: a reason");
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("high::a high::b refer to each other in a circle\n    high::a -> high::b: f"));
    }
}
