//! Checks that dependencies between crates of the workspace point to lower layers only.
//!
//! Dev-dependencies are exempt: a test may use crates above its own.

use std::collections::BTreeMap;

use super::{Findings, Rules};
use crate::source::{self, SourceFile};
use crate::workspace;

pub fn check(_files: &[SourceFile], rules: &Rules) -> Result<Findings, String> {
    let layers = layers(rules)?;
    let mut findings = Findings::default();
    for folder in source::crates()? {
        let manifest = workspace::read(&workspace::root().join(&folder).join("Cargo.toml"))?;
        if !manifest.contains("[lints]\nworkspace = true") {
            findings.errors.push(format!("{folder}/Cargo.toml lacks `[lints] workspace = true`"));
        }
        let Some(name) = folder.strip_prefix("crates/") else {
            continue;
        };
        let Some(layer) = layers.get(name) else {
            findings.errors.push(format!("{folder} has no layer in xtask/tidy.txt"));
            continue;
        };
        for dependency in dependencies(&manifest) {
            if layers.get(&dependency).is_none_or(|below| below >= layer) {
                findings.errors.push(format!("{name} (layer {layer}) may not use {dependency}"));
            }
        }
    }
    Ok(findings)
}

fn layers(rules: &Rules) -> Result<BTreeMap<String, u32>, String> {
    let mut layers = BTreeMap::new();
    for (layer, crates) in rules.facts("layers") {
        let layer = layer.parse().map_err(|_| format!("layer {layer} is not a number"))?;
        layers.extend(crates.split_whitespace().map(|name| (name.to_string(), layer)));
    }
    Ok(layers)
}

/// The workspace crates that a manifest depends on, by the name of their folder.
fn dependencies(manifest: &str) -> Vec<String> {
    let mut dependencies = Vec::new();
    let mut counts = false;
    for line in manifest.lines() {
        let line = line.trim();
        if let Some(section) = line.strip_prefix('[') {
            counts = section.contains("dependencies") && !section.contains("dev-dependencies");
        }
        if !counts {
            continue;
        }
        let Some((_, after)) = line.split_once("path = \"") else {
            continue;
        };
        let path = after.split('"').next().unwrap_or_default();
        if let Some(name) = path.rsplit('/').next() {
            dependencies.push(name.to_string());
        }
    }
    dependencies
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_are_read_from_all_sections_but_those_of_tests() {
        let manifest = "[package]\nname = \"beni-a\"\n[dependencies]\n\
            text = { package = \"beni-text\", path = \"../text\" }\nlibc = \"0.2\"\n\
            [target.'cfg(unix)'.dependencies]\nhost = { path = \"../host\" }\n\
            [dev-dependencies]\ncore = { path = \"../core\" }\n";
        assert_eq!(dependencies(manifest), ["text", "host"]);
    }
}
