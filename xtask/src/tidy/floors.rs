//! The files of a crate are on floors, like the crates on layers: a file or folder at the top of the crate refers only
//! to those of lower floors. `xtask/tidy.txt` lists the floors from the lowest, and the references upwards with their
//! reasons.
//!
//! The lint checks paths: `use crate::…`, `super::…` and `crate::…` in code. Tests are exempt.

use std::collections::{BTreeMap, BTreeSet};

use syn::visit::{self, Visit};

use super::{Findings, Rules};
use crate::source::SourceFile;

/// The crate whose files have floors.
const KRATE: &str = "crates/runtime";
const FLOORS: &str = "floors of runtime";
const LINT: &str = "references upwards in runtime";

pub fn check(files: &[SourceFile], rules: &Rules) -> Result<Findings, String> {
    let floors = floors(rules)?;
    let mut findings = Findings::default();
    let files: Vec<&SourceFile> = files.iter().filter(|file| file.krate == KRATE && !file.is_test()).collect();
    let aliases = files.iter().find(|file| file.path.ends_with("/src/lib.rs")).map(|file| aliases(&file.syntax));
    let aliases = aliases.unwrap_or_default();
    let mut references: BTreeMap<(String, String), String> = BTreeMap::new();
    for file in &files {
        let Some(module) = module_of(&file.path).filter(|module| !module.is_empty()) else { continue };
        if !floors.contains_key(&module[0]) {
            findings.errors.push(format!("{} has no floor in xtask/tidy.txt", module[0]));
            continue;
        }
        for path in paths_of(&file.syntax, &module) {
            let to = aliases.get(&path[0]).unwrap_or(&path[0]);
            if *to != module[0] && floors.contains_key(to) {
                references.entry((module[0].clone(), to.clone())).or_insert_with(|| file.path.clone());
            }
        }
    }
    for ((from, to), place) in references {
        if floors[&to] >= floors[&from] && !rules.excepts(LINT, &format!("{from} -> {to}")) {
            findings.errors.push(format!("{place}: {from} may not refer to {to}, which is not on a lower floor"));
        }
    }
    Ok(findings)
}

/// The floor of each top-level file or folder.
fn floors(rules: &Rules) -> Result<BTreeMap<String, u32>, String> {
    let mut floors = BTreeMap::new();
    for (floor, modules) in rules.facts(FLOORS) {
        let floor: u32 = floor.parse().map_err(|_| format!("floor {floor} is not a number"))?;
        floors.extend(modules.split_whitespace().map(|module| (module.to_string(), floor)));
    }
    Ok(floors)
}

/// The path of a file's module within the crate; empty for `lib.rs`.
fn module_of(path: &str) -> Option<Vec<String>> {
    let inside = path.split_once("/src/")?.1.strip_suffix(".rs")?;
    let mut module: Vec<String> = inside.split('/').map(str::to_string).collect();
    if module.last().is_some_and(|name| name == "mod" || name == "lib") {
        module.pop();
    }
    Some(module)
}

/// The top-level modules in which the names that the root re-exports are declared.
fn aliases(root: &syn::File) -> BTreeMap<String, String> {
    let mut aliases = BTreeMap::new();
    for item in &root.items {
        if let syn::Item::Use(item) = item {
            let mut leaves = Vec::new();
            expand(&item.tree, &mut Vec::new(), &mut leaves);
            for path in leaves {
                if let (Some(first), Some(last)) = (path.first(), path.last())
                    && first != last
                {
                    aliases.insert(last.clone(), first.clone());
                }
            }
        }
    }
    aliases
}

/// All paths of the file, from the root of the crate.
fn paths_of(file: &syn::File, module: &[String]) -> BTreeSet<Vec<String>> {
    let mut finder = Finder { module, found: BTreeSet::new() };
    finder.visit_file(file);
    finder.found
}

struct Finder<'m> {
    module: &'m [String],
    found: BTreeSet<Vec<String>>,
}

impl Finder<'_> {
    fn add(&mut self, path: &[String]) {
        let above = path.iter().take_while(|name| *name == "super").count();
        let full = match path.first().map(String::as_str) {
            Some("crate") => path[1..].to_vec(),
            Some("super") if above <= self.module.len() => {
                [&self.module[..self.module.len() - above], &path[above..]].concat()
            }
            _ => return,
        };
        if !full.is_empty() {
            self.found.insert(full);
        }
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let mut leaves = Vec::new();
        expand(&item.tree, &mut Vec::new(), &mut leaves);
        leaves.iter().for_each(|path| self.add(path));
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.add(&names);
        visit::visit_path(self, path);
    }

    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        // Inline modules resolve `super` from themselves; test modules are exempt.
        if module.content.is_none() {
            visit::visit_item_mod(self, module);
        }
    }
}

/// Expands the paths of a `use`: `self` stands for the path before it, and an alias for the original name.
fn expand(tree: &syn::UseTree, before: &mut Vec<String>, leaves: &mut Vec<Vec<String>>) {
    match tree {
        syn::UseTree::Path(path) => {
            before.push(path.ident.to_string());
            expand(&path.tree, before, leaves);
            before.pop();
        }
        syn::UseTree::Group(group) => group.items.iter().for_each(|tree| expand(tree, before, leaves)),
        syn::UseTree::Name(name) if name.ident == "self" => leaves.push(before.clone()),
        syn::UseTree::Name(syn::UseName { ident }) | syn::UseTree::Rename(syn::UseRename { ident, .. }) => {
            leaves.push([before.as_slice(), &[ident.to_string()]].concat());
        }
        syn::UseTree::Glob(_) => leaves.push(before.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, module: &[&str]) -> Vec<String> {
        let module: Vec<String> = module.iter().map(ToString::to_string).collect();
        let file = syn::parse_file(text).expect("the snippet parses");
        paths_of(&file, &module).into_iter().map(|path| path.join("::")).collect()
    }

    #[test]
    fn paths_are_found_from_the_root() {
        assert_eq!(found("use crate::{a::b, c::{self, d}};", &["x"]), ["a::b", "c", "c::d"]);
        assert_eq!(found("use super::y::z;", &["x", "w"]), ["x::y::z"]);
        assert_eq!(found("fn f() -> super::R { crate::g::h(1) }", &["x"]), ["R", "g::h"]);
        assert!(found("use std::fs; fn f(a: other::A) {}", &["x"]).is_empty());
    }

    #[test]
    fn a_name_of_the_root_stands_for_its_module() {
        let file = syn::parse_file("pub use state::{cx::{self, Cx}, vm};").expect("the snippet parses");
        let aliases = aliases(&file);
        assert_eq!(
            (aliases["Cx"].as_str(), aliases["cx"].as_str(), aliases["vm"].as_str()),
            ("state", "state", "state")
        );
    }

    #[test]
    fn the_module_of_a_file() {
        assert_eq!(module_of("crates/runtime/src/call/mod.rs"), Some(vec!["call".to_string()]));
        assert_eq!(module_of("crates/runtime/src/lib.rs"), Some(Vec::new()));
    }
}
